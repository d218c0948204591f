"""Searches what was said in sessions by meaning, with pgvector: all vectors are compared."""

from __future__ import annotations

from functools import cached_property
from struct import unpack
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.rows import as_json
from holdfast.adapters.sqlite.recall.said_search import SqliteSaidSearch, SqliteSaidVectors
from holdfast.domain.recall.directions import KEPT_BYTES, kept_bytes, question_bytes, rounded
from holdfast.domain.recall.finding import Hit

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from holdfast.adapters.sqlite.database.rows import Value
    from holdfast.domain.recall.finding import EmbeddingModel, Vector

_FLOAT_BYTES = 4


class PostgresSaidSearch(SqliteSaidSearch):
    """The search among said turns; only the search by meaning differs."""

    @cached_property
    def vectors(self) -> SqliteSaidVectors:
        """The search by meaning."""
        return PostgresSaidVectors(self.work, self._indexes)


class PostgresSaidVectors(SqliteSaidVectors):
    """The vectors of said turns, which the server compares."""

    def put(self, model: EmbeddingModel, vectors: Mapping[int, Sequence[Vector]]) -> None:
        """Store the vectors of existing turns."""
        self.work.moment()
        width = KEPT_BYTES * model.dimension
        kept = {sequence: kept_bytes(parts, model) for sequence, parts in vectors.items()}
        rows = [
            (sequence, place // width, _text(stored[place : place + width], "e", KEPT_BYTES))
            for sequence, stored in kept.items()
            for place in range(0, len(stored), width)
        ]
        self.work.run("drop_said_vectors_of", model.name, as_json(list(kept)))
        self.work.run("add_said_vectors", model.name, as_json(rows))

    def nearest(self, question: Vector, repo: str, *, limit: int) -> Sequence[Hit]:
        """Return the nearest turns; among equal ones, the earlier one."""
        wanted: dict[str, Value] = {"repo": repo, "limit": max(0, limit)}
        rows = self.work.rows("nearest_said", _asked(question) | wanted)
        return tuple([Hit(sequence=sequence, score=rounded(cosine)) for sequence, cosine in rows])

    def likeness(self, question: Vector, sequences: Collection[int]) -> Mapping[int, float]:
        """Return the cosine similarity of each turn."""
        wanted = _asked(question) | {"sequences": as_json(list(sequences))}
        return {
            sequence: rounded(cosine)
            for sequence, cosine in self.work.rows("said_likeness", wanted)
        }


def _asked(question: Vector) -> dict[str, Value]:
    asked = question_bytes(question, question.model)
    return {"model": question.model.name, "asked": _text(asked, "f", _FLOAT_BYTES)}


def _text(raw: bytes, letter: str, width: int) -> str:
    """Return a vector in the text form of pgvector."""
    numbers = unpack(f"<{len(raw) // width}{letter}", raw)
    return f"[{','.join(map(repr, numbers))}]"
