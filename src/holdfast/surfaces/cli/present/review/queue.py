"""Print the queue of candidates, and how to decide about all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.review.shown import SHORT_HASH
from holdfast.surfaces.cli.advising.note_advice import with_advice
from holdfast.surfaces.cli.present.review.review import waiting_entry, waiting_page
from holdfast.surfaces.cli.present.terminal.colour import Dim, Name

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.surfaces.cli.present.terminal.output import Output
    from holdfast.usecases.review.queued import Queue

_NOTHING = "No candidates are waiting here."
_NOTHING_LIKE_THAT = "No such candidates wait; 'holdfast review' shows all that wait."


def show_queue(
    output: Output, queue: Queue, *, at: datetime, in_full: bool = False, is_part: bool = False
) -> None:
    """Write the queue or a part of it, and how to decide about all of it."""
    for place, item in enumerate(queue.items):
        if place:
            output.say()
        if in_full:
            waiting_page(output, item, at=at)
        else:
            waiting_entry(output, item, at=at, row=place + 1 if output.is_terminal else 0)
    if not queue.items:
        output.note(_NOTHING_LIKE_THAT if is_part else _NOTHING)
    for parts in _notes(queue, in_full=in_full, is_watched=output.is_terminal):
        output.note(*parts)


def _notes(queue: Queue, *, in_full: bool, is_watched: bool) -> list[list[str]]:
    shown = len(queue.items)
    said: list[list[str]] = [[Dim(with_advice(note))] for note in queue.notes]
    if shown < queue.total:
        said.append([Dim(f"{shown:,} of {queue.total:,} shown; --limit shows more")])
    elif shown > 1 and not in_full:
        command = f"holdfast approve --all --shown {queue.shown[:SHORT_HASH]}"
        said.append([Dim("all of these at once: "), Name(command)])
    if shown and is_watched:
        said.append([Dim("one by one: "), Name("holdfast review --walk")])
    if queue.elsewhere:
        said.append(
            [Dim(f"{queue.elsewhere:,} more in other repositories or branches: --everywhere")]
        )
    return said
