"""The quota of a tenant: how many memories a store may have, and how many bytes it may use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.memory.selection import Selection
from holdfast.domain.service_errors import QuotaReachedError
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.ports.store.store import Store


def _bytes_of(store: Store) -> int:
    return store.upkeep.tenant_bytes()


@dataclass(frozen=True, slots=True, kw_only=True)
class Quota:
    """The limits of a tenant; 0 is no limit. ``used`` returns the bytes of all its stores."""

    most_memories: int = 0
    most_bytes: int = 0
    used: Callable[[Store], int] = _bytes_of


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotaUse:
    """How much a tenant uses; what is not limited is not counted.

    ``events`` is the number of the newest event of the store.
    """

    memories: int = 0
    bytes: int = 0
    events: int = 0


NO_QUOTA = Quota()
_REMOVALS = frozenset(
    {"memory.forgotten", "agent.removed", "task.deleted", "snapshot.removed", "link.removed"}
)
_LOOKED_AT = 1_000


def quota_use(quota: Quota, store: Store) -> QuotaUse:
    """Return how much is used, as the unit of work sees it."""
    memories = events = 0
    if quota.most_memories or quota.most_bytes:
        with store.reading() as tx:
            memories, events = tx.memories.count(Selection()), tx.diary.events.head().sequence
    used = quota.used(store) if quota.most_bytes else 0
    return QuotaUse(memories=memories, bytes=used, events=events)


def refuse_beyond(quota: Quota, *, before: QuotaUse, store: Store) -> None:
    """Return if the work added nothing beyond the quota; forgetting is always allowed.

    Raises:
        QuotaReachedError: It did; the caller undoes the work.
    """
    after = quota_use(quota, store)
    if quota.most_memories and after.memories > max(before.memories, quota.most_memories):
        raise QuotaReachedError(what="memories", most=quota.most_memories)
    if quota.most_bytes and after.bytes > quota.most_bytes and _adds(before, after, store=store):
        raise QuotaReachedError(what="bytes", most=quota.most_bytes)


def _adds(before: QuotaUse, after: QuotaUse, *, store: Store) -> bool:
    """Return whether the work adds data.

    A file grows only when the work is committed, so its events tell: everything that is written
    has one. Work that removes something may write what follows from it.
    """
    if after.bytes > before.bytes or after.memories > before.memories:
        return True
    with store.reading() as tx:
        found = tx.diary.events.since(before.events, limit=_LOOKED_AT)
    actions = {event.action for event in found}
    return bool(actions) and not actions & _REMOVALS
