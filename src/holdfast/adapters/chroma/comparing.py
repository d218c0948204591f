"""Compares the rows of a collection with the vectors of the store, one by one."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from holdfast.adapters.chroma.collection import read_row
from holdfast.adapters.chroma.following import rows_of
from holdfast.adapters.vectors.scanning import changed_since
from holdfast.domain.exchange.copies import IndexDigests, row_digest

if TYPE_CHECKING:
    from holdfast.adapters.chroma.collection import ChromaCalls, ChromaHeader, FoundCollection
    from holdfast.ports.store.finding import VectorSource

_AT_ONCE = 1_000


def first_difference(
    calls: ChromaCalls, found: FoundCollection, header: ChromaHeader, source: VectorSource
) -> str | None:
    """Return what is different, or None; rows that are still to be written are no difference."""
    waiting = changed_since(header.last.number, source)
    wanted = _digests_of(source, waiting)
    start = 0
    while page := calls.page(found, start=start, limit=_AT_ONCE):
        for name, values in page:
            digest = wanted.pop(name, None)
            row = read_row(name)
            if row is not None and row.sequence in waiting:
                continue
            if digest is None:
                return f"it has a row {name} that the store does not have"
            if digest != sha256(values).digest():
                return f"the numbers of its row {name} are not those of the store"
        start += len(page)
    if wanted:
        return f"{len(wanted):,} rows are missing, {min(wanted)} among them"
    return None


def digests(
    calls: ChromaCalls, found: FoundCollection | None, source: VectorSource
) -> IndexDigests:
    """Return the hash of each row, as it should be and as Chroma has it."""
    wanted = [row_digest((name, one)) for name, one in _digests_of(source, set()).items()]
    stored: list[bytes] = []
    while found and (page := calls.page(found, start=len(stored), limit=_AT_ONCE)):
        stored += [row_digest((name, sha256(values).digest())) for name, values in page]
    return IndexDigests(wanted=tuple(wanted), stored=tuple(stored))


def _digests_of(source: VectorSource, waiting: set[int]) -> dict[str, bytes]:
    """Return the hash of every row of the store, without those that are still to be written."""
    latest: dict[int, int] = {}
    beyond = 0
    while changes := source.changes(beyond=beyond, limit=_AT_ONCE):
        latest.update({change.sequence: change.number for change in changes})
        beyond = changes[-1].number
    digests: dict[str, bytes] = {}
    sequences = [sequence for sequence in latest if sequence not in waiting]
    for start in range(0, len(sequences), _AT_ONCE):
        kept = source.vectors(sequences[start : start + _AT_ONCE])
        for sequence, stored in kept.items():
            for row in rows_of(sequence, latest[sequence], stored, source.dimension):
                digests[row.id] = sha256(row.values).digest()
    return digests
