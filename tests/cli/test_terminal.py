"""What a person at a terminal sees, and what a pipe is spared."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
import termios
from collections.abc import Generator
from contextlib import contextmanager

import pytest

from holdfast.domain.ids import short
from tests.cli.conftest import Filled
from tests.cli.program import Finished, Program
from tests.patience import PATIENCE
from tests.requirements import requirement

ESCAPE = "\x1b"


@contextmanager
def terminal(width: int) -> Generator[tuple[int, int], None, None]:
    ours, theirs = pty.openpty()
    attributes = termios.tcgetattr(theirs)
    attributes[1] &= ~termios.OPOST
    termios.tcsetattr(theirs, termios.TCSANOW, attributes)
    termios.tcsetwinsize(theirs, (24, width))
    try:
        yield ours, theirs
    finally:
        os.close(ours)


def at_terminal(program: Program, *words: str, typed: str = "", **env: str) -> Finished:
    """Run the program with a wide terminal at all three ends."""
    return at_terminal_of(120, program, *words, typed=typed, **env)


def at_terminal_of(
    width: int, program: Program, *words: str, typed: str = "", **env: str
) -> Finished:
    """Run the program with a terminal of a width at all three ends."""
    with terminal(width) as (ours, theirs):
        os.write(ours, typed.encode())
        process = subprocess.Popen(
            [sys.executable, "-m", "holdfast", *words],
            stdin=theirs,
            stdout=theirs,
            stderr=subprocess.PIPE,
            cwd=program.folder,
            env={**program.environment, "TERM": "xterm-256color", **env},
        )
        os.close(theirs)
        seen = b""
        while chunk := _read(ours):
            seen += chunk
        _, err = process.communicate(timeout=PATIENCE)
    return Finished(process.returncode, seen.decode(), err.decode())


def _read(terminal_end: int) -> bytes:
    try:
        return os.read(terminal_end, 65536)
    except OSError:  # how Linux says that the other end is closed
        return b""


def test_a_terminal_gets_colours_and_columns_and_a_pipe_gets_neither(filled: Filled) -> None:
    seen = at_terminal(filled.program, "list").well().out
    answer = at_terminal(filled.program, "recall", "tokens").well().out

    assert seen.splitlines()[0].startswith(f"{ESCAPE}[2m#")
    assert f"{ESCAPE}[36m{short(filled.memory)}{ESCAPE}[0m" in seen
    assert "\t" not in seen
    assert f"{ESCAPE}[1m# c_" in answer
    assert ESCAPE not in filled.program.start("list").well().out


@pytest.mark.parametrize(
    ("words", "env"),
    [
        ((), {"NO_COLOR": "1"}),
        ((), {"TERM": "dumb"}),
        (("--no-color",), {}),
        ((), {"NO_COLOR": "1", "FORCE_COLOR": "1"}),
    ],
    ids=["NO_COLOR", "TERM=dumb", "--no-color", "both"],
)
def test_colours_can_be_refused(
    filled: Filled, words: tuple[str, ...], env: dict[str, str]
) -> None:
    assert ESCAPE not in at_terminal(filled.program, "list", *words, **env).well().out


def test_colours_can_be_forced_into_a_pipe(filled: Filled) -> None:
    assert ESCAPE in filled.program("show", filled.memory, env={"FORCE_COLOR": "1"}).well().out


def test_forget_asks_a_person_and_takes_no_for_an_answer(filled: Filled) -> None:
    program, words = filled.program, ("forget", "--id", filled.other)

    refused = at_terminal(program, *words, typed="n\n")
    still_there = program("show", filled.other).code
    silent = at_terminal(program, *words, typed="\n")
    agreed = at_terminal(program, *words, typed="y\n")

    assert (refused.code, still_there, silent.code, agreed.code) == (1, 0, 1, 0)
    assert "permanently? [y/N]" in refused.err
    assert program("show", filled.other).code == 3


def test_forget_does_not_ask_when_told_yes(filled: Filled) -> None:
    done = at_terminal(filled.program, "forget", filled.other, "--yes").well()

    assert "[y/N]" not in done.err


@requirement("cli.pipe-safe")
def test_no_text_reaches_a_terminal_as_a_control_sequence(filled: Filled) -> None:
    program = filled.program
    evil = f"{ESCAPE}]0;owned\x07 and \x9b31m red"
    branch = {"--key": "odd", "--label": evil, "--source": evil, "--metadata": f"a={evil}"}
    options = [word for pair in branch.items() for word in pair]
    kept = program("remember", "--because", evil, *options, f"Claim {evil}").well().id

    seen = "".join(
        program(*words).out + program(*words).err
        for words in (
            ("show", kept),
            ("list",),
            ("explain", kept),
            ("recall", "claim"),
            ("show", kept, "--json"),
            ("show", f"m_{evil}"),
            ("list", "--limit", evil),
            (evil,),
            ("session", "start", "--tool", evil),
        )
    )

    assert ESCAPE not in seen
    assert "\x9b" not in seen
    assert "\x07" not in seen


@requirement("cli.fits-the-terminal")
@pytest.mark.parametrize("words", [("list",), ("doctor",), ("config", "list")], ids=" ".join)
def test_a_table_is_not_wider_than_the_terminal(filled: Filled, words: tuple[str, ...]) -> None:
    long = "A claim that is longer than a line of a terminal. " * 4
    key = ("--key", "a-key-that-takes-a-part-of-the-line")
    memory = filled.program("remember", "--because", "x", *key, long).well().id

    shown = at_terminal_of(80, filled.program, *words, NO_COLOR="1").out
    piped = filled.program("list").well().out

    assert max(map(len, shown.splitlines())) <= 80
    assert words != ("list",) or short(memory) in shown
    assert words != ("list",) or long.strip() in " ".join(shown.split())
    assert long.strip() in piped


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_terminal_without_utf8_loses_nothing_and_breaks_nothing(
    filled: Filled, encoding: str
) -> None:
    env = {"PYTHONIOENCODING": encoding}
    claim = "Zoë prefers → arrows 🎉 over words."
    filled.program("remember", "--because", "I", "--key", "arrows", claim).well()

    listed = subprocess.run(
        [sys.executable, "-m", "holdfast", "list", "--key", "arrows"],
        capture_output=True,
        cwd=filled.program.folder,
        env={**filled.program.environment, **env},
        check=True,
    ).stdout.decode(encoding)
    shape = filled.program.start("list", "--key", "arrows", "--json", env=env).well().json

    assert "\\u2192" in listed
    assert "\\U0001f389" in listed
    assert shape["memories"][0]["claim"] == claim


LONG = (
    "The session cookie is signed with a secret key; the client can read what is in it, so no"
    " secret of the application belongs there."
)


@requirement("cli.fits-the-terminal")
@pytest.mark.parametrize(
    "words", [("review",), ("conflicts",), ("recall", "session cookie"), ("blame", "src/app.py:1")]
)
def test_claims_are_wrapped_at_eighty_columns(program: Program, words: tuple[str, ...]) -> None:
    (program.folder / "src").mkdir(exist_ok=True)
    (program.folder / "src" / "app.py").write_text("one\ntwo\n", encoding="utf-8")
    cited = ("--evidence", "src/app.py:1-2", "--key", "session.cookie")
    program("remember", *cited, LONG).well()
    agent = {"HOLDFAST_AGENT": "1"}
    program("remember", *cited, "The session cookie is never signed.", env=agent).well()

    seen = at_terminal_of(80, program, *words, TERM="dumb").out

    assert [line for line in seen.splitlines() if len(line) > 80] == []
    assert all(word in seen for word in ("signed", "belongs", "there."))


@requirement("cli.fits-the-terminal")
def test_findings_and_decisions_have_short_ids_and_whole_words(program: Program) -> None:
    place = program.folder / "src" / "auth" / "tokens.py"
    claim = "Refresh tokens rotate on every use, and replaying one of them revokes the family."
    agent = {"CLAUDECODE": "1"}
    words = ("remember", "--evidence", "src/auth/tokens.py:41-58", claim)
    name = program(*words, env=agent).well().id
    approved = at_terminal_of(80, program, "approve", name, NO_COLOR="1").well().out
    place.write_text("nothing is left\n", encoding="utf-8")

    curated = at_terminal_of(80, program, "curate", NO_COLOR="1").out
    verified = at_terminal_of(80, program, "verify", NO_COLOR="1").out

    lines = [line for text in (approved, curated, verified) for line in text.splitlines()]
    assert max(map(len, lines)) <= 80
    assert not any(name in line for line in lines)
    assert f"accepted {short(name)}  Refresh tokens rotate" in approved
    assert f"$ holdfast curate --deprecate {short(name)}" in curated
    assert "its text is gone" in verified
    assert "orphaned:" not in verified


@requirement("cli.pipe-safe")
def test_a_pipe_gets_findings_and_decisions_with_whole_ids(filled: Filled) -> None:
    (filled.program.folder / "src" / "auth" / "tokens.py").write_text("gone\n", encoding="utf-8")

    found = filled.program("curate").out

    assert f"holdfast curate --deprecate {filled.memory}" in found


WHOLE_ID = re.compile(r"\b[a-z]_[0-9a-z]{26}\b")


def _of_every_kind(program: Program) -> dict[str, str]:
    """Store a rule in conflict, a decision about it, a task and a session; return their ids."""
    agent = {"HOLDFAST_AGENT": "1"}
    cited = ("--evidence", "src/auth/tokens.py:41-58", "--key", "session.cookie")
    held = program("remember", *cited, LONG).well().id
    other = program("remember", *cited, "The session cookie is never signed.", env=agent).well().id
    third = program("remember", "--because", "x", "Tokens rotate at noon.", env=agent).well().id
    decided = program("approve", third, "--json").well().json["decision"]["id"]
    task = program("task", "add", "Rotate the keys", "--json").well().json["task"]["id"]
    session = program("session", "start", "--json").well().json["session"]["id"]
    return {"m": held, "o": other, "d": decided, "t": task, "i": session}


@requirement("cli.short-ids")
@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("blame src/auth/tokens.py:44", "mo"),
        ("conflicts", "mo"),
        ("undo --list", "d"),
        ("undo --dry-run", "d"),
        ("explain session.cookie", "m"),
        ("session list", "i"),
        ("task list", "t"),
        ("related session.cookie", ""),
        ("pin session.cookie", "m"),
        ("curate", ""),
    ],
)
def test_a_terminal_gets_short_ids_that_the_next_command_takes(
    program: Program, words: str, shown: str
) -> None:
    ids = _of_every_kind(program)

    seen = at_terminal_of(80, program, *words.split(), NO_COLOR="1")

    assert WHOLE_ID.findall(seen.out) == []
    assert [line for line in seen.out.splitlines() if len(line) > 80] == []
    assert [letter for letter in shown if short(ids[letter]) not in seen.out] == []


@requirement("cli.short-ids")
def test_lists_of_tokens_obstacles_and_sessions_are_short_at_a_terminal(program: Program) -> None:
    first = program("task", "add", "First").well().id
    program("task", "add", "Then", "--after", first).well()
    token = program("token", "create", "ci", "--kind", "agent", "--json").well().json["id"]
    start = program("session", "start", "--json").well().json["session"]
    lists = ("task ready", "token list", "session list --everywhere")

    seen = {one: at_terminal_of(80, program, *one.split(), NO_COLOR="1") for one in lists}

    assert [WHOLE_ID.findall(one.out + one.err) for one in seen.values()] == [[], [], []], seen
    ready = seen["task ready"]
    assert f"waits for {short(first)}" in ready.out + ready.err
    assert short(token) in seen["token list"].out
    repo = start["repo"] or ""
    assert repo not in seen["session list --everywhere"].out or not repo
    assert repo[:13] in seen["session list --everywhere"].out
    assert token in program("token", "revoke", short(token)).well().out


@requirement("cli.short-ids")
@pytest.mark.parametrize(
    ("verb", "letter"),
    [("show", "m"), ("show", "i"), ("task show", "t"), ("session show", "i"), ("undo", "d")],
)
def test_a_short_id_names_whatever_it_was_shown_for(
    program: Program, verb: str, letter: str
) -> None:
    ids = _of_every_kind(program)

    found = program(*verb.split(), short(ids[letter]), "--json").well()

    assert ids[letter] in found.out


@requirement("cli.short-ids")
def test_a_page_of_one_memory_has_its_whole_id_at_a_terminal(program: Program) -> None:
    ids = _of_every_kind(program)

    seen = at_terminal_of(80, program, "show", short(ids["m"]), NO_COLOR="1").well().out

    assert seen.startswith(ids["m"])


@requirement("cli.short-ids")
def test_a_path_or_a_quoted_text_keeps_its_ids_at_a_terminal(program: Program) -> None:
    task = program("task", "add", "Rotate the keys", "--json").well().json["task"]["id"]
    path = f".holdfast/tasks/{task}.md"
    claim = f"Look at {task} first."
    name = program("remember", "--because", path, "--key", "a.b", claim).well().id
    child = program("task", "add", claim, "--parent", task, "--json").well().json["task"]["id"]
    answer = program("recall", f"why {task}", "--json").well().json["id"]

    def seen(*words: str) -> str:
        return " ".join(at_terminal_of(80, program, *words, NO_COLOR="1").out.split())

    assert path in seen("show", name)
    assert f"asked: why {task}" in seen("explain", answer)
    shown = seen("task", "show", child)
    assert claim in shown
    assert f"parent {short(task)} Rotate" in shown


@requirement("cli.short-ids")
def test_places_that_keep_a_forgotten_text_have_short_ids(program: Program) -> None:
    words = "Zwiebelkuchen opens the gate of the northern depot."
    name = program("remember", "--because", "x", words).well().id
    task = program("task", "add", words, "--json").well().json["task"]["id"]

    seen = at_terminal_of(80, program, "forget", "--id", name, "--yes", NO_COLOR="1").out

    assert f"the task {short(task)}" in seen
    assert WHOLE_ID.findall(seen) == []


@requirement("cli.short-ids")
def test_what_was_just_remembered_is_named_by_its_short_id(program: Program) -> None:
    words = ("remember", "--because", "I decided this in the meeting of Tuesday", "--key", "a.b")

    seen = at_terminal_of(80, program, *words, LONG, NO_COLOR="1").well().out

    assert WHOLE_ID.findall(seen) == []
    assert [line for line in seen.splitlines() if len(line) > 80] == []


@requirement("cli.fits-the-terminal")
def test_claims_in_a_table_are_wrapped_and_not_cut(program: Program) -> None:
    one = program("remember", "--because", "x", "--key", "one", LONG).well().id
    other = program("remember", "--because", "x", f"Cookies: {LONG}").well().id
    program("link", one, other, "--kind", "relates-to").well()
    answer = program("recall", "session cookie", "--json").well().json["id"]

    for words in (("related", "one"), ("explain", answer), ("explain", answer, one)):
        seen = at_terminal_of(80, program, *words, NO_COLOR="1").well().out

        assert [line for line in seen.splitlines() if len(line) > 80] == []
        assert LONG in " ".join(seen.split())
