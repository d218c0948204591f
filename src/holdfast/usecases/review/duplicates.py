"""Find memories that say nearly the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Status
from holdfast.domain.memory.near_claims import alike_groups

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.ports.heuristics import Heuristics


def duplicates(
    records: Iterable[MemoryRecord], *, heuristics: Heuristics
) -> Iterator[tuple[MemoryRecord, list[MemoryRecord]]]:
    """Return each memory that should stay, with those that say nearly the same at its place.

    A memory that contradicts it is not a duplicate. Notes are compared with notes of their agent.
    """
    shelves: dict[tuple[object, ...], list[MemoryRecord]] = {}
    for record in records:
        memory = record.memory
        point = memory.branch_point
        aside = point.branch if point is not None and point.is_aside else None
        owner = memory.source if record.standing.status is Status.NOTED else None
        place = (memory.scope, memory.repo, memory.workspace, aside, owner)
        shelves.setdefault(place, []).append(record)
    judged = heuristics.judge.judged
    for shelf in shelves.values():
        for group in alike_groups([one.memory.claim for one in shelf]):
            stays, *others = sorted((shelf[place] for place in group), key=best_first)
            claim = stays.memory.claim
            doubles = [one for one in others if judged(one.memory.claim, claim, None) is None]
            if doubles:
                yield stays, doubles


def best_first(record: MemoryRecord) -> tuple[object, ...]:
    """Return the sort key of duplicates: the accepted, pinned, evidenced and used one stays."""
    return (
        record.standing.status is not Status.ACCEPTED,
        not record.standing.pinned,
        -len(record.evidence),
        -record.usage.access_count,
        record.sequence,
    )
