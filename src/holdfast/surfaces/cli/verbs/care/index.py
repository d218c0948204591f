"""index: read the code of this repository, once or whenever it changes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from holdfast.surfaces.cli.follow_up import add_watching, pause_between
from holdfast.surfaces.cli.present.terminal.colour import Dim, Good
from holdfast.surfaces.cli.present.terminal.table import show_table
from holdfast.surfaces.wire.code import indexed_json

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.domain.code.code import Indexed
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext


def index(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Index the code of this repository, so that recall finds code beside memories. Only\n"
        "files that changed are read. A search updates the index too, for at most two seconds;\n"
        "this command updates all of it. Ignored, binary, generated, vendored and large files\n"
        "are skipped. With an installed embedding model, functions, methods and classes are\n"
        "found by their meaning too.",
        examples=("holdfast index", "holdfast index --rebuild --json"),
        does=_index,
    )
    add = command.add_argument
    add_watching(command, goes_on="keep running, and index changes until Ctrl-C")
    add("--rebuild", action="store_true", help="delete the index and build it again")


def _index(given: Namespace, context: CommandContext) -> None:
    every = pause_between(given)
    with context.progress("reading code") as progress:
        indexed = context.holdfast.code.index(progress, anew=given.rebuild)
    _tell(indexed, context)
    if given.watch:
        _watch(every, context)


def _watch(every: float, context: CommandContext) -> None:
    context.output.note(Dim("watching; Ctrl-C ends it"))
    context.output.flush()
    look = partial(context.holdfast.code.index, _nobody_watches)
    for indexed in context.machine.follow_code(look, every=every):
        if context.output.as_json:
            context.output.json(indexed_json(indexed))
        else:
            words = f"{indexed.read:,} read, {indexed.removed:,} removed"
            context.output.say(Good("indexed"), f"  {words}; {_holds(indexed)}")
        context.output.flush()


def _tell(indexed: Indexed, context: CommandContext) -> None:
    if context.output.as_json:
        context.output.json(indexed_json(indexed))
        return
    rows = [
        ("files", f"{indexed.files:,}", "in the index"),
        ("symbols", f"{indexed.symbols:,}", "in them"),
        ("read", f"{indexed.read:,}", "new or changed since the last time"),
        ("removed", f"{indexed.removed:,}", "gone or ignored since the last time"),
    ]
    rows += [("passed over", f"{count:,}", reason) for reason, count in indexed.passed_over]
    show_table(context.output, ("WHAT", "MANY", "NOTE"), rows)


def _holds(indexed: Indexed) -> str:
    file = "file" if indexed.files == 1 else "files"
    symbol = "symbol" if indexed.symbols == 1 else "symbols"
    return f"{indexed.files:,} {file}, {indexed.symbols:,} {symbol}"


def _nobody_watches(_done: int, _total: int) -> None:
    """Draw no bar: a round is short, and its result gets a line."""
