"""Two libraries combined: tantivy for words, usearch's HNSW for vectors."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy

from benchmarks.peers.peer import LIMIT, POOL, Asked, Batch, fused
from benchmarks.peers.stores.tantivy_words import TantivyWords

usearch = import_module("usearch.index")
_WIDE = 384
_WIDER = 20


class TantivyUsearch:
    """usearch's Python API has no filter: more results are requested, then filtered by group."""

    def __init__(self, folder: Path) -> None:
        self._words = TantivyWords(folder / "words")
        self._file, self._groups_file = folder / "near.usearch", folder / "groups.npy"
        self._index: Any = usearch.Index(ndim=_WIDE, metric="cos", dtype="f16")
        self._groups: Any = numpy.zeros(0, dtype="S7")
        if self._file.exists():
            self._index.view(str(self._file))
            self._groups = numpy.load(self._groups_file)
        self._new: list[str] = []

    def add(self, batch: Batch) -> None:
        self._words.add(batch)
        last = batch.first + len(batch.texts)
        self._index.add(numpy.arange(batch.first, last), batch.vectors)
        self._new += batch.groups

    def finish(self) -> None:
        self._words.finish()
        self._index.save(str(self._file))
        numpy.save(self._groups_file, numpy.array(self._new, dtype="S7"))

    def recall(self, asked: Asked) -> list[int]:
        return fused(self._words.best(asked), self._near(asked, POOL))

    def nearest(self, asked: Asked) -> list[int]:
        return self._near(asked, LIMIT)

    def _near(self, asked: Asked, many: int) -> list[int]:
        question = numpy.array(asked.vector, dtype=numpy.float32)
        found = self._index.search(question, many * _WIDER if asked.group else many).keys
        if asked.group:
            found = found[self._groups[found] == asked.group.encode()]
        return [int(number) for number in found[:many]]

    def close(self) -> None:
        """Do nothing: ``finish`` wrote the files."""


def open_peer(folder: Path) -> TantivyUsearch:
    """Open the pair."""
    return TantivyUsearch(folder)
