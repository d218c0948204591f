"""LanceDB: its own hybrid query, the vectors scanned exactly, words and groups indexed."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.peers.peer import LIMIT, Asked, Batch

lancedb = import_module("lancedb")


class Lance:
    """One table; the indexes are built after all rows, as its guide recommends."""

    def __init__(self, folder: Path) -> None:
        self._base = lancedb.connect(str(folder))
        self._table: Any = None
        if "items" in self._base.list_tables().tables:
            self._table = self._base.open_table("items")

    def add(self, batch: Batch) -> None:
        rows = [
            {"id": number, "text": text, "kind": group, "vector": vector}
            for (number, text, group), vector in zip(batch.rows(), batch.vectors, strict=True)
        ]
        if self._table is None:
            self._table = self._base.create_table("items", rows)
        else:
            self._table.add(rows)

    def finish(self) -> None:
        self._table.optimize()
        self._table.create_fts_index("text")
        self._table.create_scalar_index("kind")

    def recall(self, asked: Asked) -> list[int]:
        query = self._table.search(query_type="hybrid").vector(asked.vector.tolist())
        query = query.text(asked.text).distance_type("cosine")
        return self._numbers(query, asked, columns=["id", "text"])

    def nearest(self, asked: Asked) -> list[int]:
        query = self._table.search(asked.vector.tolist()).distance_type("cosine")
        return self._numbers(query, asked, columns=["id"])

    def _numbers(self, query: Any, asked: Asked, *, columns: list[str]) -> list[int]:  # noqa: ANN401 - a type of a library that is not installed here
        if asked.group:
            query = query.where(f"kind = '{asked.group}'", prefilter=True)
        return [row["id"] for row in query.select(columns).limit(LIMIT).to_list()]

    def close(self) -> None:
        """Do nothing: it has no open files to close."""


def open_peer(folder: Path) -> Lance:
    """Open a LanceDB store."""
    return Lance(folder)
