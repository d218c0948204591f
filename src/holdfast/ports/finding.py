"""The ways a memory is found: by its words, by its meaning, by what stands around it.

Everything behind these ports but the tunings is derived from the memories and can be made anew.
Hits are light, a number and a score, so that many can be weighed before few are read.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from holdfast.domain.finding import (
    EmbeddingModel,
    Hit,
    ModelUse,
    Nearest,
    NearHits,
    TermCounts,
    Turn,
    Vector,
    VectorChange,
)
from holdfast.domain.ids import MemoryId
from holdfast.domain.learning import Tuning
from holdfast.domain.memory import MemoryRecord
from holdfast.domain.place import SpaceId
from holdfast.domain.selection import Cursor, Selection, Slice


class Words(Protocol):
    """Finds memories by their words. Holds nothing that cannot be rebuilt."""

    def search(self, terms: Sequence[str], within: Selection, *, limit: int) -> Sequence[Hit]:
        """Return the best matches first, of those the selection takes.

        A term is looked up as it is: it must never be read as query syntax.
        No terms give no hits. A memory added in this transaction must be found.
        """
        ...

    def counts(self, terms: Collection[str]) -> TermCounts:
        """Return how many memories the store holds, and how many of them hold each term.

        Both may be estimates, but a term that no memory holds must count nothing.
        """
        ...

    def alike(self, claim: str, within: Selection, *, limit: int) -> Sequence[MemoryRecord]:
        """Return memories that may be this claim: the same but for case, or nearly its words."""
        ...


class Meaning(Protocol):
    """Finds memories by what they mean. Vectors of different models must never meet."""

    def models(self) -> Sequence[ModelUse]:
        """Return the models that vectors are kept of, and how many memories each covers."""
        ...

    def lacking(self, model: str, *, beyond: Cursor | None, limit: int) -> Slice[MemoryRecord]:
        """Return memories without a vector of that model, after the slice with that cursor.

        Every memory that stays without one must be returned once. One that is committed while
        the slices are read may be left for the next time, but must not be passed over for good.

        Raises:
            BadCursorError: The cursor is not one that this store made.
        """
        ...

    def put(self, model: EmbeddingModel, vectors: Mapping[MemoryId, Sequence[Vector]]) -> None:
        """Keep the vectors of memories, one or several each; again must replace.

        A memory that is gone must be passed over: it was forgotten while it was embedded.

        Raises:
            BadVectorError: A vector is of another model or size, or is no direction at all.
        """
        ...

    def drop(self, model: str) -> int:
        """Remove every vector of a model; return how many memories had one."""
        ...

    def search(self, question: Vector, within: Selection, *, limit: int) -> NearHits:
        """Return the nearest first, by cosine, of those the selection takes and no others.

        A memory with several vectors must count once, by its nearest. Memories without a
        vector of the question's model must not appear. A search that may miss a nearer one
        must say that it is not exact, and every search how many memories it looked at.
        """
        ...

    def likeness(self, question: Vector, sequences: Collection[int]) -> Mapping[int, float]:
        """Return the cosine of each that has a vector of the question's model."""
        ...


class Around(Protocol):
    """What stands around a hit: the record itself, its thread, and whom it names."""

    def read(self, sequences: Sequence[int]) -> Sequence[MemoryRecord]:
        """Return the records in the order asked for; one that is not there must be left out."""
        ...

    def turns(self, sequences: Collection[int]) -> Mapping[int, Turn]:
        """Return where in its thread each stands; one in no thread must be left out."""
        ...

    def beside(
        self, sequences: Collection[int], within: Selection, *, reach: int
    ) -> Mapping[int, Turn]:
        """Return those of the same threads, at most so many turns away, that the selection takes.

        Those named themselves must not be among them.
        """
        ...

    def closing(
        self, threads: Collection[str], within: Selection, *, last: int, shorter: int
    ) -> Mapping[int, Turn]:
        """Return the last turns of those threads that end before turn number ``shorter``.

        Only what the selection takes is returned; how long a thread is, all its turns say.
        """
        ...

    def named(
        self, names: Collection[str], within: Selection, *, limit: int
    ) -> Mapping[str, Sequence[int]]:
        """Return who bears each name; a name borne by more than the limit must be left out.

        Names are compared in the form ``holdfast.domain.naming.plain_name`` gives them.
        """
        ...


class Tunings(Protocol):
    """The weights that spaces have of their own, every version of them."""

    def of(self, space: SpaceId) -> Tuning | None:
        """Return the newest version of a space; none if nothing was ever put."""
        ...

    def put(self, tuning: Tuning) -> None:
        """Write a version; it must read back exactly, and the same number must replace."""
        ...

    def history(self, space: SpaceId) -> Sequence[Tuning]:
        """Return every version of a space, the oldest first."""
        ...


class Finding(Protocol):
    """All the ways of one transaction."""

    @property
    def words(self) -> Words:
        """By words."""
        ...

    @property
    def meaning(self) -> Meaning:
        """By meaning."""
        ...

    @property
    def around(self) -> Around:
        """By what stands beside."""
        ...

    @property
    def tunings(self) -> Tunings:
        """How the ways are weighed."""
        ...


class VectorSource(Protocol):
    """The vectors of one model as one transaction sees them: all that an index is made from.

    Each change has a number, counted up from 1, and a token that chance made: a number
    with another token belongs to another past, as after a restored copy.
    """

    @property
    def store_id(self) -> str:
        """Which store this is."""
        ...

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        ...

    @property
    def is_settled(self) -> bool:
        """Tell whether all of it is committed; what is not must go into no file."""
        ...

    def last(self) -> VectorChange | None:
        """Return the newest change this transaction sees."""
        ...

    def changes(self, *, beyond: int, limit: int) -> Sequence[VectorChange]:
        """Return the changes after a number, in order."""
        ...

    def vectors(self, sequences: Collection[int]) -> Mapping[int, bytes]:
        """Return the vectors of memories, as 16-bit floats, several one after the other."""
        ...

    def holds(self, change: VectorChange) -> bool:
        """Tell whether the store has this change now, though this transaction may not see it."""
        ...


class VectorStore(Protocol):
    """A fast scan over the vectors of one model, which are kept elsewhere.

    Plug-ins replace it under the entry point group ``holdfast.vector_store``: a function
    that is given a path, with which the names of all its files must begin, and returns one.
    """

    def nearest(
        self, question: bytes, source: VectorSource, *, among: Sequence[int] | None, limit: int
    ) -> Nearest:
        """Return the memories that may be nearest, once each; ``None`` means among all.

        The question is of length one, as little-endian 32-bit floats. A cosine may be off
        by the slack: the caller weighs the best ones again with the vectors themselves.
        What the source does not see must not appear, and what it sees must not be missed.
        """
        ...

    def likeness(self, question: bytes, vectors: Mapping[int, bytes]) -> Mapping[int, float]:
        """Return the cosine of each, by the nearest of its vectors."""
        ...

    def scrub(self, source: VectorSource) -> None:
        """Leave no byte of a vector that the source does not have in any file."""
        ...

    def close(self) -> None:
        """Let go of the files; may be called twice."""
        ...
