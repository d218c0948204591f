"""Carry out a request in one unit of work, and at most once.

A request may run several use cases, each of which begins a unit of work of its own. Here they join
one, so that all of the request is stored or nothing of it, together with the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from holdfast.domain.review.curation import Ability, HealthFinding, Repair, StoreFacts
from holdfast.domain.service.replies import KEPT_FOR, Reply
from holdfast.domain.service_errors import KeyReusedError, ReplyForgottenError
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.screening import scrubbed

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.domain.memory.place import SpaceId
    from holdfast.ports.clock import Clock
    from holdfast.ports.store.copying import Copying
    from holdfast.ports.store.jobs import JobQueue
    from holdfast.ports.store.store import Store, Transaction
    from holdfast.ports.store.upkeep import Progress, Upkeep


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A request that is carried out.

    ``key`` names the token and the idempotency key; None is a request without one. ``commits`` is
    called before the unit of work is committed, and raises if the caller no longer waits.
    """

    key: str | None
    request_hash: str
    commits: Callable[[], None]


@repeatable
def carried_out(
    attempt: Attempt, work: Callable[[Store], Reply], *, store: Store, clock: Clock
) -> Reply:
    """Return the answer of the work, or the one that was stored for the same key before.

    The work gets a store whose units of work join one; the answer is stored in the same one.

    Raises:
        KeyReusedError: The key was used for another request.
        ReplyForgottenError: The stored answer contained a memory that was forgotten.
    """
    now = clock.now()
    with store.writing(now) as tx:
        known = None if attempt.key is None else tx.diary.replies.get(attempt.key)
        if known is not None and known.is_kept_at(now):
            return _repeated(known, attempt)
        joined = JoinedStore(store, tx)
        reply = work(joined)
        joined.refuse_broken()
        if attempt.key is not None:
            tx.diary.replies.drop_until(now - KEPT_FOR)
            kept = replace(reply, key=attempt.key, request_hash=attempt.request_hash, at=now)
            tx.diary.replies.put(kept)
        attempt.commits()
    if joined.forgot:
        scrubbed(store)
    return reply


def _repeated(known: Reply, attempt: Attempt) -> Reply:
    if known.request_hash != attempt.request_hash:
        raise KeyReusedError
    if known.body is None:
        raise ReplyForgottenError
    return known


class JoinedStore:
    """A store inside a unit of work: every unit of work that is begun joins the one that runs.

    A part of a joined unit of work cannot be undone alone. If one fails, the whole is undone, even
    if the caller of the part goes on. Scrubbing waits until the whole is committed.
    """

    def __init__(self, store: Store, tx: Transaction) -> None:
        self._store = store
        self._tx = tx
        self._failure: BaseException | None = None
        self.forgot = False

    @property
    def space(self) -> SpaceId:
        """The space that everything in this store belongs to."""
        return self._store.space

    @contextmanager
    def reading(self) -> Generator[Transaction, None, None]:
        """Yield the unit of work that runs."""
        yield self._tx

    @contextmanager
    def writing(
        self, at: datetime, *, patience: float | None = None
    ) -> Generator[Transaction, None, None]:
        """Yield the unit of work that runs; it has its own time, and the lock is already held."""
        del at, patience
        self.refuse_broken()
        try:
            yield self._tx
        except BaseException as error:
            self._failure = error
            raise

    def refuse_broken(self) -> None:
        """Raise the failure of an earlier part, if there was one."""
        if self._failure is not None:
            raise self._failure

    @property
    def warnings(self) -> Sequence[str]:
        """Faults of a store that can still be used."""
        return self._store.warnings

    @property
    def left_out(self) -> Sequence[str]:
        """The damaged rows that this thread's current read transaction has left out."""
        return self._store.left_out

    @property
    def upkeep(self) -> Upkeep:
        """Checks of the store; a scrub is postponed."""
        return _LaterUpkeep(self, self._store.upkeep)

    @property
    def jobs(self) -> JobQueue:
        """The bulk work that several processes share."""
        return self._store.jobs

    def close(self) -> None:
        """Do nothing: whoever opened the store closes it."""


class _LaterUpkeep:
    """The upkeep of a store inside a unit of work."""

    def __init__(self, joined: JoinedStore, upkeep: Upkeep) -> None:
        self._joined = joined
        self._upkeep = upkeep

    @property
    def abilities(self) -> frozenset[Ability]:
        """The operations that the store offers beyond the check."""
        return self._upkeep.abilities

    def facts(self) -> StoreFacts:
        """Return the location and size of the store."""
        return self._upkeep.facts()

    def tenant_bytes(self) -> int:
        """Return how many bytes the tenant uses."""
        return self._upkeep.tenant_bytes()

    def check(self, progress: Progress) -> Sequence[HealthFinding]:
        """Check everything."""
        return self._upkeep.check(progress)

    def repair(self, progress: Progress) -> Repair:
        """Copy all readable data into an intact store."""
        return self._upkeep.repair(progress)

    def rebuild(self, progress: Progress) -> int:
        """Rebuild all derived data."""
        return self._upkeep.rebuild(progress)

    @property
    def copying(self) -> Copying:
        """Exact copies of the store."""
        return self._upkeep.copying

    def scrub(self) -> None:
        """Note that bytes of forgotten memories have to be removed after the commit."""
        self._joined.forgot = True
