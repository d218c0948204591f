"""The size of a database by table and tenant, the use of its indexes, and its replicas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.postgres.care.entering import administering
from holdfast.adapters.postgres.care.tenants import sizes_of_tenants
from holdfast.adapters.postgres.database.connecting import LATEST
from holdfast.domain.care.database import DatabaseStats, IndexUse, ReplicaState, TableSize

if TYPE_CHECKING:
    from uuid import UUID

    from holdfast.adapters.postgres.care.entering import Entered
    from holdfast.adapters.postgres.database.address import Address

_SYNCHRONOUS = frozenset({"sync", "quorum"})


def database_stats(address: Address, *, tenant: UUID) -> DatabaseStats:
    """Return the size of a database; the owner of the tables sees every tenant.

    Raises:
        NotMigratedError: The schema is missing or older.
    """
    with administering(address, needed=LATEST) as entered:
        size, connections, most, oldest = entered.rows("activity")[0]
        return DatabaseStats(
            location=address.shown,
            database_bytes=size,
            connections=connections,
            most_connections=most,
            oldest_seconds=oldest,
            tables=tuple(
                TableSize(name=name, rows=rows, dead_rows=dead, table_bytes=own, index_bytes=index)
                for name, rows, dead, own, index in entered.rows("table_sizes")
            ),
            indexes=tuple(
                IndexUse(table=table, name=name, scans=scans, index_bytes=size)
                for table, name, scans, size in entered.rows("index_use")
            ),
            replicas=replicas_of(entered),
            tenants=sizes_of_tenants(entered, tenant),
        )


def replicas_of(entered: Entered) -> tuple[ReplicaState, ...]:
    """Return the servers that copy this one; a replica itself reports none."""
    if entered.rows("is_replica")[0][0]:
        return ()
    return tuple(
        ReplicaState(
            name=name, state=state, is_synchronous=sync in _SYNCHRONOUS, bytes_behind=behind
        )
        for name, state, sync, behind in entered.rows("replication")
    )
