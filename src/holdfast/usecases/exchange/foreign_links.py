"""Foreign links: turn links between imported notes into links between their memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import LinkKind, Status
from holdfast.domain.memory.link import Link
from holdfast.domain.values import replace
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.review.recognise import is_linked

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.ports.clock import Clock
    from holdfast.ports.store.store import Store, Transaction

Pair = tuple["MemoryRecord", "MemoryRecord", str]
"""The source memory, the target memory and the kind of link."""


@repeatable
def link_all(
    pairs: Sequence[Pair], *, over: Collection[MemoryId], store: Store, clock: Clock
) -> int:
    """Link the pairs; return how many links are new.

    ``over`` are memories that their own notes call superseded.
    """
    if not pairs:
        return 0
    now = clock.now()
    with store.writing(now) as tx:
        return sum(_link(pair, over=over, at=now, tx=tx) for pair in pairs)


def _link(pair: Pair, *, over: Collection[MemoryId], at: datetime, tx: Transaction) -> bool:
    """Link two memories; an accepted one is superseded only when a person accepts the other."""
    src, dst, kind = pair
    if kind == LinkKind.SUPERSEDES and dst.memory.id in over:
        ended = replace(
            dst.standing,
            status=Status.SUPERSEDED,
            superseded_by=src.memory.id,
            decided_at=at,
            decided_by=dst.memory.source,
        )
        tx.memories.set_standing(dst.memory.id, ended)
    link = Link(src=src.memory.id, dst=dst.memory.id, kind=kind)
    if is_linked(link, tx=tx):
        return False
    tx.links.put(link)
    return True
