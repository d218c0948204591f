"""Folds of the sets that are crossed, and the measure of a judge on labelled pairs."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import numpy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from training.claims import ClaimPair

SEED, FOLDS = 1, 5
ADDED = ("fever", "decided", "everyday")
"""The sets that are trained on in the second stage, and asked crossed."""


def folds(pairs: Sequence[ClaimPair]) -> list[int]:
    """Return the fold of each pair; pairs that share a claim or a sentence are in one fold."""
    root = list(range(len(pairs)))

    def top(number: int) -> int:
        while root[number] != number:
            number = root[number]
        return number

    seen: dict[str, int] = {}
    for number, pair in enumerate(pairs):
        for text in (pair.older, pair.newer):
            root[top(number)] = top(seen.setdefault(text, number))
    groups = sorted({top(number) for number in range(len(pairs))})
    Random(SEED).shuffle(groups)
    fold = {group: place % FOLDS for place, group in enumerate(groups)}
    return [fold[top(number)] for number in range(len(pairs))]


def conflicting(said: NDArray[numpy.float32]) -> NDArray[numpy.float32]:
    """Return the chance that two claims cannot both hold."""
    return said[:, 0] + said[:, 1]


def precision_at(
    scores: NDArray[numpy.float32], right: Sequence[bool], recall: float = 0.8
) -> float:
    """Return the best precision of any threshold that finds at least this share of conflicts."""
    order = numpy.argsort(-scores)
    hits = numpy.cumsum(numpy.array(right, dtype=bool)[order])
    enough = hits >= recall * hits[-1]
    return float((hits / numpy.arange(1, len(hits) + 1))[enough].max())
