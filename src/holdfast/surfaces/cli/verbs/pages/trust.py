"""trust: accept the entries on the pages of this clone, exactly as they are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.pages.syncing import SyncStep
from holdfast.surfaces.cli.advising.sync_advice import advice_on
from holdfast.surfaces.cli.present.terminal.colour import Bold, Dim, Good, Name, Warn
from holdfast.surfaces.cli.present.terminal.table import one_line, show_table
from holdfast.surfaces.cli.refusals import UsageError
from holdfast.surfaces.wire.pages import clones_json, pending_json, revoked_json, trusted_json

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.app.filing import Filing
    from holdfast.domain.pages.syncing import EntryOutcome
    from holdfast.domain.pages.trusting import Pending
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.desk import CommandContext

_NEEDS_PERSON = 4
_SHORT_HASH = 12
_SHORTEST_HASH = 8


def trust(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Show the entries that came with git and that you have not accepted yet, beside the\n"
        "memories they would change, and accept exactly these. Entries of a later pull wait\n"
        "again. Entries that contradict an accepted memory are left for 'holdfast resolve'.\n"
        "--revoke turns the accepted entries into candidates again.",
        examples=("holdfast trust", "holdfast trust --yes", "holdfast trust --list --json"),
        does=_trust,
    )
    add = command.add_argument
    add("--yes", action="store_true", help="accept what is shown without asking")
    add("--shown", metavar="HASH", help="accept only if the hash of the list is this one")
    add("--dry-run", action="store_true", help="only show the entries")
    add("--list", action="store_true", help="list the clones that were trusted")
    add("--revoke", action="store_true", help="make the accepted entries candidates again")


def _trust(given: Namespace, desk: CommandContext) -> int | None:
    from holdfast.domain.refusals import NoPagesError

    if sum((given.list, given.revoke, given.yes or given.dry_run)) > 1:
        raise UsageError(problem="Give only one of --list, --revoke and --yes.")
    pages = desk.holdfast.pages
    if given.list:
        _list(pages, desk)
        return None
    if given.revoke:
        _revoke(pages, desk)
        return None
    if not pages.has_pages():
        raise NoPagesError
    found = pages.pending(by=desk.user)
    is_asked = not (given.yes or given.shown)
    if is_asked or given.dry_run or not found.outcomes or not desk.output.as_json:
        _show(found, desk)
    if given.dry_run or not found.outcomes:
        return None
    return _accept(given, found, pages, desk)


def _accept(given: Namespace, found: Pending, pages: Filing, desk: CommandContext) -> int | None:
    from holdfast.domain.refusals import PagesChangedError
    from holdfast.surfaces.cli.person import agrees, is_at_terminal
    from holdfast.surfaces.cli.present.care.synced import show_synced
    from holdfast.usecases.pages.trust import Trust

    if given.shown is not None and len(given.shown) < _SHORTEST_HASH:
        raise UsageError(problem=f"--shown needs {_SHORTEST_HASH} characters of the hash, or more.")
    if given.shown is not None and not found.shown.startswith(given.shown):
        raise PagesChangedError
    if not given.yes and given.shown is None:
        if not is_at_terminal(desk):
            desk.output.note(Dim("nothing was accepted; --yes or --shown HASH accepts it"))
            return _NEEDS_PERSON
        many = len(found.outcomes)
        asked = "Accept this entry?" if many == 1 else f"Accept these {many:,} entries?"
        if not agrees(desk, asked):
            return _NEEDS_PERSON
    wish = Trust(clone=pages.clone, by=desk.user, shown=found.shown)
    synced = pages.trust(wish)
    if desk.output.as_json:
        desk.output.json(trusted_json(synced, advice=advice_on))
    else:
        show_synced(synced, desk.output)
    is_left = any(one.step is SyncStep.WAITING for one in synced.told)
    return _NEEDS_PERSON if synced.open or is_left else None


def _show(found: Pending, desk: CommandContext) -> None:
    if desk.output.as_json:
        desk.output.json(pending_json(found))
        return
    if not found.outcomes:
        desk.output.say(Good("in line"), "  every entry of the pages is accepted")
        return
    for one in found.outcomes:
        _show_one(one, desk)
    desk.output.note(Dim(f"all of it: {found.shown[:_SHORT_HASH]}"))


def _show_one(one: EntryOutcome, desk: CommandContext) -> None:
    name = one.label or one.uid or "new"
    desk.output.say(Bold(name), "  ", Dim(f"{one.path}:{one.line}"))
    if one.before and one.before != one.claim:
        desk.output.say(Warn("  - "), one_line(one.before))
    desk.output.say(Good("  + "), one_line(one.claim))


def _list(pages: Filing, desk: CommandContext) -> None:
    found = pages.trusted()
    if desk.output.as_json:
        desk.output.json(clones_json(found))
        return
    if not found:
        desk.output.note("No clone's pages were trusted.")
        return
    rows = [
        (Name(one.clone), one.by, f"{one.at:%Y-%m-%d %H:%M}", one.tree[:_SHORT_HASH])
        for one in found
    ]
    show_table(desk.output, ("CLONE", "BY", "WHEN", "PAGES"), rows)


def _revoke(pages: Filing, desk: CommandContext) -> None:
    found = pages.revoke(by=desk.user)
    if desk.output.as_json:
        desk.output.json(revoked_json(found))
        return
    for one in found:
        desk.output.say(
            Warn("candidate"), "  ", Name(one.memory.id), "  ", one_line(one.memory.claim)
        )
    if not found:
        desk.output.note("No entry was accepted with 'holdfast trust' here.")
