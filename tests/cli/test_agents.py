"""``holdfast agent``: what people see of agents, and how they delete one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import holdfast
from tests.cli.clones import Clone
from tests.cli.program import Program
from tests.requirements import requirement


@pytest.fixture
def worked(program: Program, tmp_path: Path) -> Program:
    """A program beside an agent with a complete, a failed and an interrupted cycle."""
    program("init", "--no-model").well()
    home = program.environment["HOLDFAST_HOME"]
    with holdfast.open(program.folder, home=home) as hf:
        agent = hf.agents.open("bot", directives="Tidy.\nSlowly.", config={"depth": 2})
        with agent.cycle() as cycle:
            cycle.propose(tool="edit", reasoning="it is unused")
            cycle.result("removed it", output={"lines": 1})
            cycle.remember("The tests take minutes.")
        with agent.cycle() as cycle:
            cycle.propose(tool="test")
            cycle.result("a test fails", error={"exit": 1})
        agent.cycle().propose(tool="mend", reasoning="the test fails")
        agent.cycle()
        agent.remember("Tabs fail.", namespace="long-term")
        agent.close()
    assert tmp_path.is_dir()
    return program


@requirement("agent.resumes")
def test_people_see_what_an_agent_did_and_where_it_goes_on(worked: Program) -> None:
    listed = worked("agent", "list").well().out
    assert "bot" in listed
    assert "long-term 1, short-term 1" in listed
    shown = worked("agent", "show", "bot").well().out
    assert "> Slowly." in shown
    assert 'config  {"depth":2}' in shown
    assert "held by nobody" in shown
    cycles = worked("agent", "cycles", "bot").well().out
    assert [word in cycles for word in ("complete", "failed", "interrupted")] == [True] * 3
    resumed = worked("agent", "resume", "bot").well().out
    assert "last finished  cycle 2  test  a test fails" in resumed
    assert "unfinished  cycle 3  mend  the test fails" in resumed
    assert "cycle 4  nothing was proposed" in resumed


def test_the_same_as_json(worked: Program) -> None:
    (agent,) = worked("agent", "list", "--json").well().json["agents"]
    assert (agent["name"], agent["cycles"], agent["held"]) == ("bot", 4, False)
    assert worked("agent", "show", agent["id"], "--json").well().json["agent"] == agent
    cycles = worked("agent", "cycles", "bot", "--before", "3", "--json").well().json["cycles"]
    assert [(one["index"], one["status"]) for one in cycles] == [(2, "failed"), (1, "complete")]
    resumed = worked("agent", "resume", "bot", "--json").well().json
    assert resumed["last"]["result"]["error"] == {"exit": 1}
    assert [one["index"] for one in resumed["unfinished"]] == [3, 4]


@requirement("agent.list-of-here")
def test_an_agent_of_another_repository_is_listed_on_demand(
    worked: Program, tmp_path: Path
) -> None:
    other = Program(home=worked.home, folder=tmp_path / "other")
    other.folder.mkdir()
    Clone(other).git("init", "-q")

    here, everywhere = other("agent", "list").well(), other("agent", "list", "--everywhere").well()

    assert "bot" not in here.out
    assert "--everywhere" in here.err
    assert "bot" in everywhere.out
    assert "--everywhere" not in everywhere.err + worked("agent", "list").well().err
    assert other("agent", "list", "--json").well().json["agents"] == []


def test_nothing_yet_says_how_to_begin(program: Program) -> None:
    program("init", "--no-model").well()
    assert "agents.open" in program("agent", "list").well().err
    refused = program("agent", "show", "nobody")
    assert refused.code == 3
    assert "holdfast agent list" in refused.err


@requirement("agent.exported")
def test_an_agent_moves_to_another_machine(worked: Program, tmp_path: Path) -> None:
    file = tmp_path / "bot.jsonl"
    worked("agent", "export", "bot", str(file)).well()
    piped = worked("agent", "export", "bot", "-").well().out
    assert piped == file.read_text(encoding="utf-8")
    assert worked("agent", "export", "bot").well().out == piped
    assert json.loads(piped.splitlines()[0])["type"] == "holdfast"
    there = {"HOLDFAST_HOME": str(tmp_path / "there")}
    worked("init", "--no-model", env=there).well()
    worked("import", str(file), env=there).well()
    assert worked("agent", "list", "--json", env=there).well().json["agents"][0]["cycles"] == 4


@requirement("agent.deleted-whole")
def test_an_import_after_a_deletion_says_that_the_notes_stay_forgotten(
    worked: Program, tmp_path: Path
) -> None:
    file = tmp_path / "bot.jsonl"
    worked("agent", "export", "bot", str(file)).well()
    assert "no import brings them back" in worked("agent", "delete", "bot", "--dry-run").well().err
    worked("agent", "delete", "bot", "--yes").well()

    imported = worked("import", str(file)).well()

    assert "4 left out" in imported.out
    assert "stays forgotten" in imported.err
    again = worked("import", str(file), "--json").well().json
    assert (again["buried"], again["refused"]) == (4, [])
    (agent,) = worked("agent", "list", "--json").well().json["agents"]
    assert agent["cycles"] == 4


@requirement("agent.deleted-whole")
def test_a_deletion_is_confirmed_and_says_what_goes_and_what_stays(worked: Program) -> None:
    assert worked("agent", "delete", "bot").code == 2
    planned = worked("agent", "delete", "bot", "--dry-run").well().out
    assert "4 cycles, 1 note, 1 candidate" in planned
    home = worked.environment["HOLDFAST_HOME"]
    with holdfast.open(worked.folder, home=home) as hf:
        hf.agents.open("bot")
        (candidate,) = hf.review()
        hf.approve(candidate)
    held = worked("agent", "delete", "bot", "--yes")
    assert held.code == 4
    assert "--force" in held.err
    done = worked("agent", "delete", "bot", "--yes", "--force", "--json").well().json
    assert (done["notes"], done["candidates"], done["kept"]) == (1, 0, [candidate.id])
    assert worked("agent", "list", "--json").well().json == {"agents": []}
    worked("doctor").well()


@requirement("agent.deleted-whole")
def test_no_word_of_a_deleted_agent_stays_in_a_file(program: Program) -> None:
    program("init", "--no-model").well()
    home = Path(program.environment["HOLDFAST_HOME"])
    words = {"name": "canaryname", "namespace": "canary-namespace"}
    with holdfast.open(program.folder, home=str(home)) as hf:
        agent = hf.agents.open(
            words["name"], directives="Canary directive.", config={"key": "canaryconfig"}
        )
        with agent.cycle() as cycle:
            cycle.propose(tool="canarytool", args={"arg": "canaryarg"}, reasoning="canary why")
            cycle.result("canary summary", output={"out": "canaryoutput"})
            cycle.remember("A canary note.", namespace=words["namespace"])
        agent.remember("A canary proposal.", namespace="long-term")
        agent.remember("A canary proposal.", namespace="long-term")
        agent.recall("which canary question", namespace=words["namespace"])
        agent.close()
    assert _with_canary(home)
    program("doctor").well()

    program("agent", "delete", words["name"], "--yes").well()

    assert _with_canary(home) == []
    program("doctor").well()


def _with_canary(home: Path) -> list[str]:
    files = [path for path in home.rglob("*") if path.is_file()]
    return [str(path) for path in files if b"canary" in path.read_bytes().lower()]


@requirement("agent.notes-are-its-own")
@pytest.mark.parametrize("variable", ["HOLDFAST_AGENT", "CLAUDECODE"])
def test_another_agent_sees_no_word_of_what_an_agent_noted(program: Program, variable: str) -> None:
    program("init", "--no-model").well()
    with holdfast.open(program.folder, home=str(program.home)) as hf:
        agent = hf.agents.open("bot", directives="Secretive owls.", config={"a": "owls"})
        with agent.cycle() as cycle:
            cycle.propose(tool="owls", reasoning="owls")
            cycle.result("owls")
            note = cycle.remember("The owls note.").id
        bundle = agent.recall("what about the owls").bundle_id
        agent.close()
    other = program("remember", "--because", "I say", "Mice sleep.").well().id
    as_agent = {variable: "1"}
    assert "owls" in program("list", "--status", "noted").well().out
    assert "owls" in program("show", note).well().out
    for words in (("show", note), ("show", bundle), ("explain", note), ("related", note)):
        refused = program(*words, env=as_agent)
        assert (refused.code, "owls" in refused.out + refused.err) == (3, False), words
        unknown = program(words[0], words[1][:2] + "0" * 26, env=as_agent)
        assert unknown.code == refused.code
    for attempt in (
        *(("explain", bundle, note), ("forget", note, "--dry-run")),
        *(("list", "--status", "noted"), ("list", "--json"), ("agent", "list", "--json")),
        *(("agent", "show", "bot"), ("agent", "cycles", "bot"), ("agent", "resume", "bot")),
        *(("agent", "export", "bot", "-"), ("pin", note), ("verify", note)),
    ):
        tried = program(*attempt, env=as_agent)
        assert "owls" not in (tried.out + tried.err).lower(), attempt
    assert program("agent", "show", "bot", env=as_agent).code != 0
    (listed,) = program("agent", "list", "--json", env=as_agent).well().json["agents"]
    assert (listed["name"], listed["cycles"], listed["directives"]) == ("bot", 1, "")
    assert program("pin", note).code == 2
    assert "note of an agent" in program("link", note, other).err
    assert program("link", other, note).code == 2


def test_an_export_of_an_unknown_agent_writes_no_file(program: Program, tmp_path: Path) -> None:
    program("init", "--no-model").well()

    assert program("agent", "export", "nobody", str(tmp_path / "bot.jsonl")).code == 3
    assert not (tmp_path / "bot.jsonl").exists()
