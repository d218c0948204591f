"""sync, merge-file: bring the pages of this repository and the store in line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.domain.errors import InvalidError
from holdfast.surfaces.cli.advising.sync_advice import advice_on
from holdfast.surfaces.cli.failure import tell
from holdfast.surfaces.cli.follow_up import add_watching, pause_between, tells_ignored_pages
from holdfast.surfaces.cli.present.terminal.colour import Dim
from holdfast.surfaces.cli.values import UsageError
from holdfast.surfaces.wire.failures import error_json
from holdfast.surfaces.wire.pages import merged_json, synced_json

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.surfaces.cli.present.terminal.output import Output
    from holdfast.usecases.pages.sync import Sync

_NOT_IN_LINE = 1
_NEEDS_PERSON = 4


def sync(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Synchronise the pages in .holdfast/memory and the store, entry by entry. An entry that\n"
        "you edited in a page is remembered; a memory that changed in the store is written into\n"
        "the page; if both changed, both versions are kept and wait for you. Entries that came\n"
        "with git wait for 'holdfast trust'. If an entry was removed from a page, its memory is\n"
        "deprecated as soon as the removal is committed. The exit code is 4 if something waits\n"
        "for you, and 1 if --check finds a difference. An entry that only waits is no\n"
        "difference: --check shows it and exits with 0.",
        examples=("holdfast sync", "holdfast sync --dry-run", "holdfast sync --check --json"),
        does=_sync,
    )
    add = command.add_argument
    add("--dry-run", action="store_true", help="only say what would happen")
    add("--check", action="store_true", help="change nothing; exit 1 if page and store differ")
    add(
        "--accept-removals",
        action="store_true",
        help="accept removals and status changes that wait",
    )
    add("--as", dest="speaker", choices=("person", "agent"), metavar="WHO",
        help="who made uncommitted edits: person or agent")  # fmt: skip
    add_watching(command, goes_on="go on, and sync what changes until Ctrl-C")


def _sync(given: Namespace, context: CommandContext) -> int | None:
    from holdfast.domain.choices import Origin
    from holdfast.domain.refusals import NoPagesError
    from holdfast.surfaces.cli.present.care.synced import show_synced
    from holdfast.usecases.pages.sync import Sync

    every = _every(given)
    pages = context.holdfast.pages
    if not pages.has_pages():
        raise NoPagesError
    wish = Sync(
        by=context.user,
        voice=Origin.AGENT if given.speaker == "agent" else context.principal.voice,
        accepts_removals=given.accept_removals,
        dry_run=given.dry_run or given.check,
    )
    synced = pages.sync(wish)
    if context.output.as_json:
        context.output.json(synced_json(synced, advice=advice_on))
    else:
        show_synced(synced, context.output)
    if not synced.is_dry:
        tells_ignored_pages(synced, context)
    if given.watch:
        _watch(every, wish, context)
    if given.check:
        return None if synced.is_in_line else _NOT_IN_LINE
    return _NEEDS_PERSON if synced.waits else None


def _every(given: Namespace) -> float:
    if given.watch and (given.check or given.dry_run):
        raise UsageError(problem="--watch goes with neither --check nor --dry-run.")
    return pause_between(given)


def _watch(every: float, wish: Sync, context: CommandContext) -> None:
    from holdfast.surfaces.cli.present.care.synced import show_synced

    context.output.note(Dim("watching; Ctrl-C ends it"))
    context.output.flush()
    for synced in context.machine.follow_pages(wish, every=every):
        if context.output.as_json:
            context.output.json(synced_json(synced, advice=advice_on))
        else:
            show_synced(synced, context.output)
        context.output.flush()


def merge_file(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Merge two versions of a page entry by entry; git calls this. The result is written to\n"
        "OURS. The exit code is 1 if an entry was changed on both sides.",
        examples=(
            "holdfast merge-file base.md ours.md theirs.md",
            "holdfast merge-file base.md ours.md theirs.md --json",
        ),
        does=_merge_file,
    )
    add = command.add_argument
    add("base", metavar="BASE", help="the version both come from")
    add("ours", metavar="OURS", help="our version; the result is written here")
    add("theirs", metavar="THEIRS", help="their version")
    add("path", metavar="PATH", nargs="?", help="the page's name, for messages")


def _refuse_merge(name: str, error: Exception, output: Output) -> None:
    said = str(error)
    if isinstance(error, OSError):
        said = f"{error.filename}: {error.strerror}."
    refused = InvalidError(f"{name} was not merged: {said}", path=name)
    if output.as_json:
        output.complain_json({"error": {**error_json(refused), "exit_code": _NOT_IN_LINE}})
    else:
        tell(refused, output)


def _merge_file(given: Namespace, context: CommandContext) -> int | None:
    name = given.path or given.ours
    try:
        files = Path(given.base), Path(given.ours), Path(given.theirs)
        conflicts = context.machine.project.merge_file(*files)
    except (OSError, ValueError, RecursionError) as error:
        _refuse_merge(name, error, context.output)
        # Git treats this exit code as a conflict and keeps our version of the file.
        return _NOT_IN_LINE
    if context.output.as_json:
        context.output.json(merged_json(name, conflicts))
    else:
        for conflict in conflicts:
            context.output.complain(f"{name}: {conflict} was changed on both sides")
    return _NOT_IN_LINE if conflicts else None
