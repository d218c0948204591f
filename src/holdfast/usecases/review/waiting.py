"""Limit how many candidates wait for a person, so that no program can flood the review."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from holdfast.domain.choices import Origin, Status
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.refusals import TooManyWaitingError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.memory.memory import Memory
    from holdfast.ports.store.store import Transaction

MOST_WAITING = 500
"""How many candidates of one source may wait, unless the settings say otherwise."""
ALL_SOURCES = 10
"""All sources of one origin together may have this many times as many: a program names its source
itself."""
_AT_ONCE = 1_000


def room_for(origin: Origin, source: str, *, most: int, tx: Transaction) -> int:
    """Return how many candidates of a source may still be added; 0 for ``most`` is no limit."""
    waiting = frozenset({Status.CANDIDATE})
    count = tx.memories.count
    own = most - count(Selection(source=source, statuses=waiting))
    every = ALL_SOURCES * most - count(Selection(origins=frozenset({origin}), statuses=waiting))
    return max(0, min(own, every))


def refuse_flood(memory: Memory, *, most: int, tx: Transaction) -> None:
    """Return if one more candidate of the source may wait.

    Raises:
        TooManyWaitingError: Enough of them wait already.
    """
    if most and not room_for(memory.origin, memory.source, most=most, tx=tx):
        raise TooManyWaitingError(source=memory.source or memory.origin.value, most=most)


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
