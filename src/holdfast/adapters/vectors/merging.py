"""Merges the results of a scan with vectors that only the store has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.recall.finding import Nearest
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from holdfast.ports.store.finding import VectorSource

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
    from holdfast.adapters.vectors.scanning import likeness_of

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
