"""Vectors as bytes: refused when they lead nowhere, one long when they are kept."""

from __future__ import annotations

import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.domain.errors import BadVectorError
from holdfast.domain.recall.directions import (
    KEPT_BYTES,
    direction,
    kept_bytes,
    likeness,
    question_bytes,
    rounded,
)
from holdfast.domain.recall.finding import EmbeddingModel, Vector

MODEL = EmbeddingModel(name="small", dimension=3)
numbers = st.lists(st.floats(-1e6, 1e6, width=32), min_size=3, max_size=3)


def vector(*values: float, model: EmbeddingModel = MODEL) -> Vector:
    return Vector(model=model, values=struct.pack(f"<{len(values)}f", *values))


@given(numbers.filter(lambda values: max(map(abs, values)) > 1e-6))
def test_a_direction_is_one_long_and_points_the_same_way(values: list[float]) -> None:
    found = direction(vector(*values), MODEL)

    assert math.hypot(*found) == pytest.approx(1.0)
    length = math.hypot(*values)
    assert found == pytest.approx([value / length for value in values], abs=1e-6)


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (vector(1.0, 2.0), "it has 8 bytes; small makes 12"),
        (vector(0.0, 0.0, 0.0), "points nowhere"),
        (vector(math.nan, 1.0, 0.0), "points nowhere"),
        (vector(math.inf, 1.0, 0.0), "points nowhere"),
        (vector(1.0, model=EmbeddingModel(name="other", dimension=1)), "of the model other"),
    ],
)
def test_what_is_no_direction_of_the_model_is_refused(bad: Vector, says: str) -> None:
    with pytest.raises(BadVectorError, match=says):
        direction(bad, MODEL)


@pytest.mark.parametrize("dimension", [0, -3, 10**9])
def test_a_model_without_a_size_is_refused(dimension: int) -> None:
    model = EmbeddingModel(name="odd", dimension=dimension)

    with pytest.raises(BadVectorError, match="cannot have"):
        direction(vector(model=model), model)


def test_vectors_are_kept_one_after_the_other() -> None:
    kept = kept_bytes([vector(3.0, 0.0, 4.0), vector(0.0, 1.0, 0.0)], MODEL)

    assert len(kept) == 2 * 3 * KEPT_BYTES
    assert struct.unpack("<6e", kept) == pytest.approx((0.6, 0.0, 0.8, 0.0, 1.0, 0.0), abs=1e-3)


def test_a_memory_without_any_vector_is_refused() -> None:
    with pytest.raises(BadVectorError, match="at least one"):
        kept_bytes([], MODEL)


def test_likeness_is_the_cosine_with_the_nearest() -> None:
    question = question_bytes(vector(5.0, 0.0, 0.0), MODEL)
    kept = kept_bytes([vector(-1.0, 0.0, 0.0), vector(1.0, 1.0, 0.0)], MODEL)

    assert likeness(question, kept) == pytest.approx(math.sqrt(0.5), abs=1e-3)


def test_a_kept_vector_of_zeros_is_like_nothing() -> None:
    assert likeness(question_bytes(vector(1.0, 0.0, 0.0), MODEL), b"\0" * 6) == 0.0


def test_a_cosine_is_told_to_six_places_and_never_as_minus_nothing() -> None:
    assert rounded(0.12345678) == 0.123457
    assert str(rounded(-1e-9)) == "0.0"
