"""A fair queue for the write lock, for processes and threads alike.

SQLite waits for a lock by polling, so under load some writers wait much too long. This queue uses a
kernel lock, and the kernel wakes waiting writers in the order of their arrival.
"""

from __future__ import annotations

import fcntl
import os
import threading
from collections.abc import Generator
from contextlib import contextmanager
from errno import EISDIR
from time import monotonic
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.failures import from_system, store_busy
from holdfast.adapters.sqlite.database.files import OWNER_ONLY
from holdfast.domain.errors import StoreBusyError, StoreUnreadableError

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.database.files import StoreFiles


class QueueBlockedError(StoreUnreadableError, code="queue-blocked"):
    """A folder is in the place of the file at which writers queue."""

    def __init__(self, path: str) -> None:
        super().__init__(
            path,
            "it must be a file, but it is a folder, so nothing can be written. Move the folder.",
        )


class Turnstile:
    """Admits one writer at a time, in the order of arrival."""

    def __init__(self, files: StoreFiles) -> None:
        self._files = files
        self._ours = threading.Lock()
        self._holder: int | None = None

    @contextmanager
    def passed(self, wait_seconds: float) -> Generator[None, None, None]:
        """Hold the turn while the block runs; a thread that holds it may enter again.

        Raises:
            StoreBusyError: The turn did not become free in time.
        """
        if self._holder == threading.get_ident():
            # A writer whose database file was replaced opens the new file while it holds the turn.
            yield
            return
        until = monotonic() + wait_seconds
        if not self._ours.acquire(timeout=wait_seconds):
            raise StoreBusyError
        try:
            ticket = self._take(until)
            self._holder = threading.get_ident()
            try:
                yield
            finally:
                self._holder = None
                ticket.give_back()
        finally:
            self._ours.release()

    def _take(self, until: float) -> _Ticket:
        try:
            ticket = _Ticket(self._files.queue)
        except OSError as error:
            if error.errno == EISDIR:
                raise QueueBlockedError(self._files.queue) from error
            raise from_system(error, self._files.database) from error
        if not ticket.taken_at_once() and not ticket.taken_before(until):
            raise store_busy(self._files.database)
        return ticket


class _Ticket:
    """One attempt to get the turn, with a file handle of its own.

    An abandoned attempt therefore does not block others.
    """

    def __init__(self, queue: str) -> None:
        self._handle = os.open(queue, os.O_CREAT | os.O_RDWR, OWNER_ONLY)
        self._guard = threading.Lock()
        self._arrived = threading.Event()
        self._abandoned = False

    def taken_at_once(self) -> bool:
        """Take the turn if it is free, which is the usual case."""
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def taken_before(self, until: float) -> bool:
        """Wait in the queue; flock has no timeout, so a second thread waits for it."""
        threading.Thread(target=self._queue_up, daemon=True).start()
        if self._arrived.wait(max(0.0, until - monotonic())):
            return True
        with self._guard:
            self._abandoned = not self._arrived.is_set()
        return not self._abandoned

    def _queue_up(self) -> None:
        fcntl.flock(self._handle, fcntl.LOCK_EX)
        with self._guard:
            self._arrived.set()
            if self._abandoned:
                self.give_back()

    def give_back(self) -> None:
        """Release the turn; unlock explicitly, because a forked child may share the handle."""
        fcntl.flock(self._handle, fcntl.LOCK_UN)
        os.close(self._handle)
