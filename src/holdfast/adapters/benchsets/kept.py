"""Caches vectors between runs, by model and text, so that a repeated run embeds nothing."""

from __future__ import annotations

import fcntl
import hashlib
import mmap
import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import make_own_folder
from holdfast.domain.recall.finding import Vector

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from holdfast.domain.recall.finding import EmbeddingModel
    from holdfast.ports.recall.models import Embedder

_KEY_BYTES = 32
_COUNT_BYTES = 4
_FLOAT_BYTES = 4
_MOST_PARTS = 1_000
_ODD = re.compile(r"[^A-Za-z0-9@._-]+")


class KeptEmbedder:
    """An embedder that calls its model only for texts that are not in the cache.

    The file is append-only; a record has a key, the number of vectors, and the vectors. Readers
    stop at a truncated record, and the next writer continues there.
    """

    def __init__(self, model: Embedder, folder: Path) -> None:
        self._asked = model
        self._size = model.model.dimension * _FLOAT_BYTES
        self._path = folder / f"{_ODD.sub('-', model.model.name)}.vectors"
        self._places: dict[bytes, tuple[int, int]] | None = None
        self._fresh: dict[bytes, tuple[bytes, ...]] = {}
        self._content: bytes | mmap.mmap = b""
        self._is_sound = False

    @property
    def model(self) -> EmbeddingModel:
        """The underlying model."""
        return self._asked.model

    @property
    def unrelated(self) -> float:
        """The model's similarity of unrelated texts."""
        return self._asked.unrelated

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[Vector]]:
        """Return the vectors of each text, from the cache if possible."""
        keys = [_key("passage", text) for text in texts]
        lacking = {
            key: text for key, text in zip(keys, texts, strict=True) if self._known(key) is None
        }
        if lacking:
            made = self._asked.embed(list(lacking.values()))
            values = [tuple(vector.values for vector in vectors) for vectors in made]
            self._keep(dict(zip(lacking, values, strict=True)))
        return [self._vectors(self._known(key) or ()) for key in keys]

    def ask(self, question: str) -> Vector:
        """Return the vector of a question, from the cache if possible."""
        key = _key("question", question)
        known = self._known(key)
        if known is None:
            known = (self._asked.ask(question).values,)
            self._keep({key: known})
        return self._vectors(known)[0]

    def _vectors(self, parts: Sequence[bytes]) -> list[Vector]:
        return [Vector(model=self.model, values=part) for part in parts]

    def _known(self, key: bytes) -> tuple[bytes, ...] | None:
        if self._places is None:
            self._content, self._places, _ = self._read()
        if key in self._fresh:
            return self._fresh[key]
        if key not in self._places:
            return None
        start, count = self._places[key]
        ends = range(start, start + count * self._size, self._size)
        return tuple(self._content[at : at + self._size] for at in ends)

    def _read(self) -> tuple[bytes | mmap.mmap, dict[bytes, tuple[int, int]], int]:
        """Return the file, the position of each key's vectors, and the end of its valid part."""
        content: bytes | mmap.mmap = b""
        # An empty file cannot be mapped, and a missing one holds nothing.
        with suppress(OSError, ValueError), self._path.open("rb") as file:
            content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        places: dict[bytes, tuple[int, int]] = {}
        at = 0
        while (start := at + _KEY_BYTES + _COUNT_BYTES) <= len(content):
            count = int.from_bytes(content[at + _KEY_BYTES : start], "little")
            end = start + count * self._size
            if count > _MOST_PARTS or end > len(content):
                break
            places[content[at : at + _KEY_BYTES]] = (start, count)
            at = end
        return content, places, at

    def _keep(self, made: dict[bytes, tuple[bytes, ...]]) -> None:
        """Append vectors to the cache; if that fails, this run still has them in memory."""
        self._fresh |= made
        record = b"".join(
            key + len(parts).to_bytes(_COUNT_BYTES, "little") + b"".join(parts)
            for key, parts in made.items()
        )
        with suppress(OSError):
            make_own_folder(self._path.parent)
            handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            with os.fdopen(handle, "ab") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                if not self._is_sound:
                    file.truncate(self._read()[2])
                    self._is_sound = True
                file.write(record)


def _key(sort: str, text: str) -> bytes:
    return hashlib.sha256(f"{sort}\0{text}".encode("utf-8", "surrogatepass")).digest()
