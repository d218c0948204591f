"""What waits for a person, at a terminal: questions, walks, columns and colours."""

from __future__ import annotations

import json

import pytest

from tests.cli.program import Program
from tests.cli.test_curation import status
from tests.cli.test_terminal import ESCAPE, at_terminal
from tests.cli.waiting import DAILY, HOURLY, Waiting, fill, propose, waits
from tests.requirements import requirement

SURROUNDED = {"CLAUDECODE": "1"}


@pytest.fixture
def waiting(program: Program) -> Waiting:
    return fill(program)


def test_a_wide_terminal_shows_the_sides_beside_each_other(waiting: Waiting) -> None:
    wide = at_terminal(waiting.program, "conflicts", NO_COLOR="1").well().out
    narrow = at_terminal(waiting.program, "conflicts", NO_COLOR="1", COLUMNS="60").well().out

    beside = [line for line in wide.splitlines() if DAILY in line]
    assert HOURLY in beside[0]
    assert not [line for line in narrow.splitlines() if DAILY in line and HOURLY in line]


def test_approving_all_asks_a_person_at_a_terminal(waiting: Waiting) -> None:
    refused = at_terminal(waiting.program, "approve", "--all", typed="n\n")
    kept = status(waiting.program, waiting.rule)
    agreed = at_terminal(waiting.program, "approve", "--all", typed="y\n")

    assert (refused.code, kept, agreed.code) == (1, "candidate", 0)
    assert "Accept these 3 candidates? [y/N]" in refused.err
    assert status(waiting.program, waiting.rule) == "accepted"


@requirement("curation.only-people-decide")
def test_a_person_in_an_agents_shell_says_so_at_the_terminal(waiting: Waiting) -> None:
    words = ("approve", waiting.trap)

    refused = at_terminal(waiting.program, *words, typed="yes\n", **SURROUNDED)
    agreed = at_terminal(waiting.program, *words, typed="I am a person\n", **SURROUNDED)

    assert (refused.code, agreed.code) == (4, 0)
    assert status(waiting.program, waiting.trap) == "accepted"


def test_a_revert_asks_a_person_at_a_terminal(waiting: Waiting) -> None:
    refused = at_terminal(waiting.program, "revert", "--source", "bot", typed="\n")
    kept = status(waiting.program, waiting.trap)
    agreed = at_terminal(waiting.program, "revert", "--source", "bot", typed="y\n")

    assert (refused.code, kept, agreed.code) == (1, "candidate", 0)
    assert status(waiting.program, waiting.trap) == "rejected"


def test_a_walk_decides_one_by_one(waiting: Waiting) -> None:
    program = waiting.program
    order = [one["memory"] for one in waits(program)]
    names = [one["id"] for one in order if isinstance(one, dict)]
    assert names == [waiting.rival, waiting.trap, waiting.rule]

    seen = at_terminal(program, "review", "--walk", typed="x\nn\na\nr\nnot ours\n").well()

    assert "[n]ew one stands" in seen.err
    assert "[a]pprove" in seen.err
    assert status(program, waiting.rival) == "accepted"
    assert status(program, waiting.stands) == "superseded"
    assert status(program, waiting.rule) == "rejected"
    assert status(program, waiting.trap) == "accepted"
    reason = program("show", waiting.rule, "--json").json["data"]["reason"]
    assert reason == "not ours"
    decisions = program("undo", "--list", "--json").json["decisions"]
    assert [one["action"] for one in decisions] == ["reject", "approve", "resolve"]


def test_a_walk_edits_skips_complains_and_stops(waiting: Waiting) -> None:
    program = waiting.program
    same, other = "Replaying a token revokes the whole family.", "Replay is fatal."
    typed = f"s\ne\n{same}\ne\n{other}\nq\n"

    seen = at_terminal(program, "review", "--walk", typed=typed).well()

    assert "says what it said before" in seen.err
    assert "1 of 3 decided" in seen.err
    assert status(program, waiting.rival) == "candidate"
    assert status(program, waiting.trap) == "superseded"
    assert status(program, waiting.rule) == "candidate"


def test_a_terminal_shows_differences_in_colour(waiting: Waiting) -> None:
    seen = at_terminal(waiting.program, "review").well().out

    assert f"{ESCAPE}[31m[-hour.-]{ESCAPE}[0m" in seen
    assert f"{ESCAPE}[32m{{+day.+}}{ESCAPE}[0m" in seen


@requirement("cli.pipe-safe")
def test_no_proposal_reaches_a_terminal_as_a_control_sequence(program: Program) -> None:
    evil = f"Tokens {ESCAPE}]0;owned\x07 rotate \x9b31m red."
    program("remember", "--because", "I", "--key", "k", "Tokens rotate blue.").well()
    name = propose(program, evil, "--key", "k", "--source", evil)

    seen = "".join(
        said
        for words in (("review",), ("review", name), ("review", "--json"), ("conflicts",))
        for said in (program(*words).out, program(*words).err)
    )

    assert ESCAPE not in seen
    assert "\x9b" not in seen
    assert json.loads(program("review", "--json").out)["total"] == 1
