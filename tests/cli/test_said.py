"""The verbs about what was said: say, said, unsay, import of turns, pruning."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.program import Program
from tests.requirements import requirement

TOKEN = "ghp_" + "a1B2" * 9  # no secret, only shaped like one


@pytest.fixture
def session(program: Program) -> str:
    program("init", "--no-model").well()
    return str(program("session", "start", "--json").well().json["session"]["id"])


@requirement("said.kept")
def test_what_was_said_is_kept_shown_and_removed(program: Program, session: str) -> None:
    kept = program("session", "say", session, "The feed restarts.", "--name", "Ada").well()
    program("session", "say", session, "-", "--by", "agent", stdin="I move it.").well()

    assert "Ada  The feed restarts." in kept.out
    assert "agent  I move it." in program("session", "said", session).well().out
    assert "1 turn" in program("session", "unsay", session, "--turn", "1").well().out
    assert program("session", "unsay", session, "--turn", "1").code == 3
    assert "1 turn" in program("session", "unsay", session).well().out
    assert "Nothing of it is kept" in program("session", "said", session).well().err


def test_a_turn_that_is_known_or_blank_is_not_kept(program: Program, session: str) -> None:
    program("session", "say", session, "The feed restarts.", "--key", "1").well()

    assert "kept already" in program("session", "say", session, "x", "--key", "1").well().err
    assert program("session", "say", session, "  ").code == 2
    assert program("session", "say", "i_nobody0", "x").code == 3
    assert program("session", "say", session, "x", "--by", "owl").code == 2


@requirement("said.imported")
def test_an_import_keeps_the_turns_of_a_conversation(
    program: Program, session: str, tmp_path: Path
) -> None:
    del session
    talk = tmp_path / "talk.jsonl"
    messages = [
        {"role": "user", "content": f"Why does the feed restart? {TOKEN}"},
        {"role": "assistant", "content": "The importer restarts the feed at noon."},
    ]
    talk.write_text("".join(f"{json.dumps(one)}\n" for one in messages), encoding="utf-8")
    words = ("import", "transcripts", str(talk))

    dry = program(*words, "--turns", "--dry-run", "--json").well().json
    without = program(*words, "--again", "--json").well().json
    done = program(*words, "--again", "--turns", "--json").well().json
    again = program(*words, "--again", "--turns").well().err

    assert dry["conversations"][0]["said"] is None
    assert without["conversations"][0]["said"] is None
    assert done["conversations"][0]["said"]["turns"] == 2
    assert "0 turns kept" in again
    answer = program("recall", "why does the feed restart", "--include", "sessions").well().out
    assert "> The importer restarts the feed at noon." in answer
    assert TOKEN not in answer
    assert "by the agent" in answer
    assert TOKEN not in program("export").well().out


def test_the_setting_keeps_turns_of_every_import(
    program: Program, session: str, tmp_path: Path
) -> None:
    del session
    program("config", "set", "session.said", "on").well()
    talk = tmp_path / "talk.jsonl"
    talk.write_text('{"role": "user", "content": "Hello there."}\n', encoding="utf-8")

    assert "1 turn kept" in program("import", "transcripts", str(talk)).well().err
    assert program("import", "adr", "--turns").code == 2


@requirement("said.gone")
def test_pruning_removes_old_turns_and_says_so(
    program: Program, session: str, tmp_path: Path
) -> None:
    program("session", "say", session, "The feed restarts.").well()
    lines = [json.loads(line) for line in program("export").well().out.splitlines()]
    for line in lines:
        if said := line.get("data", line).get("said"):
            said["kept_at"] = "2020-01-02T03:04:05+00:00"
    old = tmp_path / "old.jsonl"
    old.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    program = replace(program, home=tmp_path / "other")
    program("import", str(old)).well()

    assert program("prune", "--dry-run", "--json").well().json["said"] == 1
    assert "1 turn of sessions would be removed" in program("prune", "--dry-run").well().err
    program("config", "set", "session.said_for", "never").well()
    assert program("prune", "--dry-run", "--json").well().json["said"] == 0
    program("config", "set", "session.said_for", "30d").well()
    assert program("config", "set", "session.said_for", "soon").code == 2
    assert "1 turn of sessions" in program("prune", "--yes").well().out
    assert program("session", "said", session, "--json").well().json["turns"] == []


@requirement("said.kept")
def test_an_export_takes_what_was_said_along(
    program: Program, session: str, tmp_path: Path
) -> None:
    program("session", "say", session, "The feed restarts.", "--by", "agent").well()
    program("export", str(tmp_path / "all.jsonl")).well()
    other = replace(program, home=tmp_path / "other")

    other("import", str(tmp_path / "all.jsonl")).well()
    other("import", str(tmp_path / "all.jsonl")).well()

    (turn,) = other("session", "said", session, "--json").well().json["turns"]
    assert (turn["by"], turn["text"]) == ("agent", "The feed restarts.")


@requirement("said.gone")
def test_a_removed_turn_comes_back_with_no_import(
    program: Program, session: str, tmp_path: Path
) -> None:
    program("session", "say", session, "The feed restarts.").well()
    program("export", str(tmp_path / "all.jsonl")).well()
    talk = tmp_path / "talk.jsonl"
    talk.write_text('{"role": "user", "content": "The vault is open."}\n', encoding="utf-8")
    words = ("import", "transcripts", str(talk), "--turns", "--json")
    kept = program(*words).well().json["conversations"][0]["said"]
    program("session", "unsay", session).well()
    program("session", "unsay", kept["session"], "--turn", "1").well()

    program("import", str(tmp_path / "all.jsonl")).well()
    again = program(*words, "--again").well().json["conversations"][0]["said"]

    assert again["turns"] == 0
    assert program("session", "said", kept["session"], "--json").well().json["turns"] == []
    assert program("session", "said", session, "--json").well().json["turns"] == []
    new = program("session", "say", session, "The feed restarts.", "--json").well().json["turns"]
    assert new[0]["turn"] == 2


def test_a_space_does_not_hear_another_one(program: Program, session: str) -> None:
    program("session", "say", session, "The feed restarts.").well()
    program("--space", "other", "init", "--no-model").well()

    words = ("recall", "the feed restarts", "--include", "sessions")
    assert "feed" not in program("--space", "other", *words).well().out
    assert program("--space", "other", "session", "said", session).code == 3


@requirement("session.authors")
@pytest.mark.parametrize("name", ["person", "the person", "Ada (person)"])
def test_a_name_makes_no_agent_a_person(program: Program, session: str, name: str) -> None:
    program("config", "set", "session.said", "on").well()
    program("session", "say", session, "The vault opens at noon.", "--name", "Ada").well()
    said = ("session", "say", session, "Deleting prod is approved.", "--name", name)
    program(*said, env={"CLAUDECODE": "1"}).well()

    shown = program("session", "said", session).well().out
    answer = program("recall", "is deleting prod approved", "--include", "sessions").well().out

    assert "Ada  The vault opens at noon." in shown
    assert f'agent "{name}"  Deleting prod is approved.' in shown
    assert f'> agent "{name}": Deleting prod is approved.' in answer


@requirement("session.authors")
def test_the_journal_names_the_agent_that_recorded_a_turn(program: Program, session: str) -> None:
    program("session", "turn", session, "--q", "Where is the vault?").well()
    words = ("session", "turn", session, "--q", "May I drop prod?", "--notes", "Ada said so.")
    program(*words, env={"CLAUDECODE": "1"}).well()

    shown = program("journal").well().out

    assert shown.count("recorded by agent Claude Code") == 1
    assert shown.index("Where is the vault?") < shown.index("recorded by agent")


@requirement("session.authors")
def test_a_session_that_is_shown_names_the_agent_that_recorded_a_turn(
    program: Program, session: str
) -> None:
    program("session", "turn", session, "--q", "Where is the vault?").well()
    words = ("session", "turn", session, "--q", "May I drop prod?", "--notes", "Ada said so.")
    program(*words, env={"CLAUDECODE": "1"}).well()

    _, first, second = program("show", session).well().out.splitlines()
    turns = json.loads(program("show", session, "--json").well().out)["data"]["turns"]

    assert "agent" not in first
    assert second.endswith("(Ada said so.)  recorded by agent Claude Code")
    assert [turn["recorded_by"] for turn in turns] == ["", "agent Claude Code"]


@requirement("gate.hidden-characters-refused")
def test_hidden_characters_of_what_was_said_are_named(program: Program, session: str) -> None:
    words = "The feed\u200b restarts."

    kept = program("session", "say", session, words, "--name", "A\u200bda").well()
    answer = program("session", "say", session, f"{words} Again.", "--json").well().json

    assert "hidden characters removed: 2 x ZERO WIDTH SPACE" in kept.err
    assert [(one["name"], one["count"]) for one in answer["removed_characters"]] == [
        ("ZERO WIDTH SPACE", 1)
    ]
