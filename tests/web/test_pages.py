"""The other pages: search, memories, timeline, health, tasks, agents and the graph."""

from __future__ import annotations

import pytest

from holdfast.domain.choices import LinkKind
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.selection import Selection
from holdfast.domain.recall.question import Question
from holdfast.usecases.agents.opening import OpenAgent
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.browse import Browse
from holdfast.usecases.review.rewording import Edit
from holdfast.usecases.tasks.adding import AddTask
from tests.requirements import requirement
from tests.web.scene import Reader, WebScene, git


@requirement("web.search-shows-the-parts")
def test_a_search_shows_the_parts_of_each_score_and_stores_nothing(
    scene: WebScene, reader: Reader
) -> None:
    record = scene.accept("Tokens rotate on every use.")

    page = reader.get("/search?q=when+do+tokens+rotate").text

    assert "Tokens rotate on every use." in page
    assert 'class="parts"' in page
    assert "words +" in page
    assert "own strength +" in page
    assert "of 2,000 tokens are used" in page
    assert "1 item, 0 left out; the tokens are estimated." in page
    nothing = reader.get("/search?q=zebra&include=code").text
    assert "Nothing in code answers this question; memories were not searched." in nothing
    assert "No memory answers" not in nothing
    after = scene.holdfast.memories.explain(record.memory.id).record
    assert after.usage.access_count == 0


@requirement("web.search-shows-the-parts")
def test_a_search_tells_what_was_left_out_and_the_shortage(scene: WebScene, reader: Reader) -> None:
    for number in range(6):
        scene.accept(f"Tokens rotate in step {number}, after the lock of step {number} is taken.")

    page = reader.get("/search?q=tokens+rotate&budget=120").text

    assert "Left out" in page
    assert "of 120 tokens" in page


@requirement("web.search-shows-the-parts")
@pytest.mark.parametrize(("often", "words"), [(0, "0 times"), (1, "1 time<"), (2, "2 times")])
def test_a_memory_says_how_often_it_was_given(
    scene: WebScene, reader: Reader, often: int, words: str
) -> None:
    record = scene.accept("Tokens rotate on every use.")
    for _ in range(often):
        scene.holdfast.answers.recall(Question(text="when do tokens rotate"))

    page = reader.get(f"/memories/{record.memory.id}").text

    assert words in page.replace(", last", "<")


@requirement("web.search-shows-the-parts")
def test_what_was_not_counted_has_no_number_of_tokens(scene: WebScene, reader: Reader) -> None:
    scene.accept("Tokens rotate on every use.")
    scene.accept("Deploys happen on Tuesdays.")

    page = reader.get("/search?q=when+do+tokens+rotate").text

    [row] = [one for one in page.split("<tr>") if "Deploys happen" in one]
    assert 'data-label="tokens">–</td>' in row


@requirement("web.search-shows-the-parts")
def test_an_answer_is_kept_and_shown_as_a_bundle(scene: WebScene, reader: Reader) -> None:
    scene.accept("Tokens rotate on every use.")
    reader.get("/search?q=tokens+rotate&kind=gotcha&scope=repo&include=memory")

    page = reader.send(reader.form("/bundles"), "Keep")

    assert page.url.path.startswith("/bundles/c_")
    assert "Tokens rotate on every use." in page.text
    assert "tokens rotate</q>" in page.text


@requirement("web.search-shows-the-parts")
@pytest.mark.parametrize("query", ["budget=0", "budget=x", "include=none", "kind=x", "as_of=none"])
def test_a_search_with_a_bad_field_is_explained(reader: Reader, query: str) -> None:
    answer = reader.get(f"/search?q=tokens&{query}")

    assert answer.status_code in {404, 422}
    assert "Not done" in answer.text
    assert reader.forms()[0].action == "/search"
    assert ("q", "tokens") in reader.forms()[0].fields


@requirement("web.search-shows-the-parts")
def test_an_empty_question_is_only_the_form(reader: Reader) -> None:
    assert "tokens are used" not in reader.get("/search?q=").text
    token = reader.forms()[0]
    assert token.action == "/search"


