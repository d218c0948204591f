"""Checks the tags, names and turns that are derived from memories."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.rows import as_json
from holdfast.domain.memory.naming import names_of
from holdfast.domain.recall.threads import turn_of

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.database.work import Work
    from holdfast.domain.memory.memory import Memory


def what_stands(memory: Memory) -> Counter[str]:
    """Return how many rows of each table a memory needs."""
    return Counter(
        tags=len(set(memory.tags)),
        names=len(names_of(memory)),
        turn_places=int(turn_of(memory) is not None),
    )


def stands_right(sequence: int, memory: Memory, work: Work) -> bool:
    """Return whether the tag, name and turn rows of a memory match it."""
    tags, names, turn = set(memory.tags), names_of(memory), turn_of(memory)
    place = work.row("turn_place_of", sequence)
    return (
        len(work.rows("tags_among", (as_json(sorted(tags)), sequence))) == len(tags)
        and len(work.rows("names_among", (as_json(names), sequence))) == len(names)
        and (None if turn is None else (turn.thread, turn.number))
        == (None if place is None else tuple(place))
    )


def miscounted(standing: Counter[str], work: Work) -> int:
    """Return how many tables hold more or fewer rows than the memories need."""
    return sum(
        int(work.rows(f"count_{name}")[0][0]) != standing[name]
        for name in ("tags", "names", "turn_places")
    )
