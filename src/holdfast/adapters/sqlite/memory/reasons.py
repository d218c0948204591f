"""Evidence that was added to a memory after it was written."""

from __future__ import annotations

from holdfast.adapters.sqlite.database.rows import sealed
from holdfast.adapters.sqlite.database.work import Work
from holdfast.adapters.sqlite.memory.memories import SqliteMemories
from holdfast.adapters.sqlite.memory.memory_rows import EVIDENCE, evidence_text
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.evidence import Evidence


class SqliteReasons:
    """Added evidence, by memory."""

    def __init__(self, work: Work) -> None:
        self.work = work

    def add(self, memory_id: MemoryId, evidence: Evidence) -> None:
        """Add evidence to a memory, once."""
        work = self.work
        work.moment()
        record = SqliteMemories(work).get(memory_id)
        if evidence in record.evidence:
            return
        place = work.rows("next_place", (record.sequence,))[0][0]
        values = sealed(EVIDENCE, (record.sequence, place, evidence_text([evidence])))
        work.run("add_evidence", *values)
        if evidence.span is not None:
            work.run("add_citation", evidence.span, record.sequence)
        work.record("memory.evidence", memory_id, values[-1])

    def withdraw(self, memory_id: MemoryId, evidence: Evidence) -> bool:
        """Remove evidence, and the citation of its span unless other evidence cites the span."""
        self.work.moment()
        memories = SqliteMemories(self.work)
        sequence = memories.get(memory_id).sequence
        if self.work.row("withdraw_evidence", sequence, evidence_text([evidence])) is None:
            return False
        left = {item.span for item in memories.get(memory_id).evidence}
        if evidence.span is not None and evidence.span not in left:
            self.work.run("drop_citation", evidence.span, sequence)
        self.work.record("evidence.removed", memory_id)
        return True
