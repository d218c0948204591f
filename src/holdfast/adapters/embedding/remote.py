"""A remote embedder: an OpenAI-compatible address, called over HTTP."""

from __future__ import annotations

import json
import math
import os
import time
from array import array
from typing import TYPE_CHECKING

from holdfast.adapters.embedding.card import RemoteFailedError, RemoteSizeError
from holdfast.adapters.embedding.registry import CachedEmbedder
from holdfast.adapters.http.posting import HttpPost, PostFailedError, answered
from holdfast.domain.recall.finding import EmbeddingModel, Vector

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from holdfast.ports.recall.models import Embedder

_MOST_TEXTS = 64
_LONGEST_TEXT = 20_000


def open_remote(*, url: str, model: str, key_env: str, dimension: int, timeout: float) -> Embedder:
    """Return a remote embedder; nothing is sent before the first text.

    Raises:
        RemoteFailedError: No address is set.
    """
    if not url:
        raise RemoteFailedError(name="remote", problem="has no address: embedding.url is not set")
    key = os.environ.get(key_env, "")
    embedder = RemoteEmbedder(url=url, model=model, key=key, dimension=dimension, timeout=timeout)
    return CachedEmbedder(embedder)


class RemoteEmbedder:
    """Sends texts in batches, with retries, and rejects invalid answers."""

    def __init__(
        self,
        *,
        url: str,
        model: str,
        key: str,
        dimension: int,
        timeout: float,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        from urllib.parse import urlsplit

        self._url = f"{url.rstrip('/')}/embeddings"
        self._wanted = model
        self._key = key
        self._timeout = timeout
        self._pause = pause
        host = urlsplit(url).netloc.rpartition("@")[2]
        self._model = EmbeddingModel(name=f"remote:{model}@{host}", dimension=dimension)

    @property
    def model(self) -> EmbeddingModel:
        """The model; another host is another model."""
        return self._model

    @property
    def unrelated(self) -> float:
        """The cosine similarity of unrelated texts, which is unknown here."""
        return 0.0

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[Vector]]:
        """Return one vector for each text; characters beyond 20,000 are not sent."""
        found: list[tuple[Vector]] = []
        for start in range(0, len(texts), _MOST_TEXTS):
            batch = [text[:_LONGEST_TEXT] or " " for text in texts[start : start + _MOST_TEXTS]]
            found += [(vector,) for vector in self._vectors(batch)]
        return found

    def ask(self, question: str) -> Vector:
        """Return the vector of a question."""
        return self._vectors([question[:_LONGEST_TEXT] or " "])[0]

    def _vectors(self, texts: list[str]) -> list[Vector]:
        answer = self._answered({"model": self._wanted, "input": texts})
        try:
            items = json.loads(answer)["data"]
            rows = {int(item["index"]): item["embedding"] for item in items}
            found = [array("f", rows[number]) for number in range(len(texts))]
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
            raise self._failed(
                problem="answers with something that is no list of embeddings"
            ) from error
        if len(rows) != len(texts):
            raise self._failed(problem=f"answers with {len(rows)} vectors to {len(texts)} texts")
        return [Vector(model=self._model, values=self._direction(row)) for row in found]

    def _direction(self, row: array[float]) -> bytes:
        """Return a row as a unit vector."""
        if len(row) != self._model.dimension:
            raise RemoteSizeError(
                name=self._model.name, size=len(row), wanted=self._model.dimension
            )
        length = math.sqrt(sum(value * value for value in row))
        if not math.isfinite(length) or length == 0:
            raise self._failed(problem="answers with what is no direction")
        return _little(array("f", (value / length for value in row)))

    def _answered(self, body: dict[str, object]) -> bytes:
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        post = HttpPost(url=self._url, body=body, timeout=self._timeout, headers=headers)
        try:
            return answered(post, pause=self._pause)
        except PostFailedError as error:
            raise self._failed(problem=error.problem) from error

    def _failed(self, *, problem: str) -> RemoteFailedError:
        return RemoteFailedError(name=self._model.name, problem=problem)


def _little(values: array[float]) -> bytes:
    import sys

    if sys.byteorder == "big":
        values.byteswap()
    return values.tobytes()
