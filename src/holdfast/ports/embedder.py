"""What turns a text into a direction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from holdfast.domain.finding import EmbeddingModel, Vector


class Embedder(Protocol):
    """A model that reads texts. Knowing its name must cost nothing; reading may load it.

    Plug-ins add embedders under the entry point group ``holdfast.embedder``.
    """

    @property
    def model(self) -> EmbeddingModel:
        """Which model this is; every vector it makes carries it."""
        ...

    @property
    def unrelated(self) -> float:
        """The cosine that two texts of this model have which share nothing."""
        ...

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[Vector]]:
        """Return the vectors of each text to be found later; a long text gives several.

        Raises:
            NoMeaningError: The model cannot be loaded, does not answer, or answers nonsense.
        """
        ...

    def ask(self, question: str) -> Vector:
        """Return the vector of a question.

        Raises:
            NoMeaningError: As for texts.
        """
        ...
