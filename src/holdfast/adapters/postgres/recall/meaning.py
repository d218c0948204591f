"""Searches memories by meaning with pgvector; the stored vectors give the score.

A store with few vectors is compared whole, which is exact. The index of the server is used where a
store is large and has a good part of all vectors: it walks the vectors of every tenant, so a small
tenant would be slow in it, and miss some of its own nearest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from struct import pack, unpack
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.rows import as_json
from holdfast.adapters.sqlite.memory.embeddings import KnownModel, SqliteVectors, known_model
from holdfast.adapters.sqlite.recall.indexes import Indexes
from holdfast.adapters.sqlite.recall.meaning import SqliteMeaning
from holdfast.adapters.sqlite.recall.plain_index import all_vectors
from holdfast.domain.errors import BadVectorError
from holdfast.domain.exchange.copies import IndexDigests, row_digest
from holdfast.domain.recall.directions import KEPT_BYTES, kept_bytes, likeness
from holdfast.domain.recall.finding import EmbeddingModel, Nearest, Vector

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.database.rows import Row
    from holdfast.adapters.sqlite.database.work import Work
    from holdfast.adapters.sqlite.recall.indexes import OpenIndex
    from holdfast.domain.ids import MemoryId
    from holdfast.domain.recall.finding import VectorChange
    from holdfast.ports.store.finding import VectorSource, VectorStore
    from holdfast.ports.store.upkeep import Progress

INDEXED_DIMENSIONS = frozenset({256, 384, 512, 768, 1024, 1536, 3072})
# Measured with vectors of 384 numbers: a scan takes 0.5 ms for each thousand; the index takes 2 ms
# for a tenant with most vectors, and 125 ms for one with 0.2 % of them, with a recall of 0.77.
FEWEST_INDEXED = 5_000
LEAST_SHARE = 0.2
_DEEPEST_INDEXED = 1_000
# How many candidates the index keeps while it searches. Measured with 90,000 vectors: the narrow
# search finds 99.7 % of the ten nearest, as the wide one does, and takes four fifths of its time.
_NARROW, _WIDE = 100, 200
_EASY_DEPTH, _EASY_SIZE = 80, 150_000
_MORE_PARTS = 8
# The server rounds the question to 16-bit floats, which changes a cosine by less than 2^-11, and
# adds in 32-bit floats.
_SLACK = 1e-3
_FLOAT_BYTES = 4
_LARGEST_DIMENSION = 16_000


class ServerIndex:
    """Compares the vectors of one model in the server, as one unit of work sees them."""

    def __init__(self, model: int, work: Work) -> None:
        self._model = model
        self._work = work

    def nearest(
        self, question: bytes, source: VectorSource, *, among: Sequence[int] | None, limit: int
    ) -> Nearest:
        """Return the nearest memories: from the index, or by a scan of all vectors."""
        dimension = len(question) // _FLOAT_BYTES
        covered = source.covered if isinstance(source, PostgresVectors) else 0
        if among is None and limit <= _DEEPEST_INDEXED and self._is_indexed(dimension, covered):
            found = self._by_index(question, covered, limit)
            if len(found) >= limit:
                return Nearest(
                    found=found[:limit],
                    slack=_SLACK,
                    is_all=False,
                    is_exact=False,
                    looked_at=len(found),
                )
        return self._by_scan(question, among, limit)

    def likeness(self, question: bytes, vectors: Mapping[int, bytes]) -> Mapping[int, float]:
        """Return the cosine similarity of each memory."""
        return {sequence: likeness(question, kept) for sequence, kept in vectors.items()}

    def scrub(self, source: VectorSource) -> None:
        """Do nothing: there are no files beside the database."""

    def close(self) -> None:
        """Do nothing: the connection belongs to the unit of work."""

    def copy(self, source: VectorSource, progress: Progress) -> int:
        """Write nothing: the rows are written together with the vectors of the store."""
        del source, progress
        return 0

    def digests(self, source: VectorSource) -> IndexDigests:
        """Return the hash of each row, as it should be and as pgvector has it."""
        width = KEPT_BYTES * source.dimension
        wanted = [
            row_digest((sequence, place // width, kept[place : place + width]))
            for sequence, kept in all_vectors(source)
            for place in range(0, len(kept), width)
        ]
        stored = []
        for sequence, part, text in self._work.rows("vector_parts", (self._model,)):
            numbers = [float(one) for one in text.strip("[]").split(",")]
            stored.append(row_digest((sequence, part, pack(f"<{len(numbers)}e", *numbers))))
        return IndexDigests(wanted=tuple(wanted), stored=tuple(stored))

    def _by_scan(self, question: bytes, among: Sequence[int] | None, limit: int) -> Nearest:
        """Compare all vectors; a memory with several takes the place of several others."""
        asked = _text(question, "f", _FLOAT_BYTES)
        wanted = () if among is None else (as_json(list(among)),)
        name = "nearest_parts" if among is None else "nearest_parts_among"
        many = 2 * limit
        while True:
            rows = self._work.rows(name, (self._model, asked, many, *wanted))
            found = _nearest_of_each(rows)
            if len(rows) < many or len(found) >= limit:
                break
            many *= _MORE_PARTS
        is_all = len(rows) < many and len(found) < limit
        return Nearest(found=found[:limit], slack=_SLACK, is_all=is_all)

    def _by_index(self, question: bytes, covered: int, limit: int) -> tuple[tuple[int, float], ...]:
        """Return memories by their nearest vector; one with several vectors counts once."""
        size = len(question) // _FLOAT_BYTES
        asked = _text(question, "f", _FLOAT_BYTES)
        # Most memories have one vector. Where several fill the places, twice as many are read.
        for many in (limit + limit // 4, 2 * limit):
            is_easy = many <= _EASY_DEPTH and covered <= _EASY_SIZE
            width = str(_NARROW if is_easy else _WIDE)
            rows = self._work.rows("nearest_by_index", (self._model, size, asked, many, width))
            found = _nearest_of_each(rows)
            if len(found) >= limit or len(rows) < many:
                break
        return found

    def _is_indexed(self, dimension: int, covered: int) -> bool:
        """Return whether the index of the server is quicker than a scan, and finds as much."""
        if dimension not in INDEXED_DIMENSIONS or covered < FEWEST_INDEXED:
            return False
        for (vectors,) in self._work.rows("vectors_beside", (self._model,)):
            return bool(covered >= LEAST_SHARE * vectors)
        return False


class ServerIndexes(Indexes):
    """The vector indexes of one unit of work, one for each model.

    ``outside`` opens an index outside the database, if the settings name one.
    """

    def __init__(self, work: Work, outside: OpenIndex | None = None) -> None:
        super().__init__("", None)
        self._work = work
        self._outside = outside
        self._known: dict[int, VectorStore] = {}

    def of(self, model: int) -> VectorStore:
        """Return the index of a model; a unit of work that writes vectors looks at it again."""
        if self._work.may_write or model not in self._known:
            found = None if self._outside is None else self._outside(str(model))
            self._known[model] = found or ServerIndex(model, self._work)
        return self._known[model]


class PostgresVectors(SqliteVectors):
    """The vectors of one model as one unit of work sees them."""

    def __init__(self, known: KnownModel, work: Work) -> None:
        super().__init__(known, work)
        self.covered = known.memories
        """How many memories have a vector of the model."""

    def holds(self, change: VectorChange) -> bool:
        """Return that the database has a change that this transaction does not see yet.

        An index that is ahead of a transaction was written by a later one. After a backup was
        restored this is wrong until the numbers meet; then the tokens differ.
        """
        del change
        return True


def vectors_of(known: KnownModel, work: Work) -> PostgresVectors:
    """Return the vectors of a model; a model from the list of all comes without its store's id."""
    if known.store_id is None:
        known = known_model(known.model.name, work) or known
    return PostgresVectors(known, work)


