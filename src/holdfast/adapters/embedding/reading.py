"""Reads the best hits again, each together with the question, with a model in the package.

The model is a cross-encoder. It shares the word embeddings of kelp, so its own file has only the
layers. Decisions 112 and 133 have the reasons and the figures.
"""

from __future__ import annotations

import math
from functools import cache, cached_property
from threading import Lock
from typing import TYPE_CHECKING

from holdfast.adapters.embedding.building import BERT_WORDS
from holdfast.adapters.embedding.errors import ModelBrokenError
from holdfast.adapters.embedding.fetching import carried
from holdfast.adapters.embedding.known_models import CARRIED, ModelSource
from holdfast.adapters.embedding.onnx import failures, first_line, open_session
from holdfast.adapters.embedding.word_table import WordTable, shared_words
from holdfast.adapters.embedding.wordpiece import WordPieces
from holdfast.domain.errors import NoMeaningError
from holdfast.domain.recall.read_hits import spread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from onnxruntime import InferenceSession

DULSE = ModelSource(
    name="dulse",
    title="reads a question and a text together; in this package",
    licence="Apache-2.0",
    tool=CARRIED,
    package="dulse",
    version="2",
    sha256="460ab66d925041d3f37689f923af652eef187cc0911a5de3d7078685834540c6",
    member="model.onnx",
)
# Twelve pairs of 56 tokens need less than 150 ms of CPU.
MOST_READ = 12
_ROOM, _QUESTION_ROOM, _LEAST_OF_CLAIM = 56, 40, 8
_READ_AT_MOST = 1_000
_MARKS = 3


class CarriedReader:
    """Scores how well claims answer a question; nothing is loaded before the first one."""

    name = "deep"

    def __init__(self) -> None:
        self._loading = Lock()

    def fits(self, question: str, claims: Sequence[str]) -> Sequence[float]:
        """Return a number between 0 and 1 for each of the first claims.

        It compares the claims with each other: the mean of them has 0.5. There is none for a
        single claim, and for a question in letters that the model cannot read.

        Raises:
            NoMeaningError: The model is missing, damaged or cannot be run.
        """
        with self._loading:
            pieces, _, _ = self._pieces, self._words, self._session
        try:
            pieces.refuse_unread(question)
        except NoMeaningError:
            return ()
        asked = pieces.pieces(question[:_READ_AT_MOST])[:_QUESTION_ROOM]
        told = [pieces.pieces(claim[:_READ_AT_MOST]) for claim in claims[:MOST_READ]]
        scores = [self._score(asked, claim) for claim in told]
        return spread(scores) if len(scores) > 1 else ()

    def _score(self, question: Sequence[int], claim: Sequence[int]) -> float:
        import numpy

        first, last = self._pieces.first, self._pieces.last
        room = max(_LEAST_OF_CLAIM, _ROOM - len(question) - _MARKS)
        row = [first, *question, last, *claim[:room], last]
        try:
            (answer,) = self._session.run(None, {"embedded": self._words.embedded(row)})
            score = float(numpy.asarray(answer).item())
        except failures() as error:
            raise ModelBrokenError(name=DULSE.name, problem=first_line(error)) from error
        if not math.isfinite(score):
            raise ModelBrokenError(name=DULSE.name, problem="it answers with no number")
        return score

    @cached_property
    def _pieces(self) -> WordPieces:
        return WordPieces.read(BERT_WORDS)

    @cached_property
    def _session(self) -> InferenceSession:
        return open_session(carried(DULSE) / DULSE.member, {}, name=DULSE.name)

    @cached_property
    def _words(self) -> WordTable:
        return shared_words()


@cache
def carried_reader() -> CarriedReader:
    """Return the reader of this process, so that the model is loaded once."""
    return CarriedReader()
