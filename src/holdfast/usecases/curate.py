"""Curate: what people decide about a memory — pin, link, approve, reject."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Status
from holdfast.domain.errors import AlreadyDecidedError, ChangedSinceShownError
from holdfast.domain.selection import near_form
from holdfast.domain.values import replace
from holdfast.usecases.naming import memory_id, span_id
from holdfast.usecases.recognise import accepted_under_key, supersede
from holdfast.usecases.screening import screened

if TYPE_CHECKING:
    from holdfast.domain.evidence import Span
    from holdfast.domain.link import Link
    from holdfast.domain.memory import MemoryRecord
    from holdfast.ports.clock import Clock
    from holdfast.ports.store import Store, Transaction


def set_pin(
    reference: str, *, pinned: bool, label: str | None, store: Store, clock: Clock
) -> MemoryRecord:
    """Pin a memory, which then never expires and is always considered; or let it go."""
    words = None if label is None else screened(label, what="label")
    with store.writing(clock.now()) as tx:
        record = tx.memories.get(memory_id(tx, reference))
        standing = replace(record.standing, pinned=pinned, label=words or record.standing.label)
        tx.memories.set_standing(record.memory.id, standing)
        return tx.memories.get(record.memory.id)


def set_span_pin(
    reference: str, *, pinned: bool, label: str | None, store: Store, clock: Clock
) -> Span:
    """Pin a place in a file under a label; or let it go."""
    words = None if label is None else screened(label, what="label")
    with store.writing(clock.now()) as tx:
        span = tx.anchors.spans.get(span_id(tx, reference))
        changed = replace(span, pinned=pinned, label=words or span.label)
        tx.anchors.spans.put(changed)
        return changed


def connect(link: Link, *, store: Store, clock: Clock) -> Link:
    """Link two memories; the same link again replaces its score."""
    with store.writing(clock.now()) as tx:
        whole = replace(link, src=memory_id(tx, link.src), dst=memory_id(tx, link.dst))
        tx.links.put(whole)
        return whole


def disconnect(link: Link, *, store: Store, clock: Clock) -> bool:
    """Take a link away; tell whether it was there."""
    with store.writing(clock.now()) as tx:
        whole = replace(link, src=memory_id(tx, link.src), dst=memory_id(tx, link.dst))
        return tx.links.remove(whole)


def approve(
    reference: str, *, by: str, shown_hash: str | None, store: Store, clock: Clock
) -> MemoryRecord:
    """Accept a candidate as knowledge; what it replaces by key is superseded.

    Raises:
        AlreadyDecidedError: It is no candidate.
        ChangedSinceShownError: The bytes are not those the person was shown.
    """
    now, person = clock.now(), screened(by, what="name")
    with store.writing(now) as tx:
        record = _candidate(reference, tx=tx)
        if shown_hash is not None and shown_hash != record.memory.content_hash:
            raise ChangedSinceShownError(record.memory.id)
        standing = replace(
            record.standing, status=Status.ACCEPTED, decided_by=person, decided_at=now, reason=None
        )
        for old in accepted_under_key(record.memory, tx=tx):
            if near_form(old.memory.claim) != near_form(record.memory.claim):
                supersede(old, record, by=person, at=now, tx=tx)
        tx.memories.set_standing(record.memory.id, standing)
        return tx.memories.get(record.memory.id)


def reject(reference: str, *, by: str, reason: str, store: Store, clock: Clock) -> MemoryRecord:
    """Refuse a candidate; it stays readable with the reason, and is never recalled.

    Raises:
        AlreadyDecidedError: It is no candidate.
    """
    now, person = clock.now(), screened(by, what="name")
    words = screened(reason, what="reason")
    with store.writing(now) as tx:
        record = _candidate(reference, tx=tx)
        standing = replace(
            record.standing, status=Status.REJECTED, decided_by=person, decided_at=now, reason=words
        )
        tx.memories.set_standing(record.memory.id, standing)
        return tx.memories.get(record.memory.id)


def _candidate(reference: str, *, tx: Transaction) -> MemoryRecord:
    record = tx.memories.get(memory_id(tx, reference))
    if record.standing.status is not Status.CANDIDATE:
        raise AlreadyDecidedError(record.memory.id, record.standing.status.value)
    return record
