"""sqlite-vec: vec0 and FTS5 in one SQLite file, through apsw as holdfast uses it."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from benchmarks.peers.peer import LIMIT, POOL, Asked, Batch, fused
from benchmarks.peers.stores.words import (
    ADD_ITEM,
    ADD_WORDS,
    CHECKPOINT,
    SCHEMA,
    within,
    word_query,
)

apsw = import_module("apsw")
sqlite_vec = import_module("sqlite_vec")
_WIDE = 384


class SqliteVec:
    """Words, groups and vectors in one file; the group is a metadata column of vec0."""

    def __init__(self, folder: Path) -> None:
        self._base = apsw.Connection(str(folder / "store.db"))
        self._base.enable_load_extension(True)  # noqa: FBT003 - apsw has no keyword for it
        self._base.load_extension(sqlite_vec.loadable_path())
        self._base.execute(
            f"{SCHEMA}CREATE VIRTUAL TABLE IF NOT EXISTS near USING vec0"
            f" (id INTEGER PRIMARY KEY, meaning FLOAT[{_WIDE}] distance_metric=cosine, kind TEXT);"
        ).fetchall()

    def add(self, batch: Batch) -> None:
        rows = list(batch.rows())
        raw = [vector.tobytes() for vector in batch.vectors]
        with self._base:
            self._base.executemany(ADD_ITEM, rows)
            self._base.executemany(ADD_WORDS, [row[:2] for row in rows])
            self._base.executemany(
                "INSERT INTO near (id, meaning, kind) VALUES (?, ?, ?)",
                [(row[0], vector, row[2]) for row, vector in zip(rows, raw, strict=True)],
            )

    def finish(self) -> None:
        self._base.execute(CHECKPOINT)

    def recall(self, asked: Asked) -> list[int]:
        rows = self._base.execute(*word_query(asked))
        return fused([row[0] for row in rows], self._near(asked, POOL))

    def nearest(self, asked: Asked) -> list[int]:
        return self._near(asked, LIMIT)

    def _near(self, asked: Asked, many: int) -> list[int]:
        where, group = within(asked)
        rows = self._base.execute(
            f"SELECT id FROM near WHERE meaning MATCH ? AND k = ?{where} ORDER BY distance",  # noqa: S608 - no input is in it
            (asked.vector.tobytes(), many, *group),
        )
        return [row[0] for row in rows]

    def close(self) -> None:
        self._base.close()


def open_peer(folder: Path) -> SqliteVec:
    """Open a sqlite-vec store."""
    return SqliteVec(folder)
