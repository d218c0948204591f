"""Embeds the texts: the project's own model if it is installed, hashed words otherwise."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Protocol

from holdfast.bootstrap.opening.embedders import embedder

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from holdfast.ports.recall.models import Embedder

_WIDE = 384


class Reader(Protocol):
    """Converts texts to unit vectors of 32-bit floats, one after another."""

    @property
    def name(self) -> str:
        """Its name in the report."""
        ...

    def read(self, texts: Sequence[str]) -> bytes:
        """Return the vectors of texts to be stored."""
        ...

    def ask(self, questions: Sequence[str]) -> bytes:
        """Return the vectors of questions."""
        ...


class HashedWords:
    """Gives each word a direction by its hash; a text gets the sum of its words' directions."""

    name = "hashed-words"

    def read(self, texts: Sequence[str]) -> bytes:
        """Return the sum of the words' directions."""
        import numpy  # noqa: PLC0415 - only where vectors are made

        rows = numpy.stack(
            [
                numpy.sum([_direction(word) for word in text.lower().split()], axis=0)
                for text in texts
            ]
        )
        unit = rows / numpy.linalg.norm(rows, axis=1, keepdims=True)
        return bytes(unit.astype(numpy.float32).tobytes())

    def ask(self, questions: Sequence[str]) -> bytes:
        """Return the same as for texts."""
        return self.read(questions)


@cache
def _direction(word: str) -> NDArray[float64]:
    import numpy  # noqa: PLC0415 - as above

    seed = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest())
    return numpy.random.default_rng(seed).standard_normal(_WIDE)


class Model:
    """The embedder that recall uses."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    @property
    def name(self) -> str:
        """The model's own name."""
        return self._embedder.model.name

    def read(self, texts: Sequence[str]) -> bytes:
        """Return the first vector of each text; these are short."""
        return b"".join(vectors[0].values for vectors in self._embedder.embed(texts))

    def ask(self, questions: Sequence[str]) -> bytes:
        """Return the vector of each question."""
        return b"".join(self._embedder.ask(question).values for question in questions)


def a_reader() -> Reader:
    """Return the model that is installed, or hashed words."""
    installed = embedder()
    return HashedWords() if installed is None else Model(installed)
