"""Searches memories by meaning with pgvector; the stored vectors give the score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from struct import unpack
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.rows import as_json
from holdfast.adapters.sqlite.memory.embeddings import known_model
from holdfast.adapters.sqlite.recall.meaning import SqliteMeaning
from holdfast.domain.recall.directions import KEPT_BYTES, kept_bytes, likeness
from holdfast.domain.recall.finding import EmbeddingModel, Nearest, Vector

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.database.work import Work
    from holdfast.domain.ids import MemoryId
    from holdfast.ports.store.finding import VectorSource

_SLACK = 1e-4
_FLOAT_BYTES = 4


class PostgresMeaning(SqliteMeaning):
    """The vectors of one transaction, which the server compares."""

    def put(self, model: EmbeddingModel, vectors: Mapping[MemoryId, Sequence[Vector]]) -> None:
        """Store the vectors of existing memories; they replace earlier ones."""
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
    work.run("add_vector_parts", model, as_json(rows))


class ServerIndex:
    """Compares the vectors of one model in the server, as one unit of work sees them."""

    def __init__(self, model: int, work: Work) -> None:
        self._model = model
        self._work = work

    def nearest(
        self, question: bytes, source: VectorSource, *, among: Sequence[int] | None, limit: int
    ) -> Nearest:
        """Return the nearest memories; every vector is compared."""
        del source
        asked = _text(question, "f", _FLOAT_BYTES)
        if among is None:
            rows = self._work.rows("nearest_of_all", (self._model, asked, limit))
        else:
            wanted = as_json(list(among))
            rows = self._work.rows("nearest_among", (self._model, asked, limit, wanted))
        found = tuple((sequence, cosine) for sequence, cosine in rows)
        return Nearest(found=found, slack=_SLACK, is_all=len(found) < limit)

    def likeness(self, question: bytes, vectors: Mapping[int, bytes]) -> Mapping[int, float]:
        """Return the cosine similarity of each memory."""
        return {sequence: likeness(question, kept) for sequence, kept in vectors.items()}

    def scrub(self, source: VectorSource) -> None:
        """Do nothing: there are no files beside the database."""

    def close(self) -> None:
        """Do nothing: the connection belongs to the unit of work."""


def _text(raw: bytes, letter: str, width: int) -> str:
    """Return a vector in the text form of pgvector."""
    numbers = unpack(f"<{len(raw) // width}{letter}", raw)
    return f"[{','.join(map(repr, numbers))}]"
