"""Deciding: every change of a memory's standing is made here, so that it can be undone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import LinkKind, Status
from holdfast.domain.errors import AlreadyDecidedError
from holdfast.domain.ids import DecisionId, sortable
from holdfast.domain.memory.decision import Decision, StandingChange, Withdrawn
from holdfast.domain.memory.inheriting import inherited_standing
from holdfast.domain.values import replace
from holdfast.usecases.naming import memory_id
from holdfast.usecases.review.conflicts import contradicting, waiting_against
from holdfast.usecases.review.recognise import is_linked, supersede

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.decision import Action
    from holdfast.domain.memory.evidence import Evidence
    from holdfast.domain.memory.link import Link
    from holdfast.domain.memory.memory import Memory, MemoryRecord, Standing
    from holdfast.domain.memory.selection import Checkout, View
    from holdfast.ports.heuristics import Heuristics
    from holdfast.ports.store.store import Transaction


class DecisionLedger:
    """Makes the changes of one decision, and records the state before them.

    It belongs to one unit of work; ``close`` stores the decision.
    """

    def __init__(
        self,
        *,
        by: str,
        at: datetime,
        tx: Transaction,
        heuristics: Heuristics,
        checkout: Checkout | None = None,
    ) -> None:
        self.by = by
        self.at = at
        self.tx = tx
        self.heuristics = heuristics
        self.checkout = checkout
        self._before: dict[MemoryId, Standing | None] = {}
        self._added: dict[MemoryId, MemoryRecord] = {}
        self._linked: list[Link] = []
        self._withdrawn: list[Withdrawn] = []
        self._strengthened: list[Withdrawn] = []

    @property
    def view(self) -> View | None:
        """The view of the checkout where the decision is made, if it is known."""
        return None if self.checkout is None else self.checkout.view

    def settle(
        self, record: MemoryRecord, status: Status, *, reason: str | None = None
    ) -> MemoryRecord:
        """Change a memory's status, in the name of the person who decides."""
        self._note(record)
        standing = replace(
            record.standing,
            status=status,
            superseded_by=None,
            decided_by=self.by,
            decided_at=self.at,
            reason=reason,
        )
        self.tx.memories.set_standing(record.memory.id, standing)
        return self.tx.memories.get(record.memory.id)

    def supersede(self, old: MemoryRecord, new: MemoryRecord) -> None:
        """Supersede the old memory with the new one."""
        self._note(old)
        known = self.tx.links.touching(new.memory.id)
        supersede(old, new, by=self.by, at=self.at, tx=self.tx)
        self._linked += [
            link
            for link in self.tx.links.touching(new.memory.id)
            if link not in known and link.kind == LinkKind.SUPERSEDES
        ]

    def inherit(self, record: MemoryRecord, replaced: Sequence[MemoryRecord]) -> MemoryRecord:
        """Give an accepted memory the pin and the label of what it replaces, and return it.

        A candidate inherits nothing: only a person pins and labels.
        """
        standing = inherited_standing(record.standing, replaced)
        if record.standing.status is not Status.ACCEPTED or standing == record.standing:
            return record
        self._note(record)
        self.tx.memories.set_standing(record.memory.id, standing)
        return self.tx.memories.get(record.memory.id)

    def add(self, memory: Memory, standing: Standing) -> MemoryRecord:
        """Add a memory that the decision creates."""
        record = self.tx.memories.add(memory, standing)
        self._before[memory.id] = None
        self._added[memory.id] = record
        return record

    def link(self, link: Link) -> None:
        """Link two memories, unless they already have this link."""
        if not is_linked(link, tx=self.tx):
            self.tx.links.put(link)
            self._linked.append(link)

    def withdraw(self, record: MemoryRecord, evidence: Sequence[Evidence]) -> None:
        """Remove evidence from a memory."""
        for item in evidence:
            if self.tx.anchors.reasons.withdraw(record.memory.id, item):
                self._withdrawn.append(Withdrawn(memory_id=record.memory.id, evidence=item))

    def strengthen(self, record: MemoryRecord, evidence: Sequence[Evidence]) -> None:
        """Add evidence to a memory; pieces that it already has are skipped."""
        for item in evidence:
            if item not in record.evidence:
                self.tx.anchors.reasons.add(record.memory.id, item)
                self._strengthened.append(Withdrawn(memory_id=record.memory.id, evidence=item))

    def close(self, action: Action, *, entropy: int) -> Decision | None:
        """Store the decision and return it; None if it changed nothing."""
        changed_later = [name for name in self._before if name not in self._added]
        now = {**self._added, **self.tx.memories.get_many(changed_later)}
        self._note_conflicts(now)
        changes = tuple(
            StandingChange(memory_id=name, before=before, after=now[name].standing)
            for name, before in self._before.items()
        )
        changed = tuple(one for one in changes if one.before != one.after)
        if not (changed or self._linked or self._withdrawn or self._strengthened):
            return None
        decision = Decision(
            id=DecisionId(sortable("d", at=self.at, entropy=entropy)),
            at=self.at,
            by=self.by,
            action=action,
            changes=changed,
            linked=tuple(self._linked),
            withdrawn=tuple(self._withdrawn),
            strengthened=tuple(self._strengthened),
        )
        self.tx.diary.decisions.put(decision)
        return decision

    def _note_conflicts(self, records: Mapping[MemoryId, MemoryRecord]) -> None:
        """Link each candidate to the just accepted memory that it contradicts."""
        accepted = [
            records[name]
            for name, before in self._before.items()
            if (before is None or before.status is not Status.ACCEPTED)
            and records[name].standing.status is Status.ACCEPTED
        ]
        if accepted:
            for conflict in waiting_against(
                accepted, tx=self.tx, now=self.at, view=self.view, heuristics=self.heuristics
            ):
                self.link(contradicting(conflict))

    def _note(self, record: MemoryRecord) -> None:
        self._before.setdefault(record.memory.id, record.standing)
        self._added.pop(record.memory.id, None)


def candidate(reference: str, *, tx: Transaction) -> MemoryRecord:
    """Return the candidate with this reference.

    Raises:
        AlreadyDecidedError: It is not a candidate.
    """
    record = tx.memories.get(memory_id(tx, reference))
    if record.standing.status is not Status.CANDIDATE:
        raise AlreadyDecidedError(record.memory.id, record.standing.status.value)
    return record


def candidates(references: Sequence[str], *, tx: Transaction) -> list[MemoryRecord]:
    """Return the candidates with these references, each once."""
    found = {record.memory.id: record for record in (candidate(one, tx=tx) for one in references)}
    return list(found.values())
