"""A store in which something waits for a person."""

from __future__ import annotations

from dataclasses import dataclass

from tests.cli.program import Program

HOURLY, DAILY = "Tokens rotate every hour.", "Tokens rotate every day."
PLACE = "src/auth/tokens.py:41-58"
AGENT = {"HOLDFAST_ORIGIN": "agent"}


@dataclass(frozen=True)
class Waiting:
    """One memory stands and three candidates wait, one of them against it."""

    program: Program
    stands: str
    rival: str
    rule: str
    trap: str


def propose(program: Program, claim: str, *words: str) -> str:
    """Let an agent propose something; return its id."""
    return program("remember", "--because", "x", *words, claim, env=AGENT).well().id


def fill(program: Program) -> Waiting:
    """Let a person say something, and an agent propose three things."""
    rotation = ("--key", "rotation", "--kind", "decision", "--source", "bot")
    trap = ("--kind", "gotcha", "--evidence", PLACE, "--source", "bot")
    said = program("remember", "--because", "I decided", "--key", "rotation", HOURLY).well()
    return Waiting(
        program=program,
        stands=said.id,
        rival=propose(program, DAILY, *rotation),
        rule=propose(program, "Always sign commits.", "--kind", "rule", "--source", "other"),
        trap=propose(program, "Replaying a token revokes the whole family.", *trap),
    )


def waits(program: Program, *words: str) -> list[dict[str, object]]:
    """Return what waits, as JSON."""
    found = program("review", "--json", *words).well().json["waiting"]
    assert isinstance(found, list)
    return found
