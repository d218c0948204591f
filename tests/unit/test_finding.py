"""What searches bring back: light values, equal when they say the same."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from holdfast.domain.recall.finding import (
    EmbeddingModel,
    Hit,
    ModelUse,
    Nearest,
    ThreadPosition,
    VectorChange,
)


def test_hits_are_values() -> None:
    assert Hit(sequence=1, score=0.5) == Hit(sequence=1, score=0.5)
    assert Hit(sequence=1, score=0.5) != Hit(sequence=2, score=0.5)
    with pytest.raises(FrozenInstanceError):
        setattr(Hit(sequence=1, score=0.5), "score", 1.0)  # noqa: B010 - a checker would refuse it


def test_a_model_is_known_by_its_name_and_its_size() -> None:
    model = EmbeddingModel(name="a", dimension=2)

    assert model != EmbeddingModel(name="a", dimension=3)
    assert ModelUse(model=model, memories=1).model == model


def test_places_and_changes_can_be_told_apart() -> None:
    assert len({ThreadPosition(thread="a", number=1), ThreadPosition(thread="a", number=1)}) == 1
    assert VectorChange(number=1, sequence=1, token=1) != VectorChange(
        number=1, sequence=1, token=2
    )
    assert Nearest(found=(), slack=0.0, is_all=True).found == ()
