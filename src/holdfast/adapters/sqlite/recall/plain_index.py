"""The simplest and slowest vector index: it has no file and reads every vector."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence

from holdfast.adapters.sqlite.database.files import remove_whole
from holdfast.domain.recall.directions import likeness
from holdfast.domain.recall.finding import Nearest
from holdfast.ports.store.finding import VectorSource

_AT_ONCE = 1_000


class PlainIndex:
    """Computes the similarity of every vector without any library."""

    def __init__(self, place: str = "") -> None:
        self._place = place

    def nearest(
        self, question: bytes, source: VectorSource, *, among: Sequence[int] | None, limit: int
    ) -> Nearest:
        """Return the nearest memories; the result is exact."""
        wanted = all_sequences(source) if among is None else list(among)
        cosines: dict[int, float] = {}
        for start in range(0, len(wanted), _AT_ONCE):
            some = source.vectors(wanted[start : start + _AT_ONCE])
            cosines.update(self.likeness(question, some))
        best = sorted(cosines, key=lambda sequence: (-cosines[sequence], sequence))[:limit]
        found = tuple((sequence, cosines[sequence]) for sequence in best)
        return Nearest(found=found, slack=0.0, is_all=len(best) == len(cosines))

    def likeness(self, question: bytes, vectors: Mapping[int, bytes]) -> Mapping[int, float]:
        """Return the cosine similarity of each memory."""
        return {sequence: likeness(question, kept) for sequence, kept in vectors.items()}

    def scrub(self, source: VectorSource) -> None:
        """Remove the files of a faster index that was used before: no other code removes them."""
        folder, _, start = self._place.rpartition("/")
        for name in os.listdir(folder) if folder else ():
            if name.startswith(f"{start}."):
                remove_whole(f"{folder}/{name}")

    def close(self) -> None:
        """Do nothing: there are no open files."""


def all_sequences(source: VectorSource) -> list[int]:
    """Return every memory that ever had a vector, in order."""
    return sorted({sequence for sequence in _changed(source)})


def all_vectors(source: VectorSource) -> Iterator[tuple[int, bytes]]:
    """Return every memory with its vectors."""
    wanted = all_sequences(source)
    for start in range(0, len(wanted), _AT_ONCE):
        yield from source.vectors(wanted[start : start + _AT_ONCE]).items()


def _changed(source: VectorSource) -> Iterator[int]:
    beyond = 0
    while changes := source.changes(beyond=beyond, limit=_AT_ONCE):
        yield from (change.sequence for change in changes)
        beyond = changes[-1].number
