"""The size and the state of a database: its tables, indexes, tenants and replicas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSize:
    """The size of one table; rows and dead rows are estimates of the server."""

    name: str
    rows: int
    dead_rows: int
    table_bytes: int
    index_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexUse:
    """How often an index was used since the server began to count, and its size."""

    table: str
    name: str
    scans: int
    index_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicaState:
    """A server that copies this one; None is a distance that the role may not see."""

    name: str
    state: str
    is_synchronous: bool
    bytes_behind: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TenantSize:
    """A tenant of a database: its id, its name if one is known, and what it holds."""

    id: UUID
    name: str
    created_at: datetime
    spaces: tuple[str, ...]
    memories: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseStats:
    """The size of a database and what its server is doing.

    ``oldest_seconds`` is the age of the oldest open transaction; it keeps dead rows from being
    removed. ``tenants`` are all tenants for the owner of the tables, else the caller's own.
    """

    location: str
    database_bytes: int
    connections: int
    most_connections: int
    oldest_seconds: float | None
    tables: tuple[TableSize, ...]
    indexes: tuple[IndexUse, ...]
    replicas: tuple[ReplicaState, ...]
    tenants: tuple[TenantSize, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TenantRemoval:
    """What the removal of a tenant deleted, by table; every other table had no row of it.

    ``checked`` is the number of tables that were counted afterwards and were empty.
    """

    tenant: TenantSize
    deleted: tuple[tuple[str, int], ...]
    checked: int
