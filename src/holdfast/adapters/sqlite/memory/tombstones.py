"""Forgetting a memory, and its tombstone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.rows import Row, Value, checked, millis, moment_of, sealed
from holdfast.adapters.sqlite.memory.deriving import underive
from holdfast.adapters.sqlite.memory.embeddings import remove_vectors
from holdfast.adapters.sqlite.memory.residue import remove_words
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.memory import Tombstone

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.database.work import Work
    from holdfast.domain.memory.memory import MemoryRecord

TOMBSTONE = "tombstone"


def remove_memory(record: MemoryRecord, tombstone: Tombstone, *, work: Work) -> None:
    """Remove a memory and the rows that only it needs; leave the tombstone."""
    sequence = record.sequence
    remove_words(sequence, work)
    underive(sequence, record.memory, work)
    remove_vectors(sequence, work)
    spans = work.rows("spans_cited_only_by", {"seq": sequence})
    work.rows("drop_links_of", {"id": tombstone.memory_id})
    for name in ("citations", "evidence", "usage", "standing", "memory"):
        work.run(f"drop_{name}", sequence)
    work.row("drop_standpoint", tombstone.memory_id)
    if work.row("decisions_about", tombstone.memory_id) is not None:
        from holdfast.adapters.sqlite.memory.decisions import forget_decisions

        forget_decisions(tombstone.memory_id, work=work)
    for (span_id,) in spans:
        work.row("drop_anchor", span_id)
        work.run("drop_span", span_id)
        work.record("span.forgotten", span_id)
    work.run("add_tombstone", *grave_values(tombstone))
    work.record("memory.forgotten", tombstone.memory_id)
    work.forgotten.append(tombstone)


def grave_values(tombstone: Tombstone) -> tuple[Value, ...]:
    """Return the row of a tombstone, sealed."""
    values = (
        tombstone.memory_id,
        millis(tombstone.forgotten_at),
        tombstone.forgotten_by,
        tombstone.reason,
    )
    return sealed(TOMBSTONE, values)


def tombstone_of(row: Row, *, path: str) -> Tombstone:
    """Return the tombstone of a row, checked."""
    checked(TOMBSTONE, row, path=path, name=f"of {row[0]}")
    return Tombstone(
        memory_id=MemoryId(row[0]),
        forgotten_at=moment_of(row[1]),
        forgotten_by=row[2],
        reason=row[3],
    )


def grave_of(memory_id: MemoryId, *, work: Work) -> Tombstone | None:
    """Return the tombstone of a forgotten memory, or None."""
    row = work.row("tombstone", memory_id)
    return None if row is None else tombstone_of(row, path=work.path)
