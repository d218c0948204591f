"""A session that ends is read for candidates, by a process the tool does not wait for."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from holdfast.adapters.processes import running
from tests.cli.program import Program
from tests.hook.caller import Caller, keep
from tests.requirements import requirement


def a_transcript(path: Path, caller: Caller) -> Path:
    """A conversation as Claude Code writes it, in which something is decided."""
    said = [
        ("user", "Which database driver do we use for the billing service?"),
        ("assistant", "Both psycopg and asyncpg would work here."),
        ("user", "Let's go with psycopg for the billing service. Never use asyncpg there."),
        ("assistant", "Understood: psycopg it is."),
    ]
    lines = []
    for number, (role, text) in enumerate(said):
        lines.append(
            {
                "type": role,
                "uuid": f"u{number}",
                "parentUuid": f"u{number - 1}" if number else None,
                "sessionId": caller.session,
                "timestamp": f"2026-11-15T12:00:0{number}.000Z",
                "cwd": str(caller.program.folder),
                "isSidechain": False,
                "message": {"role": role, "content": text},
            }
        )
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture
def left(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The processes a hook left behind; they are as real as ever."""
    started: list[int] = []
    start = running.start_detached

    def noting(command: Sequence[str]) -> int:
        started.append(start(command))
        return started[-1]

    monkeypatch.setattr(running, "start_detached", noting)
    return started


def ended(caller: Caller, left: list[int], event: str, **more: Any) -> None:
    """End it, and wait for what it left behind."""
    assert caller.call(event, **more).out == ""
    os.waitpid(left.pop(), 0)


def candidates(program: Program) -> list[str]:
    listed = program("list", "--status", "candidate", "--json").well().json
    return [item["claim"] for item in listed["memories"]]


@requirement("hook.proposes-in-the-background")
def test_an_ended_session_is_read_for_candidates(
    caller: Caller, tmp_path: Path, left: list[int]
) -> None:
    path = a_transcript(tmp_path / "t.jsonl", caller)
    caller.start()

    ended(caller, left, "SessionEnd", reason="other", transcript_path=str(path))

    assert any("psycopg" in claim for claim in candidates(caller.program))
    assert caller.note()["proposals"] == 1


@requirement("hook.proposes-in-the-background")
def test_what_was_proposed_names_the_session(
    caller: Caller, tmp_path: Path, left: list[int]
) -> None:
    path = a_transcript(tmp_path / "t.jsonl", caller)

    ended(caller, left, "SessionEnd", transcript_path=str(path))

    listed = caller.program("list", "--status", "candidate", "--json").well().json["memories"]
    assert {item["source"] for item in listed} == {f"claude:{caller.session}"}


@requirement("hook.proposes-in-the-background")
def test_a_stop_is_read_after_some_turns_only(
    caller: Caller, tmp_path: Path, left: list[int]
) -> None:
    path = str(a_transcript(tmp_path / "t.jsonl", caller))

    for number in range(5):
        assert caller.call("Stop", prompt_id=f"q{number}", transcript_path=path).out == ""
    assert caller.note()["proposals"] == 0
    ended(caller, left, "Stop", prompt_id="q9", transcript_path=path)

    assert caller.note()["proposals"] == 1
    assert caller.note()["turns"] == 0


def test_the_end_knows_the_transcript_a_stop_named(
    caller: Caller, tmp_path: Path, left: list[int]
) -> None:
    path = str(a_transcript(tmp_path / "t.jsonl", caller))
    caller.call("Stop", prompt_id="q1", transcript_path=path)

    ended(caller, left, "SessionEnd")

    assert candidates(caller.program)


def test_a_person_can_turn_it_off(caller: Caller, tmp_path: Path, left: list[int]) -> None:
    path = a_transcript(tmp_path / "t.jsonl", caller)
    caller.program("config", "set", "hook.propose", "off").well()

    caller.call("SessionEnd", transcript_path=str(path))

    assert caller.note()["proposals"] == 0
    assert left == []


def test_a_transcript_that_cannot_be_read_is_noted(
    caller: Caller, tmp_path: Path, left: list[int]
) -> None:
    ended(caller, left, "SessionEnd", transcript_path=str(tmp_path / "gone.jsonl"))

    assert "claude propose" in (caller.program.home / "hook.log").read_text(encoding="utf-8")


def test_what_memory_told_is_not_proposed_back(
    caller: Caller, tmp_path: Path, left: list[int]
) -> None:
    keep(caller.program, "Never deploy on a Friday afternoon.")
    context = caller.start()
    path = tmp_path / "t.jsonl"
    line = {
        "type": "user",
        "uuid": "u1",
        "parentUuid": None,
        "sessionId": caller.session,
        "message": {"role": "user", "content": f"{context}\n\nhello"},
    }
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")

    ended(caller, left, "SessionEnd", transcript_path=str(path))

    assert candidates(caller.program) == []


def test_what_a_hook_leaves_behind_is_no_verb_for_people(program: Program) -> None:
    done = program("hook", "propose")

    assert done.code == 2
    assert "use 'holdfast propose'" in done.err
