"""index: read the code of this repository, once or whenever it changes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from holdfast.surfaces.cli.looking_again import add_watching, pause_between
from holdfast.surfaces.cli.present.terminal.colour import Dim, Good
from holdfast.surfaces.cli.present.terminal.table import show_table
from holdfast.surfaces.wire.code import indexed_json

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.domain.code.code import Indexed
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.desk import CommandContext


def index(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Read the code of this repository, so that it is found beside memories. Only files that\n"
        "changed are read. A search does the same before it answers, for two seconds at most;\n"
        "here everything is read, however large the repository is.\n"
        "Ignored, binary, generated, vendored and large files are passed over.",
        examples=("holdfast index", "holdfast index --rebuild --json"),
        does=_index,
    )
    add = command.add_argument
    add_watching(command, goes_on="go on, and read what changes until Ctrl-C")
    add("--rebuild", action="store_true", help="throw the index away and make it anew")


def _index(given: Namespace, desk: CommandContext) -> None:
    every = pause_between(given)
    with desk.progress("reading code") as progress:
        indexed = desk.holdfast.code.index(progress, anew=given.rebuild)
    _tell(indexed, desk)
    if given.watch:
        _watch(every, desk)


def _watch(every: float, desk: CommandContext) -> None:
    desk.output.note(Dim("watching; Ctrl-C ends it"))
    desk.output.flush()
    look = partial(desk.holdfast.code.index, _nobody_watches)
    for indexed in desk.machine.follow_code(look, every=every):
        if desk.output.as_json:
            desk.output.json(indexed_json(indexed))
        else:
            words = f"{indexed.read:,} read, {indexed.removed:,} removed"
            desk.output.say(Good("indexed"), f"  {words}; {_holds(indexed)}")
        desk.output.flush()


def _tell(indexed: Indexed, desk: CommandContext) -> None:
    if desk.output.as_json:
        desk.output.json(indexed_json(indexed))
        return
    rows = [
        ("files", f"{indexed.files:,}", "in the index"),
        ("symbols", f"{indexed.symbols:,}", "in them"),
        ("read", f"{indexed.read:,}", "new or changed since the last time"),
        ("removed", f"{indexed.removed:,}", "gone or ignored since the last time"),
    ]
    rows += [("passed over", f"{count:,}", reason) for reason, count in indexed.passed_over]
    show_table(desk.output, ("WHAT", "MANY", "NOTE"), rows)


def _holds(indexed: Indexed) -> str:
    file = "file" if indexed.files == 1 else "files"
    symbol = "symbol" if indexed.symbols == 1 else "symbols"
    return f"{indexed.files:,} {file}, {indexed.symbols:,} {symbol}"


def _nobody_watches(_done: int, _total: int) -> None:
    """Draw no bar: a round is short, and its result gets a line."""
