"""Pin and link memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.values import replace
from holdfast.usecases.naming import memory_id, span_id
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.screening import screened

if TYPE_CHECKING:
    from holdfast.domain.memory.evidence import Span
    from holdfast.domain.memory.link import Link
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.ports.clock import Clock
    from holdfast.ports.store.store import Store


@repeatable
def set_pin(
    reference: str, *, pinned: bool, label: str | None, store: Store, clock: Clock
) -> MemoryRecord:
    """Pin a memory, which then never expires and is always considered; or unpin it."""
    words = None if label is None else screened(label, what="label")
    with store.writing(clock.now()) as tx:
        record = tx.memories.get(memory_id(tx, reference))
        standing = replace(record.standing, pinned=pinned, label=words or record.standing.label)
        tx.memories.set_standing(record.memory.id, standing)
        return tx.memories.get(record.memory.id)


@repeatable
def set_span_pin(
    reference: str, *, pinned: bool, label: str | None, store: Store, clock: Clock
) -> Span:
    """Pin a place in a file under a label; or unpin it."""
    words = None if label is None else screened(label, what="label")
    with store.writing(clock.now()) as tx:
        span = tx.anchors.spans.get(span_id(tx, reference))
        changed = replace(span, pinned=pinned, label=words or span.label)
        tx.anchors.spans.put(changed)
        return changed


@repeatable
def connect(link: Link, *, store: Store, clock: Clock) -> Link:
    """Link two memories; the same link again replaces its score."""
    with store.writing(clock.now()) as tx:
        whole = replace(link, src=memory_id(tx, link.src), dst=memory_id(tx, link.dst))
        tx.links.put(whole)
        return whole


@repeatable
def disconnect(link: Link, *, store: Store, clock: Clock) -> bool:
    """Remove a link; tell whether it existed."""
    with store.writing(clock.now()) as tx:
        whole = replace(link, src=memory_id(tx, link.src), dst=memory_id(tx, link.dst))
        return tx.links.remove(whole)
