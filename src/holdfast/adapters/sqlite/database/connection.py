"""Connections with the settings of this store: version check, limits, durability."""

from __future__ import annotations

from typing import Literal

import apsw

from holdfast.adapters.sqlite.queries import SQL
from holdfast.domain.errors import OldLibraryError
from holdfast.domain.memory.place import DEFAULT_SPACE, SpaceId
from holdfast.domain.values import dataclass

OLDEST_SAFE = (3, 51, 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreOptions:
    """The settings of a store: lock timeout, virtual file system, durability.

    ``only_reads`` opens it as if it were not writable: nothing is created or upgraded.
    ``space`` is the space that the store must belong to.
    """

    wait_seconds: float = 30.0
    vfs: str | None = None
    durability: Literal["full", "normal"] = "full"
    only_reads: bool = False
    space: SpaceId = DEFAULT_SPACE


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
    connection = _opened(path, options, apsw.SQLITE_OPEN_READWRITE)
    return _set_up(connection, options, "lock_exclusively")


def connect_to_read(path: str, options: StoreOptions) -> apsw.Connection:
    """Open a database that must not be written."""
    return _set_up(_opened(path, options, apsw.SQLITE_OPEN_READONLY), options)


def set_busy_timeout(connection: apsw.Connection, seconds: float) -> None:
    """Set how long statements wait for a lock of another process."""
    connection.set_busy_timeout(int(seconds * 1000))


def _opened(path: str, options: StoreOptions, flags: int) -> apsw.Connection:
    return apsw.Connection(path, flags=flags, vfs=options.vfs)


def _set_up(connection: apsw.Connection, options: StoreOptions, *before: str) -> apsw.Connection:
    try:
        set_busy_timeout(connection, options.wait_seconds)
        for name in before:
            connection.execute(SQL[name]).fetchall()
        connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
        # Otherwise SQLite plans a query again for every set of values: ten times the cost.
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
        # Fetch all rows: a row that is not fetched would stop the statements after it.
        connection.execute(SQL["prepare_connection"]).fetchall()
        if options.durability == "normal":
            connection.execute(SQL["relax_durability"]).fetchall()
    except BaseException:
        connection.close(force=True)
        raise
    return connection
