"""What a search reads: the part of a transaction that finds, scores and reads candidates.

A transaction has all of it for memories. What was said in sessions is searched in the same way.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol

from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.memory.place import Place, SpaceId
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.recall.finding import Hit, NearHits, TermCounts, ThreadPosition, Vector
from holdfast.domain.recall.learning import Tuning


class SearchedWords(Protocol):
    """Searches by words."""

    def search(self, terms: Sequence[str], within: Selection, *, limit: int) -> Sequence[Hit]:
        """Return the best matches of the selection, best first."""
        ...

    def counts(self, terms: Collection[str], *, place: Place | None = None) -> TermCounts:
        """Return how many texts there are, how many can reach a place, and who has each term."""
        ...

    def mentioning(
        self, phrases: Collection[str], within: Selection, *, limit: int
    ) -> Mapping[str, Sequence[int]]:
        """Return those that contain each phrase; a phrase in more than ``limit`` is left out."""
        ...


class SearchedMeaning(Protocol):
    """Searches by meaning."""

    def search(
        self, question: Vector, within: Selection, *, limit: int, beside: Collection[int] = ()
    ) -> NearHits:
        """Return the nearest by cosine similarity."""
        ...

    def likeness(self, question: Vector, sequences: Collection[int]) -> Mapping[int, float]:
        """Return the cosine similarity of each."""
        ...


class SearchedContext(Protocol):
    """The context of a hit."""

    def read(self, sequences: Sequence[int]) -> Sequence[MemoryRecord]:
        """Return the records in the requested order."""
        ...

    def turns(self, sequences: Collection[int]) -> Mapping[int, ThreadPosition]:
        """Return the position of each in its thread."""
        ...

    def beside(
        self, sequences: Collection[int], within: Selection, *, reach: int
    ) -> Mapping[int, ThreadPosition]:
        """Return those of the same threads, at most ``reach`` turns away."""
        ...

    def closing(
        self, threads: Collection[str], within: Selection, *, last: int, shorter: int
    ) -> Mapping[int, ThreadPosition]:
        """Return the last turns of those threads that end before turn number ``shorter``."""
        ...

    def named(
        self, names: Collection[str], within: Selection, *, limit: int
    ) -> Mapping[str, Sequence[int]]:
        """Return those with each name."""
        ...


class SearchedTunings(Protocol):
    """The ranking weights."""

    def of(self, space: SpaceId) -> Tuning | None:
        """Return the newest version of a space."""
        ...


class SearchedRecords(Protocol):
    """Records by selection and by id."""

    def find(self, selection: Selection, page: Page) -> Sequence[MemoryRecord]:
        """Return the records of the selection."""
        ...

    def get_many(self, memory_ids: Iterable[MemoryId]) -> Mapping[MemoryId, MemoryRecord]:
        """Return several records at once."""
        ...


class SearchedNames(Protocol):
    """The ids."""

    def ending(self, prefix: str, letters: str, *, limit: int) -> Sequence[str]:
        """Return the ids that start with a prefix and end with these letters."""
        ...


class SearchedLinks(Protocol):
    """The links between records."""

    def among(self, memory_ids: Collection[MemoryId]) -> Sequence[Link]:
        """Return the links that touch any of these."""
        ...


class SearchedFinders(Protocol):
    """The search ports that a search uses."""

    @property
    def words(self) -> SearchedWords:
        """Search by words."""
        ...

    @property
    def meaning(self) -> SearchedMeaning:
        """Search by meaning."""
        ...

    @property
    def around(self) -> SearchedContext:
        """The context of hits."""
        ...

    @property
    def tunings(self) -> SearchedTunings:
        """The ranking weights."""
        ...


class Searched(Protocol):
    """Everything that a search reads, as of one moment."""

    @property
    def memories(self) -> SearchedRecords:
        """The records."""
        ...

    @property
    def names(self) -> SearchedNames:
        """The ids."""
        ...

    @property
    def links(self) -> SearchedLinks:
        """The links."""
        ...

    @property
    def finding(self) -> SearchedFinders:
        """The search ports."""
        ...
