"""Vectors of a store in a file are copied into an index, and the index must hold them."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from holdfast.adapters.sqlite.store import SqliteStore
from holdfast.adapters.vectors.sidecar import Sidecar
from holdfast.domain.database_errors import CopyDiffersError
from holdfast.domain.exchange.copies import IndexDigests
from holdfast.domain.lookup_errors import PlugInFailedError
from holdfast.domain.recall.finding import EmbeddingModel, Nearest, Vector
from holdfast.ports.store.finding import VectorSource
from holdfast.usecases.exchange.copy_vectors import compare_vectors, copy_vectors, discard_vectors
from tests.builders import NOON
from tests.contract.steps import keep, memory_id, numbered
from tests.requirements import requirement

MODEL = EmbeddingModel(name="small@1", dimension=2)


class Forgetful(Sidecar):
    """An index that loses a row of what is written into it."""

    def digests(self, source: VectorSource) -> IndexDigests:
        """Return all rows but one."""
        found = super().digests(source)
        return IndexDigests(wanted=found.wanted, stored=found.stored[1:])


class Outside(Sidecar):
    """An index that keeps its vectors in another database."""

    def __init__(self, place: str, removed: list[int]) -> None:
        super().__init__(place)
        self._removed = removed

    def discard(self, source: VectorSource) -> None:
        """Note that these vectors are removed there."""
        self._removed.append(source.dimension)


class OnlySearches:
    """An index of another package that can be searched, and nothing else."""

    def __init__(self, place: str) -> None:
        self._index = Sidecar(place)

    def nearest(
        self, question: bytes, source: VectorSource, *, among: Sequence[int] | None, limit: int
    ) -> Nearest:
        """Search as the sidecar does."""
        return self._index.nearest(question, source, among=among, limit=limit)

    def likeness(self, question: bytes, vectors: Mapping[int, bytes]) -> Mapping[int, float]:
        """Compare as the sidecar does."""
        return self._index.likeness(question, vectors)

    def scrub(self, source: VectorSource) -> None:
        """Remove as the sidecar does."""
        self._index.scrub(source)

    def close(self) -> None:
        """Close the sidecar."""
        self._index.close()


def quietly(_done: int, _total: int) -> None:
    """Tell nobody."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore.open(tmp_path / "holdfast.db")
    keep(opened, numbered(1), numbered(2))
    with opened.writing(NOON) as tx:
        tx.finding.meaning.put(
            MODEL,
            {
                memory_id(1): [Vector(model=MODEL, values=struct.pack("<2f", 1, 0))],
                memory_id(2): [Vector(model=MODEL, values=struct.pack("<2f", 0, 1))],
            },
        )
    yield opened
    opened.close()


@requirement("vectors.contract")
def test_a_copy_is_written_once_and_compared(store: SqliteStore) -> None:
    copying = store.upkeep.copying

    first, again = (copy_vectors(copying, Sidecar, quietly) for _ in range(2))

    assert [(one.rows, one.target_rows, one.written) for one in first.tables] == [(2, 2, 2)]
    assert [one.written for one in again.tables] == [0]
    assert compare_vectors(copying, Sidecar, quietly).is_same


@requirement("vectors.contract")
def test_an_index_that_loses_a_vector_is_reported_and_not_taken(store: SqliteStore) -> None:
    copying = store.upkeep.copying

    with pytest.raises(CopyDiffersError, match="vectors of small@1"):
        copy_vectors(copying, Forgetful, quietly)

    (table,) = compare_vectors(copying, Forgetful, quietly).tables
    assert (table.rows, table.target_rows, table.is_same) == (2, 1, False)


def test_an_index_that_can_only_be_searched_is_refused_by_name(store: SqliteStore) -> None:
    copying = store.upkeep.copying

    for work in (copy_vectors, compare_vectors):
        with pytest.raises(PlugInFailedError, match="OnlySearches.*cannot be copied"):
            work(copying, OnlySearches, quietly)


def test_only_vectors_outside_the_store_are_removed_when_they_are_left(
    store: SqliteStore,
) -> None:
    copying = store.upkeep.copying
    copy_vectors(copying, Sidecar, quietly)
    removed: list[int] = []

    discard_vectors(copying, Sidecar)
    discard_vectors(copying, lambda place: Outside(place, removed))

    assert removed == [MODEL.dimension]
    assert compare_vectors(copying, Sidecar, quietly).is_same
