"""The tools beyond recalling and proposing, as an agent calls them."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.adapters.embedding.kept_scores import KeptPairReader, KeptScores
from holdfast.domain.choices import Status
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import Standing
from holdfast.domain.values import replace
from holdfast.usecases.review import pair_reading
from holdfast.usecases.review.resolve import ResolutionWay, Resolve
from tests.cli.program import Program
from tests.mcp.door import CLAIM, HELLO, Door, Folder, kept, text_of, told_by_a_person
from tests.mcp.test_task_tools import answered, refused
from tests.requirements import requirement
from tests.sure_judge import SureJudge

EVIDENCE = ["src/app.py:1-2"]


@pytest.fixture
def here(door: Door) -> Door:
    door.ask("initialize", HELLO)
    return door


def a_candidate(door: Door, *tags: str) -> str:
    return str(door.propose(CLAIM, tags=list(tags))["structuredContent"]["id"])


@requirement("mcp.search-then-expand")
def test_a_memory_is_read_whole_by_its_id(here: Door) -> None:
    name = a_candidate(here, "auth")

    [whole] = answered(here, "memory.get", ids=[name])["memories"]

    assert (whole["id"], whole["claim"], whole["tags"]) == (name, CLAIM, ["auth"])
    assert whole["evidence"] == ["src/app.py:1-2"]
    assert refused(here, "memory.get", ids=["m_nothing"]) == "no-such"


def test_only_memories_are_read_as_memories(here: Door) -> None:
    session = answered(here, "session.start")["session"]

    assert refused(here, "memory.get", ids=[session["id"]]) == "no-such"


@requirement("mcp.agents-only-propose")
def test_new_words_for_an_accepted_memory_wait_for_a_person(here: Door) -> None:
    old = told_by_a_person(here.app, "Tokens live for an hour.", key="tokens.life")

    made = answered(
        here, "memory.update", id=old, claim="Access tokens live for an hour.", evidence=EVIDENCE
    )

    assert (made["replaces"], made["status"], made["key"]) == (old, "candidate", "tokens.life")
    assert "a person decides whether it replaces" in made["message"]
    assert kept(here, old).standing.status is Status.ACCEPTED
    wish = Resolve(reference=made["id"], by="ada", way=ResolutionWay.SUPERSEDE)
    here.app.review.resolve(wish)
    assert kept(here, old).standing.status is Status.SUPERSEDED


@requirement("mcp.agents-only-propose")
def test_new_words_for_a_memory_without_a_key_propose_to_forget_it(here: Door) -> None:
    old = told_by_a_person(here.app, "Owls sleep at noon.")

    made = answered(
        here, "memory.update", id=old, claim="Bats hang upside down.", evidence=EVIDENCE
    )

    assert "asks a person to forget" in made["message"]
    assert kept(here, old).standing.status is Status.ACCEPTED
    assert answered(here, "review.list")["total"] == 2


def test_new_words_replace_the_clients_own_candidate_at_once(here: Door) -> None:
    old = a_candidate(here)

    made = answered(here, "memory.update", id=old, claim="Tokens rotate.", evidence=EVIDENCE)

    assert f"replaces your candidate {old}" in made["message"]
    assert refused(here, "memory.get", ids=[old]) in {"forgotten", "no-such"}
    assert answered(here, "memory.list", status="candidate")["total"] == 1


@pytest.mark.parametrize("is_decided", [False, True])
def test_new_words_for_what_others_proposed_or_nobody_holds_leave_it(
    here: Door, *, is_decided: bool
) -> None:
    old = told_by_a_person(here.app, "Owls sleep at noon.")
    status = Status.REJECTED if is_decided else Status.CANDIDATE
    with here.app.store.writing(here.app.clock.now()) as tx:
        tx.memories.set_standing(MemoryId(old), Standing(status=status))

    made = answered(
        here, "memory.update", id=old, claim="Bats hang upside down.", evidence=EVIDENCE
    )

    assert made["status"] == "candidate"
    assert ("does not hold" if is_decided else "waits for a person, too") in made["message"]
    assert kept(here, old).standing.status is status


def test_new_words_must_be_new(here: Door) -> None:
    old = told_by_a_person(here.app, CLAIM)

    assert refused(here, "memory.update", id=old, claim=CLAIM, evidence=EVIDENCE) == "bad-field"


@requirement("mcp.agents-only-propose")
def test_an_agent_links_nothing_by_itself(here: Door) -> None:
    one, other = (told_by_a_person(here.app, claim) for claim in ("Owls fly.", "Bats fly."))

    said = answered(here, "memory.link", **{"from": one, "to": other})

    assert said["linked"] is False
    assert "Only a person may link" in said["message"]
    assert here.app.memories.related(one) == []
    assert refused(here, "memory.link", **{"from": one, "to": "m_nothing"}) == "no-such"


def test_linked_memories_are_listed_in_short(here: Door) -> None:
    one, other = (told_by_a_person(here.app, claim) for claim in ("Owls fly.", "Bats fly."))
    here.app.memories.link(Link(src=MemoryId(one), dst=MemoryId(other), kind="supports"))

    [found] = answered(here, "memory.related", id=other, limit=5)["related"]

    assert (found["id"], found["link"], found["outgoing"]) == (one, "supports", False)


def test_a_memory_and_an_answer_are_explained(here: Door) -> None:
    name = told_by_a_person(here.app, CLAIM)
    bundle = text_of(here.call("context.assemble", q="refresh tokens")).split()[1]

    origins = answered(here, "memory.explain", id=name)
    outline = answered(here, "memory.explain", id=bundle)["bundle"]
    placing = answered(here, "memory.explain", id=name, bundle=bundle)["placing"]

    assert origins["memory"]["id"] == name
    assert origins["events"]
    assert [item["id"] for item in outline["items"]] == [name]
    assert placing["rank"] == 1


def test_an_answer_is_rated(here: Door) -> None:
    told_by_a_person(here.app, CLAIM)
    bundle = text_of(here.call("context.assemble", q="refresh tokens")).split()[1]

    assert answered(here, "memory.feedback", bundle=bundle, good=True)["good"] is True
    assert refused(here, "memory.feedback", bundle="c_nothing", good=True) == "no-such"


def test_what_waits_is_listed_for_an_agent_that_decides_nothing(here: Door) -> None:
    name = a_candidate(here)

    found = answered(here, "review.list", ids=[name])

    assert [one["id"] for one in found["waiting"]] == [name]
    assert "only a person decides" in found["note"]
    assert answered(here, "review.list", limit=1)["total"] == 1


@requirement("conflict.advice-blocks-nothing")
def test_an_agent_sees_what_a_model_suspects_beside_the_conflicts() -> None:
    plain = Door().app
    reading = KeptPairReader(SureJudge(), KeptScores(None, "wrack-1"))
    here = Door(app=replace(plain, pair_reader=lambda: reading))
    here.ask("initialize", HELLO)
    told_by_a_person(here.app, "Refresh tokens are for the night shift alone.")

    name = a_candidate(here)

    [waiting] = answered(here, "review.list", ids=[name])["waiting"]
    assert waiting["conflicts"] == []
    assert len(waiting["advice"]) == 1


@requirement("conflict.advice-is-never-needed")
def test_an_agent_is_told_what_the_model_did_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pair_reading, "MOST_LETTERS", 1)
    plain = Door().app
    reading = KeptPairReader(SureJudge(), KeptScores(None, "wrack-1"))
    here = Door(app=replace(plain, pair_reader=lambda: reading))
    here.ask("initialize", HELLO)
    told_by_a_person(here.app, "Refresh tokens are for the night shift alone.")
    told_by_a_person(here.app, "Refresh tokens are for the day shift too.")
    name = a_candidate(here)

    [note] = answered(here, "review.list", ids=[name])["notes"]
    prompted = here.ask("prompts/get", {"name": "review", "arguments": {}})

    assert note == "the model has 2 pairs left to read; the next call continues"
    assert note in str(prompted)


def test_a_session_is_started_filled_ended_and_resumed(here: Door) -> None:
    other = answered(here, "session.start")["session"]["id"]
    answered(here, "session.turn", session=other, q="How do keys rotate?")
    session = answered(here, "session.start")["session"]["id"]
    turn = answered(here, "session.turn", session=session, q="How do tokens rotate?")
    ended = answered(here, "session.end", session=session)["session"]
    resumed = answered(here, "session.resume", session=session)

    assert (turn["session"], turn["turn"]) == (session, 1)
    assert ended["finished_at"] is not None
    assert resumed["session"]["finished_at"] is None
    assert refused(here, "session.turn", session=session, q="  ") == "bad-field"
    assert refused(here, "session.turn", session="i_nothing", q="x") == "no-such"


def test_a_run_is_started_noted_listed_and_finished(folder: Folder) -> None:
    with folder.spawn() as server:
        run = server.call("run.start", goal="Move to zstd")["structuredContent"]["run"]
        server.call("run.note", run=run["id"], text="gzip was too slow")
        [shown] = server.call("run.list", id=run["id"])["structuredContent"]["runs"]
        [listed] = server.call("run.list", limit=3)["structuredContent"]["runs"]
        server.call("run.finish", run=run["id"], summary="We use zstd.")
        late = server.call("run.note", run=run["id"], text="late")

    assert shown["notes"] == ["gzip was too slow"]
    assert (listed["goal"], listed["notes"]) == ("Move to zstd", [])
    assert late["_meta"]["holdfast/error"]["code"] == "run-is-over"
    assert "run.start starts a new run" in late["content"][0]["text"]


def test_code_and_evidence_are_asked_in_a_real_checkout(folder: Folder) -> None:
    code = "def rotate():\n    return fresh()\n\n\ndef fresh():\n    return 1\n"
    (folder.repo / "tokens.py").write_text(code, encoding="utf-8")
    with folder.spawn() as server:
        server.ask("initialize", HELLO)
        made = server.call("memory.create", kind="fact", claim=CLAIM, evidence=["tokens.py:1-2"])
        name = made["structuredContent"]["id"]
        around = server.call("code.context", symbol="rotate")["structuredContent"]
        governed = server.call("blame", place="tokens.py:2")["structuredContent"]
        sound = server.call("memory.verify", ids=[name])["structuredContent"]
        [whole] = server.call("memory.get", ids=[name])["structuredContent"]["memories"]
        (folder.repo / "tokens.py").write_text("def other():\n    pass\n", encoding="utf-8")
        drifted = server.call("memory.verify", ids=[name])["structuredContent"]
        nothing = server.call("memory.verify")["structuredContent"]

    assert around["symbol"]["name"] == "rotate"
    assert [one["name"] for one in around["neighbours"]] == ["fresh"]
    assert [one["id"] for one in governed["memories"]] == [name]
    assert (sound["sound"], sound["checked"]) == (True, 1)
    assert [one["verdict"] for one in whole["verdicts"]] == ["fresh"]
    assert drifted["sound"] is False
    assert [one["id"] for one in drifted["doubtful"]] == [name]
    assert (nothing["checked"], nothing["sound"]) == (0, True)


def test_a_verification_counts_as_the_command_line_does(folder: Folder) -> None:
    (folder.repo / "tokens.py").write_text("def rotate():\n    return 1\n", encoding="utf-8")
    program = Program(home=folder.home, folder=folder.repo)
    program("remember", "--evidence", "tokens.py:1-2", "Tokens rotate.").well()
    program("remember", "--because", "I decided.", "Doors stay open.").well()
    with folder.spawn() as server:
        server.ask("initialize", HELLO)
        verified = server.call("memory.verify")["structuredContent"]

    by_person = program("verify", "--json").well().json
    assert verified["checked"] == len(by_person["memories"]) == 1
    assert verified["counts"] == {name: n for name, n in by_person["counts"].items() if n}


@requirement("mcp.ignored-files")
@pytest.mark.parametrize("path", [".env", ".git/HEAD"])
def test_an_agent_learns_nothing_of_files_that_git_ignores(folder: Folder, path: str) -> None:
    (folder.repo / ".gitignore").write_text(".env\n", encoding="utf-8")
    (folder.repo / ".env").write_text("A=1\nB=2\nC=3\n", encoding="utf-8")
    places = [path, f"{path}:1", f"{path}:99"]
    with folder.spawn() as server:
        server.ask("initialize", HELLO)
        said = [text_of(server.call("blame", place=place)) for place in places]
        said += [
            text_of(server.call("memory.create", kind="fact", claim=CLAIM, evidence=[place]))
            for place in places
        ]

    assert len(set(said)) == 1
    assert "agents are told nothing about such files" in said[0]


def test_without_a_checkout_what_needs_one_is_refused_in_words(here: Door) -> None:
    results: list[Any] = [
        here.call("code.context", symbol="rotate"),
        here.call("blame", place="src/app.py:1"),
        here.call("memory.verify", ids=[a_candidate(here)]),
    ]

    assert [result["isError"] for result in results] == [True, True, True]
