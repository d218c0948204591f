"""Vectors as bytes: read, checked, made one long, and compared, with no library at all."""

from __future__ import annotations

from functools import lru_cache
from math import isfinite, sqrt
from operator import mul
from struct import Struct
from typing import TYPE_CHECKING

from holdfast.domain.errors import BadVectorError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.finding import EmbeddingModel, Vector

KEPT_BYTES = 2  # a number is kept as a 16-bit float: half the space, and no rank changes
_GIVEN_BYTES = 4
_DECIMALS = 6
_LARGEST_DIMENSION = 65_536


def direction(vector: Vector, model: EmbeddingModel) -> tuple[float, ...]:
    """Return the numbers of a vector of that model, one long together.

    Raises:
        BadVectorError: It is of another model or size, or points nowhere.
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
    """Return a question's vector one long, as 32-bit floats.

    Raises:
        BadVectorError: As for a direction.
    """
    return _floats(model.dimension).pack(*direction(question, model))


def kept_bytes(vectors: Sequence[Vector], model: EmbeddingModel) -> bytes:
    """Return vectors the way they are kept, one after the other.

    Raises:
        BadVectorError: As for a direction, or there is none.
    """
    if not vectors:
        raise BadVectorError(problem="a memory needs at least one.")
    pack = _halves(model.dimension).pack
    return b"".join([pack(*direction(vector, model)) for vector in vectors])


def likeness(question: bytes, kept: bytes) -> float:
    """Return the cosine of a question, one long, with the nearest of the kept vectors."""
    asked = _floats(len(question) // _GIVEN_BYTES).unpack(question)
    parts = _halves(len(asked)).iter_unpack(kept)
    return max(_cosine(asked, part) for part in parts)


def rounded(cosine: float) -> float:
    """Return a cosine as it is told: what differs less is the same, whoever reckoned it."""
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
