"""Qdrant's client in local mode: a store in this process, in SQLite files."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.peers.peer import LIMIT, Asked, Batch

qdrant = import_module("qdrant_client")
models = import_module("qdrant_client.models")
_WIDE = 384


class Qdrant:
    """One collection with cosine similarity."""

    def __init__(self, folder: Path) -> None:
        self._client = qdrant.QdrantClient(path=str(folder))
        if not self._client.collection_exists("items"):
            self._client.create_collection(
                "items",
                vectors_config=models.VectorParams(size=_WIDE, distance=models.Distance.COSINE),
            )

    def add(self, batch: Batch) -> None:
        points = [
            models.PointStruct(id=number, vector=vector, payload={"text": text, "kind": group})
            for (number, text, group), vector in zip(
                batch.rows(), batch.vectors.tolist(), strict=True
            )
        ]
        self._client.upsert("items", points)

    def finish(self) -> None:
        """Do nothing: it writes immediately."""

    def recall(self, asked: Asked) -> list[int]:
        return self._near(asked, payload=["text"])

    def nearest(self, asked: Asked) -> list[int]:
        return self._near(asked, payload=[])

    def _near(self, asked: Asked, *, payload: list[str]) -> list[int]:
        within: Any = None
        if asked.group:
            match = models.MatchValue(value=asked.group)
            within = models.Filter(must=[models.FieldCondition(key="kind", match=match)])
        found = self._client.query_points(
            "items",
            query=asked.vector.tolist(),
            query_filter=within,
            limit=LIMIT,
            with_payload=payload or False,
        )
        return [point.id for point in found.points]

    def close(self) -> None:
        self._client.close()


def open_peer(folder: Path) -> Qdrant:
    """Open a local qdrant store."""
    return Qdrant(folder)
