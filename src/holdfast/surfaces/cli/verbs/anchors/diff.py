"""diff: the knowledge that a branch adds, changes, contradicts or puts in doubt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.surfaces.cli.present.memory.verdicts import sighting_words
from holdfast.surfaces.cli.present.terminal.colour import Bad, Bold, Dim, Good, Name, Warn
from holdfast.surfaces.cli.present.terminal.table import one_line
from holdfast.surfaces.wire.code import difference_json

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.surfaces.cli.present.terminal.output import Output
    from holdfast.usecases.anchors.branch_difference import ChangedMemory


def diff(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Show which memories a branch adds, which it changes or contradicts, and which memories\n"
        "have evidence that its code changes. A missing end means the current checkout.",
        examples=("holdfast diff main..feature", "holdfast diff v1.2.. --json"),
        does=_run,
    )
    command.add_argument("range", metavar="BASE..TIP", help="two branches, tags or commits")


def _run(given: Namespace, context: CommandContext) -> None:
    found = context.holdfast.evidence.difference_of(given.range)
    if context.output.as_json:
        context.output.json(difference_json(found))
        return
    output = context.output
    for record in found.added:
        output.say(Good("+ "), *_line(record))
    _pairs(output, "~ ", found.changed, "instead of")
    _pairs(output, "! ", found.contradicted, "contradicts")
    for one in found.doubted:
        output.say(Warn("? "), *_line(one.record))
        for item in one.evidence:
            output.say("    ", Dim(f"{item.words}: "), sighting_words(item.sighting))
    counts = {
        "added": found.added,
        "changed": found.changed,
        "contradicted": found.contradicted,
        "in doubt": found.doubted,
    }
    told = ", ".join(f"{len(some):,} {name}" for name, some in counts.items())
    output.note(Dim(f"{found.base.id[:7]}..{found.tip.id[:7]}: {told}"))


def _pairs(output: Output, sign: str, pairs: Sequence[ChangedMemory], words: str) -> None:
    style = Bad if sign.startswith("!") else Warn
    for pair in pairs:
        output.say(style(sign), *_line(pair.record))
        output.say("    ", Dim(f"{words} "), *_line(pair.other))


def _line(record: MemoryRecord) -> list[str]:
    memory = record.memory
    key = f" · {memory.key}" if memory.key else ""
    return [Name(memory.id), "  ", Bold(memory.kind.value + key), "  ", one_line(memory.claim)]
