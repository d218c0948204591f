"""Ids and tombstones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from holdfast.adapters.inmemory.state import InMemoryState
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.memory import Tombstone


@dataclass(frozen=True, slots=True)
class InMemoryNames:
    """Completes abbreviated ids, and holds the tombstones of forgotten memories."""

    state: InMemoryState

    def starting(self, prefix: str, *, limit: int) -> Sequence[str]:
        """Return the ids of every type with a prefix, in order; forgotten memories included."""
        state = self.state
        ids: chain[str] = chain(
            *(state.memories, state.tombstones, state.sessions),
            *(state.bundles, state.spans, state.runs, state.decisions),
        )
        return tuple(sorted({name for name in ids if name.startswith(prefix)})[:limit])

    def tombstone(self, memory_id: MemoryId) -> Tombstone | None:
        """Return the tombstone of a forgotten memory, or None."""
        return self.state.tombstones.get(memory_id)

    def tombstones(self, *, beyond: str, limit: int) -> Sequence[Tombstone]:
        """Return tombstones in the order of their ids, starting after ``beyond``."""
        after = sorted(name for name in self.state.tombstones if name > beyond)
        return tuple(self.state.tombstones[name] for name in after[:limit])

    def bury(self, tombstone: Tombstone) -> None:
        """Store an imported tombstone; storing it again changes nothing."""
        self.state.moment()
        if tombstone.memory_id not in self.state.tombstones:
            self.state.tombstones[tombstone.memory_id] = tombstone
            self.state.record("tombstone.buried", tombstone.memory_id, tombstone)
