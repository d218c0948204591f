"""The store and its transactions.

Bundles by id.

The maintenance operations of a store without files.
"""

from __future__ import annotations

import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime

from holdfast.adapters.inmemory.anchors import InMemoryAnchors
from holdfast.adapters.inmemory.diary import InMemoryDiary, InMemorySessions
from holdfast.adapters.inmemory.finding import InMemoryFinding
from holdfast.adapters.inmemory.links import InMemoryLinks, InMemoryNames
from holdfast.adapters.inmemory.memories import InMemoryMemories
from holdfast.adapters.inmemory.state import InMemoryState
from holdfast.domain.errors import NoSuchError, StoreBusyError
from holdfast.domain.ids import BundleId
from holdfast.domain.memory.place import DEFAULT_SPACE, SpaceId
from holdfast.domain.misuse import NestedWorkError
from holdfast.domain.recall.bundle import Bundle
from holdfast.domain.refusals import NO_JOBS, NotOfferedError
from holdfast.domain.review.curation import Ability, HealthFinding, Repair, Severity, StoreFacts
from holdfast.ports.store.copying import Copying
from holdfast.ports.store.jobs import JobQueue
from holdfast.ports.store.upkeep import Progress

_JOBS = "jobs"


@dataclass(frozen=True, slots=True)
class InMemoryBundles:
    """The answers that were given to questions."""

    state: InMemoryState

    def put(self, bundle: Bundle) -> None:
        """Write a bundle, or its rating."""
        self.state.moment()
        self.state.bundles[bundle.id] = bundle
        self.state.record("bundle.put", bundle.id, bundle)

    def get(self, bundle_id: BundleId) -> Bundle:
        """Return a bundle."""
        try:
            return self.state.bundles[bundle_id]
        except KeyError:
            raise NoSuchError(noun="bundle", reference=bundle_id) from None

    def page(self, *, beyond: str | None, limit: int) -> Sequence[Bundle]:
        """Return bundles, newest id first, starting after ``beyond``."""
        ids = sorted(self.state.bundles, reverse=True)
        if beyond is not None:
            ids = [bundle_id for bundle_id in ids if bundle_id < beyond]
        return tuple(self.state.bundles[bundle_id] for bundle_id in ids[:limit])

    def set_aside(self, bundle: Bundle) -> bool:
        """Return False: nothing in memory survives a crash."""
        del bundle
        return False


@dataclass(frozen=True, slots=True)
class InMemoryUpkeep:
    """The maintenance of a store that has no file to damage or to leave residue in."""

    state: InMemoryState

    @property
    def abilities(self) -> frozenset[Ability]:
        """Return the operations that need no file: rebuild and scrub."""
        return frozenset({Ability.REBUILD, Ability.SCRUB})

    def facts(self) -> StoreFacts:
        """Return that the store is in memory."""
        head = self.state.head()
        return StoreFacts(
            location="memory",
            backend="memory",
            schema=0,
            engine="dict",
            bytes_on_disk=0,
            events=head.sequence,
            head=head.hash,
        )

    def tenant_bytes(self) -> int:
        """Return 0: nothing is stored on a disk."""
        return 0

    def check(self, progress: Progress) -> Sequence[HealthFinding]:
        """Return a finding that nothing can be damaged."""
        progress(1, 1)
        message = "This store lives in memory; there is no file that could be damaged."
        return (HealthFinding(check="store", severity=Severity.OK, message=message),)

    def repair(self, progress: Progress) -> Repair:
        """Refuse: there is no file that could be damaged."""
        del progress
        why = "it lives in memory, so there is no file that could be damaged."
        raise NotOfferedError(Ability.REPAIR, backend="memory", why=why)

    @property
    def copying(self) -> Copying:
        """Refuse: a store that ends with its process has no stored rows."""
        why = "it lives in memory, so it has no stored rows. Use an export."
        raise NotOfferedError(Ability.COPY, backend="memory", why=why)

    def rebuild(self, progress: Progress) -> int:
        """Return the number of memories; this store has no derived data."""
        memories = len(self.state.memories)
        progress(memories, memories)
        return memories

    def scrub(self) -> None:
        """Do nothing: no file holds forgotten memories."""


class InMemoryTransaction:
    """One unit of work over one state."""

    def __init__(self, state: InMemoryState) -> None:
        self.memories = InMemoryMemories(state)
        self.finding = InMemoryFinding(state)
        self.names = InMemoryNames(state)
        self.links = InMemoryLinks(state)
        self.sessions = InMemorySessions(state)
        self.bundles = InMemoryBundles(state)
        self.anchors = InMemoryAnchors(state)
        self.diary = InMemoryDiary(state)


class _Here(threading.local):
    """The transaction of the current thread."""

    transaction: InMemoryTransaction | None = None


@dataclass
class InMemoryStore:
    """A store whose content is lost when the process ends."""

    longest_wait_seconds: float = 10.0
    space: SpaceId = DEFAULT_SPACE
    _state: InMemoryState = field(default_factory=InMemoryState)
    _one_writer: threading.Lock = field(default_factory=threading.Lock)
    _here: _Here = field(default_factory=_Here)

    @contextmanager
    def reading(self) -> Generator[InMemoryTransaction, None, None]:
        """Yield the current state; a writer creates a new state and does not change this one."""
        if self._here.transaction is not None:
            yield self._here.transaction
            return
        with self._inside(self._state) as transaction:
            yield transaction

    @contextmanager
    def writing(
        self, at: datetime, *, patience: float | None = None
    ) -> Generator[InMemoryTransaction, None, None]:
        """Write to a copy, and keep it only if the block ends without an exception."""
        if self._here.transaction is not None:
            raise NestedWorkError
        wait = self.longest_wait_seconds if patience is None else patience
        if not self._one_writer.acquire(timeout=wait):
            raise StoreBusyError
        try:
            draft = self._state.draft(at)
            with self._inside(draft) as transaction:
                yield transaction
            draft.at = None
            self._state = draft
        finally:
            self._one_writer.release()

    @contextmanager
    def _inside(self, state: InMemoryState) -> Generator[InMemoryTransaction, None, None]:
        transaction = InMemoryTransaction(state)
        self._here.transaction = transaction
        try:
            yield transaction
        finally:
            self._here.transaction = None

    @property
    def warnings(self) -> tuple[str, ...]:
        """Always empty: there is no file that could be damaged."""
        return ()

    @property
    def left_out(self) -> tuple[str, ...]:
        """Always empty: there is no file that could be damaged."""
        return ()

    @property
    def upkeep(self) -> InMemoryUpkeep:
        """The maintenance operations of a store without files."""
        return InMemoryUpkeep(self._state)

    @property
    def jobs(self) -> JobQueue:
        """Refuse: one process at a time writes to this store, so parts could not be shared."""
        raise NotOfferedError(_JOBS, backend="memory", why=NO_JOBS)

    def close(self) -> None:
        """Do nothing: there are no open files."""
