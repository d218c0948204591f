"""Copies the vectors of a store into another vector index, and compares the two row by row.

The vectors in the store are canonical: every index is filled from them, whatever index was used
before. An index is behind by some changes; only these are written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.database_errors import CopyDiffersError
from holdfast.domain.exchange.copies import StoreCopy, TableCopy, table_digest
from holdfast.domain.lookup_errors import PlugInFailedError
from holdfast.ports.store.upkeep import MovableIndex, OutsideIndex

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.ports.store.copying import Copying, StoredVectors
    from holdfast.ports.store.finding import VectorStore
    from holdfast.ports.store.upkeep import Progress

    Opener = Callable[[str], VectorStore | None]


def copy_vectors(copying: Copying, opener: Opener, progress: Progress) -> StoreCopy:
    """Write the vectors that the index lacks, and compare all of its rows.

    Raises:
        CopyDiffersError: The index does not hold what was written into it.
        NoMeaningError: The index is in another place that does not answer.
        PlugInFailedError: Vectors cannot be copied into this index.
    """
    with copying.vectors(opener) as found:
        tables = []
        for one in found:
            written = _movable(one).copy(one.source, progress)
            tables.append(_compared(one, written))
    for table in tables:
        if not table.is_same:
            raise CopyDiffersError(table.table)
    return StoreCopy(tables=tuple(tables))


def compare_vectors(copying: Copying, opener: Opener, progress: Progress) -> StoreCopy:
    """Compare every row of the index with the store; no vector is written."""
    with copying.vectors(opener) as found:
        tables = []
        for done, one in enumerate(found):
            progress(done, len(found))
            tables.append(_compared(one, 0))
        progress(len(found), len(found))
    return StoreCopy(tables=tuple(tables))


def discard_vectors(copying: Copying, opener: Opener) -> None:
    """Remove the vectors from an index outside the store, which is no longer used."""
    with copying.vectors(opener) as found:
        for one in found:
            if isinstance(one.index, OutsideIndex):
                one.index.discard(one.source)


def _compared(one: StoredVectors, written: int) -> TableCopy:
    rows = _movable(one).digests(one.source)
    return TableCopy(
        table=f"vectors of {one.model}",
        rows=len(rows.wanted),
        digest=table_digest(rows.wanted),
        target_rows=len(rows.stored),
        target_digest=table_digest(rows.stored),
        written=written,
    )


def _movable(one: StoredVectors) -> MovableIndex:
    if not isinstance(one.index, MovableIndex):
        name = type(one.index).__name__
        raise PlugInFailedError(
            setting="recall.index", name=name, problem="vectors cannot be copied into it"
        )
    return one.index
