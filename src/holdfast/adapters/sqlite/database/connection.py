"""Connections with the settings of this store: version check, limits, durability.

Translates errors of SQLite into errors of the domain, each cause into its own error.

A fair queue for the write lock, for processes and threads alike.

SQLite waits for a lock by polling, so under load some writers wait much too long. This queue uses a
kernel lock, and the kernel wakes waiting writers in the order of their arrival.
"""

from __future__ import annotations

import errno
import fcntl
import os
import threading
from collections.abc import Generator
from contextlib import contextmanager
from errno import EISDIR
from time import monotonic
from typing import TYPE_CHECKING, Literal

import apsw

from holdfast.adapters.disk.file_locks import busy
from holdfast.adapters.sqlite.database.files import OWNER_ONLY, exists
from holdfast.adapters.sqlite.database.log_length import keep_log_short
from holdfast.adapters.sqlite.queries import SQL
from holdfast.domain.errors import (
    HoldfastError,
    StoreBusyError,
    StoreDamagedError,
    StoreFullError,
    StoreReadOnlyError,
    StoreUnreadableError,
    UnstorableTextError,
)
from holdfast.domain.memory.place import DEFAULT_SPACE, SpaceId
from holdfast.domain.values import dataclass
from holdfast.domain.version_errors import OldLibraryError

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.adapters.sqlite.database.cipher import StoreLock
    from holdfast.adapters.sqlite.database.files import StoreFiles


OLDEST_SAFE = (3, 51, 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreOptions:
    """The settings of a store: lock timeout, virtual file system, durability.

    ``only_reads`` opens it as if it were not writable: nothing is created or upgraded.
    ``space`` is the space that the store must belong to. ``takes_copy`` opens an unfinished copy
    too, which is refused otherwise. ``lock`` finds the key of an encrypted store.
    """

    wait_seconds: float = 30.0
    vfs: str | None = None
    durability: Literal["full", "normal"] = "full"
    only_reads: bool = False
    space: SpaceId = DEFAULT_SPACE
    takes_copy: bool = False
    lock: StoreLock | None = None


class StoreConnection(apsw.Connection):
    """A connection that knows how another one to the same file is opened."""

    lock: StoreLock | None = None


def refuse_old_library(version: str) -> None:
    """Refuse a library that can corrupt a WAL database shared by two connections.

    Raises:
        OldLibraryError: It is older than the release that fixed this fault.
    """
    if tuple(int(part) for part in version.split(".")) < OLDEST_SAFE:
        raise OldLibraryError(version, ".".join(str(part) for part in OLDEST_SAFE))


def connect(path: str, options: StoreOptions) -> apsw.Connection:
    """Open an existing database for reading and writing."""
    return _set_up(_opened(path, options, apsw.SQLITE_OPEN_READWRITE), options)


def connect_alone(path: str, options: StoreOptions) -> apsw.Connection:
    """Open a database exclusively; this mode needs no shared-memory file.

    No other connection can read or write meanwhile, so it is for a full disk and a short time.
    """
    connection = _opened(path, options, apsw.SQLITE_OPEN_READWRITE, "lock_exclusively")
    return _set_up(connection, options)


def connect_to_rewrite(path: str, options: StoreOptions) -> apsw.Connection:
    """Open a database whose content is written into another file, which is named by a URI."""
    flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_URI
    return _set_up(_opened(path, options, flags), options)


def connect_to_read(path: str, options: StoreOptions) -> apsw.Connection:
    """Open a database that must not be written."""
    return _set_up(_opened(path, options, apsw.SQLITE_OPEN_READONLY), options)


def connect_to_rescue(path: str, options: StoreOptions) -> apsw.Connection:
    """Open a damaged database that must not be written.

    Damaged pages of an encrypted one are decrypted too: each row proves itself by its hash.
    """
    return _set_up(_opened(path, options, apsw.SQLITE_OPEN_READONLY, "trust_pages"), options)


def set_busy_timeout(connection: apsw.Connection, seconds: float) -> None:
    """Set how long statements wait for a lock of another process."""
    connection.set_busy_timeout(int(seconds * 1000))


def _opened(path: str, options: StoreOptions, flags: int, *before: str) -> apsw.Connection:
    def make() -> apsw.Connection:
        connection = StoreConnection(path, flags=flags, vfs=options.vfs)
        connection.lock = options.lock
        set_busy_timeout(connection, options.wait_seconds)
        for name in before:
            connection.execute(SQL[name]).fetchall()
        return connection

    return make() if options.lock is None else options.lock.opened(make)


def _set_up(connection: apsw.Connection, options: StoreOptions) -> apsw.Connection:
    try:
        connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
        # Otherwise SQLite plans a query again for every set of values: ten times the cost.
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
        # Fetch all rows: a row that is not fetched would stop the statements after it.
        connection.execute(SQL["prepare_connection"]).fetchall()
        keep_log_short(connection)
        if options.durability == "normal":
            connection.execute(SQL["relax_durability"]).fetchall()
    except BaseException:
        connection.close(force=True)
        raise
    return connection


NO_TEXT = "a text in it is not text any more."
_HIDDEN = (
    "you may not read it. Check the permissions of the file and of its folders, or set"
    " HOLDFAST_HOME."
)
_NO_SPACE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_NO_RIGHT = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})

