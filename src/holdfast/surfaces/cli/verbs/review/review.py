"""review: the candidates that wait for a person, the most valuable first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.curation import Curation
from holdfast.domain.memory.callers import Operation
from holdfast.domain.values import replace
from holdfast.surfaces.cli import values
from holdfast.surfaces.cli.follow_up import follow_up
from holdfast.surfaces.cli.present.review.queue import show_queue
from holdfast.surfaces.cli.present.review.review import pasteable_decisions
from holdfast.surfaces.cli.present.terminal.colour import Dim
from holdfast.surfaces.cli.queue_options import add_filters, is_part, review_wish
from holdfast.surfaces.cli.rows import keep_shown_rows
from holdfast.surfaces.wire.review import queue_json

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext


def review(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Show the candidates that wait for you, the most valuable first: the claim, who\n"
        "proposed it, whether its evidence is still valid, what it would replace or\n"
        "contradicts, and how to decide. Nothing is changed. The next command in the same\n"
        "terminal reads the number of a row as an id: 'holdfast approve 2'. At a terminal, a\n"
        "person decides in the Inbox of 'holdfast ui' instead, if its packages are installed;\n"
        "--plain prints there too. --walk shows them one by one and waits for a key.",
        examples=(
            "holdfast review",
            "holdfast review --kind gotcha --json",
            "holdfast review m_k4t9zz",
        ),
        does=_review,
    )
    add = command.add_argument
    add("ids", metavar="ID", nargs="*", help="only these candidates, each in full")
    add_filters(command)
    add("--conflicting", action="store_true", help="only those that contradict an accepted memory")
    add("--everywhere", action="store_true", help="also those of other repositories and branches")
    add("--limit", metavar="N", type=values.whole("limit"), default=20, help="how many (20)")
    add("--walk", action="store_true", help="decide one by one, at a terminal")
    add("--plain", action="store_true", help="print them, also on a terminal")


def _review(given: Namespace, context: CommandContext) -> None:
    curation = context.holdfast.review
    _accept_by_setting(curation, context)
    wish = review_wish(given, limit=given.limit, references=tuple(given.ids))
    if _is_for_ui(given, context):
        from holdfast.surfaces.cli.verbs.review.ui import open_ui

        open_ui(context, wish)
        return
    queue = curation.review(replace(wish, reads_pairs=True))
    if given.walk:
        from holdfast.surfaces.cli.walk.walk import walk

        if walk(queue, curation, context):
            follow_up(context)
        return
    if context.output.as_json:
        context.output.json(queue_json(queue, commands=pasteable_decisions(context.output)))
        return
    now = context.holdfast.now()
    show_queue(context.output, queue, at=now, in_full=bool(given.ids), is_part=is_part(given))
    keep_shown_rows(context, ((item.record.memory.id, item.shown) for item in queue.items))


def _is_for_ui(given: Namespace, context: CommandContext) -> bool:
    """Return whether a person decides in the terminal UI: they are at a terminal that can show it.

    An agent, a pipe and candidates that are named by their ids get text.
    """
    if given.plain or given.walk or given.ids or Operation.DECIDE not in context.principal.may:
        return False
    from holdfast.surfaces.cli.verbs.review.ui import can_open

    return can_open(context)


def _accept_by_setting(curation: Curation, context: CommandContext) -> None:
    """Accept what a person's setting allows; a command that an agent runs accepts nothing."""
    if (
        context.setting("review.auto_accept") != "low"
        or Operation.DECIDE not in context.principal.may
    ):
        return
    decided = curation.auto_accept()
    if decided.records:
        for record in decided.records:
            context.output.note(Dim(f"accepted by your setting: {record.memory.id}"))
        follow_up(context)
