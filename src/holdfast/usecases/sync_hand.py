"""What carries the plan of a sync out, and what is left of each plan when it is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.memory import Standing
from holdfast.domain.page_entry import is_label
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.deciding import Ledger
from holdfast.usecases.screening import screened
from holdfast.usecases.sync_rivals import Rivals

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.domain.choices import Status
    from holdfast.domain.decision import Action
    from holdfast.domain.entry import Entry, PlacedEntry
    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory import Memory, MemoryRecord
    from holdfast.domain.syncing import Outcome
    from holdfast.ports.files import Put
    from holdfast.ports.store import Transaction
    from holdfast.usecases.sync_evidence import Reader
    from holdfast.usecases.sync_register import Register

TRUSTED = "trusted with this clone's pages"
"""Why a memory that came with git is accepted; taking the trust back looks for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What became of a plan: what is told, what is to be written, what is agreed on now.

    ``tip`` is the memory that file and store agree on; without one, nothing new is agreed on.
    ``is_dropped``: the entry is no concern of this branch's pages any more. ``passed`` is the
    claim that passed the gates while the plan was carried out.
    """

    outcome: Outcome
    placed: PlacedEntry | None = None
    put: Put | None = None
    tip: MemoryId | None = None
    is_dropped: bool = False
    passed: str | None = None


class Hand:
    """One transaction, what was read in it, and who decides; every decision can be undone."""

    def __init__(
        self, *, tx: Transaction, register: Register, reader: Reader, by: str, entries: int = 0
    ) -> None:
        """Begin; ``entries`` says how many texts of pages may be taken in."""
        self.tx = tx
        self.rivals = Rivals(register, tx, entries=entries)
        self.register = register
        self.reader = reader
        self._by = by
        self._books: dict[Action, Ledger] = {}

    def book(self, action: Action) -> Ledger:
        """Return the book that decisions of a sort go into, one for a whole sync."""
        if action not in self._books:
            self._books[action] = Ledger(by=self._by, at=self.register.at, tx=self.tx)
        return self._books[action]

    def close(self) -> None:
        """Write down what was decided."""
        for action, book in self._books.items():
            book.close(action, entropy=self.reader.clock.entropy())

    def name(self, record: MemoryRecord, label: str) -> MemoryRecord:
        """Give a memory a label."""
        standing = replace(record.standing, label=_clean(label))
        self.tx.memories.set_standing(record.memory.id, standing)
        return self.tx.memories.get(record.memory.id)

    def add(self, memory: Memory, status: Status, *, label: str, action: Action) -> MemoryRecord:
        """Write a memory that a person's page says, as it stands from now on."""
        standing = Standing(
            status=status,
            label=_clean(label),
            decided_by=self._by,
            decided_at=self.register.at,
        )
        return self.book(action).add(memory, standing)

    def replace(self, old: Iterable[MemoryRecord], new: MemoryRecord, action: Action) -> None:
        """Let a memory stand where others stood."""
        for one in old:
            if one.memory.id != new.memory.id:
                self.book(action).supersede(one, new)


def _clean(label: str) -> str:
    """Return a label that passed the gates; one such as ``DEC-001`` can hold nothing else."""
    return label if is_label(label) else screened(label, what="label")


def under_label(entry: Entry, label: str | None) -> Entry:
    """Return the entry under a label; it remembers the one it had."""
    if label is None or entry.label == label:
        return entry
    old = () if entry.label is None else (entry.label,)
    return replace(entry, label=label, was=tuple(dict.fromkeys((*entry.was, *old))))
