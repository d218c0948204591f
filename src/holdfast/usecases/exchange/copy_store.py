"""Copies a whole store into an empty one, row by row, and compares two stores."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from holdfast.domain.database_errors import CopyDiffersError
from holdfast.domain.exchange.copies import StoreCopy, TableCopy, row_digest, table_digest
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.ports.store.copying import Copying, StoredRow, StoredRows
    from holdfast.ports.store.upkeep import Progress

_AT_ONCE = 1_000


def copy_store(source: Copying, target: Copying, progress: Progress) -> StoreCopy:
    """Copy every row of a store, as of one moment, into an empty store, and compare the two.

    A copy that was interrupted goes on: rows that the target has are not written again.

    Raises:
        StoreNotEmptyError: The target has contents of its own.
        StoreDamagedError: A row of the source is not what was written.
        CopyDiffersError: The target does not hold what was written into it.
    """
    with source.stored() as stored:
        target.begin(stored.mark)
        tables = stored.tables()
        steps = 2 * len(tables) + 1
        written: dict[str, int] = {}
        for done, table in enumerate(tables):
            progress(done, steps)
            written[table] = _fill(table, stored, target)
        found = _compared(stored, target, lambda done, _: progress(len(tables) + done, steps))
    for one in found.tables:
        if not one.is_same:
            raise CopyDiffersError(one.table)
    target.finish()
    progress(steps, steps)
    return StoreCopy(tables=tuple(replace(one, written=written[one.table]) for one in found.tables))


def compare_stores(source: Copying, target: Copying, progress: Progress) -> StoreCopy:
    """Compare every row of two stores; nothing is changed."""
    with source.stored() as stored:
        return _compared(stored, target, progress)


def _fill(table: str, stored: StoredRows, target: Copying) -> int:
    """Write the rows of a table that the target does not have; return how many."""
    with target.stored() as there:
        known = {row_digest(row) for row in there.rows(table)}
    missing = (row for row in stored.rows(table) if row_digest(row) not in known)
    written = 0
    while rows := list(islice(missing, _AT_ONCE)):
        target.put(table, rows)
        written += len(rows)
    return written


def _compared(stored: StoredRows, target: Copying, progress: Progress) -> StoreCopy:
    tables = stored.tables()
    found: list[TableCopy] = []
    with target.stored() as there:
        for done, table in enumerate(tables):
            progress(done, len(tables))
            here, beyond = _digests(stored.rows(table)), _digests(there.rows(table))
            found.append(
                TableCopy(
                    table=table,
                    rows=len(here),
                    digest=table_digest(here),
                    target_rows=len(beyond),
                    target_digest=table_digest(beyond),
                )
            )
    progress(len(tables), len(tables))
    return StoreCopy(tables=tuple(found))


def _digests(rows: Iterator[StoredRow]) -> list[bytes]:
    return [row_digest(row) for row in rows]
