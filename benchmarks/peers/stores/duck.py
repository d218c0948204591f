"""DuckDB: its full-text extension, and an exact scan of an array column."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from benchmarks.peers.peer import LIMIT, POOL, Asked, Batch, fused

duckdb = import_module("duckdb")
_WIDE = 384


class Duck:
    """One table; the word index is built after all rows, because it does not follow changes."""

    def __init__(self, folder: Path) -> None:
        self._base = duckdb.connect(str(folder / "store.duckdb"))
        home = Path(str(import_module("duckdb_extension_fts").__file__)).parent
        extension = next(home.rglob("fts.duckdb_extension"))
        self._base.execute(f"LOAD '{extension}'")
        self._base.execute(
            "CREATE TABLE IF NOT EXISTS item"
            f" (id INTEGER PRIMARY KEY, text VARCHAR, kind VARCHAR, meaning FLOAT[{_WIDE}])"
        )

    def add(self, batch: Batch) -> None:
        arrow = import_module("pyarrow")
        flat = arrow.array(batch.vectors.reshape(-1))
        rows = arrow.table(
            {
                "id": [number for number, _, _ in batch.rows()],
                "text": batch.texts,
                "kind": batch.groups,
                "meaning": arrow.FixedSizeListArray.from_arrays(flat, _WIDE),
            }
        )
        self._base.register("incoming", rows)
        self._base.execute("INSERT INTO item SELECT * FROM incoming")
        self._base.unregister("incoming")

    def finish(self) -> None:
        self._base.execute("PRAGMA create_fts_index('item', 'id', 'text', stemmer = 'porter')")
        self._base.execute("CHECKPOINT")

    def recall(self, asked: Asked) -> list[int]:
        where = " AND kind = ?" if asked.group else ""
        group = [asked.group] if asked.group else []
        rows = self._base.execute(
            "SELECT id, fts_main_item.match_bm25(id, ?) AS score FROM item"  # noqa: S608 - no input is in it
            f" WHERE score IS NOT NULL{where} ORDER BY score DESC LIMIT {POOL}",
            [asked.text, *group],
        ).fetchall()
        return fused([row[0] for row in rows], self._near(asked, POOL))

    def nearest(self, asked: Asked) -> list[int]:
        return self._near(asked, LIMIT)

    def _near(self, asked: Asked, many: int) -> list[int]:
        where = " WHERE kind = ?" if asked.group else ""
        group = [asked.group] if asked.group else []
        rows = self._base.execute(
            f"SELECT id FROM item{where}"  # noqa: S608 - no input is in it
            f" ORDER BY array_cosine_distance(meaning, ?::FLOAT[{_WIDE}]) LIMIT {many}",
            [*group, asked.vector.tolist()],
        ).fetchall()
        return [row[0] for row in rows]

    def close(self) -> None:
        self._base.close()


def open_peer(folder: Path) -> Duck:
    """Open a DuckDB store."""
    return Duck(folder)
