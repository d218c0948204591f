"""Opens a derived database: creates a missing one, replaces a damaged or outdated one.

The refresh lock: one process refreshes an index, the others wait for its result.

Removes the words of a forgotten memory from the indexes of code and commits.
"""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from time import monotonic, sleep
from typing import TYPE_CHECKING
from zlib import crc32

import apsw

from holdfast.adapters.code.index.checked_pages import (
    PAGE_BYTES,
    RESERVED_BYTES,
    checked_pages,
)
from holdfast.adapters.code.index.refresh_lock import OWNER_ONLY, RefreshLock
from holdfast.adapters.code.queries import SQL
from holdfast.adapters.disk.atomic_files import make_own_folder
from holdfast.adapters.disk.file_locks import busy
from holdfast.domain.errors import (
    HoldfastError,
    StoreFullError,
    StoreReadOnlyError,
    StoreUnreadableError,
)
from holdfast.domain.review.traces import Reach, Trace

if TYPE_CHECKING:
    from collections.abc import Collection, Generator, Sequence
    from pathlib import Path
    from typing import LiteralString

    from holdfast.domain.review.traces import GoneText


IN_MEMORY = ":memory:"
WAIT_SECONDS = 30.0
"""How long a question waits for a process that refreshes the index."""
READER_SECONDS = 1.0
"""How long a statement waits for an SQLite lock; a refresh holds it for one step at a time."""
_WAIT_TO_MAKE_SECONDS = 2.0
# Another process may be creating the database; on a busy machine this takes seconds.
_WAIT_FOR_SCHEMA_SECONDS = 10.0
_BETWEEN_TRIES_SECONDS = 0.01
DAMAGE = (apsw.CorruptError, apsw.NotADBError)
_NOT_OURS = (*DAMAGE, apsw.SQLError)
_NO_PLACE = (
    apsw.CantOpenError,
    apsw.FullError,
    apsw.IOError,
    apsw.PermissionsError,
    apsw.ReadOnlyError,
    OSError,
)


def open_database(path: Path, *, script: LiteralString, version: int) -> apsw.Connection:
    """Return a connection to the database of exactly this version; create it if it is missing.

    A database of another version and a damaged file are removed and created again. If nothing can
    be written, the database is in memory for the life of the connection.
    """
    try:
        return _opened(path, script=script, version=version)
    except _NO_PLACE:
        connection = connect(IN_MEMORY)
        _is_ours(connection, script=script, version=version)
        return connection


def remove_database(path: Path) -> None:
    """Remove a database with its side files; a process that has it open keeps its data."""
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
        with suppress(OSError):
            path.with_name(name).unlink(missing_ok=True)


def problem_of(path: Path) -> str | None:
    """Return what is wrong with an existing database; None while another process uses it.

    Raises:
        StoreReadOnlyError: Nothing can be written there, and SQLite reads a write-ahead log only
            where it can write.
    """
    if not path.is_file():
        return "it is no file"
    try:
        connection = connect(str(path))
        try:
            said = connection.execute(SQL["integrity"]).get
            if said == "ok" and _has_damaged_vector(connection):
                said = "a vector is not as it was written"
        finally:
            connection.close(force=True)
    except apsw.BusyError:
        return None
    except (apsw.ReadOnlyError, apsw.CantOpenError) as error:
        if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
            return str(error)
        raise StoreReadOnlyError(str(path)) from error
    except apsw.Error as error:
        return str(error)
    return None if said == "ok" else str(said)


def _has_damaged_vector(connection: apsw.Connection) -> bool:
    """Tell whether a checksum is wrong; a flipped bit in a vector leaves a well-formed row."""
    if not connection.execute(SQL["has_vectors"]).get:
        return False
    return any(crc32(value) != seal for value, seal in connection.execute(SQL["every_vector"]))


def connect(path: str, *, patience: float = READER_SECONDS) -> apsw.Connection:
    """Open a database with a busy timeout, so that statements wait; pages of files are checked."""
    connection = apsw.Connection(path, vfs=None if path == IN_MEMORY else checked_pages())
    try:
        set_busy_timeout(connection, patience)
        connection.reserve_bytes(reserve=RESERVED_BYTES)
        connection.pragma("page_size", PAGE_BYTES)
        connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
        _prepare(connection, patience)
    except BaseException:
        connection.close(force=True)
        raise
    return connection