@requirement("web.memory-page")
def test_a_memory_is_shown_with_its_verdict_history_and_what_it_replaced(
    scene: WebScene, reader: Reader
) -> None:
    old = scene.accept("Tokens rotate on every use.", key="tokens", tags=("auth",))
    wish = Edit(reference=old.memory.id, claim="Tokens rotate on each refresh.", by="ada")
    new = scene.holdfast.review.edit(wish).records[0]

    page = reader.get(f"/memories/{new.memory.id}").text
    before = reader.get(f"/memories/{old.memory.id}").text

    assert 'class="verdict fresh"' in page
    assert '<mark class="line">' in page
    assert "Replaced" in page
    assert "<del>every" in page
    assert "tokens" in page
    assert "edit" in page
    assert "by ada" in page
    assert "Superseded by" in before
    assert new.memory.id in before


@requirement("web.memory-page")
def test_a_memory_is_edited_pinned_and_deprecated(scene: WebScene, reader: Reader) -> None:
    record = scene.accept("Tokens rotate on every use.")
    name = record.memory.id
    reader.get(f"/memories/{name}")
    reader.send(reader.form(f"/memories/{name}/pin"), "Pin")
    assert scene.holdfast.memories.explain(name).record.standing.pinned
    reader.send(reader.form(f"/memories/{name}/pin"), "Unpin")
    reader.send(reader.form(f"/candidates/{name}/edit"), "Replace", claim="Tokens rotate.")
    assert reader.page is not None
    assert reader.page.url.path != f"/memories/{name}"
    later = reader.page.url.path
    reader.send(reader.form(f"{later}/deprecate"), "Deprecate", reason="Old.")
    assert "deprecated" in reader.text
    assert "Old." in reader.text
    reader.send(next(one for one in reader.forms() if one.action.endswith("/undo")))
    assert "accepted</span>" in reader.get(later).text


@requirement("web.memory-page")
@pytest.mark.parametrize(
    ("query", "shown", "hidden"),
    [
        ("", "Tokens rotate", "Rules wait"),
        ("status=any", "Rules wait", "zzz"),
        ("status=candidate", "Rules wait", "Tokens rotate"),
        ("q=tokens", "Tokens rotate", "Caches"),
        ("day=2020-01-01", "the history begins on", "Tokens rotate"),
        ("as_of=main", "Tokens rotate", "Rules wait"),
        ("kind=rule", "No memory fits", "Tokens rotate"),
        ("everywhere=1&origin=human&scope=repo", "Caches", "Rules wait"),
    ],
)
def test_the_list_is_filtered(
    scene: WebScene, reader: Reader, query: str, shown: str, hidden: str
) -> None:
    scene.accept("Tokens rotate on every use.")
    scene.accept("Caches hold ten entries.")
    scene.propose("Rules wait for a person.")

    page = reader.get(f"/memories?{query}").text

    assert shown in page
    assert hidden not in page


@requirement("web.memory-page")
def test_the_list_has_pages(scene: WebScene, reader: Reader) -> None:
    for number in range(53):
        scene.accept(f"Fact number {number}.")

    first, second = reader.get("/memories").text, reader.get("/memories?page=2").text

    assert "Fact number 52." in first
    assert "Fact number 1." not in first
    assert ">Next<" in first
    assert "Fact number 1." in second
    assert "Fact number 52." not in second
    assert ">Previous<" in second


@requirement("web.memory-page")
@pytest.mark.parametrize(
    "path", ["/memories/m_none", "/bundles/c_none", "/runs/r_none", "/tasks/t_none", "/graph/m_no",
             "/agents/nobody", "/sessions/i_none", "/inbox/m_none"]
)  # fmt: skip
def test_an_unknown_id_is_a_page_that_says_so(reader: Reader, path: str) -> None:
    answer = reader.get(path)

    assert answer.status_code == 404
    assert "<h1>Not found</h1>" in answer.text


