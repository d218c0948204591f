"""Compares the rows of an index with the vectors of the store, one by one."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from holdfast.adapters.vectors.scanning import changed_since, kept_vectors, quantised
from holdfast.domain.exchange.copies import IndexDigests, row_digest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.adapters.vectors.header import Header
    from holdfast.adapters.vectors.vector_file import VectorFile
    from holdfast.ports.store.finding import VectorSource

_AT_ONCE = 1_000


def row_digests(
    shelf: VectorFile | None, header: Header | None, source: VectorSource
) -> IndexDigests:
    """Return the hash of each row that the files must have, and of each that they have."""
    stored = () if shelf is None or header is None else tuple(_stored(shelf, header))
    return IndexDigests(wanted=tuple(_wanted(source)), stored=stored)


def _wanted(source: VectorSource) -> Iterator[bytes]:
    sequences = sorted(changed_since(0, source))
    for start in range(0, len(sequences), _AT_ONCE):
        for sequence, kept in source.vectors(sequences[start : start + _AT_ONCE]).items():
            rows, scales = quantised(kept_vectors(kept, source.dimension))
            for part, (row, scale) in enumerate(zip(rows, scales, strict=True)):
                yield row_digest((sequence, part, row.tobytes(), scale.tobytes()))


def _stored(shelf: VectorFile, header: Header) -> Iterator[bytes]:
    sequences, scales = shelf.columns(header)
    parts: Counter[int] = Counter()
    for sequence, scale, row in zip(sequences, scales, shelf.rows(header), strict=True):
        owner = int(sequence)
        if owner > 0:
            yield row_digest((owner, parts[owner], row.tobytes(), scale.tobytes()))
            parts[owner] += 1
