"""task import, task export: the file of beads, both ways."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.domain.text.counting import counted
from holdfast.surfaces.cli.named_files import to_file
from holdfast.surfaces.cli.present.tasks.task_lines import show_left_open
from holdfast.surfaces.cli.present.terminal.colour import Good
from holdfast.surfaces.cli.standard_input import piped_lines
from holdfast.surfaces.cli.values import MissingFileError, UnusableFileError
from holdfast.surfaces.wire.intake import exported_json
from holdfast.surfaces.wire.tasks import brought_tasks_json

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext

_LARGEST = 256 * 1024 * 1024


def bring_in(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Import the issues of beads (.beads/issues.jsonl), all of them or none. Their ids are\n"
        "kept and can be used instead of t_…. A second import takes over what was changed in the\n"
        "file and keeps what was changed here; if both were, the later change wins, and older\n"
        "lines are named. A line that cannot be read is named by its number.",
        examples=(
            "holdfast task import .beads/issues.jsonl",
            "bd export | holdfast task import -",
        ),
        does=_import,
        creates_store=True,
    )
    command.add_argument("file", metavar="FILE", help="the file; '-' is standard input")


def _import(given: Namespace, context: CommandContext) -> None:
    lines = piped_lines() if given.file == "-" else _lines(Path(given.file))
    found = context.holdfast.tasks.bring_in(lines, by=context.user)
    if context.output.as_json:
        context.output.json(brought_tasks_json(found))
        return
    told = [f"{found.added:,} added", f"{found.changed:,} changed", f"{found.known:,} known"]
    told += [f"{found.left_out:,} deleted in beads, left out"] if found.left_out else []
    told += [f"{found.elsewhere:,} of another repository, unchanged"] if found.elsewhere else []
    context.output.say(Good("imported"), f"  {', '.join(told)}")
    show_left_open(context.output, found)


def _lines(path: Path) -> list[str]:
    from holdfast.bootstrap.machine.named_file import read_named

    try:
        return read_named(path, most=_LARGEST).decode("utf-8-sig").split("\n")
    except FileNotFoundError:
        raise MissingFileError(str(path)) from None
    except UnicodeDecodeError as error:
        raise UnusableFileError(path=str(path), problem="it is not UTF-8") from error
    except OSError as error:
        raise UnusableFileError(path=str(path), problem=error.strerror) from error


def export(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Write the tasks of this repository as the lines of beads' issues.jsonl. Tasks that\n"
        "came from beads are written back as they were, with the changes that were made here.",
        examples=("holdfast task export issues.jsonl", "holdfast task export | wc -l"),
        does=_export,
    )
    command.add_argument("file", metavar="FILE", nargs="?", default="-", help="'-' is stdout")


def _export(given: Namespace, context: CommandContext) -> None:
    lines = context.holdfast.tasks.export()
    if given.file == "-":
        context.output.lines(lines)
        return
    count = to_file(lines, Path(given.file))
    context.machine.beside_store.note_written(Path(given.file))
    if context.output.as_json:
        context.output.json(exported_json(given.file, lines=count))
    else:
        context.output.say(Good("exported"), f" {counted(count, 'task')} to {given.file}")
