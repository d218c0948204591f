"""Transactions of the people who run a database: outside any open store, for one tenant or none."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import psycopg

from holdfast.adapters.postgres.asking import SQL
from holdfast.adapters.postgres.database.connecting import LATEST, about, connect
from holdfast.adapters.postgres.database.failures import translated
from holdfast.domain.database_errors import NotMigratedError
from holdfast.domain.version_errors import NewerStoreError

if TYPE_CHECKING:
    from uuid import UUID

    from holdfast.adapters.postgres.database.address import Address
    from holdfast.adapters.postgres.database.connecting import Server
    from holdfast.adapters.sqlite.database.rows import Row, Value


class Entered:
    """One transaction of an administrator; it can enter a tenant and each of its stores."""

    def __init__(self, connection: psycopg.Connection, server: Server) -> None:
        self.connection = connection
        self.server = server

    def enter(self, tenant: UUID | None, store: str = "") -> None:
        """Let the next statements see the rows of a tenant, and of one of its stores."""
        whose = {
            "tenant": "" if tenant is None else str(tenant),
            "store": store,
            "path": self.server.search_path,
        }
        self.connection.execute(SQL["enter"], whose)

    def rows(self, name: str, *values: Value | list[str]) -> list[Row]:
        """Run a query by name and return its rows."""
        return psycopg.RawCursor(self.connection).execute(SQL[name], values).fetchall()

    def run(self, name: str, *values: Value) -> None:
        """Run a statement by name."""
        psycopg.RawCursor(self.connection).execute(SQL[name], values)


@contextmanager
def administering(address: Address, *, needed: int) -> Generator[Entered, None, None]:
    """Open one transaction on a database whose schema has at least the number ``needed``.

    Raises:
        NotMigratedError: The schema is missing or older.
        NewerStoreError: The schema is newer than this program.
        ServerUnreachableError: The server does not answer.
    """
    with connect(address) as connection:
        server = about(connection, address)
        if not server.has_schema:
            raise NotMigratedError(address.shown, found=0, needed=needed)
        try:
            (found,) = connection.execute(SQL["schema_number"]).fetchall()[0]
            if found < needed:
                raise NotMigratedError(address.shown, found=found, needed=needed)
            if found > LATEST:
                raise NewerStoreError(address.shown, found, LATEST)
            with connection.transaction():
                yield Entered(connection, server)
        except psycopg.Error as error:
            raise translated(error, address) from error
