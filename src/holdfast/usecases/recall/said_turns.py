"""What was said, as a search reads it: each turn as a record, ranked by the rules of memories.

The records exist only while a question is answered; none of them is a memory.
"""

from __future__ import annotations

import math
from functools import cached_property
from heapq import nlargest
from typing import TYPE_CHECKING

from holdfast.domain.choices import EvidenceType, Kind, Origin, Scope, Status
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.evidence import Evidence
from holdfast.domain.memory.memory import Memory, MemoryRecord, Standing
from holdfast.domain.recall.finding import Hit, NearHits, TermCounts
from holdfast.domain.sessions.said import SaidBy, said_words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from holdfast.domain.memory.link import Link
    from holdfast.domain.memory.place import Place, SpaceId
    from holdfast.domain.memory.selection import Page, Selection
    from holdfast.domain.recall.finding import ThreadPosition, Vector
    from holdfast.domain.sessions.said import SaidTurn, WordUse
    from holdfast.ports.recall.searched import SearchedTunings
    from holdfast.ports.store.said_turns import SaidSearch
    from holdfast.ports.store.store import Transaction

# The usual constants of BM25.
_SATURATION, _LENGTH_SHARE = 1.2, 0.75
_ACCEPTED = Standing(status=Status.ACCEPTED)


class SaidInRepository:
    """What was said in the sessions of one repository, for a search in one transaction."""

    def __init__(self, place: Place, tx: Transaction) -> None:
        search = tx.finding.said
        self.turns: dict[int, SaidTurn] = {}
        self.memories, self.names, self.links = _NoRecords(), _NoNames(), _NoLinks()
        self.finding = _SaidFinders(place, search, tx.finding.tunings, self.turns)


class _SaidFinders:
    def __init__(
        self,
        place: Place,
        search: SaidSearch,
        tunings: SearchedTunings,
        turns: dict[int, SaidTurn],
    ) -> None:
        repo = place.repo or ""
        self.words = _SaidWords(search, repo)
        self.meaning = _SaidMeaning(search, repo)
        self.around = _SaidContext(search, place.space, turns)
        self.tunings = tunings


class _SaidWords:
    """Searches by words, scored by BM25."""

    def __init__(self, search: SaidSearch, repo: str) -> None:
        self._search, self._repo = search, repo
        self._known: dict[str, list[WordUse]] = {}

    @cached_property
    def _extent(self) -> tuple[int, int]:
        return self._search.extent(self._repo)

    def search(self, terms: Sequence[str], within: Selection, *, limit: int) -> Sequence[Hit]:
        """Return the best matches first; among equal ones, what was said first."""
        del within
        turns, words = self._extent
        scores: dict[int, float] = {}
        for uses in self._uses(said_words(" ".join(terms))).values():
            rarity = math.log1p((turns - len(uses) + 0.5) / (len(uses) + 0.5))
            for use in uses:
                length = 1 - _LENGTH_SHARE + _LENGTH_SHARE * use.words * turns / words
                score = rarity * use.times * (_SATURATION + 1) / (use.times + _SATURATION * length)
                scores[use.sequence] = scores.get(use.sequence, 0.0) + score
        # The earlier of equal ones is the larger of the negative sequences.
        best = nlargest(limit, [(score, -sequence) for sequence, score in scores.items()])
        return tuple([Hit(sequence=-name, score=score) for score, name in best])

    def counts(self, terms: Collection[str], *, place: Place | None = None) -> TermCounts:
        """Return how many turns contain each term; of several words, the rarest counts."""
        del place  # only the turns of one repository are searched
        words = {term: list(said_words(term)) for term in terms}
        uses = self._uses({word for own in words.values() for word in own})
        holding = {
            term: float(min((len(uses[word]) for word in own), default=0))
            for term, own in words.items()
        }
        turns = self._extent[0]
        return TermCounts(memories=turns, reaching=turns, holding=holding)

    def mentioning(
        self, phrases: Collection[str], within: Selection, *, limit: int
    ) -> Mapping[str, Sequence[int]]:
        """Return nothing: what was said in sessions is ranked by its own words alone."""
        del phrases, within, limit
        return {}

    def _uses(self, words: Collection[str]) -> Mapping[str, list[WordUse]]:
        if fresh := {word for word in words if word not in self._known}:
            self._known |= {word: [] for word in fresh}
            for use in self._search.uses(fresh, self._repo):
                self._known[use.word].append(use)
        return {word: self._known[word] for word in words}


