"""Two libraries combined: tantivy for words, an exact faiss index for vectors."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy

from benchmarks.peers.peer import LIMIT, POOL, Asked, Batch, fused
from benchmarks.peers.stores.tantivy_words import TantivyWords

faiss = import_module("faiss")
_WIDE = 384


class TantivyFaiss:
    """The groups are stored beside the vectors, so that a filter can be given to faiss."""

    def __init__(self, folder: Path) -> None:
        self._words = TantivyWords(folder / "words")
        self._file, self._groups_file = folder / "near.faiss", folder / "groups.npy"
        self._index: Any = faiss.IndexFlatIP(_WIDE)
        self._groups: Any = numpy.zeros(0, dtype="S7")
        if self._file.exists():
            self._index = faiss.read_index(str(self._file))
            self._groups = numpy.load(self._groups_file)
        self._new: list[str] = []

    def add(self, batch: Batch) -> None:
        self._words.add(batch)
        self._index.add(batch.vectors)
        self._new += batch.groups

    def finish(self) -> None:
        self._words.finish()
        faiss.write_index(self._index, str(self._file))
        numpy.save(self._groups_file, numpy.array(self._new, dtype="S7"))

    def recall(self, asked: Asked) -> list[int]:
        return fused(self._words.best(asked), self._near(asked, POOL))

    def nearest(self, asked: Asked) -> list[int]:
        return self._near(asked, LIMIT)

    def _near(self, asked: Asked, many: int) -> list[int]:
        question = numpy.array([asked.vector], dtype=numpy.float32)
        within: Any = None
        if asked.group:
            among = numpy.flatnonzero(self._groups == asked.group.encode())
            within = faiss.SearchParameters(sel=faiss.IDSelectorBatch(among))
        _, found = self._index.search(question, many, params=within)
        return [number for number in found[0].tolist() if number >= 0]

    def close(self) -> None:
        """Do nothing: ``finish`` wrote the files."""


def open_peer(folder: Path) -> TantivyFaiss:
    """Open the pair."""
    return TantivyFaiss(folder)
