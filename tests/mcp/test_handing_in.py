"""What an agent hands in with run.finish."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.bootstrap.opening.attaching import AttachedFiles
from holdfast.domain.sessions.run import RunStatus
from holdfast.domain.values import replace
from tests.builders import NOON, a_run
from tests.mcp.door import HELLO, Door, kept, text_of
from tests.requirements import requirement

SUMMARY = "We decided to keep offsets in the feed, because the worker forgets them on restart."


@pytest.fixture
def here(door: Door, tmp_path: Path) -> Door:
    files = AttachedFiles(home=tmp_path / "home", folder=tmp_path)
    door.engine.app = replace(door.engine.app, attachments=files)
    door.ask("initialize", HELLO)
    return door


@requirement("mcp.agents-only-propose")
@requirement("run.summary-kept")
def test_a_summary_becomes_a_run_and_candidates(here: Door) -> None:
    result = here.call("run.finish", summary=SUMMARY, goal="mend the feed")["structuredContent"]

    (candidate,) = result["candidates"]
    record = kept(here, candidate)
    assert (record.memory.claim, record.standing.status.value) == (SUMMARY, "candidate")
    assert record.memory.source == "a-bot"
    assert [one.reference for one in record.evidence] == [result["run"]]
    assert result["message"].endswith("1 candidate waits for a person.")
    with here.app.store.reading() as tx:
        (run,) = tx.diary.runs.page(beyond=None, limit=9)
    assert (run.label, run.goal, run.tool) == (result["run"], "mend the feed", "a-bot:mcp:raw")


@requirement("propose.rules-where-models-fail")
def test_an_answer_says_that_the_rules_proposed(
    here: Door, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_PROPOSE_USING", "nobody")

    result = here.call("run.finish", summary=SUMMARY)["structuredContent"]

    assert len(result["candidates"]) == 1
    assert "no package offers it" in result["notes"][0]


@requirement("run.of-its-own")
def test_an_agent_finishes_its_own_run_where_it_is_named_and_no_other(here: Door) -> None:
    with here.app.store.writing(NOON) as tx:
        tx.diary.runs.put(a_run(label="run-2026-11-14-7"))
    own = here.call("run.start", goal="mend it")["structuredContent"]["run"]["label"]

    other = here.call("run.finish", summary="Nothing much.")["structuredContent"]
    named = here.call("run.finish", summary="Nothing much.", run=own)
    refused = here.call("run.finish", summary="Nothing much.", run="run-2026-11-14-7")

    assert other["run"] not in {own, "run-2026-11-14-7"}
    assert named["structuredContent"]["message"].endswith("0 candidates wait for a person.")
    assert refused["isError"]
    with here.app.store.reading() as tx:
        runs = {run.label: run.status for run in tx.diary.runs.page(beyond=None, limit=9)}
    assert runs.pop("run-2026-11-14-7") is RunStatus.OPEN
    assert set(runs.values()) == {RunStatus.FINISHED}


def test_a_run_that_does_not_exist_is_named_in_the_refusal(here: Door) -> None:
    refused = here.call("run.finish", summary=SUMMARY, run="run-1")

    assert refused["isError"]
    assert "run-1" in text_of(refused)


@requirement("run.hidden-characters-named")
def test_hidden_characters_of_a_run_are_named(here: Door) -> None:
    began = here.call("run.start", goal="fir\u200bst")["structuredContent"]
    name = began["run"]["label"]
    noted = here.call("run.note", run=name, text="a\u202eb")["structuredContent"]
    ended = here.call("run.finish", run=name, summary="We met\u2060.")["structuredContent"]
    at_once = here.call("run.finish", goal="a\u200b", summary="Plain.")["structuredContent"]

    found = [
        [one["code_point"] for one in answer["removed_characters"]]
        for answer in (began, noted, ended, at_once)
    ]
    assert found == [["U+200B"], ["U+202E"], ["U+2060"], ["U+200B"]]


@requirement("gate.hidden-characters-refused")
@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("Tokens\u202e rotate.", "Removed: 1 hidden character."),
        ("Tokens\u202e rotate\u200b.", "Removed: 2 hidden characters."),
    ],
)
def test_hidden_characters_of_a_proposal_are_counted(here: Door, claim: str, said: str) -> None:
    made = here.call("memory.create", kind="fact", claim=claim, evidence=["commit:a1"])

    assert said in made["structuredContent"]["message"]


@requirement("gate.hidden-characters-refused")
def test_hidden_characters_of_turns_notes_and_reasons_are_named(here: Door) -> None:
    session = here.call("session.start")["structuredContent"]["session"]["id"]
    task = here.call("task.add", title="Ship it")["structuredContent"]["task"]["id"]
    answers = [
        here.call("session.turn", session=session, q="wh\u200by", notes="plain"),
        here.call("session.note", text="a\u202eb", session=session),
        here.call("task.update", action="block", id=task, why="no\u2060"),
        here.call("task.update", action="unblock", id=task),
    ]

    found = [
        [one["code_point"] for one in answer["structuredContent"]["removed_characters"]]
        for answer in answers
    ]
    assert found == [["U+200B"], ["U+202E"], ["U+2060"], []]
