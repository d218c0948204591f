"""journal: the page of a day."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from holdfast.domain.errors import BadFieldError
from holdfast.surfaces.cli.verbs.sessions.run import tell_written
from holdfast.surfaces.wire.sessions import journal_json

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext


def journal(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Show a day (in UTC) as a page: its questions, runs, sessions and new memories. --write\n"
        "stores it in .holdfast/journal/ if the repository has pages.",
        examples=("holdfast journal", "holdfast journal 2026-01-27 --write"),
        does=_journal,
    )
    command.add_argument(
        "day", metavar="DATE", nargs="?", default="today", help="2026-01-27, yesterday (today)"
    )
    command.add_argument("--write", action="store_true", help="store it with the pages")


def _journal(given: Namespace, context: CommandContext) -> None:

    runs = context.holdfast.runs
    day = _day(given.day, today=context.holdfast.now().date())
    text = runs.journal(day)
    path = runs.write_journal(day) if given.write else None
    if context.output.as_json:
        context.output.json(journal_json(day, text=text, path=path))
        return
    context.output.say(text.rstrip("\n"))
    if given.write:
        tell_written(path, context)


def _day(words: str, *, today: date) -> date:
    if words == "today":
        return today
    if words == "yesterday":
        return today - timedelta(days=1)
    try:
        return date.fromisoformat(words)
    except ValueError:
        raise BadFieldError(
            field="day",
            problem=f"'{words[:40]}' is not a day; write 2026-01-27, today or yesterday.",
        ) from None