@requirement("web.memory-page")
@pytest.mark.parametrize("noun", ["memories", "bundles", "runs", "sessions", "tasks", "agents"])
def test_the_id_of_another_noun_is_an_unknown_one(
    scene: WebScene, reader: Reader, noun: str
) -> None:
    run = scene.holdfast.runs.start(tool="codex", user="ada", goal="Rotate the keys.")
    session = scene.holdfast.sessions.start(tool="codex", user="ada")
    other = session.id if noun == "runs" else run.id

    answer = reader.get(f"/{noun}/{other}")

    assert answer.status_code == 404
    assert "<h1>Not found</h1>" in answer.text


@requirement("web.timeline")
def test_the_timeline_has_decisions_sessions_and_runs(scene: WebScene, reader: Reader) -> None:
    [record] = scene.propose("Tokens rotate on every use.")
    reader.get("/inbox")
    reader.decide(record, "approve", "Approve")
    run = scene.holdfast.runs.start(tool="codex", user="ada", goal="Rotate the keys.")
    session = scene.holdfast.sessions.start(tool="codex", user="ada")

    page = reader.get("/timeline").text

    assert "approve: 1 memory" in page
    assert "Rotate the keys." in page
    assert ">codex on main<" in page
    assert "person/" not in page
    assert "Rotate the keys." not in reader.get("/timeline?sort=decision&everywhere=1").text
    assert "Rotate the keys." in reader.get(f"/runs/{run.id}").text
    shown = reader.get(f"/sessions/{session.id}").text
    assert "No turns" in shown
    assert "person/" not in shown
    reader.get("/timeline")
    after = reader.send(next(one for one in reader.forms() if one.action.endswith("/undo")))
    assert after.url.path == "/timeline"
    assert "(undone)" in after.text


@requirement("web.health")
def test_health_lists_what_needs_a_person(scene: WebScene, reader: Reader) -> None:
    scene.accept("Tokens rotate on every use.")
    scene.propose("Tokens never rotate on use.")

    page = reader.get("/health").text

    assert "of 100" in page
    assert "contradict each other" in page
    assert "Tokens never" in page
    assert "All accepted claims have" in page
    assert "Never given" in page
    assert "Budget use" in page
    assert "Nothing needs you" in reader.get("/health?trouble=expired").text


@requirement("web.work")
def test_tasks_are_a_board_and_a_graph(scene: WebScene, reader: Reader) -> None:
    first = scene.holdfast.tasks.add(AddTask(title="Rotate the keys."))
    then = scene.holdfast.tasks.add(AddTask(title="Tell the team.", after=(first.id,)))
    scene.holdfast.tasks.block(then.id, "the team is away")

    page, picture = reader.get("/tasks").text, reader.get("/tasks/graph.svg")

    assert "Open (1)" in page
    assert "Blocked (1)" in page
    assert "the team is away" in page
    assert picture.headers["content-type"].startswith("image/svg")
    assert "Rotate" in picture.text
    assert "Rotate the keys." in reader.get(f"/tasks/{then.id}").text


@requirement("web.work")
def test_agents_are_shown_with_their_cycles(scene: WebScene, reader: Reader) -> None:
    nobody = reader.get("/agents").text
    assert "No agent works in cycles here" in nobody
    assert "agents.open(" in nobody
    opening = scene.holdfast.agents.open(OpenAgent(name="tidy-bot", holder="test"))
    scene.holdfast.agents.begin_cycle(opening)

    page = reader.get("/agents").text

    assert "tidy-bot" in page
    assert "cycle 1" in reader.get(f"/agents/{opening.agent.id}").text


@requirement("web.health")
def test_a_finding_names_other_memories_by_their_short_ids(scene: WebScene, reader: Reader) -> None:
    known = scene.accept("Tokens rotate on every use.")
    scene.propose("Tokens never rotate on use.")

    page = reader.get("/health").text

    [why] = [one for one in page.split("<td") if "It seems to contradict" in one]
    assert known.memory.id not in why
    assert known.memory.id[-8:] in why


@requirement("web.graph")
def test_the_graph_shows_the_neighbours_of_one_memory(scene: WebScene, reader: Reader) -> None:
    one, other = scene.accept("Tokens rotate on every use."), scene.accept("Keys never rotate.")
    link = Link(src=one.memory.id, dst=other.memory.id, kind=LinkKind.SUPPORTS)
    scene.holdfast.memories.link(link)

    page = reader.get(f"/graph/{one.memory.id}").text

    assert "<svg" in page
    assert "supports" in page
    assert f'href="/graph/{other.memory.id}"' in page
    assert "src/tokens.py:3-5" in page


