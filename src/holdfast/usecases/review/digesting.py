"""Digesting: the changes of a week, short enough to read in five minutes."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from holdfast.domain.choices import Status
from holdfast.domain.review.curation import MemoryTrouble
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.review.curation import Concern, HealthPoint
    from holdfast.usecases.review.curating import Survey
    from holdfast.usecases.review.review import Queue, WaitingCandidate

WEEK = timedelta(days=7)
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
        conflicts_total=len(conflicts),
        most_used=tuple(used[:_SHOWN]),
        never_used=len(accepted) - len(used),
        health=tuple(history),
    )


def _learned_at(record: MemoryRecord) -> datetime:
    return record.standing.decided_at or record.memory.created_at


def _of(found: Survey, wanted: Callable[[Concern], bool]) -> list[Concern]:
    return [one for one in found.concerns if wanted(one)]