def _prepare(connection: apsw.Connection, patience: float) -> None:
    """Set the pragmas, and retry while another process creates the same file.

    Two processes that switch a file to the write-ahead log at once would deadlock, so SQLite
    refuses one of them at once, without waiting for the busy timeout.
    """
    until = monotonic() + patience
    while True:
        try:
            connection.execute(SQL["prepare_connection"]).fetchall()
        except apsw.BusyError:
            if monotonic() >= until:
                raise
            sleep(_BETWEEN_TRIES_SECONDS)
        else:
            return


def set_busy_timeout(connection: apsw.Connection, seconds: float) -> None:
    """Set how long statements wait for the lock of another process."""
    connection.set_busy_timeout(int(seconds * 1000))


@contextmanager
def writing(connection: apsw.Connection) -> Generator[None, None, None]:
    """Commit all writes of the block, or none if it fails."""
    connection.execute(SQL["begin_writing"])
    try:
        yield
        connection.execute(SQL["commit"])
    except BaseException:
        with suppress(apsw.Error):
            if connection.in_transaction:
                connection.execute(SQL["rollback"])
        raise


@contextmanager
def reading(connection: apsw.Connection) -> Generator[None, None, None]:
    """Run all reads of the block on one snapshot."""
    connection.execute(SQL["begin_reading"])
    try:
        yield
    finally:
        with suppress(apsw.Error):
            if connection.in_transaction:
                connection.execute(SQL["rollback"])


def translated(error: apsw.Error, path: Path) -> HoldfastError:
    """Return the domain error for an SQLite error."""
    if isinstance(error, apsw.BusyError | apsw.LockedError):
        return busy(f"{path}.lock", f"{path}-shm", str(path), what=f"the index {path}")
    if isinstance(error, apsw.FullError):
        return StoreFullError(str(path))
    if isinstance(error, apsw.ReadOnlyError):
        return StoreReadOnlyError(str(path))
    return StoreUnreadableError(str(path), f"{error}. It is derived: remove that file, try again.")


def _opened(path: Path, *, script: LiteralString, version: int) -> apsw.Connection:
    make_own_folder(path.parent)
    # If a folder has the file's name, it is removed only if it is empty.
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
        with suppress(OSError):
            path.with_name(name).rmdir()
    connection = _current(path, script=script, version=version)
    if connection is not None:
        return connection
    with RefreshLock(path).taken(within_seconds=_WAIT_TO_MAKE_SECONDS):
        # Another process may have recreated it while this one waited.
        connection = _current(path, script=script, version=version)
        if connection is None:
            remove_database(path)
            connection = _current(path, script=script, version=version)
    if connection is None:
        raise apsw.CantOpenError
    return connection


def _current(path: Path, *, script: LiteralString, version: int) -> apsw.Connection | None:
    """Return a connection if the file has this version or is empty, else None."""
    os.close(os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, OWNER_ONLY))
    try:
        connection = connect(str(path), patience=_WAIT_FOR_SCHEMA_SECONDS)
    except _NOT_OURS:
        return None
    try:
        if _is_ours(connection, script=script, version=version):
            set_busy_timeout(connection, READER_SECONDS)
            return connection
    except _NOT_OURS:
        pass
    except BaseException:
        connection.close(force=True)
        raise
    connection.close(force=True)
    return None


def _is_ours(connection: apsw.Connection, *, script: LiteralString, version: int) -> bool:
    """Return whether the database has this version; an empty one is given the schema."""
    if connection.pragma("user_version") == version:
        return True
    with writing(connection):
        # Another process may have created it since the check.
        found = connection.pragma("user_version")
        if found == 0 and connection.execute(SQL["any_object"]).get == 0:
            connection.execute(script).fetchall()
            connection.pragma("user_version", version)
            return True
    return bool(found == version)


_PATIENCE_SECONDS = 10.0
_MADE_ANEW = "This index is made again when it is next used."


class IndexTraces:
    """The index files whose names match some patterns.

    An index holds words, not lines, and SQLite keeps the bytes of deleted rows. A search for the
    text therefore proves nothing, so the whole file is removed: it is derived.
    """

    def __init__(self, folder: Path, patterns: Collection[str]) -> None:
        self._folder = folder
        self._patterns = patterns

    def __str__(self) -> str:
        return str(self._folder)

    def remove(self, gone: Sequence[GoneText]) -> Sequence[Trace]:
        """Remove the indexes; return those that existed."""
        del gone
        paths = {path for pattern in self._patterns for path in self._folder.glob(pattern)}
        for path in paths:
            with RefreshLock(path).taken(within_seconds=_PATIENCE_SECONDS):
                remove_database(path)
        return [
            Trace(place=str(path), reach=Reach.REMOVED, advice=_MADE_ANEW) for path in sorted(paths)
        ]
