"""Brings a collection of Chroma to the state of the store: removes rows, and adds new ones.

Each step is recorded in the header after its rows are written. A step that was interrupted is done
again by the next update, which has the same result.
"""

from __future__ import annotations

import os
from array import array
from time import time
from typing import TYPE_CHECKING

from holdfast.adapters.chroma.collection import (
    SEQUENCE,
    ChromaAwayError,
    ChromaHeader,
    VectorRow,
    read_metadata,
    read_row,
)
from holdfast.domain.recall.directions import KEPT_BYTES
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from holdfast.adapters.chroma.collection import ChromaCalls, FoundCollection
    from holdfast.domain.recall.finding import VectorChange
    from holdfast.ports.store.finding import VectorSource

_AT_ONCE = 1_000
_LEASE_SECONDS = 60.0
_NAME_BYTES = 8


def collection_name(source: VectorSource, model: str) -> str:
    """Return the name of the collection: each model of each store has its own.

    Raises:
        ChromaAwayError: The store has no id, so its vectors could be mixed with those of another.
    """
    collection = "Chroma"
    if not source.store_id:
        raise ChromaAwayError(collection, "takes no vectors of a store without an id")
    return f"holdfast-{source.store_id}-{model}"


def rows_of(sequence: int, number: int, kept: bytes, dimension: int) -> Iterator[VectorRow]:
    """Return the rows of a memory, from its stored vectors."""
    from struct import unpack

    width = KEPT_BYTES * dimension
    for part, place in enumerate(range(0, len(kept), width)):
        numbers = unpack(f"<{dimension}e", kept[place : place + width])
        values = array("f", numbers).tobytes()
        yield VectorRow(sequence=sequence, number=number, part=part, values=values)


def build(
    calls: ChromaCalls, name: str, source: VectorSource
) -> tuple[FoundCollection, ChromaHeader]:
    """Create the collection anew, empty."""
    calls.drop(name)
    header = ChromaHeader(store_id=source.store_id, dimension=source.dimension)
    return calls.create(name, header.as_metadata()), header


class Following:
    """One update of a collection to the newest change of the store."""

    def __init__(self, calls: ChromaCalls, name: str, found: FoundCollection) -> None:
        self._calls = calls
        self._name = name
        self._found = found
        self._writer = os.urandom(_NAME_BYTES).hex()

    def up_to(
        self,
        last: VectorChange,
        header: ChromaHeader,
        source: VectorSource,
        progress: Callable[[int, int], None] = lambda _done, _total: None,
    ) -> ChromaHeader:
        """Write all changes up to the newest one; return the new header.

        Another process that writes at the same time writes the same rows; the one that began last
        finishes, and the other leaves the header alone.
        """
        is_new = header.last.number == 0 and not self._calls.count(self._found)
        header = self._marked(header)
        while changes := source.changes(beyond=header.last.number, limit=_AT_ONCE):
            latest = {change.sequence: change.number for change in changes}
            removed = 0 if is_new else self._remove(latest, header.last.number)
            kept = source.vectors(latest)
            rows = [
                row
                for sequence, number in latest.items()
                for row in rows_of(sequence, number, kept.get(sequence, b""), source.dimension)
            ]
            self._calls.put(self._found, rows)
            header = replace(
                header,
                last=changes[-1],
                rows=header.rows - removed + len(rows),
                removed=header.removed + removed,
            )
            header = self._marked(header)
            progress(header.last.number, last.number)
        done = replace(header, writer="", until=0.0)
        now = self._calls.find(self._name)
        there = None if now is None else read_metadata(now.metadata)
        if there is not None and there.writer == self._writer:
            self._calls.mark(self._found, done.as_metadata())
        return done

    def _remove(self, latest: Mapping[int, int], reached: int) -> int:
        """Remove all rows of changed memories; return how many of them the header counts."""
        names = self._calls.ids(self._found, {SEQUENCE: {"$in": list(latest)}})
        rows = [row for name in names if (row := read_row(name)) is not None]
        self._calls.remove(self._found, names)
        return sum(row.number <= reached for row in rows)

    def _marked(self, header: ChromaHeader) -> ChromaHeader:
        begun = replace(header, writer=self._writer, until=time() + _LEASE_SECONDS)
        self._calls.mark(self._found, begun.as_metadata())
        return begun


def is_busy(header: ChromaHeader) -> bool:
    """Return whether another process writes; one that died counts until its time ends."""
    return bool(header.writer) and time() < header.until
