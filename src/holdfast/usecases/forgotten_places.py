"""Look for a forgotten text outside the store, and remove it from the places that allow it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.checks.check import checks_in
from holdfast.domain.choices import LinkKind
from holdfast.domain.errors import HoldfastError
from holdfast.domain.recall.finding import embedded_text
from holdfast.domain.review.traces import GoneText, Reach, Trace
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.ports.pages.files import Traces
    from holdfast.ports.store.store import Transaction

_MOST_VERSIONS = 1_000
_FAILED = "It could not be looked at: {error} Forget it again, or look there yourself."


def remove_traces(gone: Sequence[GoneText], places: Sequence[Traces]) -> tuple[Trace, ...]:
    """Remove texts from places outside the store; return every place that contained one."""
    found: list[Trace] = []
    for traces in places:
        try:
            found += traces.remove(gone)
        except HoldfastError as error:
            advice = _FAILED.format(error=error)
            found.append(Trace(place=str(traces), reach=Reach.LEFT, advice=advice))
    return tuple(dict.fromkeys(found))


def stored_text(record: MemoryRecord) -> GoneText:
    """Return what to look for in the store when a memory is forgotten."""
    memory = record.memory
    return GoneText(memory=memory.id, claim=memory.claim, checks=checks_in(memory.metadata))


def gone_text(record: MemoryRecord, *, tx: Transaction) -> GoneText:
    """Return what to look for outside the store when a memory is forgotten."""
    return replace(
        stored_text(record),
        names=frozenset(earlier_versions(record.memory.id, tx=tx)),
        later=tuple(_later(record, tx=tx)),
        embedded=tuple(dict.fromkeys((embedded_text(record.memory), record.memory.claim))),
    )


def earlier_versions(name: MemoryId, *, tx: Transaction) -> set[MemoryId]:
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
