"""Compares questions with every row of an index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from holdfast.adapters.vectors.scanning import (
    ScanResult,
    dots,
    largest,
    quantised,
    slack_of,
)
from holdfast.adapters.vectors.vector_file import VectorFile

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from holdfast.adapters.vectors.header import Header


_GONE = -2.0


class FullScan:
    """Compares questions with rows; the cosines of the last question are cached."""

    def __init__(self) -> None:
        self._scores: tuple[bytes, tuple[int, int], NDArray[np.float32]] | None = None

    def changed_after(self, number: int, shelf: VectorFile, header: Header) -> set[int]:
        """Return the memories whose rows changed after that change number."""
        names = shelf.names(0, header.count)
        ahead: list[int] = np.abs(names["sequence"][names["number"] > number]).tolist()
        return set(ahead)

    def best(
        self,
        question: bytes,
        shelf: VectorFile,
        header: Header,
        *,
        among: Sequence[int] | None,
        changed: set[int],
        limit: int,
    ) -> ScanResult:
        """Return the best rows among the wanted and unchanged ones."""
        sequences, scales = shelf.columns(header)
        rows = None if among is None else _rows_of(among, sequences)
        scale, scores = self._weighed_rows(question, shelf, header, rows)
        owners = sequences if rows is None else sequences[rows]
        if hidden := _held(changed, owners):
            scores = scores.copy()
            scores[np.isin(owners, hidden)] = _GONE
        best = largest(scores, limit)
        places = best[scores[best] > _GONE]
        return ScanResult(
            rows=list(zip(owners[places].tolist(), scores[places].tolist(), strict=True)),
            slack=slack_of(scales, scale),
            is_all=len(scores) <= limit or len(places) < len(best),
        )

    def _weighed_rows(
        self, question: bytes, shelf: VectorFile, header: Header, rows: NDArray[np.intp] | None
    ) -> tuple[float, NDArray[np.float32]]:
        """Return the cosines of some rows or all; those of the last question are cached."""
        asked, scale = quantised(np.frombuffer(question, "<f4")[None, :])
        sequences, scales = shelf.columns(header)
        key = (header.birth, header.generation)
        if rows is not None:
            some = dots(shelf.rows(header)[rows], asked[0])
            return float(scale[0]), some * (scales[rows] * scale[0])
        if self._scores is None or self._scores[:2] != (question, key):
            scores = dots(shelf.rows(header), asked[0])
            scores *= scales
            scores *= scale[0]
            if header.removed:
                scores[sequences < 0] = _GONE
            self._scores = (question, key, scores)
        return float(scale[0]), self._scores[2]


def _rows_of(among: Sequence[int], sequences: NDArray[np.int64]) -> NDArray[np.intp]:
    """Return the rows of these memories, with a lookup table."""
    highest = max(int(sequences.max()) if len(sequences) else 0, 0)
    meant = np.zeros(highest + 1, np.bool_)
    meant[[sequence for sequence in among if 0 < sequence <= highest]] = True
    return np.flatnonzero(meant[np.maximum(sequences, 0)])


def _held(changed: set[int], owners: NDArray[np.int64]) -> list[int]:
    """Return the changed memories that may have a row; most are new and have none."""
    highest = int(owners.max()) if changed and len(owners) else 0
    return [sequence for sequence in changed if sequence <= highest]
