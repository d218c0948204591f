"""Reads two claims together, with a model in the package that looks for contradictions.

The model is a cross-encoder with four labels. It advises the person who reviews memories, and
decides nothing. Decision 201 has the reasons and the figures.
"""

from __future__ import annotations

import math
from functools import cache, cached_property
from threading import Lock
from typing import TYPE_CHECKING

from holdfast.adapters.embedding.building import BERT_WORDS
from holdfast.adapters.embedding.errors import ModelBrokenError, ToolsMissingError
from holdfast.adapters.embedding.fetching import carried
from holdfast.adapters.embedding.known_models import CARRIED, ModelSource
from holdfast.adapters.embedding.onnx import failures, first_line, open_session
from holdfast.adapters.embedding.word_table import WordTable, shared_words
from holdfast.adapters.embedding.wordpiece import WordPieces
from holdfast.domain.errors import NoMeaningError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from onnxruntime import InferenceSession

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
_READ_AT_MOST = 1_000
_MARKS = 3
_LABELS = 4
"""Contradicts, amends, compatible, unrelated: the first two are a conflict."""
_SHARED, _OWN = "embedded", "input_ids"
"""The input of a graph that shares the words of kelp, and of one that has words of its own."""


class CarriedJudge:
    """Scores pairs of claims; nothing is loaded before the first one."""

    def __init__(self, source: ModelSource = WRACK) -> None:
        self._source = source
        self._loading = Lock()

    @property
    def source(self) -> ModelSource:
        """The model, with the version on which its scores depend."""
        return self._source

    def score(self, newer: str, older: str) -> float | None:
        """Return the chance that the newer claim contradicts or amends the older one.

        There is none if one of them is in letters that the model cannot read.

        Raises:
            NoMeaningError: The model is missing, damaged or cannot be run.
        """
        with self._loading:
            pieces, session = self._pieces, self._session
            words = self._words if self._input == _SHARED else None
        try:
            pieces.refuse_unread(newer)
            pieces.refuse_unread(older)
        except NoMeaningError:
            return None
        told = (pieces.pieces(claim[:_READ_AT_MOST]) for claim in (older, newer))
        row = row_of(*told, first=pieces.first, last=pieces.last)
        return self._chance(session, row, words)

    def _chance(self, session: InferenceSession, row: list[int], words: WordTable | None) -> float:
        import numpy

        given: NDArray[numpy.generic]
        given = numpy.array([row], numpy.int64) if words is None else words.embedded(row)
        try:
            (answer,) = session.run(None, {self._input: given})
            said = numpy.asarray(answer, dtype=numpy.float64).ravel()
        except failures() as error:
            raise self._broken(problem=first_line(error)) from error
        if said.size != _LABELS or not numpy.isfinite(said).all():
            raise self._broken(problem="it answers with no four numbers")
        chances = [math.exp(one - max(said)) for one in said]
        return sum(chances[:2]) / sum(chances)

    def _broken(self, *, problem: str) -> ModelBrokenError:
        return ModelBrokenError(name=self._source.name, problem=problem)

    @cached_property
    def _pieces(self) -> WordPieces:
        return WordPieces.read(BERT_WORDS)

    @cached_property
    def _session(self) -> InferenceSession:
        try:
            import numpy  # noqa: F401 - named if it is missing, before the graph is loaded
        except ImportError as error:
            raise ToolsMissingError(packages="numpy") from error
        path = carried(self._source) / self._source.member
        return open_session(path, {}, name=self._source.name)

    @cached_property
    def _input(self) -> str:
        names = [one.name for one in self._session.get_inputs()]
        if names not in ([_SHARED], [_OWN]):
            raise self._broken(problem=f"its inputs are {', '.join(names)}")
        return str(names[0])

    @cached_property
    def _words(self) -> WordTable:
        return shared_words()


def row_of(older: Sequence[int], newer: Sequence[int], *, first: int, last: int) -> list[int]:
    """Return the tokens of two claims with their marks; the older is cut where both are long."""
    is_long = len(older) + len(newer) > ROOM - _MARKS
    start = older[:OLDER_ROOM] if is_long else older
    room = max(_LEAST_OF_NEWER, ROOM - len(start) - _MARKS)
    return [first, *start, last, *newer[:room], last]


@cache
def carried_judge() -> CarriedJudge:
    """Return the judge of this process, so that the model is loaded once."""
    return CarriedJudge()
