"""Find out whether a person is at the terminal, and ask them."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

from holdfast.domain.database_errors import without_password
from holdfast.domain.errors import NeedsPersonError
from holdfast.domain.memory.callers import MEANINGS, Operation, Permission, answer
from holdfast.surfaces.cli.present.terminal.colour import Warn
from holdfast.surfaces.cli.present.terminal.cutting import cut
from holdfast.surfaces.cli.present.terminal.table import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.surfaces.cli.command_context import CommandContext

_OATH = "i am a person"
_LONGEST_COMMAND = 160
_FORGET = "forget"
_PROPOSAL = " An agent may propose it: holdfast forget --propose."


def is_at_terminal(context: CommandContext) -> bool:
    """Return whether a person can be asked: both ends are a terminal, and JSON is not wanted."""
    has_keyboard = sys.stdin is not None and sys.stdin.isatty()
    return has_keyboard and context.output.is_terminal and not context.output.as_json


def asked(context: CommandContext, question: str) -> str:
    """Ask at the terminal and return the typed line, without its end."""
    context.output.complain(Warn(question))
    context.output.flush()
    return sys.stdin.readline().strip()


def agrees(context: CommandContext, question: str) -> bool:
    """Ask a question whose default answer is no."""
    return asked(context, f"{question} [y/N] ").lower() in {"y", "yes"}


def admit(context: CommandContext, operation: Operation, *, words: Sequence[str]) -> None:
    """Return if the principal of a command may perform the operation.

    If the table of operations says to ask, a person in an agent's shell confirms at the terminal
    that they are a person, and the command continues as that person.

    Raises:
        NeedsPersonError: The principal may not, and nobody confirmed that they are a person.
    """
    said = answer(context.principal.kind, operation)
    if said is Permission.ALLOWED:
        return
    if said is Permission.ASKS and is_at_terminal(context):
        who = context.principal.name
        question = f"{who} seems to run this shell. If you are a person, type: {_OATH}"
        if asked(context, question).lower() == _OATH:
            context.act_as_person()
            return
    is_forgetting = operation is Operation.FORGET and words[:1] == [_FORGET]
    raise NeedsPersonError(
        what=f"{context.principal.name} seems to run this command, and agents may only propose;"
        f" only a person may {MEANINGS[operation]}."
        f"{_PROPOSAL if is_forgetting else ''}",
        command=f"{_command(words)}, in a terminal of their own",
    )


def _command(words: Sequence[str]) -> str:
    """Return the command as a person would type it, without passwords, and not too long."""
    shown = [without_password(word) for word in words]
    return cut(one_line(shlex.join(["holdfast", *shown])), _LONGEST_COMMAND)
