"""Inheriting: a memory that replaces others keeps the key under which people know them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import EvidenceType, LinkKind
from holdfast.domain.encryption.placeholder import is_sensitive
from holdfast.domain.ids import MemoryId, sortable
from holdfast.domain.memory.evidence import Evidence
from holdfast.domain.memory.link import Link, alone_on
from holdfast.domain.memory.memory import MOST_EVIDENCE, MemoryRecord
from holdfast.domain.memory.naming import signed
from holdfast.domain.values import replace
from holdfast.usecases.review.conflicts import conflicts_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.memory.memory import Memory
    from holdfast.ports.clock import Clock
    from holdfast.usecases.review.deciding import DecisionLedger


def with_key(
    record: MemoryRecord,
    replaced: Sequence[MemoryRecord],
    *,
    ledger: DecisionLedger,
    clock: Clock,
) -> MemoryRecord:
    """Return an accepted memory with the key of what it replaced, if it has no key itself.

    A memory never changes, so the result is a new one with the same claim, author and evidence,
    which supersedes it. What was replaced on another branch stays valid there. Without a key to
    inherit, or where another valid memory has this key and contradicts it, the memory itself is
    returned. An encrypted text is tied to the id of its memory, so it inherits none.
    """
    old = next((one.memory for one in replaced if one.memory.key), None)
    if old is None or record.memory.key is not None or is_sensitive(record.memory):
        return record
    memory = _copy(record, old, ledger=ledger, clock=clock)
    rivals = conflicts_of(
        MemoryRecord(sequence=0, memory=memory),
        tx=ledger.tx,
        now=ledger.at,
        view=ledger.view,
        heuristics=ledger.heuristics,
    )
    names = {one.memory.id for one in replaced}
    if any(one.standing.memory.id not in names for one in rivals):
        return record
    made = ledger.add(memory, record.standing)
    ledger.link(Link(src=memory.id, dst=record.memory.id, kind=LinkKind.DERIVED_FROM))
    ledger.supersede(record, made)
    for one in replaced:
        if alone_on(one.memory) != alone_on(memory):
            ledger.supersede(one, made)
    return made


def _copy(record: MemoryRecord, old: Memory, *, ledger: DecisionLedger, clock: Clock) -> Memory:
    told = f"accepted by {ledger.by} in place of {old.id}, with its key"
    evidence = signed(record)[: MOST_EVIDENCE - 1]
    return replace(
        record.memory,
        id=MemoryId(sortable("m", at=ledger.at, entropy=clock.entropy())),
        key=old.key,
        created_at=ledger.at,
        evidence=(*evidence, Evidence(type=EvidenceType.STATEMENT, reference=told)),
    )