@requirement("web.pages-are-small")
def test_no_page_of_a_large_memory_is_large(scene: WebScene, reader: Reader) -> None:
    for source in ("codex", "gemini"):
        claims = (f"Candidate {number} of {source}: {'long words ' * 12}" for number in range(100))
        scene.propose(*claims, source=source)
    scene.accept_all(*(f"Fact {number}: {'long words ' * 12}" for number in range(60)))

    for path in ("/inbox", "/inbox?page=9", "/memories", "/search?q=long+words", "/health",
                 "/timeline", "/static/htmx.min.js"):  # fmt: skip
        assert len(reader.get(path).content) <= 150_000, path


@requirement("web.pages-are-small")
def test_a_long_candidate_is_read_whole_before_it_is_decided(
    scene: WebScene, reader: Reader
) -> None:
    claims = [f"Candidate {number} <&> {'and so on ' * 1_000}" for number in range(22)]
    record = scene.propose(*claims)[0]

    page = reader.get("/inbox?select=all")

    assert len(page.content) <= 150_000
    assert "Read all of it and decide" in page.text
    assert "/approve" not in page.text
    assert " checked" not in page.text
    reader.get(f"/inbox/{record.memory.id}")
    assert reader.text.count("and so on") >= 1_000
    reader.decide(record, "approve", "Approve")
    assert scene.status(record) == "accepted"


@requirement("web.search-as-of")
def test_a_search_is_as_of_a_day_or_a_commit(scene: WebScene, reader: Reader) -> None:
    scene.accept("Tokens rotate on every use.")
    today = f"{scene.holdfast.now():%Y-%m-%d}"

    assert "Tokens rotate on every use." in reader.get(f"/search?q=tokens&day={today}").text
    assert f'value="{today}"' in reader.text
    assert 'type="range"' in reader.text
    assert "Tokens rotate on every use." in reader.get("/search?q=tokens&as_of=main").text
    before = reader.get("/search?q=tokens&day=2020-01-01")
    assert before.status_code == 404
    assert "2020-01-01" in before.text
    assert "the history begins on" in before.text
    assert 'value="2020-01-01"' in before.text
    assert reader.get("/search?q=tokens&day=never").status_code == 422
    assert "The day must have the form 2026-01-31." in reader.text
    both = reader.get(f"/search?q=tokens&day={today}&as_of=main")
    assert both.status_code == 422
    assert "give a day or a commit, not both" in both.text
    reader.get("/memories?day=never")
    assert "The day must have the form 2026-01-31." in reader.text


@requirement("web.search-as-of")
def test_the_list_and_the_search_are_as_of_the_same_point(scene: WebScene, reader: Reader) -> None:
    """A memory of today holds at an old commit whose files support it, on both pages."""
    git(scene.repository, "tag", "v1")
    (scene.repository / "src" / "new.py").write_text("limit = 10\n" * 3, encoding="utf-8")
    git(scene.repository, "add", ".")
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")
    git(scene.repository, *who, "commit", "-q", "-m", "Limit tokens")
    scene.accept("Tokens rotate on every use.")
    scene.accept("Tokens are limited to ten.", grounds=Grounds(places=("src/new.py:1-2",)))

    for path in ("/memories?q=tokens", "/search?q=tokens"):
        then = reader.get(f"{path}&as_of=v1").text
        now = reader.get(f"{path}&as_of=main").text
        assert "Tokens rotate on every use." in then
        assert "Tokens are limited to ten." not in then
        assert "Tokens rotate on every use." in now
        assert "Tokens are limited to ten." in now


