"""Repair of vectors: intact ones are kept, because embedding is slow; others are dropped."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, cast
from zlib import crc32

import apsw

from holdfast.adapters.sqlite.derived.scanning import Unreadable, scan
from holdfast.adapters.sqlite.memory.embeddings import (
    known_models,
    log_changes,
    move_completeness,
)
from holdfast.adapters.sqlite.queries import SQL
from holdfast.domain.recall.directions import KEPT_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.adapters.sqlite.database.rows import Row
    from holdfast.adapters.sqlite.database.work import Work

_BROKEN = (apsw.SQLError, apsw.CorruptError, UnicodeDecodeError)


def settle_vectors(work: Work) -> None:
    """Keep the intact vectors of existing memories; drop the others."""
    wrong = {(row[0], row[1]) for row in work.rows("embedding_orphans")} | _unsound(work)
    for model, sequence in sorted(wrong):
        work.run("drop_embedding", model, sequence)
        log_changes(model, [sequence], work)
    work.run("recount_models")
    for known in known_models(work):
        log_changes(known.number, _unlogged(known.number, work), work)
        move_completeness(known.number, work)


def wrong_vectors(work: Work) -> int:
    """Return how many memories have vectors that are damaged, not logged or without a memory."""
    wrong = {(row[0], row[1]) for row in work.rows("embedding_orphans")} | _unsound(work)
    unlogged = sum(len(_unlogged(known.number, work)) for known in known_models(work))
    return len(wrong) + unlogged + len(work.rows("miscounted_models"))


def carry_vectors(old: apsw.Connection, new: Work) -> None:
    """Copy the models and every intact vector from a damaged file into a new one."""
    numbers: dict[int, int] = {}
    with suppress(*_BROKEN):
        for row in cast("list[Row]", old.execute(SQL["models"]).fetchall()):
            numbers[row[0]] = new.rows("add_model", (row[1], row[2]))[0][0]
        for row in _kept(old):
            if row[0] in numbers and crc32(row[2]) == row[3]:
                new.run("put_embedding", numbers[row[0]], *row[1:])


def _unsound(work: Work) -> set[tuple[int, int]]:
    sizes = {known.number: KEPT_BYTES * known.model.dimension for known in known_models(work)}
    return {
        (model, sequence)
        for model, sequence, kept, crc in _kept(work.connection)
        if not kept or len(kept) % sizes.get(model, 1) or crc32(kept) != crc
    }


def _kept(connection: apsw.Connection) -> Iterator[Row]:
    return (row for row in scan("embedding", connection) if not isinstance(row, Unreadable))


def _unlogged(model: int, work: Work) -> list[int]:
    logged = {row[0] for row in work.rows("logged_sequences", (model,))}
    kept = {row[0] for row in work.rows("embedded_sequences", (model,))}
    return sorted(kept - logged)
