"""trust: accept the entries on the pages of this clone, exactly as they are shown."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from holdfast.domain.pages.syncing import SyncStep
from holdfast.surfaces.cli.advising.sync_advice import advice_on
from holdfast.surfaces.cli.present.terminal.colour import Bold, Dim, Good, Name, Warn
from holdfast.surfaces.cli.present.terminal.table import one_line, show_table
from holdfast.surfaces.cli.values import UsageError
from holdfast.surfaces.wire.pages import (
    clones_json,
    ignored_json,
    pending_json,
    revoked_json,
    trusted_json,
)

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.app.filing import Filing
    from holdfast.domain.pages.syncing import EntryOutcome
    from holdfast.domain.pages.trusting import Pending
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext

_NEEDS_PERSON = 4
_SHORT_HASH = 12
_SHORTEST_HASH = 8


def trust(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Show the entries that came with git and that you have not accepted yet, beside the\n"
        "memories they would change, and accept exactly these. Entries of a later pull wait\n"
        "again. Entries that contradict an accepted memory are left for 'holdfast resolve'.\n"
        "--revoke turns the accepted entries into candidates again, and removes the turns and\n"
        "goals that came with git; tasks stay as they are.\n"
        "--ignore-sessions leaves the session files of others alone, also after a pull.",
        examples=("holdfast trust", "holdfast trust --yes", "holdfast trust --list --json"),
        does=_trust,
    )
    add = command.add_argument
    add("--yes", action="store_true", help="accept what is shown without asking")
    add("--shown", metavar="HASH", help="accept only if the hash of the list is this one")
    add("--dry-run", action="store_true", help="only show the entries")
    add("--list", action="store_true", help="list the clones that were trusted")
    add("--revoke", action="store_true", help="take back what was accepted")
    add("--ignore-sessions", action="store_true", help="leave others' session files alone")


def _trust(given: Namespace, context: CommandContext) -> int | None:
    from holdfast.domain.refusals import NoPagesError

    if sum((given.list, given.revoke, given.ignore_sessions, given.yes or given.dry_run)) > 1:
        problem = "Give only one of --list, --revoke, --ignore-sessions and --yes."
        raise UsageError(problem=problem)
    pages = context.holdfast.pages
    if given.list:
        _list(pages, context)
        return None
    if given.revoke:
        _revoke(pages, context)
        return None
    if not pages.has_pages():
        raise NoPagesError
    if given.ignore_sessions:
        _ignore(pages, context)
        return None
    found = pages.pending(by=context.user)
    is_asked = not (given.yes or given.shown)
    if is_asked or given.dry_run or not found.outcomes or not context.output.as_json:
        _show(found, context)
    if given.dry_run or not found.outcomes:
        return _NEEDS_PERSON if found.flaws else None
    return _accept(given, found, pages, context)


def _accept(given: Namespace, found: Pending, pages: Filing, context: CommandContext) -> int | None:
    from holdfast.domain.refusals import PagesChangedError
    from holdfast.surfaces.cli.person import agrees, is_at_terminal
    from holdfast.surfaces.cli.present.care.synced import show_synced
    from holdfast.usecases.pages.trust import Trust

    if given.shown is not None and len(given.shown) < _SHORTEST_HASH:
        raise UsageError(problem=f"--shown needs {_SHORTEST_HASH} characters of the hash, or more.")
    if given.shown is not None and not found.shown.startswith(given.shown):
        raise PagesChangedError
    if not given.yes and given.shown is None:
        if not is_at_terminal(context):
            shown = f"trust --shown {found.shown[:_SHORT_HASH]}"
            command = shlex.join(["holdfast", *_same_store(given), *shown.split()])
            context.output.note(Dim(f"nothing was accepted; to accept exactly this: {command}"))
            return _NEEDS_PERSON
        many = len(found.outcomes)
        asked = "Accept this entry?" if many == 1 else f"Accept these {many:,} entries?"
        if not agrees(context, asked):
            return _NEEDS_PERSON
    wish = Trust(clone=pages.clone, by=context.user, shown=found.shown)
    synced = pages.trust(wish)
    if context.output.as_json:
        context.output.json(trusted_json(synced, advice=advice_on))
    else:
        show_synced(synced, context.output)
    is_left = any(one.step is SyncStep.WAITING for one in synced.told)
    return _NEEDS_PERSON if synced.open or synced.flaws or is_left else None


def _ignore(pages: Filing, context: CommandContext) -> None:
    found = pages.ignore_sessions(by=context.user)
    if context.output.as_json:
        context.output.json(ignored_json(found))
        return
    for one in found:
        context.output.say(Dim("left alone  "), Name(one.path))
    if not found:
        context.output.note("No session of somebody else waits here.")


def _same_store(given: Namespace) -> list[str]:
    """Return the options of this command that name its store and its folder."""
    named = {
        "--home": given.home,
        "--space": given.space,
        "--tenant": given.tenant,
        "-C": given.folder,
    }
    return [word for name, value in named.items() if value for word in (name, str(value))]


def _show(found: Pending, context: CommandContext) -> None:
    from holdfast.surfaces.cli.present.care.synced import show_flaws

    if context.output.as_json:
        context.output.json(pending_json(found))
        return
    show_flaws(found.flaws, context.output)
    if not found.outcomes and not found.flaws:
        context.output.say(Good("in line"), "  every entry of the pages is accepted")
    if not found.outcomes:
        return
    for one in found.outcomes:
        _show_one(one, context)
    context.output.note(Dim(f"all of it: {found.shown[:_SHORT_HASH]}"))


def _show_one(one: EntryOutcome, context: CommandContext) -> None:
    name = one.label or one.uid or "new"
    context.output.say(Bold(name), "  ", Dim(f"{one.path}:{one.line}"))
    if one.before and one.before != one.claim:
        context.output.say(Warn("  - "), one_line(one.before))
    context.output.say(Good("  + "), one_line(one.claim))
    for field, value in one.details.items():
        context.output.say("    ", Dim(f"{field}: "), one_line(value))


def _list(pages: Filing, context: CommandContext) -> None:
    found = pages.trusted()
    if context.output.as_json:
        context.output.json(clones_json(found))
        return
    if not found:
        context.output.note("No clone's pages were trusted.")
        return
    rows = [
        (Name(one.clone), one.by, f"{one.at:%Y-%m-%d %H:%M}", one.tree[:_SHORT_HASH])
        for one in found
    ]
    show_table(context.output, ("CLONE", "BY", "WHEN", "PAGES"), rows)


def _revoke(pages: Filing, context: CommandContext) -> None:
    found = pages.revoke(by=context.user)
    if context.output.as_json:
        context.output.json(revoked_json(found))
        return
    for one in found.memories:
        context.output.say(
            Warn("candidate"), "  ", Name(one.memory.id), "  ", one_line(one.memory.claim)
        )
    for path in found.files:
        context.output.say(Warn("waits again"), "  ", Name(path))
    if not found.memories and not found.files:
        context.output.note("No entry was accepted with 'holdfast trust' here.")
