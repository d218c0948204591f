"""The port for embedding models, which turn a text into a vector.

The ports for plug-ins and models that score how well claims answer a question.

The port for token counting.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from holdfast.domain.recall.finding import EmbeddingModel, Vector


class Embedder(Protocol):
    """An embedding model. Reading its name must cost nothing; embedding may load it.

    Plug-ins add embedders under the entry point group ``holdfast.embedder``.
    """

    @property
    def model(self) -> EmbeddingModel:
        """The identity of the model; every vector it makes carries it."""
        ...

    @property
    def unrelated(self) -> float:
        """The cosine similarity that this model gives two unrelated texts."""
        ...

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[Vector]]:
        """Return the vectors of each text that is to be indexed; a long text gives several.

        Raises:
            NoMeaningError: The model cannot be loaded, does not answer, or returns invalid vectors.
        """
        ...

    def ask(self, question: str) -> Vector:
        """Return the vector of a question.

        Raises:
            NoMeaningError: As for ``embed``.
        """
        ...


class Reranker(Protocol):
    """A plug-in under the entry point group ``holdfast.reranker``, or the model in the package."""

    @property
    def name(self) -> str:
        """The name that the reasons show."""
        ...

    def fits(self, question: str, claims: Sequence[str]) -> Sequence[float]:
        """Return a number between 0 and 1 for each claim, larger for a better answer.

        Missing numbers count as 0. No number at all leaves the order as it is.

        Raises:
            UnavailableError: It cannot be asked; the order stays as it is, and a note says so.
        """
        ...


class AnswerReader(Protocol):
    """The model in the package that reads a question and a claim together."""

    @property
    def name(self) -> str:
        """The name that the reasons show."""
        ...

    def readings(self, question: str, claims: Sequence[str]) -> Sequence[float | None]:
        """Return how clearly each claim answers a question, on the scale of the model.

        The reading of a claim is None, and all are missing for a question, that it cannot read.

        Raises:
            NoMeaningError: The model is missing, damaged or cannot be run.
        """
        ...


class TokenCounter(Protocol):
    """Counts the tokens of a text without network access."""

    @property
    def name(self) -> str:
        """The name of the counting method, stored with each bundle so that a replay uses it too."""
        ...

    def count(self, text: str) -> int:
        """Return the number of tokens of a text; it must be 0 for no text, and never negative."""
        ...
