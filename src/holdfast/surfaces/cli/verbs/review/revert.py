"""revert: undo everything that came from one source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.curation import Curation
from holdfast.domain.values import replace
from holdfast.surfaces.cli.follow_up import follow_up
from holdfast.surfaces.cli.forgetting import follow_forgetting
from holdfast.surfaces.cli.person import agrees, is_at_terminal
from holdfast.surfaces.cli.present.memory.memory_lines import status_word
from holdfast.surfaces.cli.present.terminal.colour import Dim, Name
from holdfast.surfaces.cli.present.terminal.table import one_line, show_table
from holdfast.surfaces.cli.values import UsageError
from holdfast.surfaces.wire.review import reverted_json
from holdfast.usecases.memory.forget import Forgotten
from holdfast.usecases.review.revert import Revert

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.usecases.review.revert import Reverted


def revert(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Undo everything that came from one source: its memories, the memories derived from\n"
        "them, and the evidence that it added to others. Memories that it superseded are\n"
        "accepted again. The memories are rejected, so that 'holdfast undo' restores them;\n"
        "--forget removes them permanently, as 'holdfast forget' does: the exit code is 7 if a\n"
        "text remains in a place that only you can clean, and the command names each place.",
        examples=(
            "holdfast revert --source claude:5f0c --dry-run",
            "holdfast revert --source claude:5f0c --yes",
            "holdfast revert --source review-bot --forget --yes",
        ),
        does=_run,
    )
    add = command.add_argument
    add("--source", metavar="NAME", required=True, help="where it came from, as 'show' prints it")
    add("--forget", action="store_true", help="permanently: cannot be undone")
    add("--reason", metavar="WORDS", default="", help="why")
    add("--dry-run", action="store_true", help="show what would be removed; change nothing")
    add("-y", "--yes", action="store_true", help="do not ask")


def _run(given: Namespace, context: CommandContext) -> int | None:
    wish = Revert(
        source=given.source,
        by=context.user,
        reason=given.reason,
        forgets=given.forget,
        dry_run=given.dry_run,
    )
    curation = context.holdfast.review
    if given.dry_run:
        _tell(curation.revert(wish), context, wish)
        return None
    if not given.yes and not _is_confirmed(curation, wish, context):
        context.output.note("Nothing was changed.")
        return 1
    reverted = curation.revert(wish)
    _tell(reverted, context, wish)
    if not wish.forgets:
        follow_up(context)
        return None
    gone = [
        Forgotten(record=one, links=0, dry_run=False, traces=reverted.traces)
        for one in reverted.memories
    ]
    return follow_forgetting(gone, context)


def _is_confirmed(curation: Curation, wish: Revert, context: CommandContext) -> bool:
    """Show what would be reverted and ask for confirmation.

    Raises:
        UsageError: Nobody can be asked, and --yes is missing.
    """
    if not is_at_terminal(context):
        raise UsageError(problem="Look with --dry-run first, then add --yes.")
    rehearsal = replace(wish, dry_run=True)
    _tell(curation.revert(rehearsal), context, rehearsal)
    return agrees(context, f"Undo everything from {one_line(wish.source)}?")


def _tell(reverted: Reverted, context: CommandContext, wish: Revert) -> None:
    if context.output.as_json:
        context.output.json(reverted_json(reverted, wish))
        return
    goes = "forgotten" if wish.forgets else "rejected"
    rows = [_row(record, goes) for record in reverted.contributed]
    rows += [_row(record, f"{goes}, derived") for record in reverted.derived]
    rows += [_row(record, "stands again") for record in reverted.restored]
    rows += [_row(record, "loses evidence") for record, _ in reverted.strengthened]
    show_table(context.output, ("MEMORY", "WAS", "WHAT HAPPENS", "CLAIM"), rows, is_wrapped=True)
    said = "would go" if wish.dry_run else "gone"
    context.output.note(Dim(f"{len(reverted.memories):,} {said}"))
    if reverted.decision is not None:
        context.output.note(Dim(f"to undo: holdfast undo {reverted.decision.id}"))
    if reverted.not_yet:
        context.output.complain(reverted.not_yet)


def _row(record: MemoryRecord, what: str) -> list[str]:
    memory = record.memory
    return [Name(memory.id), status_word(record.standing.status), what, one_line(memory.claim)]