class PostgresMeaning(SqliteMeaning):
    """The vectors of one transaction, which the server compares."""

    # The server reads the row of each candidate.
    least_depth = 32

    def source(self, known: KnownModel) -> PostgresVectors:
        """Return the vectors of a model as this transaction sees them."""
        return vectors_of(known, self.work)

    def put(self, model: EmbeddingModel, vectors: Mapping[MemoryId, Sequence[Vector]]) -> None:
        """Store the vectors of existing memories; they replace earlier ones."""
        if model.dimension > _LARGEST_DIMENSION:
            raise BadVectorError(
                problem=f"a store on Postgres keeps at most {_LARGEST_DIMENSION:,} numbers in one."
            )
        super().put(model, vectors)
        known = known_model(model.name, self.work)
        if known is not None:
            rows = self.work.rows("sequences_of", (as_json(list(vectors)),))
            kept = {sequence: kept_bytes(vectors[name], model) for name, sequence in rows}
            put_parts(known.number, model.dimension, kept, self.work)


def put_parts(model: int, dimension: int, kept: Mapping[int, bytes], work: Work) -> None:
    """Store each vector of the memories by itself, for the search in the server."""
    width = KEPT_BYTES * dimension
    rows = [
        (sequence, place // width, _text(stored[place : place + width], "e", KEPT_BYTES))
        for sequence, stored in kept.items()
        for place in range(0, len(stored), width)
    ]
    work.run("drop_vector_parts", model, as_json(list(kept)))
    work.run("add_vector_parts", model, as_json(rows), dimension)


def _nearest_of_each(rows: Sequence[Row]) -> tuple[tuple[int, float], ...]:
    """Return each memory with its nearest vector; the nearest rows are the first."""
    best: dict[int, float] = {}
    for sequence, cosine in rows:
        best.setdefault(sequence, cosine)
    return tuple(best.items())


def _text(raw: bytes, letter: str, width: int) -> str:
    """Return a vector in the text form of pgvector."""
    numbers = unpack(f"<{len(raw) // width}{letter}", raw)
    return f"[{','.join(map(repr, numbers))}]"
