"""txtai: its own hybrid of BM25 and a vector index, content in SQLite, precomputed vectors."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.peers.peer import LIMIT, Asked, Batch
from benchmarks.peers.stores.given_vectors import GivenVectors

_CANDIDATES = 1_000


class Txtai:
    """One index; a filter is applied after the search, to a fixed number of candidates."""

    def __init__(self, folder: Path) -> None:
        self._given = GivenVectors()
        self._folder = folder / "index"
        module = import_module("txtai.embeddings")

        def transform(texts: list[str]) -> Any:  # noqa: ANN401 - what the library asks for
            return self._given.of(texts)

        self._index: Any = module.Embeddings(
            method="external",
            transform=transform,
            content=True,
            hybrid=True,
            backend="faiss",
            faiss={"components": "IDMap,Flat"},
        )
        if self._folder.exists():
            self._index.load(str(self._folder), config={"transform": transform})

    def add(self, batch: Batch) -> None:
        self._given.announce(batch)
        self._index.upsert(
            [(number, {"text": text, "kind": group}) for number, text, group in batch.rows()]
        )

    def finish(self) -> None:
        self._index.save(str(self._folder))

    def recall(self, asked: Asked) -> list[int]:
        return self._search(asked, weights=0.5)

    def nearest(self, asked: Asked) -> list[int]:
        return self._search(asked, weights=1.0)

    def _search(self, asked: Asked, *, weights: float) -> list[int]:
        self._given.announce_question(asked)
        values = {"question": asked.text, "kind": asked.group}
        query = "SELECT id, score FROM txtai WHERE similar(:question)"
        if asked.group:
            query = (
                f"SELECT id, score FROM txtai WHERE similar(:question, {_CANDIDATES})"  # noqa: S608 - no input is in it
                " AND kind = :kind"
            )
        found = self._index.search(query, LIMIT, weights=weights, parameters=values)
        return [int(row["id"]) for row in found]

    def close(self) -> None:
        self._index.close()


def open_peer(folder: Path) -> Txtai:
    """Open a txtai index."""
    return Txtai(folder)
