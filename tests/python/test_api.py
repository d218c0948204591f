from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast.bootstrap.opening.models import shelf
from holdfast.domain.choices import EvidenceType, Kind, Origin, Scope, Status
from holdfast.domain.errors import (
    BadFieldError,
    BadLifetimeError,
    ForgottenError,
    InvalidError,
    NoEvidenceError,
    UnknownChoiceError,
)
from holdfast.domain.lookup_errors import NoModelError
from holdfast.domain.recall.learning import TooFewRatingsError
from holdfast.surfaces.python.api import MemoryStore, open_memory
from holdfast.surfaces.python.expecting import WrongTypeError
from holdfast.usecases.memory.remember import RememberOutcome
from holdfast.usecases.recall.learn import LearningOutcome as Learned
from tests.adapters.test_repository import a_repository
from tests.adapters.tiny_model import install_tiny
from tests.requirements import requirement


@pytest.fixture(autouse=True)
def _no_model_of_this_machine(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    monkeypatch.setenv("HOLDFAST_MODELS", str(home / "models"))


def test_opening_leaves_the_garbage_collector_as_it_was(home: Path, folder: Path) -> None:
    holdfast.open(home=home, folder=folder).close()
    was_on = gc.isenabled()
    gc.disable()
    holdfast.open(home=home, folder=folder).close()
    stayed_off = not gc.isenabled()
    gc.enable()

    assert was_on
    assert stayed_off


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = a_repository(tmp_path / "app")
    (root / "src").mkdir()
    (root / "src" / "app.py").write_text("one\ntwo\nthree\n")
    return root


@pytest.fixture
def memory(home: Path, folder: Path) -> Iterator[MemoryStore]:
    with open_memory(home=home, folder=folder) as opened:
        yield opened


@requirement("python.opens-from-folder")
def test_a_memory_opens_from_a_folder_and_outlives_the_program(home: Path, folder: Path) -> None:
    with holdfast.open(home=str(home), folder=str(folder / "src")) as first:
        kept = first.remember("Tokens rotate hourly.", because="I decided it.").record

    with holdfast.open(home=home, folder=folder) as second:
        recalled = second.recall("tokens")

    assert kept.memory.scope is Scope.REPO
    assert kept.memory.branch == "main"
    assert [item.memory_id for item in recalled.bundle.items] == [kept.memory.id]
    assert "Tokens rotate hourly." in recalled.markdown()


@requirement("python.opens-from-folder")
def test_without_words_the_memory_is_the_persons_seen_from_here(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_HOME", str(home))
    monkeypatch.chdir(tmp_path)

    with holdfast.open() as opened:
        kept = opened.remember("Tokens rotate hourly.", because="I decided it.").record

    assert kept.memory.scope is Scope.GLOBAL
    assert list(home.glob("*.db")) != []


def test_everything_that_may_be_said_about_a_claim_is_kept(memory: MemoryStore) -> None:
    parent = memory.remember("Keys rotate daily.", because="I decided it.").record

    kept = memory.remember(
        "Tokens rotate hourly.",
        kind="rule",
        scope="workspace",
        key="rotation",
        label="DEC-001",
        tags=["auth"],
        evidence=[
            memory.span("src/app.py", 2),
            memory.span("src/app.py", 1, 3),
            "src/app.py",
            holdfast.url("https://example.test/tokens"),
            holdfast.command("pytest -q", exit_code=0),
            holdfast.command("make"),
        ],
        because="I saw it.",
        derived_from=[parent.memory.id],
        ttl="30d",
        importance=0.9,
        weight=2.0,
        pinned=True,
        metadata={"team": "ops"},
        source="notebook",
    ).record

    said = kept.memory
    assert (said.kind, said.scope, said.key, said.tags) == (
        Kind.RULE,
        Scope.WORKSPACE,
        "rotation",
        ("auth",),
    )
    assert (said.importance, said.weight, said.metadata) == (0.9, 2.0, {"team": "ops"})
    assert (said.source, said.origin) == ("notebook", Origin.HUMAN)
    assert said.expires_at == said.created_at + timedelta(days=30)
    assert (kept.standing.pinned, kept.standing.label) == (True, "DEC-001")
    assert [item.type for item in kept.evidence] == [
        *[EvidenceType.SPAN] * 3,
        EvidenceType.URL,
        *[EvidenceType.COMMAND] * 2,
        EvidenceType.STATEMENT,
    ]
    spans = memory.explain(said.id).spans
    assert [span.reference for span in spans] == [
        "src/app.py:2",
        "src/app.py:1-3",
        "src/app.py:1-3",
    ]
    assert memory.explain(said.id).derived_from[0].record.memory.id == parent.memory.id


@pytest.mark.parametrize("ttl", ["2h", timedelta(hours=2)])
def test_a_lifetime_may_be_words_or_a_timedelta(memory: MemoryStore, ttl: str | timedelta) -> None:
    kept = memory.remember("Tokens rotate.", because="So.", ttl=ttl).record.memory

    assert kept.expires_at == kept.created_at + timedelta(hours=2)


def test_a_text_where_several_may_stand_is_one_thing_and_not_its_letters(
    memory: MemoryStore,
) -> None:
    kept = memory.remember("Tokens rotate.", evidence="src/app.py:1", tags="auth").record

    found = memory.recall("tokens", tags="auth", kinds="fact", scopes="repo", include="memory")

    assert kept.memory.tags == ("auth",)
    assert [item.reference for item in kept.evidence] == ["src/app.py:1"]
    assert [item.memory_id for item in found.bundle.items] == [kept.memory.id]


@requirement("input.refused-with-advice")
def test_a_misspelt_option_is_refused_instead_of_dropped(memory: MemoryStore) -> None:
    misspelt: dict[str, Any] = {"tll": "1h"}

    with pytest.raises(TypeError, match="no option 'tll'.*ttl"):
        memory.remember("Tokens rotate.", because="So.", **misspelt)
    with pytest.raises(TypeError, match="no option 'tll'.*budget"):
        memory.recall("tokens", **misspelt)

    assert memory.list() == ()


@requirement("input.refused-with-advice")
def test_bad_words_are_refused_as_everywhere(memory: MemoryStore) -> None:
    with pytest.raises(UnknownChoiceError, match="gotcha"):
        memory.remember("Tokens rotate.", because="So.", kind="poem")
    with pytest.raises(UnknownChoiceError, match="workspace"):
        memory.remember("Tokens rotate.", because="So.", scope="planet")
    with pytest.raises(BadLifetimeError, match="30d"):
        memory.remember("Tokens rotate.", because="So.", ttl="soon")
    with pytest.raises(BadLifetimeError, match="30d"):
        memory.remember("Tokens rotate.", because="So.", ttl=timedelta(0))
    with pytest.raises(NoEvidenceError, match="because="):
        memory.remember("Tokens rotate.")

    assert memory.list() == ()


def test_lines_without_a_first_one_begin_at_the_first() -> None:
    assert holdfast.span("f.py", last=20).reference == "f.py:1-20"
    assert holdfast.span("f.py", last=1).reference == "f.py:1"


def test_many_claims_are_kept_in_one_step(memory: MemoryStore) -> None:
    kept = memory.remember_all(["One.", "Two.", "one"], because="So.", tags=["n"])

    assert [one.outcome for one in kept] == [
        RememberOutcome.ADDED,
        RememberOutcome.ADDED,
        RememberOutcome.KNOWN,
    ]
    assert [record.text for record in memory.list()] == ["Two.", "One."]


@requirement("claim.refused-one-named")
@pytest.mark.parametrize(
    "bad", ["It is ghp_1a2B3c4D5e6F7g8H9i0J1k2L3m4N5o6P7q8R.", " ", "x" * 70_000, "a\0b"]
)
def test_a_refusal_of_many_claims_says_which_one_it_is(memory: MemoryStore, bad: str) -> None:
    with pytest.raises(InvalidError, match=r"^Claim 3 of 4: ") as refused:
        memory.remember_all(["One.", "Two.", bad, "Four."], because="So.")
    with pytest.raises(InvalidError) as alone:
        memory.remember_all([bad], because="So.")

    assert refused.value.facts["index"] == 2
    assert alone.value.facts["index"] == 0
    assert "Claim" not in str(alone.value).split()[:1]
    assert memory.list() == ()


@requirement("claim.person-renews")
def test_a_person_renews_a_memory_from_python(memory: MemoryStore) -> None:
    first = memory.remember("One.", because="So.", ttl="1h")

    again = memory.remember("One.", because="So.", ttl="never")

    assert (again.outcome, again.changed) == (RememberOutcome.RENEWED, ("ttl",))
    assert again.replaced == memory.get(first.id)
    assert memory.undo()[0].action == "renew"


@requirement("claim.agent-renews-nothing")
def test_an_agents_pin_is_answered_with_a_warning(memory: MemoryStore) -> None:
    with pytest.warns(RuntimeWarning, match="only a person may: pinned"):
        kept = memory.remember("One.", because="So.", pinned=True, origin="agent")

    assert (kept.not_applied, kept.pinned) == (("pinned",), False)


def test_memories_are_listed_by_time_or_by_words(memory: MemoryStore) -> None:
    for claim in ("Tokens rotate.", "Keys rotate.", "Doors open."):
        memory.remember(claim, because="So.")

    assert [record.text for record in memory.list(limit=1)] == ["Doors open."]
    assert [record.text for record in memory.list("keys")] == ["Keys rotate."]


@requirement("trust.never-rises")
def test_an_agent_may_speak_here_too_and_only_proposes(memory: MemoryStore) -> None:
    kept = memory.remember("Tokens rotate.", evidence="src/app.py:1", origin="agent").record

    assert kept.standing.status is Status.CANDIDATE
    assert memory.recall("tokens").bundle.items == ()


@requirement("evidence.bundle-cited")
def test_an_answer_is_rated_and_kept_as_a_claim_of_its_own(memory: MemoryStore) -> None:
    parent = memory.remember("Tokens rotate.", because="So.").record
    bundle = memory.recall("tokens", budget=500, limit=5).bundle

    memory.feedback(bundle.id, good=True)
    child = memory.remember("", from_bundle=bundle.id).record

    assert parent.memory.id in child.memory.claim
    assert memory.explain(parent.memory.id).record.usage.good == 1


def test_two_memories_are_linked(memory: MemoryStore) -> None:
    one, other = memory.remember_all(["One.", "Two."], because="So.")

    link = memory.link(one.record.memory.id, other.record.memory.id, kind="supports", score=0.5)

    assert [known for known, _ in memory.app.memories.related(other.record.memory.id)] == [link]


@requirement("forget.leaves-no-bytes")
def test_no_byte_of_a_forgotten_claim_stays_in_any_file(memory: MemoryStore, home: Path) -> None:
    kept = memory.remember("The zebrafinch sleeps.", because="Zebrafinches do.").record

    memory.forget(kept.memory.id, reason="asked to")

    with pytest.raises(ForgottenError):
        memory.explain(kept.memory.id)
    for path in home.rglob("*"):
        assert not path.is_file() or b"ebrafinch" not in path.read_bytes(), path


def test_closing_twice_is_closing_once(home: Path, folder: Path) -> None:
    opened = open_memory(home=home, folder=folder)

    opened.close()
    opened.close()


@requirement("export.lossless")
def test_a_memory_moves_to_another_home(memory: MemoryStore, tmp_path: Path) -> None:
    kept = memory.remember("Tokens rotate.", evidence="src/app.py:1", key="rotation").record
    memory.recall("tokens")

    with open_memory(home=tmp_path / "new", folder=tmp_path) as moved:
        brought = moved.app.exchange.bring_in(memory.app.exchange.export())

        assert (brought.refused, brought.added) == ((), 3)
        assert list(moved.app.exchange.export()) == list(memory.app.exchange.export())
        assert moved.explain(kept.memory.id).record.memory == kept.memory


def test_a_reading_that_nobody_finishes_does_not_keep_the_memory_open(tmp_path: Path) -> None:
    memory = holdfast.open(home=tmp_path, folder=tmp_path)
    memory.remember("Tokens rotate hourly.", because="I decided", scope="global")
    lines = memory.app.exchange.export()
    next(lines)

    memory.close()

    with holdfast.open(home=tmp_path, folder=tmp_path) as again:
        assert [record.text for record in again.list()] == ["Tokens rotate hourly."]


def rate(memory: MemoryStore, count: int) -> None:
    memory.remember("Redis is our cache.", because="So.", key="redis")
    memory.remember("The cache is emptied when we deploy.", because="So.")
    for number in range(count):
        bundle = memory.recall(f"when is Redis emptied, round {number}", limit=1).bundle
        memory.feedback(bundle.id, good=False)


@requirement("learn.shown-and-undone")
def test_weights_are_learned_from_ratings(memory: MemoryStore) -> None:
    rate(memory, 6)

    shown = memory.learn(dry_run=True)
    kept = memory.learn(since=timedelta(days=1))

    assert shown.outcome is Learned.SHOWN
    assert (kept.outcome, kept.version) == (Learned.KEPT, 1)
    assert kept.after == shown.after != kept.before
    assert memory.learn(since="never").outcome is Learned.UNCHANGED


@requirement("learn.slow-and-bounded")
def test_few_ratings_teach_nothing(memory: MemoryStore) -> None:
    rate(memory, 2)

    with pytest.raises(TooFewRatingsError, match="there are 2"):
        memory.learn()


@requirement("meaning.optional")
def test_without_a_model_there_is_nothing_to_catch_up_with(memory: MemoryStore) -> None:
    memory.remember("Tokens rotate.", because="So.")

    with pytest.raises(NoModelError, match="Install a model"):
        memory.catch_up()


def test_an_installed_model_reads_what_it_has_not_read(
    home: Path, folder: Path, tmp_path: Path
) -> None:
    with open_memory(home=home, folder=folder) as before:
        before.remember_all(["The cat slept.", "The dog barked."], because="So.")
    install_tiny(shelf(home), tmp_path / "source", name="minilm")

    with open_memory(home=home, folder=folder) as memory:
        assert memory.catch_up() == 2
        assert memory.catch_up() == 0


@requirement("python.blank-question-refused")
@pytest.mark.parametrize("question", ["", "  ", "\n\t"])
def test_a_blank_question_is_refused_as_on_the_command_line(
    memory: MemoryStore, question: str
) -> None:
    with pytest.raises(BadFieldError, match="The question is blank; say what you want to know"):
        memory.recall(question)


LOOSE: Any = holdfast
WRONG: list[tuple[str, Callable[[Any], object]]] = [
    ("question must be text; it is NoneType|question must be text; it is None",
     lambda memory: memory.recall(None)),
    ("question must be text; it is list", lambda memory: memory.recall(["a"])),
    ("budget must be a whole number; it is str '2000'",
     lambda memory: memory.recall("x", budget="2000")),
    ("budget must be a whole number; it is True", lambda memory: memory.recall("x", budget=True)),
    ("limit must be a whole number; it is float 2.5", lambda memory: memory.recall("x", limit=2.5)),
    ("include must be a text or a list of texts; it is int 1",
     lambda memory: memory.recall("x", include=1)),
    ("kinds must be a text or a list of texts; it is list",
     lambda memory: memory.recall("x", kinds=[1])),
    ("all_branches must be True or False; it is str 'no'",
     lambda memory: memory.recall("x", all_branches="no")),
    ("as_of must be text; it is int 3", lambda memory: memory.recall("x", as_of=3)),
    ("claim must be text; it is bytes", lambda memory: memory.remember(b"x", because="I")),
    ("tags must be a text or a list of texts; it is dict",
     lambda memory: memory.remember("x", tags={"a": 1})),
    ("evidence must be a list of places as text", lambda memory: memory.remember("x", evidence=1)),
    ("evidence must be a list of places as text .* it is list of str and int",
     lambda memory: memory.remember("x", evidence=["a.py", 3])),
    ("derived_from must be a list of memories or their ids; it is list of int",
     lambda memory: memory.remember("x", derived_from=[3])),
    ("from_bundle must be an answer or its id; it is int 3",
     lambda memory: memory.remember("x", from_bundle=3)),
    ("statuses must be a text or a list of texts; it is int 1",
     lambda memory: memory.list(statuses=1)),
    ("ttl must be a text such as '30d', or a timedelta; it is int 30",
     lambda memory: memory.remember("x", ttl=30)),
    ("importance must be a number; it is str 'high'",
     lambda memory: memory.remember("x", importance="high")),
    ("pinned must be True or False; it is int 1", lambda memory: memory.remember("x", pinned=1)),
    ("metadata must be a dictionary; it is list", lambda memory: memory.remember("x", metadata=[])),
    ("claims must be several texts, as a list; it is str 'one claim'",
     lambda memory: memory.remember_all("one claim", because="I")),
    (r"claims\[1\] must be text; it is int 7",
     lambda memory: memory.remember_all(["a", 7], because="I")),
    ("claims must be several texts, as a list; it is None",
     lambda memory: memory.remember_all(None, because="I")),
    ("first must be a whole number; it is str '3'", lambda memory: memory.span("a.py", "3")),
    ("path must be a path; it is int 3", lambda memory: memory.span(3, 1)),
    ("memory must be a memory or its id; it is int 1", lambda memory: memory.verify(1)),
    ("everything must be True or False", lambda memory: memory.verify(everything="yes")),
    ("place must be text; it is tuple", lambda memory: memory.blame(("a.py", 1))),
    ("query must be text; it is None", lambda memory: memory.list(None)),
    ("limit must be a whole number; it is str 'all'", lambda memory: memory.list("", limit="all")),
    ("memory must be a memory or its id; it is MemoryRecord",
     lambda memory: memory.explain(memory.remember("T.", because="I").record)),
    ("memory must be a memory or its id; it is None", lambda memory: memory.forget(None)),
    ("dst must be a memory or its id; it is None", lambda memory: memory.link("m_1", None)),
    ("score must be a number; it is str '1'", lambda memory: memory.link("a", "b", score="1")),
    ("good must be True or False; it is str 'yes'",
     lambda memory: memory.feedback("c_1", good="yes")),
    ("since must be a text such as '30d', or a timedelta; it is int 30",
     lambda memory: memory.learn(since=30)),
    ("address must be text; it is None", lambda _: LOOSE.url(None)),
    ("exit_code must be a whole number; it is str '0'",
     lambda _: LOOSE.command("make", exit_code="0")),
    ("home must be a path; it is int 3", lambda _: LOOSE.open(home=3)),
]  # fmt: skip


@requirement("python.types-said")
@pytest.mark.parametrize(("words", "call"), WRONG, ids=[words[:40] for words, _ in WRONG])
def test_an_argument_of_the_wrong_type_says_what_was_expected(
    memory: MemoryStore, words: str, call: Callable[[Any], object]
) -> None:
    with pytest.raises(WrongTypeError, match=words) as refused:
        call(memory)

    assert isinstance(refused.value, TypeError)
    assert isinstance(refused.value, InvalidError)


@requirement("python.types-said")
def test_none_is_as_good_as_not_given(memory: MemoryStore) -> None:
    loose: Any = memory
    kept = loose.remember("Tokens rotate.", because="I", key=None, tags=None, ttl=None).record

    recalled = loose.recall("tokens", budget=None, kinds=None, as_of=None)

    assert kept.memory.key is None
    assert [item.memory_id for item in recalled.bundle.items] == [kept.memory.id]


def test_one_piece_of_evidence_need_not_be_a_list(memory: MemoryStore) -> None:
    loose: Any = memory

    kept = loose.remember("Tokens rotate.", evidence=holdfast.url("https://example.test")).record

    assert [item.type for item in kept.evidence] == [EvidenceType.URL]


@requirement("store.every-verb-warns")
def test_opening_a_store_that_lost_its_newest_changes_warns(tmp_path: Path) -> None:
    store = tmp_path / "home" / "holdfast.db"
    files = []
    for claim in ("The first one.", "The second one."):
        with open_memory(home=tmp_path / "home", folder=tmp_path) as memory:
            memory.remember(claim, because="x", scope="global")
            assert memory.warnings == ()
        files.append(store.read_bytes())
    store.write_bytes(files[0])

    with pytest.warns(RuntimeWarning, match="the newest changes are lost"):
        memory = open_memory(home=tmp_path / "home", folder=tmp_path)

    assert len(memory.warnings) == 1
    memory.close()


@requirement("python.names-removed-characters")
def test_a_program_is_told_which_hidden_characters_a_session_lost(memory: MemoryStore) -> None:
    session = memory.session(tool="my-agent").id
    book = memory.session_book
    hidden = "No\u200bted\u202e."
    names = ("ZERO WIDTH SPACE", "RIGHT-TO-LEFT OVERRIDE")

    said, did = book.say(session, hidden), book.did(session, "Done.", asked=hidden)
    note = book.note(hidden, session=session)

    assert (said, did) == (1, 1)
    assert {said.removed, did.removed, note.removed} == {names}
    assert book.say(session, "Plain.", name="B\u200bo").removed == names[:1]
    assert book.note("Plain.", session=session).removed == ()


@requirement("said.quoted")
def test_a_program_keeps_and_quotes_what_was_said(memory: MemoryStore) -> None:
    session = memory.session(tool="my-agent").id
    book = memory.session_book
    assert book.say(session, "The feed restarts at noon.", key="1") == 1
    assert book.say(session, "The feed restarts at noon.", key="1") == 0
    assert book.say(session, "Noted.", by="agent", name="Bo") == 2
    with pytest.raises(UnknownChoiceError):
        book.say(session, "x", by="owl")

    answer = memory.recall("when does the feed restart", include="sessions")

    assert "> The feed restarts at noon." in answer.markdown()
    assert "noon" not in memory.recall("when does the feed restart").markdown()
    assert (book.unsay(session, turn=2), book.unsay(session)) == (1, 1)


@requirement("task.fenced-and-visible")
def test_hidden_characters_of_a_task_are_named(home: Path, folder: Path) -> None:
    with holdfast.open(home=home, folder=folder) as hf:
        task = hf.tasks.add("fir\u200bst")
        edited = hf.tasks.edit(task, notes="a\u202eb")

        assert (task.title, task.removed) == ("first", ("ZERO WIDTH SPACE",))
        assert edited.removed == ("RIGHT-TO-LEFT OVERRIDE",)
        assert hf.tasks.show(task).removed == ()


@requirement("python.types-said")
@pytest.mark.parametrize("lease", ["never", 30, timedelta(0), timedelta(days=8)])
def test_a_lease_that_cannot_be_is_refused(tmp_path: Path, lease: Any) -> None:
    with holdfast.open(tmp_path, home=tmp_path / "home") as hf:
        task = hf.tasks.add("first")
        error = WrongTypeError if isinstance(lease, int) else InvalidError

        with pytest.raises(error, match="lease"):
            hf.tasks.claim(task, lease=lease)
        with pytest.raises(error, match="lease"):
            hf.tasks.claim_next(lease=lease)
        assert hf.tasks.show(task).status == "open"


@requirement("python.types-said")
def test_a_lease_is_a_text_or_a_timedelta(memory: MemoryStore) -> None:
    task = memory.tasks.add("first")
    for lease in ("45m", timedelta(minutes=45)):
        with memory.agents.open("bot", lease=lease) as agent:
            assert memory.agents.get("bot").lease is not None
            assert agent.name == "bot"
        claimed = memory.tasks.claim(task, lease=lease)
        assert claimed.lease_until is not None
        assert claimed.lease_until - memory.app.now() > timedelta(minutes=44)
        memory.tasks.release(task)
    with pytest.raises(BadLifetimeError):
        memory.tasks.claim_next(lease="soon")


@requirement("python.types-said")
def test_an_agent_takes_no_empty_lease(tmp_path: Path) -> None:
    with holdfast.open(tmp_path, home=tmp_path / "home") as hf:
        with pytest.raises(InvalidError, match="more than 0"):
            hf.agents.open("bot", lease=timedelta(0))
        endless: Any = "never"
        with pytest.raises(InvalidError, match="lease must end"):
            hf.agents.open("bot", lease=endless)
        assert hf.agents.list() == ()


@requirement("python.types-said")
def test_a_worker_and_a_drawing_are_checked(tmp_path: Path) -> None:
    with holdfast.open(tmp_path, home=tmp_path / "home") as hf:
        task = hf.tasks.add("first")
        worker: Any = 5
        with pytest.raises(WrongTypeError, match="by must be text"):
            hf.tasks.start(task, by=worker)
        with pytest.raises(InvalidError, match="mermaid, svg"):
            hf.tasks.graph(form="png")


@requirement("recall.nearest-named")
def test_a_silent_answer_names_the_nearest_memories(memory: MemoryStore) -> None:
    for number in range(12):
        memory.remember(f"Step {number} of the rollout uses one server.", because="as agreed")

    answer = memory.recall("server that bakes bread and cake for guests of a hotel abroad")

    assert not answer
    assert len(answer.nearest) == 3
    for name, claim in answer.nearest.items():
        assert memory.get(name).text == claim
    assert memory.recall("which step of the rollout uses one server").nearest == {}


@requirement("recall.nearest-named")
def test_a_long_claim_among_the_nearest_is_cut(memory: MemoryStore) -> None:
    for number in range(12):
        rest = "and then nobody looks at it " * 12
        memory.remember(f"Step {number} of the rollout uses one server {rest}.", because="agreed")

    answer = memory.recall("server that bakes bread and cake for guests of a hotel abroad")

    assert answer.nearest
    assert {len(claim) for claim in answer.nearest.values()} == {201}
