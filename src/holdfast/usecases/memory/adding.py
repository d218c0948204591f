"""Adds a claim as a memory: its spans, its first standing, and the links to its parents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import LinkKind, Origin, Status
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import Memory, MemoryRecord, Standing
from holdfast.usecases.naming import refuse_taken_label

if TYPE_CHECKING:
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.memory.preparing import PreparedClaim
    from holdfast.usecases.review.deciding import DecisionLedger


def add_claim(
    prepared: PreparedClaim,
    memory: Memory,
    *,
    tx: Transaction,
    ledger: DecisionLedger | None = None,
) -> MemoryRecord:
    """Add a claim; as a part of a decision if there is a ledger, so that undo takes it back."""
    standing = first_standing(prepared, memory, tx=tx)
    for span in prepared.gathered.spans:
        tx.anchors.spans.put(span)
    record = tx.memories.add(memory, standing) if ledger is None else ledger.add(memory, standing)
    for parent in prepared.gathered.derived_from:
        tx.links.put(Link(src=memory.id, dst=parent, kind=LinkKind.DERIVED_FROM))
    return record


def first_standing(prepared: PreparedClaim, memory: Memory, *, tx: Transaction) -> Standing:
    """Return the standing of a new memory: a person's claim is accepted at once."""
    if memory.origin is not Origin.HUMAN:
        refuse_taken_label(prepared.wish.label, repo=memory.repo, tx=tx)
    status = Status.ACCEPTED if memory.origin is Origin.HUMAN else Status.CANDIDATE
    # Only a person pins: a pinned proposal would rank first once it is accepted.
    is_pinned = prepared.wish.pinned and status is Status.ACCEPTED
    return Standing(status=status, pinned=is_pinned, label=prepared.wish.label)
