"""Find the memory whose note was changed: the new note proposes to replace it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import LIVE, LinkKind
from holdfast.domain.memory.selection import Selection, near_form
from holdfast.usecases.anchors.verify import every

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.memory.place import SpaceId
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.exchange.foreign_links import Pair

_LEAST_SHARED = 0.7
"""The share of words that two wordings of one line have in common."""


def replaced_notes(
    new: Sequence[MemoryRecord],
    read: Sequence[MemoryRecord],
    *,
    space: SpaceId,
    tx: Transaction,
) -> list[Pair]:
    """Pair each new memory with the one of the same file whose note is gone and says nearly it.

    ``read`` are all memories whose notes the import has read. A new memory that comes equally near
    to two others replaces neither.
    """
    there = {one.memory.id for one in read}
    pairs: list[Pair] = []
    for source in dict.fromkeys(one.memory.source for one in new):
        wanted = Selection(space=space, source=source, statuses=LIVE)
        gone = [one for one in every(wanted, tx=tx) if one.memory.id not in there]
        for record in (one for one in new if one.memory.source == source):
            nearest = _nearest(record, gone)
            if nearest is not None and _nearest(nearest, new) is record:
                pairs.append((record, nearest, LinkKind.SUPERSEDES))
    return pairs


def _nearest(record: MemoryRecord, among: Sequence[MemoryRecord]) -> MemoryRecord | None:
    """Return the memory of the same place with the nearest words; None if none is near, or two."""
    near = sorted(
        ((_shared(record, one), one) for one in among if one.memory.repo == record.memory.repo),
        key=lambda pair: -pair[0],
    )
    if not near or near[0][0] < _LEAST_SHARED:
        return None
    is_tied = len(near) > 1 and near[1][0] == near[0][0]
    return None if is_tied else near[0][1]


def _shared(one: MemoryRecord, other: MemoryRecord) -> float:
    mine, yours = (set(near_form(record.memory.claim).split()) for record in (one, other))
    return 2 * len(mine & yours) / max(1, len(mine) + len(yours))
