"""The cosines of vectors as they are kept: with numpy, unless few would have to wait for it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from holdfast.domain.directions import likeness

if TYPE_CHECKING:
    from collections.abc import Mapping

_FEW_VECTORS = 512  # so many are weighed by the time numpy is loaded


def numpy_is_loaded() -> bool:
    """Tell whether somebody has paid for numpy already."""
    return "numpy" in sys.modules


def likeness_of(question: bytes, vectors: Mapping[int, bytes]) -> Mapping[int, float]:
    """Return the cosine of each with the question, by the nearest of its vectors."""
    if len(vectors) <= _FEW_VECTORS and not numpy_is_loaded():
        return {sequence: likeness(question, kept) for sequence, kept in vectors.items()}
    from holdfast.adapters.vectors.scanning import likeness_of as likeness_of_many

    return likeness_of_many(question, vectors)
