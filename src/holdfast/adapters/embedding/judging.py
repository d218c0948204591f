"""Reads two claims together, with a model in the package that looks for contradictions.

The model is a cross-encoder with four labels. It advises the person who reviews memories, and
decides nothing. Decision 201 has the reasons and the figures.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

from holdfast.adapters.embedding.carried_graph import CarriedGraph
from holdfast.adapters.embedding.known_models import CARRIED, ModelSource

if TYPE_CHECKING:
    from collections.abc import Sequence

WRACK = ModelSource(
    name="wrack",
    title="reads two claims together; in this package",
    licence="Apache-2.0",
    tool=CARRIED,
    package="wrack",
    version="1",
    sha256="aaa87bd45741e8bedf06e1b9e06664f02cbfa32986c9b3f63871a594b8d7923d",
    member="model.onnx",
)
THRESHOLD = 0.975
"""The least score that is shown to a person.

It was fitted on one half of the held-out written pairs: the lowest one at which 95 of 100 pairs
that the model adds to those of the rules are right (78 of 81; decision 113).
"""
ROOM, OLDER_ROOM, _LEAST_OF_NEWER = 112, 60, 8
_MARKS = 3
_LABELS = 4
"""Contradicts, amends, compatible, unrelated: the first two are a conflict."""


class CarriedJudge:
    """Scores pairs of claims; nothing is loaded before the first one."""

    def __init__(self, source: ModelSource = WRACK) -> None:
        self._graph = CarriedGraph(source, numbers=_LABELS, answers="four numbers")

    @property
    def source(self) -> ModelSource:
        """The model, with the version on which its scores depend."""
        return self._graph.source

    def score(self, newer: str, older: str) -> float | None:
        """Return the chance that the newer claim contradicts or amends the older one.

        The score is None if the model cannot read the letters of one of them.

        Raises:
            NoMeaningError: The model is missing, damaged or cannot be run.
        """
        after, before = self._graph.tokens(newer), self._graph.tokens(older)
        if after is None or before is None:
            return None
        said = self._graph.said(*cut(before, after))
        chances = [math.exp(one - max(said)) for one in said]
        return sum(chances[:2]) / sum(chances)


def cut(older: Sequence[int], newer: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
    """Return the tokens of two claims that are read; the older is cut where both are long."""
    is_long = len(older) + len(newer) > ROOM - _MARKS
    start = older[:OLDER_ROOM] if is_long else older
    room = max(_LEAST_OF_NEWER, ROOM - len(start) - _MARKS)
    return start, newer[:room]


@cache
def carried_judge() -> CarriedJudge:
    """Return the judge of this process, so that the model is loaded once."""
    return CarriedJudge()
