"""A graph in the package that reads two texts together, and returns one or more numbers."""

from __future__ import annotations

from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING

from holdfast.adapters.embedding.building import BERT_WORDS
from holdfast.adapters.embedding.errors import ModelBrokenError, ToolsMissingError
from holdfast.adapters.embedding.fetching import carried
from holdfast.adapters.embedding.onnx import failures, first_line, open_session
from holdfast.adapters.embedding.word_table import WordTable, shared_words
from holdfast.adapters.embedding.wordpiece import WordPieces
from holdfast.domain.errors import NoMeaningError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from onnxruntime import InferenceSession

    from holdfast.adapters.embedding.known_models import ModelSource

READ_AT_MOST = 1_000
"""How many characters of a text are read; what comes later is ignored."""
_SHARED, _OWN = "embedded", "input_ids"
"""The input of a graph that shares the words of kelp, and of one that has words of its own."""


class CarriedGraph:
    """Reads rows of tokens; nothing is loaded before the first one.

    ``numbers`` is how many numbers the graph returns for a row; ``answers`` names them in errors.
    """

    def __init__(self, source: ModelSource, *, numbers: int, answers: str) -> None:
        self.source = source
        self._numbers = numbers
        self._answers = answers
        self._loading = Lock()

    def tokens(self, text: str) -> Sequence[int] | None:
        """Return the tokens of a text; None if it is in letters that the model cannot read.

        Raises:
            NoMeaningError: The model is missing, damaged or cannot be run.
        """
        self._load()
        try:
            self._pieces.refuse_unread(text)
        except NoMeaningError:
            return None
        return self._pieces.pieces(text[:READ_AT_MOST])

    def said(self, first: Sequence[int], second: Sequence[int]) -> list[float]:
        """Return the numbers for two texts; the special tokens of the model are added to them.

        Raises:
            NoMeaningError: The model is missing, damaged or cannot be run.
        """
        import numpy

        self._load()
        pieces = self._pieces
        row = [pieces.first, *first, pieces.last, *second, pieces.last]
        given: NDArray[numpy.generic]
        if self._input == _OWN:
            given = numpy.array([row], numpy.int64)
        else:
            given = self._words.embedded(row)
        try:
            (answer,) = self._session.run(None, {self._input: given})
            said = numpy.asarray(answer, dtype=numpy.float64).ravel()
        except failures() as error:
            raise self._broken(problem=first_line(error)) from error
        if said.size != self._numbers or not numpy.isfinite(said).all():
            raise self._broken(problem=f"it answers with no {self._answers}")
        return [float(one) for one in said]

    def _load(self) -> None:
        with self._loading:
            _ = self._pieces, self._session
            if self._input == _SHARED:
                _ = self._words

    def _broken(self, *, problem: str) -> ModelBrokenError:
        return ModelBrokenError(name=self.source.name, problem=problem)

    @cached_property
    def _pieces(self) -> WordPieces:
        return WordPieces.read(BERT_WORDS)

    @cached_property
    def _session(self) -> InferenceSession:
        try:
            import numpy  # noqa: F401 - named if it is missing, before the graph is loaded
        except ImportError as error:
            raise ToolsMissingError(packages="numpy") from error
        path = carried(self.source) / self.source.member
        return open_session(path, {}, name=self.source.name)

    @cached_property
    def _input(self) -> str:
        names = [one.name for one in self._session.get_inputs()]
        if names not in ([_SHARED], [_OWN]):
            raise self._broken(problem=f"its inputs are {', '.join(names)}")
        return str(names[0])

    @cached_property
    def _words(self) -> WordTable:
        return shared_words()
