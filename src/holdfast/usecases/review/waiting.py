"""Limit how many candidates wait for a person, so that no program can flood the review."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING

from holdfast.domain.choices import Origin, Status
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.refusals import ProposedTooFastError, TooManyWaitingError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from holdfast.domain.memory.memory import Memory
    from holdfast.ports.store.store import Transaction

MOST_WAITING = 500
"""How many candidates of one source may wait, unless the settings say otherwise."""
ALL_SOURCES = 10
"""All sources of one origin together may have this many times as many: a program names its source
itself."""
SOURCES_AN_HOUR = 3
"""The same within one hour."""
_HOUR = timedelta(hours=1)
_PROPOSED = frozenset(Status) - {Status.NOTED}
_AT_ONCE = 1_000


def room_for(origin: Origin, source: str, *, most: int, tx: Transaction) -> int:
    """Return how many candidates of a source may still be added; 0 for ``most`` is no limit."""
    waiting = frozenset({Status.CANDIDATE})
    count = tx.memories.count
    own = most - count(Selection(source=source, statuses=waiting))
    every = ALL_SOURCES * most - count(Selection(origins=frozenset({origin}), statuses=waiting))
    return max(0, min(own, every))


def room_this_hour(origin: Origin, source: str, *, most: int, at: datetime, tx: Transaction) -> int:
    """Return how many candidates of a source may still be added within the hour before a moment.

    All sources of one origin together may add a few times as many. What was decided since counts
    too: a person who rejects quickly makes no room for more.
    """
    own = Selection(source=source, statuses=_PROPOSED)
    every = Selection(origins=frozenset({origin}), statuses=_PROPOSED)
    return max(
        0,
        min(
            most - _since(own, at - _HOUR, limit=most, tx=tx),
            SOURCES_AN_HOUR * most - _since(every, at - _HOUR, limit=SOURCES_AN_HOUR * most, tx=tx),
        ),
    )


def _since(wanted: Selection, moment: datetime, *, limit: int, tx: Transaction) -> int:
    """Return how many of the newest memories came after a moment, at most the limit."""
    count, page = 0, Page(limit=min(limit, _AT_ONCE))
    while records := tx.memories.find(wanted, page):
        new = sum(one.memory.created_at > moment for one in records)
        count += new
        if new < len(records) or count >= limit:
            break
        page = Page(limit=page.limit, beyond=records.beyond)
    return count


def refuse_flood(memory: Memory, *, most: int, most_hourly: int = 0, tx: Transaction) -> None:
    """Return if one more candidate of the source may wait.

    Raises:
        TooManyWaitingError: Enough of them wait already.
        ProposedTooFastError: Enough of them came within the last hour.
    """
    source = memory.source or memory.origin.value
    if most and not room_for(memory.origin, memory.source, most=most, tx=tx):
        raise TooManyWaitingError(source=source, most=most)
    at = memory.created_at
    if most_hourly and not room_this_hour(
        memory.origin, memory.source, most=most_hourly, at=at, tx=tx
    ):
        waiting = Selection(source=memory.source, statuses=frozenset({Status.CANDIDATE}))
        raise ProposedTooFastError(
            source=source, most=most_hourly, waiting=tx.memories.count(waiting)
        )


def full_note(sources: Sequence[str], most: int) -> str:
    """Return a sentence about the sources that are full; empty if there are none."""
    if not sources:
        return ""
    names = ", ".join(sources)
    return f"no more candidates of {names} are taken: {most:,} of a source may wait"


def full_sources(*, most: int, tx: Transaction) -> tuple[str, ...]:
    """Return the sources from which no more candidates are taken until a person decides."""
    waiting = Selection(statuses=frozenset({Status.CANDIDATE}))
    if not most or tx.memories.count(waiting) < most:
        return ()
    by_source: Counter[str] = Counter()
    by_origin: Counter[Origin] = Counter()
    page = Page(limit=_AT_ONCE)
    while records := tx.memories.find(waiting, page):
        by_source.update(one.memory.source or one.memory.origin.value for one in records)
        by_origin.update(one.memory.origin for one in records)
        page = Page(limit=_AT_ONCE, beyond=records.beyond)
    full = [name for name, many in sorted(by_source.items()) if many >= most]
    return (
        *full,
        *(f"every {one}" for one, many in by_origin.items() if many >= ALL_SOURCES * most),
    )
