"""The store and its transactions."""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime

from holdfast.adapters.inmemory.anchors import InMemoryAnchors
from holdfast.adapters.inmemory.bundles import InMemoryBundles
from holdfast.adapters.inmemory.diary import InMemoryDiary
from holdfast.adapters.inmemory.finding import InMemoryFinding
from holdfast.adapters.inmemory.links import InMemoryLinks
from holdfast.adapters.inmemory.memories import InMemoryMemories
from holdfast.adapters.inmemory.names import InMemoryNames
from holdfast.adapters.inmemory.sessions import InMemorySessions
from holdfast.adapters.inmemory.state import InMemoryState
from holdfast.adapters.inmemory.upkeep import InMemoryUpkeep
from holdfast.domain.errors import StoreBusyError
from holdfast.domain.memory.place import DEFAULT_SPACE, SpaceId
from holdfast.domain.misuse import NestedWorkError


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

    def close(self) -> None:
        """Do nothing: there are no open files."""
