"""export, import: write everything as JSON lines, read it back, and import others' notes."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.domain.lookup_errors import IncompleteExportError
from holdfast.domain.text.counting import counted
from holdfast.surfaces.cli.named_files import to_file
from holdfast.surfaces.cli.present.terminal.colour import Good
from holdfast.surfaces.cli.values import UsageError
from holdfast.surfaces.wire.intake import exported_json

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Iterator

    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.surfaces.cli.present.terminal.progress import ProgressBar


def export(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Write everything as JSON lines, to standard output or to a file that only you can\n"
        "read; the file appears complete or not at all. 'holdfast import' reads it again.\n"
        "Memories keep the branch they were written on. --here writes only the memories that\n"
        "are visible in this checkout: nothing from other repositories or branches, and no\n"
        "questions or sessions. --notes writes them as a folder of linked Markdown notes, which\n"
        "note programs such as Obsidian open; run it again to replace the notes.",
        examples=(
            "holdfast export backup.jsonl",
            "holdfast export --here team.jsonl",
            "holdfast export --notes vault",
        ),
        does=_export,
    )
    command.add_argument("file", metavar="FILE", nargs="?", default="-", help="'-' is stdout")
    command.add_argument(
        "--here", action="store_true", help="only the memories that are visible in this checkout"
    )
    command.add_argument("--notes", metavar="DIR", help="write linked notes into this folder")


def _export(given: Namespace, context: CommandContext) -> None:
    if given.notes is not None and given.file != "-":
        raise UsageError(problem="--notes writes a folder; give no file beside it.")
    # Closing the generator ends its read transaction, however the writing ends.
    exported = context.holdfast.exchange.export(here_only=given.here or given.notes is not None)
    incomplete: list[IncompleteExportError] = []
    with context.progress("exporting") as progress, closing(exported) as everything:
        lines = _counted(_noting(everything, incomplete), progress)
        if given.notes is not None:
            from holdfast.surfaces.cli.verbs.exchange.notes import write_notes

            count = write_notes(lines, Path(given.notes))
        else:
            count = (
                context.output.lines(lines)
                if given.file == "-"
                else to_file(lines, Path(given.file))
            )
    if given.notes is not None:
        tell_written(given.notes, count, context, noun="note")
    elif given.file != "-":
        tell_written(given.file, count, context)
    for error in incomplete:
        raise error


def _noting(lines: Iterator[str], incomplete: list[IncompleteExportError]) -> Iterator[str]:
    """Yield all lines; note the error that reports rows left out, so that the file is kept."""
    try:
        yield from lines
    except IncompleteExportError as error:
        incomplete.append(error)


def tell_written(file: str, count: int, context: CommandContext, *, noun: str = "line") -> None:
    """Say how many lines were written into a file, and remember the file for later scrubbing."""
    context.machine.beside_store.note_written(Path(file))
    if context.output.as_json:
        context.output.json(exported_json(file, lines=count))
    else:
        context.output.say(Good("exported"), f" {counted(count, noun)} to {file}")


def _counted(lines: Iterable[str], progress: ProgressBar) -> Iterator[str]:
    for count, line in enumerate(lines, start=1):
        progress(count, 0)
        yield line
