"""undo: take decisions back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.surfaces.cli import values
from holdfast.surfaces.cli.follow_up import follow_up
from holdfast.surfaces.cli.present.memory.memory_lines import status_word
from holdfast.surfaces.cli.present.review.decided import decision_line
from holdfast.surfaces.cli.present.terminal.colour import Dim, Name
from holdfast.surfaces.cli.present.terminal.table import show_table
from holdfast.surfaces.cli.values import UsageError
from holdfast.surfaces.wire.review import decisions_json, undone_json
from holdfast.usecases.review.undo import Undo

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from holdfast.domain.memory.decision import Decision
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext

_HEADS = ("ID", "WHEN", "BY", "DECISION", "STATE", "MEMORY")


def undo(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Undo a decision: approve, reject, edit, resolve, revert, trust, curate, prune, and\n"
        "remember if it superseded a memory. Without an id, your last decision about memories\n"
        "here is undone; run it again for the one before. With a memory's id, the last decision\n"
        "about that memory is undone. Memories that a decision created are deprecated, not\n"
        "removed. Tasks and agents are not covered: 'task reopen' undoes 'task done', and what\n"
        "was deleted is gone.",
        examples=(
            "holdfast undo --dry-run",
            "holdfast undo m_k4t9zz",
            "holdfast undo --list --json",
        ),
        does=_run,
    )
    add = command.add_argument
    add("id", metavar="ID", nargs="?", help="a decision (d_…) or a memory (m_…)")
    add("--steps", metavar="N", type=values.whole("steps"), default=1, help="how many (1)")
    add("--dry-run", action="store_true", help="show what would be undone")
    add("--list", action="store_true", help="list the newest decisions")
    add("--everywhere", action="store_true", help="also those of other repositories")
    add(
        "--limit",
        metavar="N",
        type=values.whole("limit"),
        default=20,
        help="with --list: how many (20)",
    )


def _run(given: Namespace, context: CommandContext) -> None:
    curation = context.holdfast.review
    if given.list:
        if given.id is not None:
            raise UsageError(problem="--list takes no id.")
        found = curation.decisions(limit=given.limit, everywhere=given.everywhere)
        _show_list(found, context)
        return
    wish = Undo(
        by=context.user,
        reference=given.id,
        steps=given.steps,
        dry_run=given.dry_run,
        is_everywhere=given.everywhere,
    )
    taken = curation.undo(wish)
    if context.output.as_json:
        context.output.json(undone_json(taken, is_dry=given.dry_run))
    else:
        for decision in taken:
            _show(decision, context, is_dry=given.dry_run)
    if not given.dry_run:
        follow_up(context)


def _show(decision: Decision, context: CommandContext, *, is_dry: bool) -> None:
    said = "would undo" if is_dry else "undid"
    when = f"{decision.at:%Y-%m-%d %H:%M}"
    context.output.say(
        f"{said} ", Name(decision.id), f"  {decision.action.value} by {decision.by} on {when}"
    )
    for change in decision.changes:
        before = "deprecated" if change.before is None else change.before.status
        now = status_word(change.after.status)
        context.output.say("  ", Name(change.memory_id), "  ", now, " → ", str(before))
    changed = [f"link removed: {link.src} {link.kind} {link.dst}" for link in decision.linked]
    changed += [f"evidence of {one.memory_id} restored" for one in decision.withdrawn]
    for line in changed:
        context.output.say("  ", Dim(context.output.named(line)))


def _show_list(found: Sequence[Decision], context: CommandContext) -> None:
    if context.output.as_json:
        context.output.json(decisions_json(found))
        return
    if not found:
        context.output.note("There are no decisions yet.")
        return
    lines = [decision_line(one) for one in found]
    rows = [[*cells, context.output.named(about)] for *cells, about in lines]
    show_table(context.output, _HEADS, rows)
