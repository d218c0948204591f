"""Connections to one store: threads that work at the same time hold one each."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.files import identity
from holdfast.adapters.sqlite.opening import open_database, open_stand_in
from holdfast.domain.errors import StoreBusyError

if TYPE_CHECKING:
    import apsw

    from holdfast.adapters.sqlite.connection import StoreOptions
    from holdfast.adapters.sqlite.files import StoreFiles
    from holdfast.adapters.sqlite.indexes import Indexes
    from holdfast.adapters.sqlite.opening import Opened
    from holdfast.adapters.sqlite.turnstile import Turnstile
    from holdfast.adapters.sqlite.work import Work

_MOST_IDLE = 4


class NotOpenError(RuntimeError):
    """A connection was used before it was opened: a mistake of the caller's code."""


class Line:
    """One connection, opened when it is first needed, and the vector indexes read beside it."""

    def __init__(
        self, files: StoreFiles, options: StoreOptions, turnstile: Turnstile, indexes: Indexes
    ) -> None:
        self._files = files
        self._options = options
        self._turnstile = turnstile
        self.indexes = indexes
        self.opened: Opened | None = None
        self.work: Work | None = None

    @property
    def connection(self) -> apsw.Connection:
        """The open connection.

        Raises:
            NotOpenError: It was not opened yet.
        """
        if self.opened is None:
            raise NotOpenError
        return self.opened.connection

    def current(self, patience: float) -> Opened:
        """Return the database that lies there now: a repair may have put another in place."""
        opened = self.opened
        if opened is None:
            return self._reopened(patience)
        replaced = identity(self._files.database) != opened.identity
        if replaced or (opened.snapshot is not None and opened.snapshot.is_old()):
            return self._reopened(patience)
        return opened

    def itself(self, patience: float) -> Opened:
        """Return the database itself; a copy that stands in for it is given up once it opens."""
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

    def stand_in(self) -> Opened:
        """Return a copy, to read while another process keeps the database locked."""
        self.let_go()
        self.opened = opened = open_stand_in(self._files, self._options)
        return opened

    def let_go(self) -> None:
        """Close the connection; it is opened again when it is needed."""
        if self.opened is not None:
            self.opened.close()
            self.opened = None

    def close(self) -> None:
        """Close the connection and the indexes; may be called twice."""
        self.indexes.close()
        self.let_go()

    def _reopened(self, patience: float) -> Opened:
        self.let_go()
        self.opened = opened = open_database(
            self._files, self._options, self._turnstile, patience=patience
        )
        return opened


class Lines:
    """A pool of connections: a thread takes an idle one, or opens one more.

    A single thread uses the same connection for everything. A connection that keeps everybody
    else out, as on a full disk, is waited for.
    """

    def __init__(self, make: Callable[[], Line]) -> None:
        self._make = make
        self._changed = threading.Condition()
        self._idle: list[Line] = []
        self._held: dict[int, Line] = {}
        self._notices: dict[str, None] = {}
        self.is_closed = False

    def mine(self) -> Line | None:
        """Return the connection that this thread holds."""
        return self._held.get(threading.get_ident())

    @contextmanager
    def held(self, wait_seconds: float) -> Generator[Line, None, None]:
        """Hold a connection while the block runs.

        Raises:
            StoreBusyError: One that keeps everybody else out was held all that time.
        """
        thread = threading.get_ident()
        with self._changed:
            if not self._changed.wait_for(self._may_hold, timeout=wait_seconds):
                raise StoreBusyError
            line = self._held[thread] = self._idle.pop() if self._idle else self._make()
        try:
            yield line
        finally:
            with self._changed:
                # A generator may be ended by another thread than the one that began it.
                del self._held[thread]
                self._give_back(line)
                self._changed.notify_all()

    def any_opened(self) -> Opened | None:
        """Return an open database, whoever holds it."""
        lines = (*self._held.values(), *self._idle)
        return next((line.opened for line in lines if line.opened is not None), None)

    def notices(self) -> tuple[str, ...]:
        """Say which vector indexes were damaged; answers did not suffer."""
        lines = (*self._held.values(), *self._idle)
        found = dict.fromkeys(notice for line in lines for notice in line.indexes.notices())
        return tuple(self._notices | found)

    def let_go(self) -> None:
        """Close the connections that nobody uses; they are opened again when they are needed."""
        with self._changed:
            for line in self._idle:
                line.let_go()

    def close(self) -> None:
        """Close every connection: that of this thread at once, others when they are given back."""
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
        opened = [line.opened for line in self._held.values()]
        return not any(one.is_alone for one in opened if one is not None)

    def _give_back(self, line: Line) -> None:
        line.work = None
        if line.opened is not None and line.opened.is_alone:
            line.let_go()
        if self.is_closed or len(self._idle) >= _MOST_IDLE:
            self._notices |= dict.fromkeys(line.indexes.notices())
            line.close()
        else:
            self._idle.append(line)
