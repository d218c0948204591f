"""Caches embeddings in memory, so that a process embeds each text once."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.recall.finding import EmbeddingModel, Vector
    from holdfast.ports.recall.embedder import Embedder

_MOST = 4096


class CachedEmbedder:
    """An embedder with a cache by text hash; the least recently used entry is dropped first."""

    def __init__(self, embedder: Embedder, *, most: int = _MOST) -> None:
        self._embedder = embedder
        self._most = most
        self._kept: OrderedDict[bytes, tuple[Vector, ...]] = OrderedDict()
        self._lock = Lock()

    @property
    def model(self) -> EmbeddingModel:
        """The underlying model."""
        return self._embedder.model

    @property
    def unrelated(self) -> float:
        """The cosine similarity of unrelated texts."""
        return self._embedder.unrelated

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[Vector]]:
        """Return the vectors of each text; only texts outside the cache are embedded, once each."""
        keys = [_key("p", text) for text in texts]
        found = {key: kept for key in set(keys) if (kept := self._get(key)) is not None}
        fresh = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        if fresh:
            made = self._embedder.embed(list(fresh.values()))
            for key, vectors in zip(fresh, made, strict=True):
                found[key] = tuple(vectors)
                self._put(key, found[key])
        return [found[key] for key in keys]

    def ask(self, question: str) -> Vector:
        """Return the vector of a question."""
        key = _key("q", question)
        kept = self._get(key)
        if kept is None:
            kept = (self._embedder.ask(question),)
            self._put(key, kept)
        return kept[0]

    def _get(self, key: bytes) -> tuple[Vector, ...] | None:
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None:
                self._kept.move_to_end(key)
            return kept

    def _put(self, key: bytes, vectors: tuple[Vector, ...]) -> None:
        with self._lock:
            self._kept[key] = vectors
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)


def _key(role: str, text: str) -> bytes:
    return hashlib.sha256(f"{role} {text}".encode("utf-8", "surrogatepass")).digest()
