"""blame: which memories govern a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import BadFieldError
from holdfast.domain.memory.evidence import read_place
from holdfast.surfaces.cli.present.memory.memory_lines import status_word
from holdfast.surfaces.cli.present.memory.verdicts import sighting_words
from holdfast.surfaces.cli.present.terminal.colour import Bold, Dim, Name
from holdfast.surfaces.cli.present.terminal.table import one_line, wrapped
from holdfast.surfaces.wire.code import blame_json

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable

    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.surfaces.cli.present.terminal.output import Output
    from holdfast.usecases.anchors.blame import Governing


def blame(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Show the memories whose evidence is in a line now, wherever the line was when the\n"
        "memory was written. Without line numbers, the whole file is used. Of a file that was\n"
        "renamed or deleted, it shows the memories whose evidence was read there.",
        examples=("holdfast blame src/auth/tokens.py:44", "holdfast blame README.md --json"),
        does=_run,
    )
    command.add_argument("place", metavar="PLACE", help="PATH, PATH:LINE or PATH:FROM-TO")


def _run(given: Namespace, context: CommandContext) -> None:
    if not given.place.strip():
        raise BadFieldError(field="place", problem="is blank; write: src/app.py:44")
    found = context.holdfast.evidence.blame(read_place(given.place))
    if context.output.as_json:
        context.output.json(blame_json(given.place, found))
    elif found:
        show_governing(context.output, found)
    else:
        context.output.say(f"No memory has evidence in {one_line(given.place)}.")


def show_governing(output: Output, found: Iterable[Governing]) -> None:
    """Write memories with the verdict on the place they rest on."""
    for one in found:
        memory = one.record.memory
        key = f" · {memory.key}" if memory.key else ""
        output.say(
            Name(memory.id), "  ", Bold(memory.kind.value + key), "  ",
            status_word(one.record.standing.status), "  ", sighting_words(one.sighting),
        )  # fmt: skip
        for line in memory.claim.splitlines():
            for piece in wrapped(line, indent="  ", is_terminal=output.is_terminal):
                output.say("  ", piece)
        label = f"  {one.span.label}" if one.span.label else ""
        place = one_line(one.span.reference)
        output.say("  ", Dim(output.named(f"read as {place}  {one.span.id}{label}")))
