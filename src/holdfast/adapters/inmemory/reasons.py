"""Evidence that was added to a memory after it was written."""

from __future__ import annotations

from dataclasses import dataclass

from holdfast.adapters.inmemory.memories import InMemoryMemories
from holdfast.adapters.inmemory.state import InMemoryState
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.evidence import Evidence
from holdfast.domain.values import replace


@dataclass(frozen=True, slots=True)
class InMemoryReasons:
    """Added evidence, by memory."""

    state: InMemoryState

    def add(self, memory_id: MemoryId, evidence: Evidence) -> None:
        """Add evidence to a memory, once."""
        record = InMemoryMemories(self.state).get(memory_id)
        if evidence in record.evidence:
            return
        self.state.moment()
        more = replace(record, added_evidence=(*record.added_evidence, evidence))
        self.state.memories[memory_id] = more
        self.state.record("memory.evidence", memory_id, more)

    def withdraw(self, memory_id: MemoryId, evidence: Evidence) -> bool:
        """Remove evidence; return whether it existed."""
        self.state.moment()
        record = InMemoryMemories(self.state).get(memory_id)
        if evidence not in record.added_evidence:
            return False
        left = tuple(item for item in record.added_evidence if item != evidence)
        self.state.memories[memory_id] = replace(record, added_evidence=left)
        self.state.record("evidence.removed", memory_id)
        return True
