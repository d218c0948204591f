"""Opens the copy of a damaged database from which the most memories can be read."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

import apsw

from holdfast.adapters.sqlite.care.grafting import fit_length, graft
from holdfast.adapters.sqlite.database.connection import connect_to_read
from holdfast.adapters.sqlite.database.files import OWNER_ONLY, exists, remove
from holdfast.adapters.sqlite.database.rows import holds
from holdfast.adapters.sqlite.derived.scanning import MEMORY, Unreadable, scan
from holdfast.adapters.sqlite.queries import SQL

if TYPE_CHECKING:
    from collections.abc import Generator

    from holdfast.adapters.sqlite.database.connection import StoreOptions

_BROKEN = (apsw.NotADBError, apsw.CorruptError, apsw.SQLError, apsw.CantOpenError, apsw.IOError)
_GRAFTED = 2


@contextmanager
def readable_copy(
    damaged: str, new: str, options: StoreOptions
) -> Generator[apsw.Connection, None, None]:
    """Open copies of a damaged file and yield the one with the most intact memories.

    The first copy is the unchanged file. The second gets the length that its header states, and the
    third also the first pages of a new store. If the event log of a copy can be read to its end,
    that copy is used at once.
    """
    copies = [f"{damaged}-copy-{number}" for number in range(_GRAFTED + 1)]
    try:
        best = _best(damaged, new, copies, options)
        try:
            yield best
        finally:
            best.close(force=True)
    finally:
        for copy in copies:
            for end in ("", "-wal", "-shm"):
                remove(f"{copy}{end}")


def keep_copy(path: str, name: str) -> None:
    """Copy a file under another name, readable by its owner only; a missing file is skipped."""
    if exists(path):
        shutil.copyfile(path, name)
        os.chmod(name, OWNER_ONLY)


def _best(damaged: str, new: str, copies: list[str], options: StoreOptions) -> apsw.Connection:
    best, most = _nothing(), -1
    for number, copy in enumerate(copies):
        _prepare(number, damaged, new, copy)
        connection = _opened(copy, options)
        if connection is None:
            continue
        if _log_is_readable(connection):
            best.close(force=True)
            return connection
        count = _whole_memories(connection)
        worse = best if count > most else connection
        if count > most:
            best, most = connection, count
        worse.close(force=True)
    return best


def _prepare(number: int, damaged: str, new: str, copy: str) -> None:
    keep_copy(damaged, copy)
    if number == _GRAFTED:
        graft(copy, new)  # without the write-ahead log: it could restore the damaged pages
    else:
        keep_copy(f"{damaged}-wal", f"{copy}-wal")
    if number > 0:
        fit_length(copy, new)


def _opened(path: str, options: StoreOptions) -> apsw.Connection | None:
    try:
        connection = connect_to_read(path, options)
    except _BROKEN:
        return None
    try:
        connection.execute(SQL["any_object"]).fetchall()
    except _BROKEN:
        connection.close(force=True)
        return None
    return connection


def _log_is_readable(connection: apsw.Connection) -> bool:
    try:
        connection.execute(SQL["last_event"]).fetchall()
    except _BROKEN:
        return False
    return True


def _whole_memories(connection: apsw.Connection) -> int:
    """Return the number of memories that match their hashes."""
    try:
        return sum(
            not isinstance(row, Unreadable) and holds(MEMORY.noun, row)
            for row in scan(MEMORY.name, connection)
        )
    except _BROKEN:
        return 0


def _nothing() -> apsw.Connection:
    """Return an empty database, for a file that never was a store."""
    connection = apsw.Connection(":memory:")
    connection.execute(SQL["create_schema"]).fetchall()
    return connection
