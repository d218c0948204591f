"""The calls of the memory service on one of its stores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.performing import Part, performs
from holdfast.domain.memory.callers import Operation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.service.memories import AddMemory, Relate, SearchMemories, ServiceMemory
    from holdfast.usecases.service.quota import Quota


class ServicePart(Part):
    """A store that a service keeps for a user."""

    @performs(Operation.SERVE)
    def add_memory(self, wish: AddMemory, *, quota: Quota | None = None) -> MemoryRecord:
        """Add a memory that can be found at once, within the quota of the tenant."""
        from holdfast.usecases.service.adding import add_memory
        from holdfast.usecases.service.quota import NO_QUOTA

        holdfast = self._holdfast
        return add_memory(
            wish,
            store=holdfast.store,
            clock=holdfast.clock,
            embedder=holdfast.embedder,
            quota=quota or NO_QUOTA,
        )

    @performs(Operation.READ)
    def search_memories(self, wish: SearchMemories) -> Sequence[ServiceMemory]:
        """Return the memories that are similar enough to a question, and count them."""
        from holdfast.usecases.service.searching import search_memories

        holdfast = self._holdfast
        chosen = () if holdfast.embedder is None else (holdfast.embedder,)
        return search_memories(
            wish,
            store=holdfast.store,
            clock=holdfast.clock,
            embedders=(*chosen, *holdfast.older_embedders),
        )

    @performs(Operation.SERVE)
    def add_relationship(self, wish: Relate) -> None:
        """State how one memory is related to another."""
        from holdfast.usecases.service.relating import relate

        relate(wish, store=self._holdfast.store, clock=self._holdfast.clock)

    @performs(Operation.READ)
    def related_memories(self, memory: str, *, limit: int = 5) -> Sequence[ServiceMemory]:
        """Return the memories that a memory is related to, strongest first."""
        from holdfast.usecases.service.relating import related

        return related(memory, limit=limit, store=self._holdfast.store, clock=self._holdfast.clock)

    @performs(Operation.READ)
    def holds(self, memory: str) -> bool:
        """Return whether the store has the memory of a UUID."""
        from holdfast.usecases.service.relating import holds

        return holds(memory, store=self._holdfast.store)
