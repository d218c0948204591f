"""Keeps the write-ahead log short: when its pages are written back into the database.

SQLite does that in the commit that makes the log long enough, which is often the one that wrote the
most and took the longest. Here a small unit of work soon after it does so instead.
"""

from __future__ import annotations

from contextlib import suppress

import apsw

from holdfast.adapters.sqlite.database.files import size
from holdfast.adapters.sqlite.queries import SQL

_ENOUGH = 250
"""Pages of a log that a small unit of work writes back; about 1 MB."""
_MOST = 500
"""Pages of a log that every unit of work writes back.

They fit into the reserve file, so on a full disk there is space for them.
"""
_FEW = 32
"""A unit of work with fewer pages is small."""
_LONG_LOG = 4 * 1024 * 1024


def keep_log_short(connection: apsw.Connection) -> None:
    """Decide after each commit of a connection whether the log is written back."""
    connection.set_wal_hook(_LogKeeper())


class _LogKeeper:
    """Writes the log back when a unit of work is small, or when the log must not grow further."""

    def __init__(self) -> None:
        self._pages = 0

    def __call__(self, connection: apsw.Connection, name: str, pages: int) -> int:
        """Follow a commit. It is durable already, so a failure here is none of it.

        A log that was written back starts again, and then has fewer pages than before.
        """
        written = pages - self._pages if pages > self._pages else pages
        self._pages = pages
        if pages >= _MOST or (pages >= _ENOUGH and written < _FEW):
            with suppress(apsw.Error):
                connection.wal_checkpoint(name)
        return apsw.SQLITE_OK


def empty_long_log(path: str, connection: apsw.Connection) -> None:
    """Empty the log after a large unit of work; otherwise the next small one has to do it.

    If somebody reads the log, it stays, and nobody is waited for.
    """
    if size(path) > _LONG_LOG:
        connection.set_busy_timeout(0)
        connection.execute(SQL["checkpoint"]).fetchall()
