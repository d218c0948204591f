"""How often memories were returned and how they were rated, stored in their records."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import datetime

from holdfast.adapters.inmemory.state import InMemoryState
from holdfast.domain.errors import ForgottenError, NoSuchError
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.memory import Usage


@dataclass(frozen=True, slots=True)
class InMemoryUsageCounts:
    """The counts of one transaction, which is the only writer."""

    state: InMemoryState

    def count_given(self, memory_ids: Collection[MemoryId], at: datetime) -> None:
        """Count that each memory was returned once more."""
        self._change(memory_ids, lambda usage: usage.given_at(at))

    def rate(self, memory_ids: Collection[MemoryId], *, before: bool | None, now: bool) -> None:
        """Count a rating of each memory."""
        self._change(memory_ids, lambda usage: usage.rated(before=before, now=now))

    def put(self, memory_id: MemoryId, usage: Usage) -> None:
        """Replace the counts of a memory."""
        self.state.moment()
        if grave := self.state.tombstones.get(memory_id):
            raise ForgottenError(memory_id, f"{grave.forgotten_at:%Y-%m-%d}")
        if memory_id not in self.state.memories:
            raise NoSuchError(noun="memory", reference=memory_id)
        self._change([memory_id], lambda _before: usage)

    def _change(self, memory_ids: Collection[MemoryId], counted: Callable[[Usage], Usage]) -> None:
        self.state.moment()
        for memory_id in dict.fromkeys(memory_ids):
            if record := self.state.memories.get(memory_id):
                self.state.memories[memory_id] = replace(record, usage=counted(record.usage))
