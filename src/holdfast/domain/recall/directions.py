"""Read, check, normalise and compare vectors as bytes, without any library."""

from __future__ import annotations

from functools import lru_cache
from math import isfinite, sqrt
from operator import mul
from struct import Struct
from typing import TYPE_CHECKING

from holdfast.domain.errors import BadVectorError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.recall.finding import EmbeddingModel, Vector

KEPT_BYTES = 2  # stored as 16-bit floats: half the space, and no rank changes
_GIVEN_BYTES = 4
_DECIMALS = 6
_LARGEST_DIMENSION = 65_536


def direction(vector: Vector, model: EmbeddingModel) -> tuple[float, ...]:
    """Return the numbers of a vector of this model, normalised to length one.

    Raises:
        BadVectorError: The vector has another model or size, or no direction.
    """
    if vector.model != model:
        raise BadVectorError(
            problem=f"it is of the model {vector.model.name} with"
            f" {vector.model.dimension:,} numbers, not of {model.name} with {model.dimension:,}."
        )
    if not 0 < model.dimension <= _LARGEST_DIMENSION:
        raise BadVectorError(
            problem=f"a model cannot have {model.dimension:,} numbers in a vector."
        )
    if len(vector.values) != model.dimension * _GIVEN_BYTES:
        raise BadVectorError(
            problem=f"it has {len(vector.values):,} bytes; {model.name} makes"
            f" {model.dimension * _GIVEN_BYTES:,}."
        )
    numbers = _floats(model.dimension).unpack(vector.values)
    length = sqrt(sum(map(mul, numbers, numbers)))
    if not isfinite(length) or length == 0.0:
        raise BadVectorError(
            problem="its numbers are all zero or not all numbers, so it points nowhere."
        )
    return tuple([number / length for number in numbers])


def question_bytes(question: Vector, model: EmbeddingModel) -> bytes:
    """Return a question's vector, normalised, as 32-bit floats.

    Raises:
        BadVectorError: As for ``direction``.
    """
    return _floats(model.dimension).pack(*direction(question, model))


def kept_bytes(vectors: Sequence[Vector], model: EmbeddingModel) -> bytes:
    """Return vectors in their stored form, one after the other.

    Raises:
        BadVectorError: As for ``direction``, or the list is empty.
    """
    if not vectors:
        raise BadVectorError(problem="a memory needs at least one.")
    pack = _halves(model.dimension).pack
    return b"".join([pack(*direction(vector, model)) for vector in vectors])


def likeness(question: bytes, kept: bytes) -> float:
    """Return the cosine similarity of a normalised question and the nearest stored vector."""
    asked = _floats(len(question) // _GIVEN_BYTES).unpack(question)
    parts = _halves(len(asked)).iter_unpack(kept)
    return max(_cosine(asked, part) for part in parts)


def rounded(cosine: float) -> float:
    """Return a cosine rounded so that every implementation gives the same value."""
    return round(cosine, _DECIMALS) + 0.0


def _cosine(asked: Sequence[float], kept: Sequence[float]) -> float:
    length = sqrt(sum(map(mul, kept, kept)))
    return sum(map(mul, asked, kept)) / length if length else 0.0


@lru_cache(maxsize=4)
def _floats(dimension: int) -> Struct:
    return Struct(f"<{dimension}f")


@lru_cache(maxsize=4)
def _halves(dimension: int) -> Struct:
    return Struct(f"<{dimension}e")
