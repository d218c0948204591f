"""Find what the entries of a page contradict, without a search of the store for each entry.

A search of the store for each of thousands of entries would take longer than the rest of the sync.
If a sync takes in many entries, it therefore reads the accepted memories once, and compares each
entry with the few claims that share its rarest words.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

from holdfast.usecases.review.conflicts import (
    Conflict,
    contradicting,
    note_conflicts,
    suspected,
    telling_terms,
)
from holdfast.usecases.review.recognise import is_seen_from

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.ports.heuristics import Heuristics
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.pages.sync_register import Register

MANY = 100
"""The number of entries from which the accepted memories are read once."""
_MOST_SHARING = 48
"""A word in more claims than this says little about any of them."""
_MOST_RIVALS = 8
_SHORT = 6
"""Up to so many telling words, a claim that shares one of them may be about the same thing.

A longer one shares at least two: so it is for every conflict that is found among the 260 pairs
of ``benchmarks/decision_pairs.jsonl``.
"""


class Rivals:
    """Finds what a new memory seems to contradict, and stores it as links."""

    def __init__(
        self, register: Register, tx: Transaction, heuristics: Heuristics, *, entries: int
    ) -> None:
        self._register = register
        self._tx = tx
        self._heuristics = heuristics
        self._are_many = entries >= MANY
        self._standing: list[MemoryRecord] = []
        self._sharing: dict[str, list[int]] = {}
        self._is_read = False

    def note(self, record: MemoryRecord, *, is_new: bool) -> Sequence[Conflict]:
        """Store what a memory seems to contradict as links, for a person to see, and return it.

        A memory that existed before may already have settled conflicts, so the store is searched.
        """
        if not self._are_many or not is_new:
            view = self._register.here.view
            return note_conflicts(
                record, tx=self._tx, now=self._register.at, view=view, heuristics=self._heuristics
            )
        if not self._is_read:
            self._read()
        terms = self._telling(record)
        found = [
            Conflict(candidate=record, standing=rival, suspicion=seen)
            for rival in self._rivals(record, terms)
            if (seen := suspected(record, rival, heuristics=self._heuristics)) is not None
        ]
        for one in found:
            self._tx.links.put(contradicting(one))
        self._add(record, terms)
        return found

    def _read(self) -> None:
        self._is_read = True
        for known in self._register.chains.values():
            for head in known.heads:
                self._add(head, self._telling(head))

    def _add(self, record: MemoryRecord, terms: Iterable[str]) -> None:
        if record.may_be_recalled_at(self._register.at):
            for term in terms:
                self._sharing.setdefault(term, []).append(len(self._standing))
            self._standing.append(record)

    def _rivals(self, record: MemoryRecord, terms: Sequence[str]) -> Iterable[MemoryRecord]:
        """Return the claims that share the most of the rarer words, if they share enough."""
        there = (self._sharing.get(term, ()) for term in terms)
        rare = (numbers for numbers in there if len(numbers) <= _MOST_SHARING)
        shared = Counter(chain.from_iterable(rare))
        enough = 1 if len(terms) <= _SHORT else 2
        rivals = (
            self._standing[number]
            for number, words in shared.most_common(_MOST_RIVALS)
            if words >= enough
        )
        view = self._register.here.view
        return [one for one in rivals if is_seen_from(record.memory, one, view)]

    def _telling(self, record: MemoryRecord) -> list[str]:
        return telling_terms(record.memory.claim, heuristics=self._heuristics)
