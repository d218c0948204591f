"""The similarity of vectors that a framework's own embedder made."""

from __future__ import annotations

from math import sqrt
from operator import mul
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the cosine similarity of two vectors; 0 if one of them has no direction."""
    lengths = sqrt(sum(map(mul, one, one))) * sqrt(sum(map(mul, other, other)))
    return sum(map(mul, one, other)) / lengths if lengths else 0.0
