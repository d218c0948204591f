"""Ports for search: by words, by meaning, and by context (thread, names).

Everything behind these ports except the tunings is derived from the memories, or from what was said
in sessions, and can be rebuilt. A
hit is only a number and a score, so that many hits can be ranked before a few are read.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.memory import Memory, MemoryRecord
from holdfast.domain.memory.place import Place, SpaceId
from holdfast.domain.memory.selection import Cursor, Selection, Slice
from holdfast.domain.recall.finding import (
    EmbeddingModel,
    Hit,
    ModelUse,
    Nearest,
    NearHits,
    TermCounts,
    ThreadPosition,
    Vector,
    VectorChange,
)
from holdfast.domain.recall.learning import Tuning
from holdfast.ports.store.said_turns import SaidSearch


class WordSearch(Protocol):
    """Searches memories by their words. It holds only derived data."""

    def search(self, terms: Sequence[str], within: Selection, *, limit: int) -> Sequence[Hit]:
        """Return the best matches of the selection, best first.

        A term is looked up literally: it must never be parsed as query syntax. No terms give no
        hits. A memory added in this transaction must be found.
        """
        ...

    def search_each(
        self, questions: Sequence[Sequence[str]], within: Selection, *, limit: int
    ) -> Sequence[Sequence[Hit]]:
        """Return the best matches of each question, in the order of the questions.

        The matches must be those of ``search``. The number of statements that a backend runs must
        not grow with the number of questions.
        """
        ...

    def counts(self, terms: Collection[str], *, place: Place | None = None) -> TermCounts:
        """Return the number of memories in the store, and how many of them contain each term.

        Both may be estimates, but a term that no memory contains must have the count 0. Of those
        that can reach a place, a few thousand must be counted; without a place, all can.
        """
        ...

    def mentioning(
        self, phrases: Collection[str], within: Selection, *, limit: int
    ) -> Mapping[str, Sequence[int]]:
        """Return the memories of the selection that contain each phrase, by sequence.

        A phrase that more than ``limit`` memories contain must be left out, and so must one that
        none contains. The words of a phrase follow each other. The number of statements that a
        backend runs must not grow with the number of phrases.
        """
        ...

    def alike(self, claim: str, within: Selection, *, limit: int) -> Sequence[MemoryRecord]:
        """Return memories that may be the same claim: equal except for case, or nearly equal."""
        ...

    def expect(self, memories: Sequence[Memory]) -> None:
        """Announce memories that this unit of work is about to compare and add.

        A backend may look all of them up at once. It must change no result.
        """
        ...

    def alike_each(
        self, claims: Sequence[str], within: Selection, *, limit: int
    ) -> Sequence[Sequence[MemoryRecord]]:
        """Return for each claim what ``alike`` returns, in the order of the claims.

        The number of statements that a backend runs must not grow with the number of claims.
        """
        ...


class VectorSearch(Protocol):
    """Searches memories by meaning. Vectors of different models must never be compared."""

    def models(self) -> Sequence[ModelUse]:
        """Return the models that have stored vectors, and how many memories each covers."""
        ...

    def lacking(self, model: str, *, beyond: Cursor | None, limit: int) -> Slice[MemoryRecord]:
        """Return memories without a vector of that model, after the slice with that cursor.

        Every memory that has no vector during the whole reading must be returned once. A memory
        committed while the slices are read may be left for the next reading, but must not be
        skipped permanently.

        Raises:
            BadCursorError: The cursor is not one that this store made.
        """
        ...

    def put(self, model: EmbeddingModel, vectors: Mapping[MemoryId, Sequence[Vector]]) -> None:
        """Store one or more vectors for each memory; vectors of the same memory must be replaced.

        A memory that does not exist must be skipped: it was forgotten while it was embedded.

        Raises:
            BadVectorError: A vector is of another model or size, or has no direction.
        """
        ...

    def drop(self, model: str) -> int:
        """Remove all vectors of a model; return how many memories had one."""
        ...

    def search(
        self, question: Vector, within: Selection, *, limit: int, beside: Collection[int] = ()
    ) -> NearHits:
        """Return the nearest memories by cosine similarity, from the selection only.

        ``beside`` names memories whose likeness the caller will ask for; a store may read their
        vectors with those of the nearest.

        A memory with several vectors must appear once, with its nearest vector. Memories without a
        vector of the question's model must not appear. A search that may miss a nearer memory must
        report that it is not exact, and every search must report how many memories it compared.
        """
        ...

    def likeness(self, question: Vector, sequences: Collection[int]) -> Mapping[int, float]:
        """Return the cosine similarity of each memory that has a vector of the question's model."""
        ...


class Neighbourhood(Protocol):
    """The context of a hit: its record, its thread, and the names it mentions."""

    def read(self, sequences: Sequence[int]) -> Sequence[MemoryRecord]:
        """Return the records in the requested order; a missing one must be left out."""
        ...

    def turns(self, sequences: Collection[int]) -> Mapping[int, ThreadPosition]:
        """Return each memory's position in its thread; one without a thread must be left out."""
        ...

    def beside(
        self, sequences: Collection[int], within: Selection, *, reach: int
    ) -> Mapping[int, ThreadPosition]:
        """Return memories of the same threads, at most ``reach`` turns away, from the selection.

        The given memories themselves must not be included.
        """
        ...

    def closing(
        self, threads: Collection[str], within: Selection, *, last: int, shorter: int
    ) -> Mapping[int, ThreadPosition]:
        """Return the last turns of those threads that end before turn number ``shorter``.

        Only memories of the selection are returned, but all turns of a thread count for its length.
        """
        ...

    def named(
        self, names: Collection[str], within: Selection, *, limit: int
    ) -> Mapping[str, Sequence[int]]:
        """Return the memories with each name; a name with more than ``limit`` must be left out.

        Names are compared in the form that ``holdfast.domain.memory.naming.plain_name`` returns.
        """
        ...

    def keyed(
        self, keys: Collection[str], within: Selection, *, limit: int
    ) -> Mapping[str, Sequence[MemoryRecord]]:
        """Return the newest memories with each key, at most ``limit`` of each.

        Each memory must have the status that the selection's view gives it. The number of
        statements that a backend runs must not grow with the number of keys.
        """
        ...


class Tunings(Protocol):
    """The ranking weights that spaces have learned, in every version."""

    def of(self, space: SpaceId) -> Tuning | None:
        """Return the newest version of a space; None if there is none."""
        ...

    def put(self, tuning: Tuning) -> None:
        """Write a version; it must read back exactly, and the same number must replace it."""
        ...

    def history(self, space: SpaceId) -> Sequence[Tuning]:
        """Return every version of a space, oldest first."""
        ...


class Finders(Protocol):
    """The search ports of one transaction."""

    @property
    def words(self) -> WordSearch:
        """Search by words."""
        ...

    @property
    def meaning(self) -> VectorSearch:
        """Search by meaning."""
        ...

    @property
    def around(self) -> Neighbourhood:
        """The context of hits."""
        ...

    @property
    def tunings(self) -> Tunings:
        """The ranking weights."""
        ...

    @property
    def said(self) -> SaidSearch:
        """The search among what was said in sessions."""
        ...


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
