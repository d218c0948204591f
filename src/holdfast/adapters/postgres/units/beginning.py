"""Begins transactions: with the tenant and the store, and for a unit of work with the lock."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import psycopg

from holdfast.adapters.postgres.asking import SQL
from holdfast.adapters.postgres.database.connecting import LATEST
from holdfast.adapters.postgres.units.connections import pipeline
from holdfast.domain.version_errors import StoreUpgradedError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.adapters.postgres.database.work import Statement
    from holdfast.adapters.sqlite.database.rows import Row

_FORGETS_OLD = "00"
"""The end of the tokens, one in 256, whose unit of work removes the notes of old ones."""
_LEAST_MILLISECONDS = 1


class SpaceLock(NamedTuple):
    """The lock of a space: its key, how many seconds to wait, and who takes it."""

    key: int
    patience: float
    token: str = ""

    @property
    def values(self) -> tuple[str, int]:
        """The parameters of the statement that takes it."""
        return f"{max(_LEAST_MILLISECONDS, int(self.patience * 1_000))}ms", self.key


# What is read inside a pipeline costs another exchange, so it is read after it.


def begin_reading(connection: psycopg.Connection, whose: Mapping[str, str]) -> None:
    """Begin a snapshot of the store of a tenant."""
    with connection.pipeline():
        _enter_snapshot(connection, whose)


def begin_asking(
    connection: psycopg.Connection, whose: Mapping[str, str], first: Statement
) -> psycopg.RawCursor[Row]:
    """Begin a snapshot together with its first question, whose cursor is returned."""
    text, values = first
    cursor: psycopg.RawCursor[Row] = psycopg.RawCursor(connection)
    with pipeline(connection):
        _enter_snapshot(connection, whose)
        cursor.execute(text, values)
    return cursor


def _enter_snapshot(connection: psycopg.Connection, whose: Mapping[str, str]) -> None:
    connection.execute(SQL["begin_reading"])
    connection.execute(SQL["enter_reading"], whose)


def begin_writing(connection: psycopg.Connection, whose: Mapping[str, str]) -> None:
    """Begin a transaction that does not wait for the writers of the space.

    Raises:
        StoreUpgradedError: Another program has upgraded the schema.
    """
    with connection.pipeline():
        connection.execute(SQL["begin_writing"])
        entered = connection.execute(SQL["enter"], whose)
    _refuse_upgraded(entered)


def begin_locked(
    connection: psycopg.Connection, whose: Mapping[str, str], lock: SpaceLock, *, prepares: bool
) -> list[Row]:
    """Begin a unit of work, take the lock of its space, and note it inside itself.

    Returns the newest event before it. All of this is one exchange with the server.

    Raises:
        StoreUpgradedError: Another program has upgraded the schema.
    """
    with connection.pipeline():
        connection.execute(SQL["begin_writing"])
        entered = connection.execute(SQL["enter"], whose)
        noted = (*lock.values, lock.token)
        psycopg.RawCursor(connection).execute(SQL["lock_space_and_note_work"], noted)
        if lock.token.endswith(_FORGETS_OLD):
            connection.execute(SQL["forget_old_work"], prepare=False)
        # If the wait for the lock fails, the driver must know that this was not prepared; it does
        # not notice for a statement that it prepares at the second run only.
        last = connection.execute(SQL["last_event"], prepare=prepares)
    _refuse_upgraded(entered)
    return last.fetchall()


def _refuse_upgraded(entered: psycopg.Cursor[Row]) -> None:
    if entered.fetchall()[0][-1] != LATEST:
        raise StoreUpgradedError
