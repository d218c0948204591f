"""Offer: candidates that only add evidence to an accepted memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import LinkKind, Status
from holdfast.domain.errors import AlreadyDecidedError
from holdfast.domain.memory.decision import evidence_offer, offer_of
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import MOST_EVIDENCE, Standing, Tombstone
from holdfast.domain.memory.naming import signed
from holdfast.domain.values import replace
from holdfast.usecases.anchors.gather import unseen
from holdfast.usecases.review.deciding import DecisionLedger

if TYPE_CHECKING:
    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.decision import Offer
    from holdfast.domain.memory.memory import Memory, MemoryRecord
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.anchors.gather import Gathered


_WAITING = Standing(status=Status.CANDIDATE)
MOST_OFFERS = 20
"""The most offers that may wait about one memory, so that a loop cannot fill the queue."""


def offer_evidence(
    known: MemoryRecord, own: Memory, gathered: Gathered, *, tx: Transaction
) -> MemoryRecord | None:
    """Store evidence for an accepted memory as a candidate; None if nothing in it is new.

    Evidence that the memory already has, that already waits, or that was rejected before is not
    offered again. ``own`` is the memory that the claim would become by itself: it identifies the
    proposer.
    """
    others = offers_about(known.memory.id, tx=tx)
    for record in (known, *others):
        gathered = _unsaid(unseen(gathered, behind=record, tx=tx), record)
    waiting = [one for one in others if one.standing.status is Status.CANDIDATE]
    if not gathered.evidence or len(waiting) >= MOST_OFFERS:
        return None
    for span in gathered.spans:
        tx.anchors.spans.put(span)
    return add_offer(evidence_offer(own, known.memory, gathered.evidence), known, tx=tx)


def add_offer(memory: Memory, about: MemoryRecord, *, tx: Transaction) -> MemoryRecord:
    """Store an offer, linked to the memory that it is about."""
    record = tx.memories.add(memory, _WAITING)
    tx.links.put(Link(src=memory.id, dst=about.memory.id, kind=LinkKind.ABOUT))
    return record


def offers_about(name: MemoryId, *, tx: Transaction) -> list[MemoryRecord]:
    """Return all stored offers about a memory, oldest first."""
    links = tx.links.touching(name)
    sources = [link.src for link in links if link.dst == name and link.kind == LinkKind.ABOUT]
    found = [record for record in tx.memories.get_many(sources).values() if _is_about(record, name)]
    return sorted(found, key=lambda record: record.sequence)


def take_evidence(record: MemoryRecord, offer: Offer, *, ledger: DecisionLedger) -> MemoryRecord:
    """Add the evidence of an offer to its memory; return that memory.

    The evidence keeps the origin of its proposer. The offer itself is deprecated.

    Raises:
        AlreadyDecidedError: The memory is no longer accepted.
        NotFoundError: The memory was forgotten.
    """
    target = ledger.tx.memories.get(offer.about)
    if target.standing.status is not Status.ACCEPTED:
        rule = f"evidence is added to what is accepted; reject {record.memory.id}"
        raise AlreadyDecidedError(offer.about, target.standing.status.value, rule=rule)
    return folded(record, target, ledger=ledger)


def folded(record: MemoryRecord, target: MemoryRecord, *, ledger: DecisionLedger) -> MemoryRecord:
    """Add the evidence of a candidate to an accepted memory, and deprecate the candidate."""
    name = target.memory.id
    room = max(0, MOST_EVIDENCE - len(target.evidence))
    ledger.strengthen(target, signed(record)[:room])
    ledger.settle(record, Status.DEPRECATED, reason=f"its evidence is behind {name} now")
    return ledger.tx.memories.get(name)


def bury(grave: Tombstone, *, tx: Transaction) -> None:
    """Remove a memory in a unit of work, and the offers about it, which may repeat its words."""
    name = grave.memory_id
    for record in offers_about(name, tx=tx):
        reason = f"it was about {name}, which was forgotten"
        tx.memories.forget(replace(grave, memory_id=record.memory.id, reason=reason))
    tx.memories.forget(grave)


def _unsaid(gathered: Gathered, behind: MemoryRecord) -> Gathered:
    """Drop evidence that the memory already has in the same words."""
    said = {(item.type, item.reference) for item in behind.evidence if item.span is None}
    evidence = tuple(item for item in gathered.evidence if (item.type, item.reference) not in said)
    return replace(gathered, evidence=evidence)


def _is_about(record: MemoryRecord, name: MemoryId) -> bool:
    offer = offer_of(record.memory)
    return offer is not None and offer.about == name
