"""workspace restore: write a snapshot into a folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.surfaces.cli.present.terminal.colour import Bad, Dim, Good, Name, Warn
from holdfast.surfaces.cli.present.terminal.table import one_line
from holdfast.surfaces.wire.workspaces import restored_json
from holdfast.usecases.workspaces.restore_plan import RestoreSnapshot, StepKind

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.usecases.workspaces.restore import Restored

_MOST_SHOWN = 50
_SIGNS = {
    StepKind.CREATE: Good("A"),
    StepKind.REPLACE: Warn("M"),
    StepKind.MODE: Warn("m"),
    StepKind.REMOVE: Bad("D"),
}


def restore(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Write a snapshot into the folder it was taken of, whatever the current folder is,\n"
        "or with --into or -C into another one. Files that are missing are created. If a\n"
        "file differs, nothing is written, unless --force is given: then the files that\n"
        "are replaced are kept in a snapshot of their own first. Files that the snapshot\n"
        "does not have stay, unless --delete is given. The snapshot of what a restore\n"
        "replaced is partial: with it, --delete removes only what that restore had added.",
        examples=(
            "holdfast workspace restore latest --dry-run",
            "holdfast workspace restore v_01m7kbt --into ~/restored",
            "holdfast workspace restore latest --path src/app.py --force",
        ),
        does=_restore,
    )
    add = command.add_argument
    add("snapshot", metavar="SNAPSHOT", help="its id, the start of it, or 'latest'")
    add("--into", metavar="DIR", help="the folder to write into; it is created if missing")
    add(
        "--path",
        metavar="PATH",
        action="append",
        default=[],
        help="only this file or folder; may be repeated",
    )
    add("--force", action="store_true", help="replace what differs, and keep it in a snapshot")
    add("--delete", action="store_true", help="with --force: remove what the snapshot has not")
    add("--mtime", action="store_true", help="set the times of files as they were")
    add("--dry-run", action="store_true", help="only say what would be done")


def _restore(given: Namespace, context: CommandContext) -> None:
    wish = RestoreSnapshot(
        reference=given.snapshot,
        paths=tuple(given.path),
        replaces=given.force,
        removes=given.delete,
        with_times=given.mtime,
        dry_run=given.dry_run,
    )
    into = None if given.into is None else context.folder / Path(given.into).expanduser()
    with context.progress("restoring") as bar:
        done = context.holdfast.workspaces.restore(
            wish,
            into=into,
            folder=None if given.folder is None else context.folder,
            progress=bar,
        )
    if context.output.as_json:
        context.output.json(restored_json(done))
        return
    _tell(done, context)


def _tell(done: Restored, context: CommandContext) -> None:
    output = context.output
    for step in done.steps[:_MOST_SHOWN]:
        output.say(_SIGNS[step.kind], f"  {one_line(step.path)}")
    if len(done.steps) > _MOST_SHOWN:
        output.note(Dim(f"and {len(done.steps) - _MOST_SHOWN:,} more; --json shows all"))
    word = Dim("would write") if done.is_dry else Good("restored")
    output.say(
        word, f"  {len(done.steps):,} of {len(done.steps) + done.unchanged:,} into {done.into}"
    )
    lost = [one for one in done.steps if one.kind is not StepKind.CREATE]
    if done.is_dry and lost:
        differ, it = ("1 differs", "it") if len(lost) == 1 else (f"{len(lost):,} differ", "them")
        output.note(f"{differ}; --force replaces {it}, and keeps {it} in a snapshot")
    if done.displaced is not None:
        added = any(one.kind is StepKind.CREATE for one in done.steps)
        command = f"holdfast workspace restore {done.displaced.id} --force"
        command += " --delete" if added else ""
        output.note("to bring back what was there: ", Name(command))
    for path in done.aside:
        output.note(Warn("moved aside"), f"  {one_line(path)}")
