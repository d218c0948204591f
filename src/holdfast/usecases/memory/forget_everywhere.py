"""Forget a memory, and remove its text from the files that were generated from the store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import LinkKind
from holdfast.domain.errors import HoldfastError
from holdfast.domain.review.traces import GoneText, Reach, Trace
from holdfast.domain.values import replace
from holdfast.usecases.memory.forget import forget
from holdfast.usecases.naming import memory_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from holdfast.domain.choices import Origin
    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.ports.clock import Clock
    from holdfast.ports.pages.traces import Traces
    from holdfast.ports.store.store import Store, Transaction
    from holdfast.usecases.memory.forget import Forget, Forgotten

_MOST_VERSIONS = 1_000
_FAILED = "It could not be looked at: {error} Forget it again, or look there yourself."


def forget_everywhere(
    wish: Forget,
    *,
    origin: Origin,
    store: Store,
    clock: Clock,
    traces_of: Callable[[str | None], Sequence[Traces]],
) -> Forgotten:
    """Remove the memory from the store, then its text from pages and generated files.

    Raises:
        NeedsPersonError: An agent wants to remove a memory that a person accepted.
    """
    with store.reading() as tx:
        gone = _gone_text(tx.memories.get(memory_id(tx, wish.reference)), tx=tx)
    forgotten = forget(wish, origin=origin, store=store, clock=clock)
    if wish.dry_run:
        return forgotten
    found: list[Trace] = []
    for traces in traces_of(forgotten.record.memory.repo):
        try:
            found += traces.remove(gone)
        except HoldfastError as error:
            advice = _FAILED.format(error=error)
            found.append(Trace(place=str(traces), reach=Reach.LEFT, advice=advice))
    return replace(forgotten, traces=tuple(dict.fromkeys(found)))


def _gone_text(record: MemoryRecord, *, tx: Transaction) -> GoneText:
    return GoneText(
        memory=record.memory.id,
        claim=record.memory.claim,
        names=frozenset(_before(record.memory.id, tx=tx)),
        later=tuple(_later(record, tx=tx)),
    )


def _before(name: MemoryId, *, tx: Transaction) -> set[MemoryId]:
    """Return the memory and all memories that it superseded, directly or indirectly."""
    found, waiting = {name}, [name]
    while waiting and len(found) < _MOST_VERSIONS:
        here = waiting.pop()
        for link in tx.links.touching(here):
            if link.kind == LinkKind.SUPERSEDES and link.src == here and link.dst not in found:
                found.add(link.dst)
                waiting.append(link.dst)
    return found


def _later(record: MemoryRecord, *, tx: Transaction) -> Iterator[str]:
    """Yield the claims that superseded a memory, in order."""
    seen = {record.memory.id}
    name = record.standing.superseded_by
    while name is not None and name not in seen and tx.names.tombstone(name) is None:
        seen.add(name)
        record = tx.memories.get(name)
        yield record.memory.claim
        name = record.standing.superseded_by
