"""A query on a second connection, which sees commits that the transaction may not see."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from holdfast.adapters.sqlite.database.connection import (
    StoreConnection,
    StoreOptions,
    connect_to_read,
)
from holdfast.adapters.sqlite.queries import SQL
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.database.rows import Row, Value
    from holdfast.adapters.sqlite.database.work import Work

_OPTIONS = StoreOptions(wait_seconds=1.0)


def seen_beside(work: Work, name: str, values: tuple[Value, ...]) -> Row | None:
    """Run a query by name on a connection of its own, and return its first row."""
    beside = work.connection
    lock = beside.lock if isinstance(beside, StoreConnection) else None
    connection = connect_to_read(beside.filename, replace(_OPTIONS, lock=lock))
    try:
        rows = connection.execute(SQL[name], values).fetchall()
    finally:
        connection.close(force=True)
    return cast("Row", rows[0]) if rows else None
