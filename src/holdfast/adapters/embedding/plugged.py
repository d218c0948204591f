"""An embedder of another package: whatever it raises or returns, its error names it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeVar

from holdfast.adapters.embedding.errors import PlugInBrokenError
from holdfast.domain.errors import BadVectorError, NoMeaningError
from holdfast.domain.gates.foreign_words import failure_of
from holdfast.domain.recall.directions import direction
from holdfast.domain.recall.finding import EmbeddingModel, Vector

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from holdfast.ports.recall.models import Embedder

Answer = TypeVar("Answer")


class PluggedEmbedder:
    """The embedder that an entry point makes; its vectors are validated before use."""

    def __init__(self, name: str, load: Callable[[], Callable[[], Embedder]]) -> None:
        """Create the plug-in, and read what it says about its model.

        Raises:
            NoMeaningError: It cannot be loaded, or says no model.
        """
        self._name = name
        self._made = self._asked(partial(_make, load))
        self.model = self._asked(lambda: _model_of(self._made))
        self.unrelated = self._asked(lambda: float(self._made.unrelated))

    @property
    def foreign(self) -> float | None:
        """The cosine similarity of unrelated texts that are not English, if it is known."""
        found: float | None = getattr(self._made, "foreign", None)
        return found

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[Vector]]:
        """Return the vectors of each text.

        Raises:
            NoMeaningError: The plug-in fails, or returns something else.
        """
        return self._asked(lambda: self._checked(self._made.embed(list(texts)), len(texts)))

    def ask(self, question: str) -> Vector:
        """Return the vector of a question.

        Raises:
            NoMeaningError: The plug-in fails, or returns something else.
        """
        return self._asked(lambda: self._sound(self._made.ask(question)))

    def _checked(self, rows: Sequence[Sequence[Vector]], wanted: int) -> Sequence[Sequence[Vector]]:
        found = [[self._sound(vector) for vector in row] for row in rows]
        if len(found) != wanted or not all(found):
            problem = f"returned vectors of {sum(map(bool, found)):,} texts instead of {wanted:,}"
            raise PlugInBrokenError(name=self._name, problem=f"it {problem}")
        return found

    def _sound(self, vector: Vector) -> Vector:
        if not isinstance(vector, Vector):
            problem = f"it returned {type(vector).__name__} instead of a Vector"
            raise PlugInBrokenError(name=self._name, problem=problem)
        try:
            direction(vector, self.model)
        except BadVectorError as error:
            problem = f"it returned a vector that cannot be used: {error.problem}"
            raise PlugInBrokenError(name=self._name, problem=problem) from error
        return vector

    def _asked(self, question: Callable[[], Answer]) -> Answer:
        try:
            return question()
        except NoMeaningError:
            raise
        except (Exception, SystemExit, GeneratorExit) as error:
            problem = f"it failed with {failure_of(error)}"
            raise PlugInBrokenError(name=self._name, problem=problem) from error


def _make(load: Callable[[], Callable[[], Embedder]]) -> Embedder:
    return load()()


def _model_of(made: Embedder) -> EmbeddingModel:
    said: object = made.model
    if not isinstance(said, EmbeddingModel):
        no_model = "its model is not an EmbeddingModel"
        raise TypeError(no_model)
    return said
