"""Runs a program that reads a question and writes one answer; it is killed when its time is up."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.processes.exchanging import exchange, started

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_ANSWERED = 4 * 1024 * 1024


class ProgramAnswer(NamedTuple):
    """What a program wrote; ``problem`` says why that is not a whole answer."""

    output: bytes
    problem: str = ""


def asked(command: Sequence[str], question: bytes, *, seconds: float) -> ProgramAnswer:
    """Give a program a question on standard input, and return what it wrote to standard output.

    When it ends, when its time is up, or when it wrote too much, every process of its group is
    killed, so that nothing of it goes on.
    """
    try:
        with started(command, seconds=seconds, hears_errors=False) as process:
            found = exchange(process, question, seconds=seconds, most=MOST_ANSWERED)
    except (OSError, ValueError) as error:
        return ProgramAnswer(b"", f"could not be started: {error}")
    return ProgramAnswer(found.output, found.problem)
