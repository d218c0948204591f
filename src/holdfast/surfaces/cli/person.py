"""Whether a person sits there, and what they say when they are asked."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from holdfast.domain.acting import acting_agent
from holdfast.domain.errors import NeedsPersonError
from holdfast.surfaces.cli.present.colour import Warn

if TYPE_CHECKING:
    from holdfast.surfaces.cli.desk import Desk

_OATH = "i am a person"


def is_at_terminal(desk: Desk) -> bool:
    """Tell whether somebody can be asked: a terminal at both ends, and no JSON wanted."""
    has_keyboard = sys.stdin is not None and sys.stdin.isatty()
    return has_keyboard and desk.output.is_terminal and not desk.output.as_json


def asked(desk: Desk, question: str) -> str:
    """Ask at the terminal and return the line that is typed, without its end."""
    desk.output.complain(Warn(question))
    desk.output.flush()
    return sys.stdin.readline().strip()


def agrees(desk: Desk, question: str) -> bool:
    """Ask a question whose usual answer is no."""
    return asked(desk, f"{question} [y/N] ").lower() in {"y", "yes"}


def refuse_agent(desk: Desk, *, command: str) -> None:
    """Let only people decide; a person in an agent's shell says so at the terminal.

    Raises:
        NeedsPersonError: An agent seems to run this, and nobody said otherwise.
    """
    agent = acting_agent(os.environ)
    if not agent:
        return
    if is_at_terminal(desk):
        question = f"{agent} seems to run this shell. If you are a person, type: {_OATH}"
        if asked(desk, question).lower() == _OATH:
            return
    raise NeedsPersonError(
        what=f"{agent} seems to run this, and agents propose; they do not decide.",
        command=f"{command}, in a terminal of their own",
    )
