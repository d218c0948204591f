"""workspace snapshot, list, show, diff, delete, gc: keep a folder and look at what was kept."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.domain.workspaces.changes import ChangeKind, counted
from holdfast.domain.workspaces.snapshot import Limits, TreeRules
from holdfast.domain.workspaces.tree import OmitReason
from holdfast.surfaces.cli import values
from holdfast.surfaces.cli.person import agrees, is_at_terminal
from holdfast.surfaces.cli.present.care.sizes import size_text
from holdfast.surfaces.cli.present.terminal.colour import Bad, Dim, Good, Name, Warn
from holdfast.surfaces.cli.present.terminal.table import one_line, show_table
from holdfast.surfaces.cli.values import UsageError
from holdfast.surfaces.wire.workspaces import (
    collected_json,
    compared_json,
    deleted_snapshot_json,
    shown_snapshot_json,
    snapshots_json,
    taken_json,
)
from holdfast.usecases.workspaces.snapshot import TakeSnapshot

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable

    from holdfast.domain.workspaces.snapshot import FolderSnapshot
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext

_UNITS = {"k": 1024, "m": 1024**2, "g": 1024**3, "t": 1024**4}
_SHOWN_OMISSIONS = 10
_ONLY_UNDO = "It keeps what a restore replaced, and is the only way to undo that restore."
_PARTIAL = "partial: it holds only what a restore replaced or removed, not the whole folder"
_UNSTABLE, _DIFFERENT = 1, 1
_SIGNS = {
    ChangeKind.ADDED: Good("A"),
    ChangeKind.CHANGED: Warn("M"),
    ChangeKind.MODE: Warn("m"),
    ChangeKind.RENAMED: Name("R"),
    ChangeKind.REMOVED: Bad("D"),
}


def snapshot(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Keep a folder as it is now: files, folders, links and their rights. Content\n"
        "is kept once, however often it occurs; of a large file that changed a little,\n"
        "only the changed pieces are added. Left out are what git ignores, git's own\n"
        "folder, and files that look like secrets. The exit code is 1 if a file kept\n"
        "changing while it was read.",
        examples=(
            "holdfast workspace snapshot",
            'holdfast workspace snapshot ~/report --note "before the rewrite"',
            "holdfast workspace snapshot --all --max-file 4G --json",
        ),
        does=_snapshot,
        creates_store=True,
    )
    add = command.add_argument
    _add_folder(command)
    add("--note", metavar="TEXT", default="", help="why it was taken")
    add("--agent", metavar="NAME", help="the agent that works in this folder")
    add("--all", action="store_true", help="also what git ignores, and .git")
    add("--include-secrets", action="store_true", help="also files that look like secrets")
    add("--max-file", metavar="SIZE", type=_size("max-file"), help="largest file (1G)")
    add("--max-total", metavar="SIZE", type=_size("max-total"), help="all files together (10G)")
    add(
        "--max-files",
        metavar="N",
        type=values.whole("max-files"),
        help="most files and folders (200000)",
    )


def _snapshot(given: Namespace, context: CommandContext) -> int:
    usual = Limits()
    limits = Limits(
        file=given.max_file or usual.file,
        entries=given.max_files or usual.entries,
        total=given.max_total or usual.total,
    )
    rules = TreeRules(keeps_ignored=given.all, keeps_secrets=given.include_secrets, limits=limits)
    wish = TakeSnapshot(note=given.note, agent=given.agent, rules=rules)
    with context.progress("reading files") as bar:
        taken = context.holdfast.workspaces.snapshot(
            wish, folder=_folder(given, context), progress=bar
        )
    kept = taken.snapshot
    if context.output.as_json:
        context.output.json(taken_json(taken))
    else:
        word = Good("kept") if taken.is_new else Dim("unchanged")
        many = "1 entry" if kept.entries == 1 else f"{kept.entries:,} entries"
        size = f"{many}, {size_text(kept.size)}"
        added = f"; {size_text(kept.stored)} added" if taken.is_new else ""
        context.output.say(word, "  ", Name(kept.id), f"  {size}{added}")
        _tell_omitted(kept, context)
    is_unstable = any(one.reason is OmitReason.UNSTABLE for one in kept.omitted)
    return _UNSTABLE if taken.is_new and is_unstable else 0


def _tell_omitted(kept: FolderSnapshot, context: CommandContext) -> None:
    for one in kept.omitted[:_SHOWN_OMISSIONS]:
        context.output.note(Warn("left out"), f"  {one_line(one.path)}  ({one.reason.value})")
    more = len(kept.omitted[_SHOWN_OMISSIONS:]) + kept.more_omitted
    if more:
        context.output.note(Dim(f"and {more:,} more: holdfast workspace show {kept.id}"))
    if any(one.reason is OmitReason.SECRET for one in kept.omitted):
        context.output.note(Dim("--include-secrets keeps files that look like secrets"))


def listing(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "List the snapshots of a folder, newest first.",
        examples=(
            "holdfast workspace list",
            "holdfast workspace list --everywhere --limit 5 --json",
        ),
        does=_list,
    )
    _add_folder(command)
    command.add_argument(
        "--limit", type=values.whole("limit"), default=20, metavar="N", help="at most N (20)"
    )
    command.add_argument("--everywhere", action="store_true", help="of all folders")


def _list(given: Namespace, context: CommandContext) -> None:
    found = context.holdfast.workspaces.list(
        folder=_folder(given, context), limit=given.limit, everywhere=given.everywhere
    )
    if context.output.as_json:
        context.output.json(snapshots_json(found))
        return
    rows = [
        (
            Name(one.id),
            f"{one.taken_at:%Y-%m-%d %H:%M}",
            f"{one.entries:,}",
            size_text(one.size),
            found.workspaces[one.workspace].name if given.everywhere else _kind(one),
            context.output.named(one.note),
        )
        for one in found.snapshots
    ]
    kind = "workspace" if given.everywhere else "kind"
    show_table(context.output, ("id", "taken (UTC)", "entries", "size", kind, "note"), rows)
    if not rows:
        context.output.note("There are no snapshots of this folder.")


def _kind(snapshot: FolderSnapshot) -> str:
    """Return the kind, and that the snapshot is partial if it does not hold the whole folder."""
    return snapshot.kind.value if snapshot.is_taken else f"{snapshot.kind.value}, partial"


def show(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Show a snapshot: its entries, and what was left out. 'latest' is the newest one\nhere.",
        examples=("holdfast workspace show latest", "holdfast workspace show v_01m7kbt --json"),
        does=_show,
    )
    _add_snapshot(command)


def _show(given: Namespace, context: CommandContext) -> None:
    shown = context.holdfast.workspaces.show(given.snapshot)
    if context.output.as_json:
        context.output.json(shown_snapshot_json(shown))
        return
    kept, output = shown.snapshot, context.output
    output.say(Name(kept.id), f"  {kept.taken_at:%Y-%m-%d %H:%M} UTC  {shown.workspace.root}")
    if kept.note:
        output.say(f"note: {one_line(kept.note)}")
    if not kept.is_taken:
        output.say(_PARTIAL)
    rows = [
        (
            f"{one.mode:04o}",
            size_text(one.size) if one.hash else one.kind,
            f"{one.path} -> {one.target}" if one.target else one.path,
        )
        for one in shown.entries
    ]
    show_table(output, ("mode", "size", "path"), rows)
    for one in kept.omitted:
        output.note(Warn("left out"), f"  {one_line(one.path)}  ({one.reason.value})")
    if kept.ignored:
        output.note(Dim(f"{kept.ignored:,} ignored by .gitignore; --all keeps them"))


def diff(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Compare two snapshots, or a snapshot with its folder as it is now, whatever the\n"
        "current folder is; with -C it is compared with another folder. A is added, M\n"
        "changed, m only the rights, R renamed, D removed. The exit code is 1 if there is\n"
        "a difference.",
        examples=(
            "holdfast workspace diff latest",
            "holdfast workspace diff v_01m7kbt v_01m7kbx --patch",
            "holdfast workspace diff latest --path src --json",
        ),
        does=_diff,
    )
    add = command.add_argument
    add("old", metavar="OLD", help="a snapshot: its id, or 'latest'")
    add("new", metavar="NEW", nargs="?", help="another one (its folder as it is now)")
    add("--path", metavar="PATH", help="only this file or folder")
    add("--patch", action="store_true", help="show the changed lines of text files")


def _diff(given: Namespace, context: CommandContext) -> int:
    with context.progress("reading files") as bar:
        found = context.holdfast.workspaces.diff(
            given.old,
            given.new,
            folder=None if given.folder is None else context.folder,
            path=given.path,
            with_text=given.patch,
            progress=bar,
        )
    if context.output.as_json:
        context.output.json(compared_json(found))
        return _DIFFERENT if found.changes else 0
    for change in found.changes:
        was = "" if change.was is None else f"  (was {one_line(change.was)})"
        context.output.say(_SIGNS[change.kind], f"  {one_line(change.path)}{was}")
    for line in found.patch:
        style = {"+": Good, "-": Bad}.get(line[:1])
        context.output.say(line if style is None else style(line))
    many = [f"{count:,} {kind.value}" for kind, count in counted(found.changes).items() if count]
    context.output.note(Dim(", ".join(many) or "no difference"))
    return _DIFFERENT if found.changes else 0


def delete(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Delete a snapshot. One that a memory cites is not deleted. The content that no\n"
        "other snapshot needs stays until 'holdfast workspace gc'. It cannot be undone. The\n"
        "command asks first; without a terminal it needs --yes.",
        examples=(
            "holdfast workspace delete v_01m7kbt --yes",
            "holdfast workspace delete v_01m7kbx --yes --json",
        ),
        does=_delete,
    )
    _add_snapshot(command)
    command.add_argument("-y", "--yes", action="store_true", help="do not ask")


def _delete(given: Namespace, context: CommandContext) -> int | None:
    workspaces = context.holdfast.workspaces
    name = given.snapshot
    if not given.yes:
        found = workspaces.delete(name, dry_run=True)
        name = found.id
        only = "" if found.is_taken else f" {_ONLY_UNDO}"
        if not is_at_terminal(context):
            raise UsageError(
                problem="Nothing was deleted: this cannot be undone, and there is no terminal for"
                f" a question.{only} Add --yes."
            )
        context.output.say(Name(name), f"  {found.taken_at:%Y-%m-%d %H:%M} UTC", Warn(only))
        if not agrees(context, "Delete this snapshot?"):
            context.output.note("Nothing was changed.")
            return 1
    gone = workspaces.delete(name)
    if context.output.as_json:
        context.output.json(deleted_snapshot_json(gone))
        return None
    context.output.say(Good("deleted"), "  ", Name(gone.id))
    context.output.note(Dim("to free its space: holdfast workspace gc"))
    return None


def gc(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Remove the content that no snapshot needs: of deleted snapshots, and of commands\n"
        "that were killed. The content of a snapshot that exists is never removed.",
        examples=("holdfast workspace gc --dry-run", "holdfast workspace gc --json"),
        does=_gc,
    )
    command.add_argument("--dry-run", action="store_true", help="only say what would be removed")


def _gc(given: Namespace, context: CommandContext) -> None:
    done = context.holdfast.workspaces.gc(dry_run=given.dry_run)
    if context.output.as_json:
        context.output.json(collected_json(done))
        return
    word = Dim("would free") if done.is_dry else Good("freed")
    many = "1 snapshot needs" if done.snapshots == 1 else f"{done.snapshots:,} snapshots need"
    context.output.say(word, f"  {size_text(done.freed)}; {many} the rest")


def _add_folder(command: Command) -> None:
    command.add_argument("dir", metavar="DIR", nargs="?", help="the folder (the current one)")


def _add_snapshot(command: Command) -> None:
    command.add_argument(
        "snapshot", metavar="SNAPSHOT", help="its id, the start of it, or 'latest'"
    )


def _folder(given: Namespace, context: CommandContext) -> Path | None:
    return None if given.dir is None else context.folder / Path(given.dir).expanduser()


def _size(option: str) -> Callable[[str], int]:
    """Return a parser of sizes such as 500M."""

    def read(word: str) -> int:
        number, unit = word.lower().rstrip("ib"), 1
        if number[-1:] in _UNITS:
            number, unit = number[:-1], _UNITS[number[-1]]
        if not number.isascii() or not number.isdigit() or not int(number):
            problem = f"--{option} takes a size such as 500M or 2G, not '{word[:40]}'."
            raise UsageError(problem=problem)
        return int(number) * unit

    return read
