"""What the check of a store says about its rows and its log, on every kind of store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.rows import as_hex
from holdfast.adapters.sqlite.database.work import event_of
from holdfast.adapters.sqlite.derived.scanning import Unreadable, each, fine, warning
from holdfast.domain.memory.entry import GENESIS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from holdfast.adapters.sqlite.database.rows import Row
    from holdfast.domain.review.curation import HealthFinding


def altered(noun: str, name: str) -> str:
    """Return the message about a row that differs from what was written."""
    return f"The {noun} {name} is not what was written."


def about_rows(messages: Sequence[str]) -> list[HealthFinding]:
    """Return the findings about rows that were altered."""
    return each("rows", messages, "Every row has the content that was written.")


def broken_links(events: Iterable[Row | Unreadable]) -> list[str]:
    """Return a message for each place where the hash chain of events is broken."""
    said: list[str] = []
    last, previous = 0, GENESIS
    for row in events:
        if isinstance(row, Unreadable):
            said.append(f"Event {row.number:,} cannot be read.")
            continue
        event = event_of(row)
        if event.hash != as_hex(row[-1]):
            said.append(f"Event {event.sequence:,} is not what was written.")
        elif (event.sequence, event.previous) != (last + 1, previous):
            said.append(f"Event {event.sequence:,} does not follow event {last:,}.")
        last, previous = event.sequence, as_hex(row[-1])
    return said


def about_log(messages: Sequence[str]) -> list[HealthFinding]:
    """Return the findings about the chain of events."""
    return each("log", messages, "The chain of events is complete.")


def about_history(rows: Callable[[str], Iterable[Row]]) -> list[HealthFinding]:
    """Return the findings of comparing the rows with the log; ``rows`` runs a query by name."""
    unlike = [
        f"The {noun} {name} does not match its last event."
        for noun, name, *_ in rows("unlike_their_events")
    ]
    gone = [
        f"The {noun} {name} was written, but is missing."
        for noun, name in rows("gone_without_a_trace")
    ]
    back = [
        f"The memory {name} was forgotten, but is still there."
        for (name,) in rows("forgotten_and_there")
    ]
    return each("history", unlike + gone + back, "The log matches the rows.")


def about_derived(wrong: int, *, advice: str) -> list[HealthFinding]:
    """Return the finding about derived rows, of which so many are wrong."""
    if wrong:
        return [warning("derived", f"{wrong:,} derived rows are wrong.", advice)]
    return [fine("derived", "The derived data matches the memories.")]
