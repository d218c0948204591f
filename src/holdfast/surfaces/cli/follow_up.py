"""Update pages and connected tools after a decision.

--watch and --every: repeat a command at an interval.
"""

from __future__ import annotations

from math import isfinite
from posixpath import dirname
from typing import TYPE_CHECKING

from holdfast.domain.errors import BadFieldError, HoldfastError
from holdfast.domain.pages import sync_messages as messages
from holdfast.domain.pages.syncing import SyncStep
from holdfast.surfaces.cli import values
from holdfast.surfaces.cli.failure import told
from holdfast.surfaces.cli.present.terminal.colour import Dim, Name
from holdfast.surfaces.cli.values import UsageError

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.domain.pages.syncing import Synced
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext


_LOOK = "holdfast sync --dry-run"
_WRITING = frozenset({SyncStep.WRITTEN, SyncStep.RESTORED})


def follow_up(context: CommandContext) -> None:
    """Write a decision into the pages; edits of the pages wait for the next sync.

    The decision is kept even if this fails.
    """
    try:
        synced = context.holdfast.page_writer.write(by=context.user)
    except HoldfastError as error:
        context.output.complain(
            "The decision is stored, but the pages were not updated: ", *told(error)
        )
        return
    if synced is None:
        return
    left = sum(one.step is SyncStep.LEFT for one in synced.open)
    if left:
        edited = "1 edited entry was" if left == 1 else f"{left} edited entries were"
        context.output.note(
            f"{edited} not read from the pages; to see what sync would change: ", Name(_LOOK)
        )
    elif synced.open or synced.flaws:
        context.output.note("Some entries of the pages need a decision: ", Name("holdfast sync"))
    for one in synced.outcomes:
        if one.words == messages.NOT_TAKEN_OUT:
            context.output.note(f"{one.path}:{one.line}: {one.words}")
    if not tells_ignored_pages(synced, context) and synced.new_pages:
        first, *more = synced.new_pages
        pages = f"{len(more) + 1} new pages in {dirname(first)}" if more else f"new page {first}"
        it = "them" if more else "it"
        context.output.note(f"{pages}: commit {it} before you switch branches")
    others = "" if context.setting("restart") == "never" else ", others when they are restarted"
    context.output.note(
        Dim(f"the pages are updated; tools with hooks are told at their next prompt{others}")
    )


def tells_ignored_pages(synced: Synced, context: CommandContext) -> bool:
    """Write one note if git ignores pages that were just written; return whether it does."""
    if not any(one.step in _WRITING for one in synced.outcomes):
        return False
    found = context.machine.project.ignored_pages()
    if found is not None:
        context.output.note(f"{found.message} {found.advice}")
    return found is not None


_EVERY_SECONDS = 1.0
_SHORTEST_SECONDS, _LONGEST_SECONDS = 0.1, 86_400.0


def add_watching(command: Command, *, goes_on: str) -> None:
    """Add the options to a verb; ``goes_on`` describes what it does while it watches."""
    add = command.add_argument
    add("--watch", action="store_true", help=goes_on)
    add("--every", type=values.number("every"), metavar="SECONDS",
        help="with --watch: seconds between checks (1)")  # fmt: skip


def pause_between(given: Namespace) -> float:
    """Return the seconds between two rounds.

    Raises:
        UsageError: --every was given without --watch.
        BadFieldError: The interval is too short or too long.
    """
    if given.every is None:
        return _EVERY_SECONDS
    if not given.watch:
        raise UsageError(problem="--every goes with --watch.")
    every: float = given.every
    if not isfinite(every) or not _SHORTEST_SECONDS <= every <= _LONGEST_SECONDS:
        raise BadFieldError(
            field="every",
            problem=f"must be between {_SHORTEST_SECONDS} and {_LONGEST_SECONDS:,.0f} seconds.",
        )
    return every
