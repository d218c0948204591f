"""The result of copying or comparing two stores, table by table."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable

_SNAPSHOTS = "workspace_snapshot"
_COUNTERS = "counter"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCopy:
    """One table of two stores: its rows here and there, and how many were written now.

    A digest covers every row of the table, in no particular order.
    """

    table: str
    rows: int
    digest: str
    target_rows: int
    target_digest: str
    written: int = 0

    @property
    def is_same(self) -> bool:
        """Whether both stores have exactly the same rows."""
        return self.digest == self.target_digest


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreCopy:
    """The tables of two stores; ``index`` names the vector index if only vectors were copied."""

    tables: tuple[TableCopy, ...]
    index: str = ""

    @property
    def is_same(self) -> bool:
        """Whether both stores have exactly the same rows in every table."""
        return all(table.is_same for table in self.tables)

    @property
    def rows(self) -> int:
        """The number of rows of the store that was copied."""
        return sum(table.rows for table in self.tables)

    @property
    def rows_from_before(self) -> int:
        """The number of rows that an earlier, interrupted run had written.

        Counters do not count: a store makes them itself when it gets its memories.
        """
        tables = [table for table in self.tables if table.table != _COUNTERS]
        return sum(table.rows - table.written for table in tables)

    @property
    def snapshots(self) -> int:
        """How many snapshots of workspaces it has; their content is not part of a store."""
        return sum(table.rows for table in self.tables if table.table == _SNAPSHOTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexDigests:
    """The hashes of the rows that a vector index must have, and of those that it has."""

    wanted: tuple[bytes, ...] = ()
    stored: tuple[bytes, ...] = ()


def row_digest(row: tuple[object, ...]) -> bytes:
    """Return the hash of a stored row."""
    return sha256(repr(row).encode()).digest()


def table_digest(rows: Iterable[bytes]) -> str:
    """Return one hash for the hashes of all rows of a table, in whatever order they come."""
    total = sha256()
    for row in sorted(rows):
        total.update(row)
    return total.hexdigest()