class _SaidMeaning:
    """Searches by meaning."""

    def __init__(self, search: SaidSearch, repo: str) -> None:
        self._search, self._repo = search, repo

    def search(
        self, question: Vector, within: Selection, *, limit: int, beside: Collection[int] = ()
    ) -> NearHits:
        """Return the nearest turns; all of them are compared."""
        del within, beside
        return NearHits(hits=tuple(self._search.vectors.nearest(question, self._repo, limit=limit)))

    def likeness(self, question: Vector, sequences: Collection[int]) -> Mapping[int, float]:
        """Return the cosine similarity of each turn."""
        return self._search.vectors.likeness(question, sequences)


class _SaidContext:
    """Records of turns, and their places in their sessions."""

    def __init__(self, search: SaidSearch, space: SpaceId, turns: dict[int, SaidTurn]) -> None:
        self._search, self._space, self._turns = search, space, turns

    def read(self, sequences: Sequence[int]) -> Sequence[MemoryRecord]:
        """Return the turns as records."""
        found = self._search.read(sequences)
        self._turns |= {turn.sequence: turn for turn in found}
        return tuple([_record(turn, self._space) for turn in found])

    def turns(self, sequences: Collection[int]) -> Mapping[int, ThreadPosition]:
        """Return the place of each turn."""
        return self._search.places(sequences)

    def beside(
        self, sequences: Collection[int], within: Selection, *, reach: int
    ) -> Mapping[int, ThreadPosition]:
        """Return the turns around these."""
        del within
        steps = [step for step in range(-reach, reach + 1) if step]
        places = self._search.places(sequences).values()
        wanted = {(one.thread, one.number + step) for one in places for step in steps}
        found = self._search.at(sorted(wanted))
        return {sequence: place for sequence, place in found.items() if sequence not in sequences}

    def closing(
        self, threads: Collection[str], within: Selection, *, last: int, shorter: int
    ) -> Mapping[int, ThreadPosition]:
        """Return the last turns of short sessions."""
        del within
        ends = {thread: end for thread, end in self._search.ends(threads).items() if end < shorter}
        return self._search.at(
            [(thread, end - back) for thread, end in ends.items() for back in range(last)]
        )

    def named(
        self, names: Collection[str], within: Selection, *, limit: int
    ) -> Mapping[str, Sequence[int]]:
        """Return nothing: a turn has no name."""
        del names, within, limit
        return {}


class _NoRecords:
    """Turns are found by search only: none is pinned, and none is named by an id."""

    def find(self, selection: Selection, page: Page) -> Sequence[MemoryRecord]:
        """Return nothing."""
        del selection, page
        return ()

    def get_many(self, memory_ids: Iterable[MemoryId]) -> Mapping[MemoryId, MemoryRecord]:
        """Return nothing."""
        del memory_ids
        return {}


class _NoNames:
    """No turn is found by its id."""

    def ending(self, prefix: str, letters: str, *, limit: int) -> Sequence[str]:
        """Return nothing."""
        del prefix, letters, limit
        return ()


class _NoLinks:
    """No link leads to a turn."""

    def among(self, memory_ids: Collection[MemoryId]) -> Sequence[Link]:
        """Return nothing."""
        del memory_ids
        return ()


def _record(turn: SaidTurn, space: SpaceId) -> MemoryRecord:
    """Return a turn in the form that the ranking reads."""
    origin = Origin.AGENT if turn.by is SaidBy.AGENT else Origin.HUMAN
    return MemoryRecord(
        sequence=turn.sequence,
        memory=Memory(
            id=MemoryId(turn.reference),
            claim=turn.searched,
            kind=Kind.OBSERVATION,
            scope=Scope.REPO,
            created_at=turn.at,
            evidence=(Evidence(type=EvidenceType.TURN, reference=turn.reference),),
            origin=origin,
            trust=origin,
            space=space,
            repo=turn.repo,
            branch=turn.branch,
        ),
        standing=_ACCEPTED,
    )