_NO_SHARED_MEMORY = frozenset(
    {
        apsw.SQLITE_IOERR_SHMOPEN,
        apsw.SQLITE_IOERR_SHMSIZE,
        apsw.SQLITE_IOERR_SHMMAP,
        apsw.SQLITE_CANTOPEN,
    }
)

_BY_KIND: tuple[tuple[type[apsw.Error], Callable[[str, str], HoldfastError]], ...] = (
    (apsw.BusyError, lambda path, _said: store_busy(path)),
    (apsw.LockedError, lambda path, _said: store_busy(path)),
    (apsw.FullError, lambda path, _said: _full(path)),
    (apsw.ReadOnlyError, lambda path, _said: StoreReadOnlyError(path)),
    (apsw.CorruptError, lambda path, said: StoreDamagedError(path, f"{said}.")),
    (apsw.NotADBError, lambda path, _said: StoreDamagedError(path, "it is no database any more.")),
    # The queries are fixed and tested: an unknown column means that the schema was changed.
    (apsw.SQLError, lambda path, said: StoreDamagedError(path, f"{said}.")),
)


def translated(error: apsw.Error, path: str, *, system_error: int = 0) -> HoldfastError:
    """Return the domain error for a failure of SQLite.

    ``system_error`` is the last error number of the operating system: SQLite reports a file that
    cannot grow as a plain I/O error.
    """
    if isinstance(error, apsw.IOError | apsw.CantOpenError):
        return _by_system_error(system_error, path, str(error))
    for kind, word in _BY_KIND:
        if isinstance(error, kind):
            return word(path, str(error))
    return StoreUnreadableError(path, f"{error}.")


def store_busy(path: str) -> HoldfastError:
    """Return the error that names the process holding the lock; the writers' queue comes first."""
    return busy(f"{path}-queue", f"{path}-shm", path)


def lacks_shared_memory(error: apsw.Error) -> bool:
    """Return whether SQLite could not create its shared-memory file, as on a full disk."""
    return getattr(error, "extendedresult", 0) in _NO_SHARED_MEMORY


def from_system(error: OSError, path: str) -> HoldfastError:
    """Return the domain error for a failure of the operating system."""
    return _by_system_error(error.errno or 0, path, error.strerror or str(error))


def not_text(error: UnicodeError, path: str) -> HoldfastError:
    """Return the domain error for text that cannot be encoded or decoded."""
    if isinstance(error, UnicodeDecodeError):
        return StoreDamagedError(path, NO_TEXT)
    return UnstorableTextError(what="text", problem="It holds half a character.")


def _full(path: str) -> HoldfastError:
    """Return the error for a full disk; without the reserve file, forgetting would fail too."""
    return StoreFullError(path, can_forget=exists(f"{path}-reserve"))


def _by_system_error(number: int, path: str, said: str) -> HoldfastError:
    if number in _NO_SPACE:
        return _full(path)
    if number in _NO_RIGHT:
        return (
            StoreReadOnlyError(path) if _may_be_read(path) else StoreUnreadableError(path, _HIDDEN)
        )
    return StoreUnreadableError(path, f"{said}.")


def _may_be_read(path: str) -> bool:
    """Return whether this person may read the file, or would if it existed."""
    try:
        os.stat(path)
    except PermissionError:
        return False
    except OSError:
        return True
    return os.access(path, os.R_OK)


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
