"""Checks that a model puts similar sentences near each other."""

from __future__ import annotations

import math
from array import array
from typing import TYPE_CHECKING

from holdfast.adapters.embedding.errors import ModelBrokenError

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.domain.recall.finding import Vector
    from holdfast.ports.recall.models import Embedder

    Progress = Callable[[int, int], None]


_QUESTION = "Where was the cat sleeping?"
_NEAR = ("The cat slept on the mat.", "A cat was sleeping on the mat.")
_FAR = "Interest rates rose by half a percent in March."
_LEAST_APART = 0.02


def check_sense(embedder: Embedder, name: str) -> None:
    """Check that similar sentences are nearer to each other than to a different one.

    Raises:
        NoMeaningError: They are not, or the model cannot be used at all.
    """
    first, second, far = (found[0] for found in embedder.embed([*_NEAR, _FAR]))
    question = embedder.ask(_QUESTION)
    for one, other in ((first, second), (question, first)):
        apart = cosine(one, other) - cosine(one, far)
        if apart < _LEAST_APART or math.isnan(apart):
            raise ModelBrokenError(
                name=name, problem="it does not tell like sentences from unlike ones"
            )


def cosine(one: Vector, other: Vector) -> float:
    """Return the cosine similarity of two unit vectors."""
    pairs = zip(array("f", one.values), array("f", other.values), strict=True)
    return sum(left * right for left, right in pairs)
