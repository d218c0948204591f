"""The baseline: FTS5 in the standard library's sqlite3, and an exact scan of float32 vectors."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import numpy
from numpy import float32
from numpy.typing import NDArray

from benchmarks.peers.peer import LIMIT, POOL, Asked, Batch, fused
from benchmarks.peers.stores.words import ADD_ITEM, ADD_WORDS, CHECKPOINT, SCHEMA, word_query


class Plain:
    """A database for the words and the groups, a flat file for the vectors."""

    def __init__(self, folder: Path) -> None:
        self._vectors = folder / "vectors.f32"
        self._base = sqlite3.connect(folder / "words.db", isolation_level=None)
        self._base.executescript(SCHEMA)

    def add(self, batch: Batch) -> None:
        rows = list(batch.rows())
        with self._base:
            self._base.execute("BEGIN")
            self._base.executemany(ADD_ITEM, rows)
            self._base.executemany(ADD_WORDS, [row[:2] for row in rows])
        with self._vectors.open("ab") as file:
            file.write(batch.vectors.tobytes())

    def finish(self) -> None:
        self._base.execute(CHECKPOINT)

    def recall(self, asked: Asked) -> list[int]:
        rows = self._base.execute(*word_query(asked))
        return fused([row[0] for row in rows], self._near(asked, POOL))

    def nearest(self, asked: Asked) -> list[int]:
        return self._near(asked, LIMIT)

    def _near(self, asked: Asked, many: int) -> list[int]:
        question = numpy.array(asked.vector, dtype=numpy.float32)
        flat = numpy.memmap(self._vectors, dtype=numpy.float32, mode="r")
        vectors = flat.reshape(-1, len(question))
        if asked.group is None:
            return _best(vectors @ question, many)
        rows = self._base.execute("SELECT id FROM item WHERE kind = ?", (asked.group,))
        among = numpy.array([row[0] for row in rows], dtype=numpy.int64)
        return [int(among[place]) for place in _best(vectors[among] @ question, many)]

    def close(self) -> None:
        self._base.close()


def _best(scores: NDArray[float32], many: int) -> list[int]:
    many = min(many, len(scores))
    top = numpy.argpartition(-scores, many - 1)[:many]
    return [int(place) for place in top[numpy.argsort(-scores[top], kind="stable")]]


def open_peer(folder: Path) -> Plain:
    """Open the baseline."""
    return Plain(folder)
