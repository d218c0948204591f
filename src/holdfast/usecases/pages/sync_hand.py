"""Carry out the plan of a sync, with the result of each step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.memory.memory import Standing
from holdfast.domain.pages.page_entry import is_label
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.pages.sync_rivals import Rivals
from holdfast.usecases.review.deciding import DecisionLedger
from holdfast.usecases.screening import screened

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.domain.choices import Status
    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.decision import Action
    from holdfast.domain.memory.entry import PageEntry, PlacedEntry
    from holdfast.domain.memory.memory import Memory, MemoryRecord
    from holdfast.domain.pages.syncing import EntryOutcome
    from holdfast.ports.heuristics import Heuristics
    from holdfast.ports.pages.files import Put
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.pages.sync_evidence import Reader
    from holdfast.usecases.pages.sync_register import Register

TRUSTED = "trusted with this clone's pages"
"""The reason of memories that came with git and were accepted; untrusting searches for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """The result of a plan: the outcome, the text to write, and the agreed version.

    ``tip`` is the memory that file and store agree on; None means no new agreement. ``is_dropped``
    says that the entry no longer belongs to this branch's pages. ``passed`` is the claim that
    passed the gates while the plan was carried out.
    """

    outcome: EntryOutcome
    placed: PlacedEntry | None = None
    put: Put | None = None
    tip: MemoryId | None = None
    is_dropped: bool = False
    passed: str | None = None


class Hand:
    """One transaction, the register read in it, and the person; every decision can be undone."""

    def __init__(
        self,
        *,
        tx: Transaction,
        register: Register,
        reader: Reader,
        by: str,
        heuristics: Heuristics,
        entries: int = 0,
    ) -> None:
        """Start; ``entries`` is the number of page texts that may be taken in."""
        self.tx = tx
        self.rivals = Rivals(register, tx, heuristics, entries=entries)
        self.register = register
        self.reader = reader
        self._by = by
        self._heuristics = heuristics
        self._books: dict[Action, DecisionLedger] = {}

    def book(self, action: Action) -> DecisionLedger:
        """Return the ledger for one sort of decision, shared by the whole sync."""
        if action not in self._books:
            self._books[action] = DecisionLedger(
                by=self._by, at=self.register.at, tx=self.tx, heuristics=self._heuristics
            )
        return self._books[action]

    def close(self) -> None:
        """Store the decisions."""
        for action, book in self._books.items():
            book.close(action, entropy=self.reader.clock.entropy())

    def name(self, record: MemoryRecord, label: str) -> MemoryRecord:
        """Give a memory a label."""
        standing = replace(record.standing, label=_clean(label))
        self.tx.memories.set_standing(record.memory.id, standing)
        return self.tx.memories.get(record.memory.id)

    def add(self, memory: Memory, status: Status, *, label: str, action: Action) -> MemoryRecord:
        """Store a memory from a person's page, with its status."""
        standing = Standing(
            status=status,
            label=_clean(label),
            decided_by=self._by,
            decided_at=self.register.at,
        )
        return self.book(action).add(memory, standing)

    def replace(self, old: Iterable[MemoryRecord], new: MemoryRecord, action: Action) -> None:
        """Supersede other memories with this one."""
        for one in old:
            if one.memory.id != new.memory.id:
                self.book(action).supersede(one, new)


def _clean(label: str) -> str:
    """Return a screened label; one such as ``DEC-001`` cannot contain a secret."""
    return label if is_label(label) else screened(label, what="label")


def under_label(entry: PageEntry, label: str | None) -> PageEntry:
    """Return the entry with a new label; it keeps the old one in ``was``."""
    if label is None or entry.label == label:
        return entry
    old = () if entry.label is None else (entry.label,)
    return replace(entry, label=label, was=tuple(dict.fromkeys((*entry.was, *old))))
