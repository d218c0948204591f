"""Reads a question and a claim together, with a model that knows whether the claim answers.

The model is a cross-encoder with one number. It orders the best memories of a deep recall, and
helps to decide whether any of them is an answer. Decision 206 has the reasons and the figures.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from holdfast.adapters.embedding.carried_graph import READ_AT_MOST, CarriedGraph
from holdfast.adapters.embedding.known_models import CARRIED, ModelSource

if TYPE_CHECKING:
    from collections.abc import Sequence

LAVER = ModelSource(
    name="laver",
    title="knows whether a claim answers a question; in this package",
    licence="Apache-2.0",
    tool=CARRIED,
    package="laver",
    version="1",
    sha256="a9d300ae30419775cf995b2b781ad71018d8d9fee83d6fa9f307ef9fd8f98899",
    member="model.onnx",
)
ROOM, QUESTION_ROOM, _MARKS = 112, 40, 3


class CarriedAnswerReader:
    """Reads claims together with a question; nothing is loaded before the first one."""

    name = "deep"

    def __init__(self, source: ModelSource = LAVER) -> None:
        self._graph = CarriedGraph(source, numbers=1, answers="number")

    def readings(self, question: str, claims: Sequence[str]) -> Sequence[float | None]:
        """Return how clearly each claim answers a question.

        The reading of a claim is None if the model cannot read its letters, or if the claim is too
        long to be read as a whole. If the model cannot read the letters of the question, the result
        is empty. Only the end of a long question is read, because it usually has what is asked.

        Raises:
            NoMeaningError: The model is missing, damaged or cannot be run.
        """
        asked = self._graph.tokens(question[-READ_AT_MOST:])
        if asked is None:
            return ()
        asked = asked[-QUESTION_ROOM:]
        return [self._reading(asked, claim) for claim in claims]

    def _reading(self, question: Sequence[int], claim: str) -> float | None:
        told = None if len(claim) > READ_AT_MOST else self._graph.tokens(claim)
        if told is None or len(told) > ROOM - len(question) - _MARKS:
            return None
        (said,) = self._graph.said(question, told)
        return said


@cache
def carried_answer_reader() -> CarriedAnswerReader:
    """Return the reader of this process, so that the model is loaded once."""
    return CarriedAnswerReader()
