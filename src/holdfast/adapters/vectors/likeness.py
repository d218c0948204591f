"""The cosines of vectors as they are kept: with numpy, unless few would have to wait for it."""

from __future__ import annotations

import sys
from array import array
from math import sqrt
from struct import Struct
from typing import TYPE_CHECKING, Any

from holdfast.domain.directions import likeness

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_FEW_VECTORS = 512  # so many are weighed by the time numpy is loaded


def numpy_is_loaded() -> bool:
    """Tell whether somebody has paid for numpy already."""
    return "numpy" in sys.modules


def likeness_of(question: bytes, vectors: Mapping[int, bytes]) -> Mapping[int, float]:
    """Return the cosine of each with the question, by the nearest of its vectors."""
    if len(vectors) <= _FEW_VECTORS and not numpy_is_loaded():
        numkong = sys.modules.get("numkong")
        if numkong is None:
            return {sequence: likeness(question, kept) for sequence, kept in vectors.items()}
        return _multiplied(question, vectors, numkong.dot)
    from holdfast.adapters.vectors.scanning import likeness_of as likeness_of_many

    return likeness_of_many(question, vectors)


def _multiplied(
    question: bytes, vectors: Mapping[int, bytes], dot: Callable[[array[float], array[float]], Any]
) -> dict[int, float]:
    """Return the same with 64-bit numbers that numkong multiplies."""
    wide = len(question) // 4
    asked = array("d", Struct(f"<{wide}f").unpack(question))
    halves = Struct(f"<{wide}e")
    found = {}
    for sequence, kept in vectors.items():
        parts = [array("d", part) for part in halves.iter_unpack(kept)]
        found[sequence] = max(
            float(dot(asked, part)) / (sqrt(dot(part, part)) or 1.0) for part in parts
        )
    return found
