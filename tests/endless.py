"""A read of a store that does not end by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.postgres.database.work import PostgresWork
from holdfast.adapters.sqlite.units.transaction import SqliteTransaction

if TYPE_CHECKING:
    from holdfast.ports.store.store import Store, Transaction

_ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


def read_forever(tx: Transaction) -> None:
    """Run a statement that does not end."""
    assert isinstance(tx, SqliteTransaction)
    if isinstance(tx.work, PostgresWork):
        tx.work.server.execute("SELECT pg_sleep(86400)")
    else:
        tx.work.connection.execute(_ENDLESS).fetchall()


def endless_read(*_given: object, store: Store, **_named: object) -> list[object]:
    """Read from a store as a use case does, and never find an answer."""
    with store.reading() as tx:
        read_forever(tx)
    return []
