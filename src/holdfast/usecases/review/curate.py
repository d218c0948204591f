"""Pin and link memories.

Digesting: the changes of a week, short enough to read in five minutes.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from holdfast.domain.choices import Status
from holdfast.domain.errors import BadFieldError
from holdfast.domain.review.curation import MemoryTrouble
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.naming import memory_id, refuse_taken_label, span_id
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.screening import screened

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from holdfast.domain.memory.evidence import Span
    from holdfast.domain.memory.link import Link
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.review.curation import Concern, HealthPoint
    from holdfast.ports.clock import Clock
    from holdfast.ports.store.store import Store
    from holdfast.usecases.review.curating import Survey
    from holdfast.usecases.review.queued import Queue, WaitingCandidate


@repeatable
def set_pin(
    reference: str, *, pinned: bool, label: str | None, store: Store, clock: Clock
) -> MemoryRecord:
    """Pin a memory, which then never expires and is always considered; or unpin it."""
    words = None if label is None else screened(label, what="label")
    with store.writing(clock.now()) as tx:
        record = tx.memories.get(memory_id(tx, reference))
        _refuse_note(record)
        if words != record.standing.label:
            refuse_taken_label(words, record.memory, tx=tx)
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
        for record in tx.memories.get_many((whole.src, whole.dst)).values():
            _refuse_note(record)
        tx.links.put(whole)
        return whole


@repeatable
def disconnect(link: Link, *, store: Store, clock: Clock) -> bool:
    """Remove a link; tell whether it existed."""
    with store.writing(clock.now()) as tx:
        whole = replace(link, src=memory_id(tx, link.src), dst=memory_id(tx, link.dst))
        return tx.links.remove(whole)


def _refuse_note(record: MemoryRecord) -> None:
    """Return if the memory is no note.

    Raises:
        BadFieldError: It is; nobody pins or links a note.
    """
    if record.standing.status is Status.NOTED:
        problem = f"'{record.memory.id}' is a note of an agent, which only this agent uses."
        raise BadFieldError(field="memory", problem=problem)


_SHOWN = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """The parts of the digest; every list is cut, with its total number."""

    since: datetime
    until: datetime
    learned: tuple[MemoryRecord, ...]
    learned_total: int
    waiting: tuple[WaitingCandidate, ...]
    waiting_total: int
    stale: tuple[Concern, ...]
    stale_total: int
    conflicts: tuple[Concern, ...]
    conflicts_total: int
    most_used: tuple[MemoryRecord, ...]
    never_used: int
    health: tuple[HealthPoint, ...]


def digest(
    found: Survey, queue: Queue, history: Sequence[HealthPoint], *, since: timedelta
) -> Digest:
    """Combine new memories, the review queue, problems and usage."""
    now = found.health.at
    start = now - since
    accepted = [one for one in found.records.values() if one.standing.status is Status.ACCEPTED]
    learned = [one for one in accepted if _learned_at(one) >= start]
    learned.sort(key=_learned_at, reverse=True)
    used = [one for one in accepted if one.usage.access_count]
    used.sort(key=lambda one: (-one.usage.access_count, one.sequence))
    stale = _of(found, lambda one: one.trouble in {MemoryTrouble.STALE, MemoryTrouble.EXPIRED})
    conflicts = _of(found, lambda one: one.trouble is MemoryTrouble.CONFLICT)
    return Digest(
        since=start,
        until=now,
        learned=tuple(learned[:_SHOWN]),
        learned_total=len(learned),
        waiting=queue.items,
        waiting_total=queue.total,
        stale=tuple(stale[:_SHOWN]),
        stale_total=len(stale),
        conflicts=tuple(conflicts[:_SHOWN]),
        conflicts_total=found.conflicts,
        most_used=tuple(used[:_SHOWN]),
        never_used=len(accepted) - len(used),
        health=tuple(history),
    )


def _learned_at(record: MemoryRecord) -> datetime:
    return record.standing.decided_at or record.memory.created_at


def _of(found: Survey, wanted: Callable[[Concern], bool]) -> list[Concern]:
    return [one for one in found.concerns if wanted(one)]
