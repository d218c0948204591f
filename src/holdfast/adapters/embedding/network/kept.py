"""A cache of vectors on disk, by model and by the hash of the text; it holds no text.

A file holds the vectors of one text. Files are replaced atomically, so that processes share the
cache without a lock, and a damaged file counts as missing.
"""

from __future__ import annotations

import hashlib
import os
import struct
import zlib
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import make_own_folder, read_plain, write_whole
from holdfast.domain.recall.finding import Vector
from holdfast.domain.review.traces import Reach, Trace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.recall.finding import EmbeddingModel
    from holdfast.domain.review.traces import GoneText

_HEADER = struct.Struct("<4sIII")
_MAGIC = b"HFV1"
_FOLDER = "cache/embeddings"
_QUESTIONS = "questions"
_SHELF_DIGITS = 1
_SHELVES = 16
_BYTES_OF_A_NUMBER = 4
_MARK = "forgotten"
"""The file that is written anew whenever texts are forgotten; it holds nothing of them."""
_BYTES_OF_A_MARK = 16
_LEFT_FOLDER = "It cannot be changed. Delete this folder; it is made anew when needed."
_LEFT = "It could not be removed. Delete this file; it is made anew when needed."


def cache_folder(home: Path) -> Path:
    """Return the folder of the cache of a store."""
    return home / _FOLDER


class KeptVectors:
    """The vectors of one model; ``most`` is the number of texts, and 0 keeps none.

    A fresh cache returns nothing, and replaces what is there.
    """

    def __init__(
        self, folder: Path, model: EmbeddingModel, *, most: int, is_fresh: bool = False
    ) -> None:
        name = hashlib.sha256(f"{model.name}\n{model.dimension}".encode()).hexdigest()[:16]
        self._folder = folder / name
        self._mark = folder / _MARK
        self._model = model
        self._most = most
        self._is_fresh = is_fresh
        self._puts: Counter[Path] = Counter()

    def get(self, text: str, *, is_question: bool = False) -> tuple[Vector, ...] | None:
        """Return the vectors of a text; None if they are not there or damaged."""
        if not self._most or self._is_fresh:
            return None
        path = self._path(text, is_question=is_question)
        content = _content(path)
        if not content:
            return None
        with suppress(OSError):
            os.utime(path)  # what was used last is dropped last
        return self._read(content)

    def mark(self) -> bytes:
        """Return a mark that is another one once a text was forgotten."""
        if self._most:
            with suppress(OSError):
                make_own_folder(self._mark.parent)
        return _content(self._mark)

    def put(
        self, text: str, vectors: Sequence[Vector], *, mark: bytes, is_question: bool = False
    ) -> None:
        """Keep the vectors of a text; a full disk or missing rights only leave the cache as is.

        ``mark`` is from before the service was asked. If a text was forgotten since, it may be this
        one, and whoever forgot it may have cleaned the cache already: then nothing is kept.
        """
        if not self._most:
            return
        path = self._path(text, is_question=is_question)
        body = b"".join(vector.values for vector in vectors)
        header = _HEADER.pack(_MAGIC, self._model.dimension, len(vectors), zlib.crc32(body))
        with suppress(OSError):
            if not path.parent.is_dir():
                make_own_folder(path.parent)
            write_whole(path, header + body, durable=False)
            # A text that is forgotten later than this question is removed by whoever forgets it.
            if _content(self._mark) != mark:
                _is_removed(path)
            self._shorten(path.parent)

    def _path(self, text: str, *, is_question: bool) -> Path:
        digest = _digest(text)
        shelf = _QUESTIONS if is_question else digest[:_SHELF_DIGITS]
        return self._folder / shelf / digest

    def _read(self, content: bytes) -> tuple[Vector, ...] | None:
        if len(content) < _HEADER.size:
            return None
        magic, dimension, count, crc = _HEADER.unpack_from(content)
        body = content[_HEADER.size :]
        size = dimension * _BYTES_OF_A_NUMBER
        is_sound = magic == _MAGIC and len(body) == size * count and zlib.crc32(body) == crc
        if not is_sound or not count or dimension != self._model.dimension:
            return None
        parts = (body[start : start + size] for start in range(0, len(body), size))
        return tuple(Vector(model=self._model, values=part) for part in parts)

    def _shorten(self, shelf: Path) -> None:
        """Drop the least recently used tenth of a shelf that holds more than its share.

        A shelf is counted once for every tenth of its share, so that a large cache is not slow.
        """
        share = max(1, self._most // _SHELVES)
        self._puts[shelf] += 1
        if self._puts[shelf] % max(1, share // 10) not in {0, 1}:
            return
        with os.scandir(shelf) as found:
            entries = [(entry.stat().st_mtime_ns, entry.path) for entry in found]
        if len(entries) <= share:
            return
        for _, path in sorted(entries)[: len(entries) - share + share // 10]:
            with suppress(OSError):
                Path(path).unlink()


class CacheTraces:
    """The cache as a place that a forgotten text must leave."""

    def __init__(self, home: Path) -> None:
        self._folder = cache_folder(home)

    def __str__(self) -> str:
        return str(self._folder)

    def remove(self, gone: Sequence[GoneText]) -> Sequence[Trace]:
        """Remove the vectors of the texts, and those of all questions: one may have quoted them.

        Fresh files that a killed process left are removed too.
        """
        if not self._folder.is_dir():
            return []
        is_marked = self._is_marked()
        found: list[Path] = []
        for digest in (_digest(text) for one in gone for text in one.embedded):
            found += self._folder.glob(f"*/*/{digest}")
            found += self._folder.glob(f"*/*/.{digest}.*")
        questions = list(self._folder.glob(f"*/{_QUESTIONS}/*"))
        left = [path for path in (*found, *questions) if not _is_removed(path)]
        if left:
            return [Trace(place=str(path), reach=Reach.LEFT, advice=_LEFT) for path in left]
        if not is_marked:
            return [Trace(place=str(self._folder), reach=Reach.LEFT, advice=_LEFT_FOLDER)]
        return [Trace(place=str(self._folder), reach=Reach.REMOVED)] if found else []

    def _is_marked(self) -> bool:
        """Write a new mark, for a process that is embedding now; tell whether it could."""
        try:
            write_whole(self._folder / _MARK, os.urandom(_BYTES_OF_A_MARK), durable=False)
        except OSError:
            return False
        return True


def _content(path: Path) -> bytes:
    """Return the content of a file; nothing if it cannot be read."""
    try:
        return read_plain(path)
    except OSError:
        return b""


def _is_removed(path: Path) -> bool:
    """Remove a file; tell whether it is gone."""
    try:
        _overwrite(path)
        path.unlink()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _overwrite(path: Path) -> None:
    """Replace the bytes of a file on the disk by zeros."""
    with path.open("r+b") as file:
        file.write(bytes(path.stat().st_size))
        file.flush()
        os.fsync(file.fileno())


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
