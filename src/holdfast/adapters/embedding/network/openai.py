"""An OpenAI-compatible service: ``POST {base}/embeddings``."""

from __future__ import annotations

import base64
import json
import sys
from array import array
from typing import TYPE_CHECKING

from holdfast.adapters.embedding.network.names import OPENAI_URL
from holdfast.adapters.embedding.network.service import ServiceAnswer
from holdfast.adapters.http.addresses import host_of
from holdfast.adapters.http.posting import HttpPost, Patience, PostFailedError, posted_once

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_TEXTS = 64
_BYTES_OF_A_NUMBER = 64
_SPARE_BYTES = 1_000_000
_NO_LIST = "answers with something that is no list of embeddings"


class OpenAiService:
    """Posts a batch of texts; the answer gives the position of each vector."""

    most_texts = _MOST_TEXTS
    at_once = 1

    def __init__(
        self, *, url: str, model: str, key: str, dimension: int, asks_for_size: bool
    ) -> None:
        self._url = f"{url.rstrip('/')}/embeddings"
        self._model = model
        self._dimension = dimension
        self._asks_for_size = asks_for_size
        self._is_openai = host_of(url) == host_of(OPENAI_URL)
        self.key = key

    def ask_for_size(self) -> bool:
        """Name the wanted size in further requests; other servers may not know the field."""
        was, self._asks_for_size = self._asks_for_size, True
        return not was

    def answer(self, texts: Sequence[str], *, seconds: float) -> ServiceAnswer:
        """Send the texts once.

        Raises:
            PostFailedError: There was no answer, an error answer, or something else than vectors.
        """
        body: dict[str, object] = {"model": self._model, "input": list(texts)}
        if self._asks_for_size:
            body["dimensions"] = self._dimension
        if self._is_openai:
            # A quarter of the bytes. Other servers may refuse it, and OpenAI's clients ask for it.
            body["encoding_format"] = "base64"
        post = HttpPost(
            url=self._url,
            body=body,
            patience=Patience(timeout=seconds),
            headers={"Authorization": f"Bearer {self.key}"} if self.key else {},
            largest=_SPARE_BYTES + _BYTES_OF_A_NUMBER * max(4096, self._dimension) * len(texts),
        )
        return _read(posted_once(post, seconds), count=len(texts))


def _read(content: bytes, *, count: int) -> ServiceAnswer:
    """Return the vectors of an answer in the order of the texts.

    Raises:
        PostFailedError: It is no list of embeddings, or one is missing or there twice.
    """
    try:
        found = json.loads(content)
        items = found["data"]
        rows = {int(item["index"]): _row(item["embedding"]) for item in items}
        usage = found.get("usage")
        tokens = usage.get("total_tokens") if isinstance(usage, dict) else None
    except (
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        OverflowError,
        RecursionError,
    ) as error:
        raise PostFailedError(problem=_NO_LIST) from error
    if len(items) != count or set(rows) != set(range(count)):
        problem = f"answers with {len(items)} vectors to {count} texts, or with wrong positions"
        raise PostFailedError(problem=problem)
    counted = tokens if isinstance(tokens, int) and tokens >= 0 else None
    return ServiceAnswer(rows=[rows[number] for number in range(count)], tokens=counted)


def _row(given: object) -> array[float]:
    """Return the numbers of a vector: a list, or little-endian 32-bit floats as base64."""
    if isinstance(given, list):
        return array("f", given)
    row = array("f")
    if not isinstance(given, str):
        raise TypeError
    row.frombytes(base64.b64decode(given, validate=True))
    if sys.byteorder == "big":
        row.byteswap()
    return row
