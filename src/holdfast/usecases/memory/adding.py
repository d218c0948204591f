"""Adds a claim as a memory: its spans, its first standing, and the links to its parents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import LinkKind, Origin, Status
from holdfast.domain.memory.inheriting import inherited_standing
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import Memory, MemoryRecord, Standing
from holdfast.usecases.naming import refuse_taken_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.memory.preparing import PreparedClaim
    from holdfast.usecases.review.deciding import DecisionLedger


def add_claim(
    prepared: PreparedClaim,
    memory: Memory,
    *,
    tx: Transaction,
    ledger: DecisionLedger | None = None,
    replaced: Sequence[MemoryRecord] = (),
) -> MemoryRecord:
    """Add a claim; as a part of a decision if there is a ledger, so that undo takes it back."""
    standing = first_standing(prepared, memory, tx=tx, replaced=replaced)
    for span in prepared.gathered.spans:
        tx.anchors.spans.put(span)
    record = tx.memories.add(memory, standing) if ledger is None else ledger.add(memory, standing)
    link_to_parents(prepared, memory, tx=tx)
    return record


def link_to_parents(prepared: PreparedClaim, memory: Memory, *, tx: Transaction) -> None:
    """Link a memory to those from which its claim was derived."""
    for parent in prepared.gathered.derived_from:
        tx.links.put(Link(src=memory.id, dst=parent, kind=LinkKind.DERIVED_FROM))


def first_standing(
    prepared: PreparedClaim,
    memory: Memory,
    *,
    tx: Transaction,
    replaced: Sequence[MemoryRecord] = (),
) -> Standing:
    """Return the standing of a new memory: a person's claim is accepted at once.

    It has the pin and the label of what it replaces. A proposal has neither: a pinned one would
    rank first once it is accepted, and only a person pins.
    """
    wish = prepared.wish
    if memory.origin is not Origin.HUMAN:
        refuse_taken_label(wish.label, memory, tx=tx, is_proposal=True)
        return Standing(status=Status.CANDIDATE, label=wish.label)
    refuse_taken_label(wish.label, memory, tx=tx, replaced=replaced)
    own = Standing(status=Status.ACCEPTED, pinned=wish.pinned, label=wish.label)
    return inherited_standing(own, replaced)
