"""The candidates of the Inbox: which are current, marked, or being decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.memory.decision import Offered, offer_of
from holdfast.domain.memory.near_claims import alike_groups
from holdfast.domain.review.review import Risk

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from holdfast.domain.ids import MemoryId
    from holdfast.usecases.review.queued import WaitingCandidate


def name_of(item: WaitingCandidate) -> MemoryId:
    """Return the id of a candidate."""
    return item.record.memory.id


def forgets(item: WaitingCandidate) -> bool:
    """Return whether a candidate proposes to forget a memory."""
    offer = offer_of(item.record.memory)
    return offer is not None and offer.what is Offered.FORGETTING


def is_risky(item: WaitingCandidate) -> bool:
    """Return whether a candidate has a high risk."""
    return item.danger.risk is Risk.HIGH


class CandidateShelf:
    """The candidates in the order of the list.

    ``deciding`` are those whose decision has begun: they cannot be decided again.
    """

    def __init__(self) -> None:
        self.items: list[WaitingCandidate] = []
        self.marked: set[MemoryId] = set()
        self.deciding: set[MemoryId] = set()
        self.repeated: set[MemoryId] = set()

    def fill(self, items: Sequence[WaitingCandidate]) -> None:
        """Take the candidates that were read; marks of those that are gone are dropped."""
        self.items = list(items)
        names = {name_of(one) for one in items}
        self.marked &= names
        self.deciding &= names
        self.repeated = self._repeated()

    def _repeated(self) -> set[MemoryId]:
        """Return the candidates that say what is known, or what a candidate above says."""
        known = {name_of(one) for one in self.items if one.known is not None}
        claims = [one.record.memory.claim for one in self.items]
        alike = {
            name_of(self.items[place]) for group in alike_groups(claims) for place in group[1:]
        }
        return known | alike

    def place_of(self, name: MemoryId) -> int | None:
        """Return the row of a candidate; None if it is not in the list."""
        places = (place for place, one in enumerate(self.items) if name_of(one) == name)
        return next(places, None)

    def meant(self, at: int) -> list[WaitingCandidate]:
        """Return the marked candidates, or the current one, without those being decided."""
        marked = [one for one in self.items if name_of(one) in self.marked]
        found = marked or self.items[at : at + 1]
        return [one for one in found if name_of(one) not in self.deciding]

    def next_free(self, at: int) -> int:
        """Return the row of the next candidate that nobody is deciding, or of one before it."""
        order = [*range(at, len(self.items)), *range(at - 1, -1, -1)]
        free = (place for place in order if name_of(self.items[place]) not in self.deciding)
        return next(free, at)

    def begin(self, items: Iterable[WaitingCandidate]) -> None:
        """Note that a decision about these has begun."""
        names = {name_of(one) for one in items}
        self.deciding |= names
        self.marked -= names

    def give_back(self, items: Iterable[WaitingCandidate]) -> None:
        """Note that no decision about these was made."""
        self.deciding -= {name_of(one) for one in items}

    def remove(self, items: Iterable[WaitingCandidate]) -> None:
        """Take decided candidates out of the list."""
        gone = {name_of(one) for one in items}
        self.fill([one for one in self.items if name_of(one) not in gone])

    def put_back(self, items: Iterable[WaitingCandidate], at: int) -> None:
        """Put candidates whose decision was undone back to their row."""
        found = list(items)
        names = {name_of(one) for one in found}
        self.deciding -= names
        rest = [one for one in self.items if name_of(one) not in names]
        self.fill([*rest[:at], *found, *rest[at:]])

    def replace(self, item: WaitingCandidate) -> None:
        """Show a candidate as it is now."""
        place = self.place_of(name_of(item))
        if place is not None:
            self.items[place] = item

    def mark(self, names: Iterable[MemoryId]) -> int:
        """Mark these, or unmark them if all are marked; return how many are marked."""
        wanted = set(names) - self.deciding
        self.marked = self.marked - wanted if wanted <= self.marked else self.marked | wanted
        return len(self.marked)
