"""What the verbs about sessions say when something is missing, odd, changed or switched off."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.program import Program
from tests.requirements import requirement

AGENT = {"HOLDFAST_AGENT": "1"}
LONG = " ".join(f"word{number}" for number in range(60))


@pytest.fixture
def session(program: Program) -> str:
    program("init", "--no-model").well()
    return str(program("session", "start", "--json").well().json["session"]["id"])


@requirement("said.off")
def test_an_agent_keeps_nothing_as_long_as_it_is_off(
    program: Program, session: str, tmp_path: Path
) -> None:
    talk = tmp_path / "talk.jsonl"
    talk.write_text('{"role": "user", "content": "Hello there."}\n', encoding="utf-8")
    words = ("session", "say", session, "I moved it.")
    imports = ("import", "transcripts", str(talk), "--turns")

    refused = program(*words, env=AGENT)
    imported = program(*imports, env=AGENT)
    program(*words).well()
    program("config", "set", "session.said", "on").well()
    program("session", "say", session, "I moved it again.", env=AGENT).well()

    assert refused.code == 4
    assert "holdfast config set session.said on" in refused.err
    assert imported.code == 4
    said = program("session", "said", session, "--json").well().json["turns"]
    assert [one["by"] for one in said] == ["person", "agent"]


@requirement("said.imported")
def test_messages_that_were_rewritten_are_told_and_read_again(
    program: Program, session: str, tmp_path: Path
) -> None:
    del session
    talk = tmp_path / "talk.jsonl"

    def write(*texts: str) -> None:
        lines = [
            {"role": "user", "content": text, "id": str(number)}
            for number, text in enumerate(texts)
        ]
        talk.write_text("".join(f"{json.dumps(one)}\n" for one in lines), encoding="utf-8")

    words = ("import", "transcripts", str(talk), "--turns")
    write("We meet on Monday.", "In room 4.", "Bye now.")
    kept = program(*words, "--json").well().json["conversations"][0]["said"]
    write("We meet on Friday.", "In room 5.", "Bye now.")

    told = program(*words).well().err
    again = program(*words, "--again").well().err
    write("We meet on Friday.", "In room 5.", "Bye all.")
    one = program(*words).well().err

    assert "2 turns that were read before have another text now" in told
    assert "--again" in told
    assert "0 turns kept, 2 changed" in again
    assert "1 turn that was read before has another text" in one
    said = program("session", "said", kept["session"], "--json").well().json["turns"]
    assert [turn["text"] for turn in said][:2] == ["We meet on Friday.", "In room 5."]


def test_times_that_cannot_be_are_told(program: Program, session: str, tmp_path: Path) -> None:
    del session
    talk = tmp_path / "talk.jsonl"
    times = ["1969-07-20T20:17:00Z", "0001-01-01T00:00:00Z", "2026-11-02T09:00:00Z", None]
    lines = [
        {"role": "user", "content": f"Message {number}.", "at": at}
        for number, at in enumerate(times)
    ]
    talk.write_text("".join(f"{json.dumps(one)}\n" for one in lines), encoding="utf-8")

    told = program("import", "transcripts", str(talk), "--turns").well().err

    assert "2 messages name a time that cannot be; the time of the import counts instead" in told
    talk.write_text(f"{json.dumps(lines[0])}\n", encoding="utf-8")
    assert "1 message names" in program("import", "transcripts", str(talk), "--again").well().err


def test_what_was_said_is_shown_whole_in_lines_that_fit(program: Program, session: str) -> None:
    program("session", "say", session, f"{LONG}\nand a second line").well()

    wide = program("session", "said", session, env={"COLUMNS": "120"}).well().out
    narrow = program("session", "said", session, env={"COLUMNS": "50"}).well().out
    one = program("show", f"{session}/1", env={"COLUMNS": "120"}).well().out

    for shown in (wide, narrow):
        assert all(f"word{number}" in shown for number in range(60))
        assert "and a second line" in shown
    assert max(map(len, wide.splitlines())) > 100
    assert max(map(len, narrow.splitlines()[1:])) <= 50
    assert one == wide
    shape = program("show", f"{session}/1", "--json").well().json
    assert (shape["type"], shape["data"]["turn"]) == ("turn", 1)
    assert program("show", f"{session}/9").code == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("session", "say", "SESSION", " "), "Write what was said, or - to read it from stdin"),
        (("session", "note", "--done"), "Name it with --id"),
        (("session", "note", " "), "write what it says"),
        (("session", "did", "SESSION", ""), "The turn is blank; write what was asked or done"),
        (("import", "git", "--turns"), "--turns goes with 'holdfast import transcripts'"),
        (("hydrate", "--branch", "nosuch"), "'nosuch' does not name a commit"),
    ],
)
def test_what_is_missing_is_told_with_the_next_step(
    program: Program, session: str, words: tuple[str, ...], said: str
) -> None:
    done = program(*(session if word == "SESSION" else word for word in words))

    assert done.code in {2, 3}
    assert said in done.err
    assert done.out == ""


def test_an_agent_that_removes_what_was_said_is_not_sent_to_forget(
    program: Program, session: str
) -> None:
    program("session", "say", session, "The feed restarts.").well()

    refused = program("session", "unsay", session, env=AGENT)
    other = program("forget", "m_x", "--yes", env=AGENT)

    assert refused.code == other.code == 4
    assert "forget --propose" not in refused.err
    assert "forget --propose" in other.err
