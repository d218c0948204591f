"""Rebuilds all derived data of one store from its memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.postgres.recall.meaning import put_parts
from holdfast.adapters.sqlite.database.rows import as_json, holds
from holdfast.adapters.sqlite.database.terms import measure
from holdfast.adapters.sqlite.memory.embeddings import (
    known_models,
    log_changes,
    move_completeness,
)
from holdfast.adapters.sqlite.memory.memory_rows import MEMORY, evidence_of, memory_of
from holdfast.adapters.sqlite.memory.tombstones import derive
from holdfast.adapters.sqlite.sessions.said import derive_all_said
from holdfast.adapters.sqlite.tasks.deriving import derive_tasks

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.adapters.postgres.database.work import PostgresWork

_AT_ONCE = 500
_DERIVED = ("parts", "citations", "bands", "tags", "names", "turn_places", "terms")


def rebuild_derived(work: PostgresWork, tell: Callable[[int], None]) -> int:
    """Rebuild the derived rows of every memory; return the number of memories."""
    for name in _DERIVED:
        work.run(f"drop_all_{name}")
    work.run("reset_word_counts")
    count = 0
    beyond = 0
    while rows := work.rows("memories_after", (beyond, _AT_ONCE)):
        beyond = rows[-1][0]
        for row in rows:
            if holds(MEMORY, row):
                _derive(row, work)
                count += 1
        tell(count)
    derive_tasks(work.rows("scan_task"), work)
    derive_all_said(work.rows("scan_said"), work)
    _rebuild_vectors(work)
    measure(work, work.last_sequence())
    return count


def _derive(row: tuple[object, ...], work: PostgresWork) -> None:
    memory = memory_of(row)
    sequence = int(str(row[0]))
    parts = derive(sequence, memory, work)
    work.run("index_memory", sequence, memory.claim, memory.key, as_json(memory.tags), parts)
    for added in work.rows("evidence_of", (as_json([sequence]),)):
        for item in evidence_of(added[2]):
            if item.span is not None:
                work.run("add_citation", item.span, sequence)


def _rebuild_vectors(work: PostgresWork) -> None:
    """Drop vectors without a memory, and write each vector again for the search in the server."""
    for model, sequence in work.rows("embedding_orphans"):
        work.run("drop_embedding", model, sequence)
        log_changes(model, [sequence], work)
    work.run("recount_models")
    for known in known_models(work):
        beyond = 0
        work.run("drop_all_vector_parts", known.number)
        while rows := work.rows("all_embeddings", (known.number, beyond, _AT_ONCE)):
            kept = {sequence: vectors for sequence, vectors, _ in rows}
            put_parts(known.number, known.model.dimension, kept, work)
            beyond = rows[-1][0]
        move_completeness(known.number, work)
