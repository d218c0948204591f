"""Put memories and spans that were read elsewhere into an empty store, as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.usecases.repeating import repeatable

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from holdfast.domain.memory.evidence import Span
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.ports.store.store import Store


@repeatable
def take_in(
    records: Iterable[MemoryRecord], spans: Iterable[Span], *, store: Store, now: datetime
) -> None:
    """Add the memories with their standing, in their order, and the spans that they cite."""
    with store.writing(now) as tx:
        for span in spans:
            tx.anchors.spans.put(span)
        for record in sorted(records, key=lambda one: one.sequence):
            tx.memories.add(record.memory, record.standing)
