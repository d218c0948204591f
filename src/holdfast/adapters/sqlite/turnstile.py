"""A fair queue in front of the write lock, for processes and threads alike.

SQLite's own waiting is polling: under load somebody is always unlucky. Here the kernel
keeps the queue, and wakes those who wait in the order they came.
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

from holdfast.adapters.sqlite.failures import from_system, store_busy
from holdfast.adapters.sqlite.files import OWNER_ONLY
from holdfast.domain.errors import StoreBusyError, StoreUnreadableError

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.files import StoreFiles


class QueueBlockedError(StoreUnreadableError, code="queue-blocked"):
    """A folder is in the place of the file at which writers queue."""

    def __init__(self, path: str) -> None:
        super().__init__(
            path,
            "a folder is in the place of this file, so nothing can be written. Move it aside.",
        )


class Turnstile:
    """Lets one writer pass at a time, in the order they came."""

    def __init__(self, files: StoreFiles) -> None:
        self._files = files
        self._ours = threading.Lock()
        self._holder: int | None = None

    @contextmanager
    def passed(self, wait_seconds: float) -> Generator[None, None, None]:
        """Hold the turn while the block runs; whoever holds it may pass again.

        Raises:
            StoreBusyError: It did not come within the time.
        """
        if self._holder == threading.get_ident():
            # A writer that finds another file in place of its own opens that one under its turn.
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
    """One try to pass. It has a file handle of its own, so an abandoned one disturbs nobody."""

    def __init__(self, queue: str) -> None:
        self._handle = os.open(queue, os.O_CREAT | os.O_RDWR, OWNER_ONLY)
        self._guard = threading.Lock()
        self._arrived = threading.Event()
        self._abandoned = False

    def taken_at_once(self) -> bool:
        """Take the turn if nobody is there; most of the time nobody is."""
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def taken_before(self, until: float) -> bool:
        """Wait in the queue; flock knows no time limit, so a thread of its own waits for us."""
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
        """Let the next one pass; unlocked by word, as a forked child may share the handle."""
        fcntl.flock(self._handle, fcntl.LOCK_UN)
        os.close(self._handle)
