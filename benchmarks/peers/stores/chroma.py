"""Chroma: a persistent collection with the vectors given to it, telemetry off."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from benchmarks.peers.peer import LIMIT, Asked, Batch

chromadb = import_module("chromadb")


class Chroma:
    """One collection with cosine similarity."""

    def __init__(self, folder: Path) -> None:
        self._client = chromadb.PersistentClient(
            path=str(folder), settings=chromadb.Settings(anonymized_telemetry=False)
        )
        self._items = self._client.get_or_create_collection(
            "items", embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
        )

    def add(self, batch: Batch) -> None:
        self._items.add(
            ids=[str(number) for number, _, _ in batch.rows()],
            documents=batch.texts,
            metadatas=[{"group": group} for group in batch.groups],
            embeddings=batch.vectors,
        )

    def finish(self) -> None:
        """Do nothing: it writes immediately."""

    def recall(self, asked: Asked) -> list[int]:
        return self._near(asked, include=["documents"])

    def nearest(self, asked: Asked) -> list[int]:
        return self._near(asked, include=[])

    def _near(self, asked: Asked, *, include: list[str]) -> list[int]:
        found = self._items.query(
            query_embeddings=[asked.vector.tolist()],
            n_results=LIMIT,
            where={"group": asked.group} if asked.group else None,
            include=include,
        )
        return [int(number) for number in found["ids"][0]]

    def close(self) -> None:
        self._client.close()


def open_peer(folder: Path) -> Chroma:
    """Open a Chroma store."""
    return Chroma(folder)
