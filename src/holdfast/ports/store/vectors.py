"""Ports for vectors: where they are kept, and a fast search over them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from holdfast.domain.recall.finding import (
    Nearest,
    VectorChange,
)


class VectorSource(Protocol):
    """The vectors of one model as one transaction sees them; an index is built from them.

    Each change has a number, counted from 1, and a random token. The same number with another token
    belongs to another history, for example after a copy was restored.
    """

    @property
    def store_id(self) -> str:
        """The id of the store."""
        ...

    @property
    def dimension(self) -> int:
        """The number of components of a vector."""
        ...

    @property
    def is_settled(self) -> bool:
        """Whether everything is committed; uncommitted data must not be written to a file."""
        ...

    def last(self) -> VectorChange | None:
        """Return the newest change that this transaction sees."""
        ...

    def changes(self, *, beyond: int, limit: int) -> Sequence[VectorChange]:
        """Return the changes after a number, in order."""
        ...

    def vectors(self, sequences: Collection[int]) -> Mapping[int, bytes]:
        """Return the vectors of memories as 16-bit floats, those of one memory concatenated."""
        ...

    def holds(self, change: VectorChange) -> bool:
        """Return whether the store has this change now, even if this transaction cannot see it."""
        ...


class VectorStore(Protocol):
    """A fast search over the vectors of one model, which are stored elsewhere.

    Plug-ins replace it under the entry point group ``holdfast.vector_store``: a function that takes
    a path and returns a vector store. The names of all its files must begin with that path.
    """

    def nearest(
        self, question: bytes, source: VectorSource, *, among: Sequence[int] | None, limit: int
    ) -> Nearest:
        """Return the memories that may be nearest, once each; ``among=None`` searches all.

        The question has length one and consists of little-endian 32-bit floats. A cosine may be
        wrong by up to the slack: the caller computes the best ones again from the vectors. A memory
        that the source does not see must not appear. A search that may miss one that it sees must
        say that it is not exact.

        Raises:
            NoMeaningError: The vectors are in another place that does not answer.
        """
        ...

    def likeness(self, question: bytes, vectors: Mapping[int, bytes]) -> Mapping[int, float]:
        """Return the cosine similarity of each memory, using its nearest vector."""
        ...

    def scrub(self, source: VectorSource) -> None:
        """Remove every byte of a vector that the source does not have from all files."""
        ...

    def close(self) -> None:
        """Close the files; a second call does nothing."""
        ...
