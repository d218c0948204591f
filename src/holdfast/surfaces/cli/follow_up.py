"""Update pages and connected tools after a decision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import HoldfastError
from holdfast.domain.pages.syncing import SyncStep
from holdfast.surfaces.cli.advising.advice import worded
from holdfast.surfaces.cli.present.terminal.colour import Dim, Name

if TYPE_CHECKING:
    from holdfast.surfaces.cli.command_context import CommandContext

_LOOK = "holdfast sync --dry-run"


def follow_up(context: CommandContext) -> None:
    """Write a decision into the pages; edits of the pages wait for the next sync.

    The decision is kept even if this fails.
    """
    try:
        synced = context.holdfast.page_writer.write(by=context.user)
    except HoldfastError as error:
        context.output.complain(
            f"The decision is stored, but the pages were not updated: {worded(error)}"
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
    others = "" if context.setting("restart") == "never" else ", others when they are restarted"
    context.output.note(
        Dim(f"the pages are updated; tools with hooks are told at their next prompt{others}")
    )
