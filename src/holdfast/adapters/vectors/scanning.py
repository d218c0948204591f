"""Compares one question with many rows: with numkong if it is installed, else with numpy.

Merges the results of a scan with vectors that only the store has.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from holdfast.domain.recall.finding import Nearest
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from numpy.typing import NDArray

    from holdfast.adapters.vectors.vector_file import Column
    from holdfast.ports.store.finding import VectorSource


_LARGEST = 127.0
_BLOCK = 2_048
_WIDTH = 64
_EXACT_IN_32_BITS = 1_024
_DEVIATIONS = 6.0
_UNIFORM = 12.0**-0.5


def quantised(vectors: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return rows of 8-bit numbers, and the scale of each row."""
    largest = np.abs(vectors).max(axis=1)
    scales = (np.where(largest > 0, largest, 1.0) / _LARGEST).astype(np.float32)
    return np.rint(vectors / scales[:, None]).astype(np.int8), scales


def kept_vectors(kept: bytes, dimension: int) -> NDArray[np.float32]:
    """Return stored vectors as rows of 32-bit numbers."""
    return np.frombuffer(kept, "<f2").astype(np.float32).reshape(-1, dimension)


def slack_of(scales: Column, question_scale: float) -> float:
    """Return the error bound of a cosine of 8-bit rows: six times the usual error."""
    largest = float(scales.max()) if len(scales) else 0.0
    return float(_DEVIATIONS * _UNIFORM * np.hypot(largest, question_scale))


def likeness_of(question: bytes, vectors: Mapping[int, bytes]) -> dict[int, float]:
    """Return the cosine of each memory with the question, by its nearest vector."""
    if not vectors:
        return {}
    asked = np.frombuffer(question, "<f4").astype(np.float64)
    rows = np.frombuffer(b"".join(vectors.values()), "<f2").astype(np.float64)
    rows = rows.reshape(-1, len(asked))
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    # einsum, not a matrix product: equal rows must give equal sums at any position.
    cosines = np.einsum("ij,j->i", rows, asked) / np.where(lengths > 0, lengths, 1.0)
    parts = [len(kept) // (2 * len(asked)) for kept in vectors.values()]
    starts = np.cumsum([0, *parts[:-1]])
    best = np.maximum.reduceat(cosines, starts)
    return dict(zip(vectors, best.tolist(), strict=True))


def largest(scores: NDArray[np.float32], limit: int) -> NDArray[np.intp]:
    """Return the positions of the largest scores, largest first, ties in order.

    The largest of each short range are compared first: the best are in the best ranges.
    """
    whole = len(scores) // _WIDTH * _WIDTH
    if whole > limit * _WIDTH * 2:
        peaks = scores[:whole].reshape(-1, _WIDTH).max(axis=1)
        commit_ranges = np.argpartition(peaks, len(peaks) - limit)[-limit:]
        places = (commit_ranges[:, None] * _WIDTH + np.arange(_WIDTH)).ravel()
        places = np.concatenate([places, np.arange(whole, len(scores))])
    else:
        places = np.arange(len(scores))
    if len(places) > limit:
        chosen = np.argpartition(scores[places], len(places) - limit)[-limit:]
        places = places[chosen]
    return places[np.lexsort((places, -scores[places]))]


def dots(rows: NDArray[np.int8], question: NDArray[np.int8]) -> NDArray[np.float32]:
    """Return the dot product of each row with the question."""
    if not len(rows):
        return np.zeros(0, np.float32)
    return _way()(rows, question)


@cache
def _way() -> Callable[[NDArray[np.int8], NDArray[np.int8]], NDArray[np.float32]]:
    try:
        import numkong
    except ImportError:
        return plain_dots
    return _numkong_dots(numkong)


def _numkong_dots(
    numkong: Any,  # noqa: ANN401 - it has no types
) -> Callable[[NDArray[np.int8], NDArray[np.int8]], NDArray[np.float32]]:
    def dots(rows: NDArray[np.int8], question: NDArray[np.int8]) -> NDArray[np.float32]:
        found = numkong.cdist(question[None, :], rows, "dot", out_dtype="f32")
        cosines: NDArray[np.float32] = np.asarray(found, dtype=np.float32)[0]
        return cosines

    return dots


def plain_dots(rows: NDArray[np.int8], question: NDArray[np.int8]) -> NDArray[np.float32]:
    """Return the same with numpy alone, block by block; integers are exact."""
    wide: type[Any] = np.float32 if len(question) <= _EXACT_IN_32_BITS else np.float64
    asked: NDArray[Any] = question.astype(wide)
    found = np.empty(len(rows), np.float32)
    for start in range(0, len(rows), _BLOCK):
        found[start : start + _BLOCK] = rows[start : start + _BLOCK].astype(wide) @ asked
    return found


_AT_ONCE = 4_096
_BELOW_ALL = -2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanResult:
    """The best rows of a scan, best first: their memories, and approximate cosines."""

    rows: list[tuple[int, float]]
    slack: float
    is_all: bool


def changed_since(number: int, source: VectorSource) -> set[int]:
    """Return the memories whose vectors changed after that change number."""
    changed: set[int] = set()
    while changes := source.changes(beyond=number, limit=_AT_ONCE):
        changed.update([change.sequence for change in changes])
        number = changes[-1].number
        if len(changes) < _AT_ONCE:
            break
    return changed


def weighed(question: bytes, wanted: Collection[int], source: VectorSource) -> dict[int, float]:
    """Return the cosines of memories, their vectors read from the store."""
    cosines: dict[int, float] = {}
    ordered = sorted(wanted)
    for start in range(0, len(ordered), _AT_ONCE):
        cosines |= likeness_of(question, source.vectors(ordered[start : start + _AT_ONCE]))
    return cosines


def merged(
    rows: Sequence[tuple[int, float]],
    cosines: Mapping[int, float],
    *,
    limit: int,
    slack: float,
    rows_are_all: bool,
) -> Nearest:
    """Return the best of both, once each; no memory left out scores above the last of them."""
    best = dict(reversed(rows))
    floor = _BELOW_ALL if rows_are_all else rows[-1][1]
    best |= {sequence: cosine for sequence, cosine in cosines.items() if cosine >= floor}
    order = sorted(best, key=lambda sequence: (-best[sequence], sequence))
    found = tuple((sequence, best[sequence]) for sequence in order[:limit])
    return Nearest(found=found, slack=slack, is_all=rows_are_all and len(order) <= limit)