@requirement("web.forms-keep-fields")
@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/memories?q=tokens&day=never&kind=rule", ("q", "tokens")),
        ("/memories?q=tokens&as_of=none", ("as_of", "none")),
        ("/memories?q=tokens&day=1999-01-01", ("day", "1999-01-01")),
        ("/memories?q=tokens&kind=none", ("q", "tokens")),
        ("/graph?code=src/gone.py:1-2", ("code", "src/gone.py:1-2")),
        ("/graph?code=src/tokens.py:x", ("code", "src/tokens.py:x")),
        ("/graph?code=src/t%E2%80%8Bo.py:x", ("code", "src/t\u200bo.py:x")),
        ("/memories?q=a%E2%80%8Bb&kind=none", ("q", "a\u200bb")),
        ("/search?q=a%E2%80%8Bb&budget=x", ("q", "a\u200bb")),
    ],
)
def test_a_refused_filter_keeps_what_was_typed(
    reader: Reader, path: str, field: tuple[str, str]
) -> None:
    answer = reader.get(path)

    assert answer.status_code in {404, 422}
    assert "Not done" in answer.text
    assert field in reader.form(path.partition("?")[0]).fields


@requirement("web.forms-keep-fields")
def test_a_refused_form_can_be_sent_again_with_other_words(scene: WebScene, reader: Reader) -> None:
    first = scene.accept("Tokens rotate on every use.")
    (record,) = scene.propose("Caches hold ten entries.")
    name = record.memory.id
    reader.get(f"/inbox/{name}")

    said = reader.send(reader.form(f"/candidates/{name}/edit"), claim="Tokens rotate on every use.")
    assert said.status_code == 409
    again = reader.form(f"/candidates/{name}/edit")
    assert ("claim", "Tokens rotate on every use.") in again.fields
    reader.send(again, claim="Caches hold twenty entries.")
    assert scene.status(record) == "superseded"

    (other,) = scene.propose("Locks are taken in order.")
    name = other.memory.id
    reader.get(f"/inbox/{name}")
    merge = reader.form(f"/candidates/{name}/merge")
    assert reader.send(merge, other="m_none", text="Both.").status_code == 404
    again = reader.form(f"/candidates/{name}/merge")
    assert {("other", "m_none"), ("text", "Both.")} <= set(again.fields)
    assert reader.send(again, other=first.memory.id).status_code == 200
    assert scene.status(other) == "superseded"


@requirement("web.forms-keep-fields")
def test_a_refused_form_stores_what_was_typed_and_not_how_it_is_shown(
    scene: WebScene, reader: Reader
) -> None:
    first = scene.accept("Tokens rotate on every use.")
    (record,) = scene.propose("Locks are taken in order.")
    name = record.memory.id
    typed = 'Locks <are> "taken" in or\u200bder & kept.'
    reader.get(f"/inbox/{name}")
    reader.send(reader.form(f"/candidates/{name}/merge"), other="m_none", text=typed)

    again = reader.form(f"/candidates/{name}/merge")
    reader.send(again, "Try again", other=first.memory.id)

    assert ("text", typed) in again.fields
    kept = scene.holdfast.memories.browse(Browse(selection=Selection()))
    assert typed.replace("\u200b", "") in [one.memory.claim for one in kept.records]


@requirement("web.graph")
def test_the_graph_begins_at_a_memory_a_task_or_lines_of_code(
    scene: WebScene, reader: Reader
) -> None:
    record = scene.accept("Tokens rotate on every use.")
    first = scene.holdfast.tasks.add(AddTask(title="Rotate the keys."))
    then = scene.holdfast.tasks.add(AddTask(title="Tell the team.", after=(first.id,)))

    around_memory = reader.get(f"/graph/{record.memory.id}").text
    around_code = reader.get("/graph?code=src/tokens.py:4").text
    around_task = reader.get(f"/graph/{then.id}").text

    assert 'href="/graph?code=src%2Ftokens.py%3A3-5"' in around_memory
    assert "is cited by" in around_code
    assert f'href="/graph/{record.memory.id}"' in around_code
    assert "waits for" in around_task
    assert f'href="/graph/{first.id}"' in around_task
    assert "Lines of code" in reader.get("/graph").text


@requirement("web.timeline")
def test_the_timeline_is_grouped_by_day(scene: WebScene, reader: Reader) -> None:
    scene.holdfast.sessions.start(tool="shell", user="ada")

    page = reader.get("/timeline").text

    assert f"<h2>{scene.holdfast.now():%Y-%m-%d}</h2>" in page
    assert "shell on main" in page
