"""Find the accepted memories that the entries of a page contradict.

A search of the store for each of thousands of entries would take longer than the rest of the sync.
If a sync takes in many entries, it therefore reads the accepted memories once, and compares each
entry with the few claims that share its rarest words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.recall.question import terms_of
from holdfast.usecases.review.conflicts import (
    Conflict,
    contradicting,
    note_conflicts,
    suspected,
)
from holdfast.usecases.review.recognise import is_seen_from

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.ports.heuristics import Heuristics
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.pages.sync.read import StoreState

MANY = 100
"""The number of entries from which the accepted memories are read once."""
_MOST_SHARING = 48
"""A word in more claims than this says little about any of them."""
_MOST_COMPARED = 8
_SHORT = 6
"""A claim with at most this many telling words is compared with claims that share one of them.

A longer claim is compared only with claims that share two. Every conflict among the 260 pairs of
``benchmarks/decision_pairs.jsonl`` is still found.
"""


class ConflictFinder:
    """Finds what a new memory seems to contradict, and stores it as links."""

    def __init__(
        self, stored: StoreState, tx: Transaction, heuristics: Heuristics, *, entries: int
    ) -> None:
        self._stored = stored
        self._tx = tx
        self._heuristics = heuristics
        self._names_nothing: dict[str, bool] = {}
        self._are_many = entries >= MANY
        self._standing: list[MemoryRecord] = []
        self._sharing: dict[str, list[int]] = {}
        self._is_read = False

    def note(self, record: MemoryRecord, *, is_new: bool) -> Sequence[Conflict]:
        """Store what a memory seems to contradict as links, for a person to see, and return it.

        A memory that existed before may already have settled conflicts, so the store is searched.
        """
        if not self._are_many or not is_new:
            view = self._stored.checkout.view
            return note_conflicts(
                record, tx=self._tx, now=self._stored.at, view=view, heuristics=self._heuristics
            )
        if not self._is_read:
            self._read()
        terms = self._telling_terms(record)
        found = [
            Conflict(candidate=record, standing=other, suspicion=seen)
            for other in self._similar(record, terms)
            if (seen := suspected(record, other, heuristics=self._heuristics)) is not None
        ]
        for one in found:
            self._tx.links.put(contradicting(one))
        self._add(record, terms)
        return found

    def _read(self) -> None:
        self._is_read = True
        for known in self._stored.chains.values():
            for head in known.heads:
                self._add(head, self._telling_terms(head))

    def _add(self, record: MemoryRecord, terms: Iterable[str]) -> None:
        if record.may_be_recalled_at(self._stored.at):
            number = len(self._standing)
            for term in terms:
                self._sharing.setdefault(term, []).append(number)
            self._standing.append(record)

    def _similar(self, record: MemoryRecord, terms: Sequence[str]) -> Iterable[MemoryRecord]:
        """Return the claims that share the most of the rarer words, if they share enough."""
        shared: dict[int, int] = {}
        for term in terms:
            numbers = self._sharing.get(term, ())
            if len(numbers) <= _MOST_SHARING:
                for number in numbers:
                    shared[number] = shared.get(number, 0) + 1
        enough = 1 if len(terms) <= _SHORT else 2
        most = sorted(shared, key=shared.__getitem__, reverse=True)[:_MOST_COMPARED]
        found = [self._standing[number] for number in most if shared[number] >= enough]
        view = self._stored.checkout.view
        return [one for one in found if is_seen_from(record.memory, one, view)]

    def _telling_terms(self, record: MemoryRecord) -> list[str]:
        """Return the search terms of a claim that name a topic; claims share most of theirs."""
        known, names_nothing = self._names_nothing, self._heuristics.wording.names_nothing
        terms = terms_of(record.memory.claim)
        for term in terms:
            if term not in known:
                known[term] = names_nothing(term)
        return [term for term in terms if not known[term]]
