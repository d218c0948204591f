"""Curate: decisions of people about one memory: pin, link, approve, reject."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.values import replace
from holdfast.usecases.approve import Approve, Reject, approve_all, reject_all
from holdfast.usecases.naming import memory_id, span_id
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.screening import screened

if TYPE_CHECKING:
    from holdfast.domain.evidence import Span
    from holdfast.domain.link import Link
    from holdfast.domain.memory import MemoryRecord
    from holdfast.ports.clock import Clock
    from holdfast.ports.store import Store


@repeatable
def set_pin(
    reference: str, *, pinned: bool, label: str | None, store: Store, clock: Clock
) -> MemoryRecord:
    """Pin a memory, which then never expires and is always considered; or unpin it."""
    words = None if label is None else screened(label, what="label")
    with store.writing(clock.now()) as tx:
        record = tx.memories.get(memory_id(tx, reference))
        standing = replace(record.standing, pinned=pinned, label=words or record.standing.label)
        tx.memories.set_standing(record.memory.id, standing)
        return tx.memories.get(record.memory.id)


@repeatable
def set_span_pin(
    reference: str, *, pinned: bool, label: str | None, store: Store, clock: Clock
) -> Span:
    """Pin a place in a file under a label; or unpin it."""
    words = None if label is None else screened(label, what="label")
    with store.writing(clock.now()) as tx:
        span = tx.anchors.spans.get(span_id(tx, reference))
        changed = replace(span, pinned=pinned, label=words or span.label)
        tx.anchors.spans.put(changed)
        return changed


@repeatable
def connect(link: Link, *, store: Store, clock: Clock) -> Link:
    """Link two memories; the same link again replaces its score."""
    with store.writing(clock.now()) as tx:
        whole = replace(link, src=memory_id(tx, link.src), dst=memory_id(tx, link.dst))
        tx.links.put(whole)
        return whole


@repeatable
def disconnect(link: Link, *, store: Store, clock: Clock) -> bool:
    """Remove a link; tell whether it existed."""
    with store.writing(clock.now()) as tx:
        whole = replace(link, src=memory_id(tx, link.src), dst=memory_id(tx, link.dst))
        return tx.links.remove(whole)


def approve(
    reference: str, *, by: str, shown_hash: str | None, store: Store, clock: Clock
) -> MemoryRecord:
    """Accept a candidate regardless of contradictions; the memories it replaces are superseded.

    Interfaces for people use ``approve_all``, which refuses contradictions.

    Raises:
        AlreadyDecidedError: It is not a candidate.
        ChangedSinceShownError: The bytes differ from those that the person was shown.
    """
    wish = Approve(
        references=(reference,),
        by=by,
        shown={} if shown_hash is None else {reference: shown_hash},
        is_outright=True,
    )
    return approve_all(wish, store=store, clock=clock).records[0]


def reject(reference: str, *, by: str, reason: str, store: Store, clock: Clock) -> MemoryRecord:
    """Reject a candidate; it stays readable with the reason, and is never recalled.

    Raises:
        AlreadyDecidedError: It is not a candidate.
    """
    wish = Reject(references=(reference,), by=by, reason=reason)
    return reject_all(wish, store=store, clock=clock).records[0]
