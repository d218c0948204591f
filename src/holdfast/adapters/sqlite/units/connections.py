"""The connection pool of a store: each concurrent thread holds one connection."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.files import identity
from holdfast.adapters.sqlite.units.opening import open_database, open_stand_in
from holdfast.domain.errors import StoreBusyError

if TYPE_CHECKING:
    import apsw

    from holdfast.adapters.sqlite.database.connection import StoreOptions, Turnstile
    from holdfast.adapters.sqlite.database.files import StoreFiles
    from holdfast.adapters.sqlite.database.work import Work
    from holdfast.adapters.sqlite.recall.indexes import Indexes
    from holdfast.adapters.sqlite.units.opening import OpenDatabase

_MOST_IDLE = 4


class NotOpenError(RuntimeError):
    """A connection was used before it was opened: a bug in the calling code."""


class ReadConnection:
    """One connection, opened on first use, with its vector indexes."""

    def __init__(
        self, files: StoreFiles, options: StoreOptions, turnstile: Turnstile, indexes: Indexes
    ) -> None:
        self._files = files
        self._options = options
        self._turnstile = turnstile
        self.indexes = indexes
        self.opened: OpenDatabase | None = None
        self.work: Work | None = None
        self.is_made = False
        """Whether this program has opened the store before, so that it must not be made now."""

    @property
    def connection(self) -> apsw.Connection:
        """The open connection.

        Raises:
            NotOpenError: It was not opened yet.
        """
        if self.opened is None:
            raise NotOpenError
        return self.opened.connection

    def current(self, patience: float) -> OpenDatabase:
        """Return the database at the path now; it is reopened if a repair replaced the file."""
        opened = self.opened
        if opened is None:
            return self._reopened(patience)
        replaced = identity(self._files.database) != opened.identity
        if replaced or (opened.snapshot is not None and opened.snapshot.is_old()):
            return self._reopened(patience)
        return opened

    def itself(self, patience: float) -> OpenDatabase:
        """Return the database itself; once it opens, the copy used in its place is closed."""
        copy = self.opened
        if copy is None or not copy.is_stand_in:
            return self.current(patience)
        self.opened = None
        try:
            opened = self.current(patience)
        except StoreBusyError:
            self.opened = copy
            raise
        copy.close()
        return opened

    def stand_in(self) -> OpenDatabase:
        """Return a copy to read while another process keeps the database locked."""
        self.release()
        self.opened = opened = open_stand_in(self._files, self._options)
        return opened

    def release(self) -> None:
        """Close the connection; it is reopened on the next use."""
        if self.opened is not None:
            self.opened.close()
            self.opened = None

    def close(self) -> None:
        """Close the connection and the indexes; a second call does nothing."""
        self.indexes.close()
        self.release()

    def _reopened(self, patience: float) -> OpenDatabase:
        if self.opened is not None:
            # The new file may be encrypted, and then no index of it is in a file any more.
            self.indexes.close()
        self.release()
        self.opened = opened = open_database(
            self._files, self._options, self._turnstile, patience=patience, is_made=self.is_made
        )
        return opened


class ReadConnections:
    """A connection pool: a thread takes an idle connection, or opens another.

    A single thread uses the same connection for everything. If a connection is exclusive, as on a
    full disk, other threads wait for it.
    """

    def __init__(self, make: Callable[[], ReadConnection]) -> None:
        self._make = make
        self._changed = threading.Condition()
        self._idle: list[ReadConnection] = []
        self._held: dict[int, ReadConnection] = {}
        self._notices: dict[str, None] = {}
        self._is_made = False
        self.is_closed = False

    def mine(self) -> ReadConnection | None:
        """Return the connection that this thread holds, or None."""
        return self._held.get(threading.get_ident())

    @contextmanager
    def held(self, wait_seconds: float) -> Generator[ReadConnection, None, None]:
        """Hold a connection while the block runs.

        Raises:
            StoreBusyError: An exclusive connection was held for all that time.
        """
        thread = threading.get_ident()
        with self._changed:
            if not self._changed.wait_for(self._may_hold, timeout=wait_seconds):
                raise StoreBusyError
            held = self._held[thread] = self._idle.pop() if self._idle else self._make()
            held.is_made = self._is_made
        try:
            yield held
        finally:
            with self._changed:
                # Another thread than the one that started a generator may end it.
                del self._held[thread]
                self._give_back(held)
                self._changed.notify_all()

    def any_opened(self) -> OpenDatabase | None:
        """Return any open database, even if another thread holds it."""
        every = (*self._held.values(), *self._idle)
        return next((one.opened for one in every if one.opened is not None), None)

    def notices(self) -> tuple[str, ...]:
        """Return messages about damaged vector indexes; the answers stayed correct."""
        every = (*self._held.values(), *self._idle)
        found = dict.fromkeys(notice for one in every for notice in one.indexes.notices())
        return tuple(self._notices | found)

    def release(self) -> None:
        """Close the idle connections; they are reopened on the next use.

        The files may be replaced or removed until then, so a missing store may be made again.
        """
        with self._changed:
            self._is_made = False
            for idle in self._idle:
                idle.release()

    def close(self) -> None:
        """Close every connection: this thread's at once, others when they are returned."""
        self.is_closed = True
        mine = self.mine()
        if mine is not None:
            mine.close()
        with self._changed:
            if mine is None:
                self._changed.wait_for(lambda: not self._held)
            while self._idle:
                self._idle.pop().close()

    def _may_hold(self) -> bool:
        opened = [held.opened for held in self._held.values()]
        return not any(one.is_alone for one in opened if one is not None)

    def _give_back(self, held: ReadConnection) -> None:
        held.work = None
        self._is_made = self._is_made or held.opened is not None
        if held.opened is not None and held.opened.is_alone:
            held.release()
        if self.is_closed or len(self._idle) >= _MOST_IDLE:
            self._notices |= dict.fromkeys(held.indexes.notices())
            held.close()
        else:
            self._idle.append(held)
