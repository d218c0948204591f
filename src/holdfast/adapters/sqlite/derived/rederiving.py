"""Checks all derived data against the memories, or rebuilds it from them.

Checks the tags, names and turns that are derived from memories.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.rows import Row, as_json, holds
from holdfast.adapters.sqlite.database.terms import measure
from holdfast.adapters.sqlite.derived.scanning import MEMORY, Unreadable, scan, settle_vectors
from holdfast.adapters.sqlite.memory.memory_rows import evidence_of, memory_of
from holdfast.adapters.sqlite.memory.tombstones import derive, parts_of
from holdfast.adapters.sqlite.sessions.said import SAID, derive_all_said
from holdfast.adapters.sqlite.tasks.deriving import derive_tasks, tasks_wrong
from holdfast.adapters.sqlite.tasks.tasks import TASK
from holdfast.domain.memory.naming import names_of
from holdfast.domain.memory.sketch import sketch
from holdfast.domain.recall.finding import turn_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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


_BETWEEN_WORDS = 1_000


def derive_anew(work: Work, tell: Callable[[int], None]) -> int:
    """Rebuild all derived data; return the number of memories."""
    for name in ("parts", "citations", "bands", "tags", "names", "turn_places"):
        work.run(f"drop_all_{name}")
    count = 0
    for sequence, memory in _memories(work):
        derive(sequence, memory, work)
        for span in _cited_later(sequence, work):
            work.run("add_citation", span, sequence)
        count += 1
        if count % _BETWEEN_WORDS == 0:
            tell(count)
    derive_tasks(_tasks(work), work)
    derive_all_said(_said(work), work)
    settle_vectors(work)
    work.run("rebuild_words")
    measure(work, work.next_sequence() - 1)
    return count


def derived_wrongly(work: Work) -> int:
    """Return the number of faults: memories with wrong derived rows, and orphaned rows."""
    wrong, bands = int(work.rows("derived_orphans")[0][0]), 0
    standing: Counter[str] = Counter()
    for sequence, memory in _memories(work):
        sketched = set(sketch(memory.claim))
        bands += len(sketched)
        found = work.rows("bands_among", (as_json(sorted(sketched)), sequence))
        parts = work.row("parts_of", sequence)
        fits = (
            len(found) == len(sketched)
            and (None if parts is None else parts[0]) == parts_of(memory)
            and {row[0] for row in work.rows("citations_of", (sequence,))}
            == {item.span for item in memory.evidence if item.span} | _cited_later(sequence, work)
            and stands_right(sequence, memory, work)
        )
        wrong += not fits
        standing += what_stands(memory)
    wrong += int(work.rows("count_bands")[0][0]) != bands
    wrong += int(work.rows("said_wrong")[0][0])
    return wrong + miscounted(standing, work) + tasks_wrong(_tasks(work), work)


def _memories(work: Work) -> Iterator[tuple[int, Memory]]:
    for row in scan(MEMORY.name, work.connection):
        if not isinstance(row, Unreadable) and holds(MEMORY.noun, row):
            yield row[0], memory_of(row)


def _tasks(work: Work) -> Iterator[Row]:
    for row in scan(TASK, work.connection):
        if not isinstance(row, Unreadable):
            yield row


def _said(work: Work) -> Iterator[Row]:
    for row in scan(SAID, work.connection):
        if not isinstance(row, Unreadable):
            yield row


def _cited_later(sequence: int, work: Work) -> set[str]:
    rows = work.rows("evidence_of", (as_json([sequence]),))
    return {item.span for row in rows for item in evidence_of(row[2]) if item.span}
