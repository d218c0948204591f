"""Row numbers of the last list, as arguments of the next command in the same terminal."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from shutil import which

import pytest

from holdfast.adapters.machine.shown_rows import note_rows, rows_in
from tests.cli.conftest import Filled
from tests.cli.program import Finished, Program
from tests.cli.test_terminal import terminal
from tests.patience import PATIENCE
from tests.requirements import requirement

AGENT = {"HOLDFAST_ORIGIN": "agent"}


def in_one_terminal(program: Program, *commands: str) -> Finished:
    """Run commands one after the other in one terminal, as a person in a shell does."""
    itself = f"{shlex.quote(sys.executable)} -m holdfast"
    script = "; ".join(command.replace("holdfast", itself) for command in commands)
    with terminal(80) as (ours, theirs):
        process = subprocess.Popen(
            [which("bash") or "bash", "-c", script],
            stdin=theirs,
            stdout=theirs,
            stderr=subprocess.PIPE,
            cwd=program.folder,
            env={**program.environment, "TERM": "xterm-256color", "NO_COLOR": "1"},
            start_new_session=True,
        )
        os.close(theirs)
        seen = b""
        while chunk := _read(ours):
            seen += chunk
        _, err = process.communicate(timeout=PATIENCE)
    return Finished(process.returncode, seen.decode(), err.decode())


def _read(end: int) -> bytes:
    try:
        return os.read(end, 65536)
    except OSError:
        return b""


def propose(program: Program, claim: str) -> str:
    return program("remember", claim, "--because", "x", env=AGENT).well().id


@requirement("cli.rows-are-names")
def test_a_number_names_the_row_of_the_last_list(filled: Filled) -> None:
    program = filled.program
    name = propose(program, "The queue is drained at noon.")

    done = in_one_terminal(program, "holdfast review", "holdfast approve 1", "holdfast list",
                           "holdfast show 1")  # fmt: skip

    assert done.code == 0, done.err
    assert "holdfast approve 1" in done.out
    assert program("show", name, "--json").well().json["data"]["status"] == "accepted"
    assert done.out.count("The queue is drained at noon.") >= 3


@requirement("cli.rows-are-names")
def test_a_row_is_approved_only_as_it_was_shown(filled: Filled) -> None:
    program = filled.program
    name = propose(program, "The queue is drained at noon.")
    more = "env HOLDFAST_ORIGIN=agent holdfast remember"

    done = in_one_terminal(
        program,
        "holdfast review",
        f"{more} 'The queue is drained at noon.' --because 'a reason that nobody saw' >/dev/null",
        "holdfast approve 1",
    )

    assert done.code == 5, done.out
    assert program("show", name, "--json").well().json["data"]["status"] == "candidate"


def test_a_number_that_the_list_does_not_have_is_refused(filled: Filled) -> None:
    done = in_one_terminal(filled.program, "holdfast list", "holdfast show 99")

    assert done.code == 2
    assert "There is no row 99: the last list in this terminal had" in done.err


def test_without_a_list_a_number_is_a_name_like_any_other(filled: Filled) -> None:
    program = filled.program
    program("remember", "Two is a key.", "--because", "x", "--key", "2").well()

    assert "Two is a key." in program("show", "2").well().out
    assert program("show", "3").code == 3


@requirement("cli.rows-are-names")
@pytest.mark.parametrize("verb", [("approve", "2"), ("reject", "2"), ("forget", "--yes", "2")])
def test_without_a_list_a_number_decides_nothing(filled: Filled, verb: tuple[str, ...]) -> None:
    program = filled.program
    hidden = ("--because", "x", "--key", "2")
    name = program("remember", "An agent chose this key.", *hidden, env=AGENT).well().id

    done = program(*verb)

    assert done.code == 2
    assert "no list was shown in this terminal" in done.err
    assert program("show", name, "--json").well().json["data"]["status"] == "candidate"


def test_another_terminal_has_its_own_rows(filled: Filled) -> None:
    in_one_terminal(filled.program, "holdfast list")

    assert in_one_terminal(filled.program, "holdfast show 1").code == 3


def test_recall_and_tasks_number_their_rows_too(filled: Filled) -> None:
    program = filled.program
    program("task", "add", "Write the page").well()

    told = in_one_terminal(
        program, "holdfast recall tokens", "holdfast explain 1", "holdfast task ready",
        "holdfast task done 1",
    )  # fmt: skip

    assert told.code == 0, told.err
    assert program("task", "list", "--status", "done", "--json").well().json["tasks"]


def test_rows_of_many_terminals_are_kept_and_damage_is_ignored(filled: Filled) -> None:
    home = str(filled.program.home)
    for number in range(40):
        note_rows(home, f"terminal {number}", [(f"m_{number}", "")])

    assert rows_in(home, "terminal 39") == [("m_39", "")]
    assert rows_in(home, "terminal 1") == []

    (filled.program.home / "cache" / "rows").write_bytes(b"\xff\t\tx\n1\t2\n")

    assert rows_in(home, "terminal 39") == []


@requirement("cli.completes-ids")
@pytest.mark.parametrize(("words", "wanted"), [("show refr", "refresh"), ("approve m_", "m_")])
def test_a_shell_completes_ids_and_keys(filled: Filled, words: str, wanted: str) -> None:
    program = filled.program
    propose(program, "The queue is drained at noon.")
    (program.folder / "holdfast").write_text(f'#!/bin/sh\nexec {sys.executable} -m holdfast "$@"\n')
    (program.folder / "holdfast").chmod(0o755)
    (program.folder / "c.bash").write_text(program("completion", "bash").well().out)
    verb, word = words.split()

    done = program.bash(
        f"export PATH=$PWD:$PATH; . ./c.bash; COMP_WORDS=(holdfast {verb} {word}); COMP_CWORD=2;"
        ' _holdfast; printf "%s\\n" "${COMPREPLY[@]}"'
    )

    assert done.out.startswith(wanted)


def test_a_key_that_is_a_command_is_not_completed(filled: Filled) -> None:
    program = filled.program
    program("remember", "A trap.", "--because", "x", "--key", "a$(touch$IFS$9trap)").well()
    (program.folder / "holdfast").write_text(f'#!/bin/sh\nexec {sys.executable} -m holdfast "$@"\n')
    (program.folder / "holdfast").chmod(0o755)
    (program.folder / "c.bash").write_text(program("completion", "bash").well().out)

    program.bash(
        "export PATH=$PWD:$PATH; . ./c.bash; COMP_WORDS=(holdfast show a); COMP_CWORD=2; _holdfast"
    )

    assert not (program.folder / "trap").exists()
