"""The stores of the memory service on a server, all over the same connections."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING
from uuid import UUID

import psycopg

from holdfast.adapters.postgres.asking import SQL
from holdfast.adapters.postgres.database.address import read_address
from holdfast.adapters.postgres.database.connecting import LATEST
from holdfast.adapters.postgres.database.failures import is_lost, translated
from holdfast.adapters.postgres.store import PostgresStore
from holdfast.adapters.postgres.units.connections import connected
from holdfast.adapters.postgres.units.engine import PostgresEngine
from holdfast.adapters.postgres.units.options import PostgresOptions
from holdfast.domain.memory.place import SpaceId
from holdfast.domain.refusals import WorkUndoneError
from holdfast.domain.service.ids import StoreOwner
from holdfast.domain.version_errors import StoreUpgradedError
from holdfast.usecases.repeating import repeatable

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.database.rows import Row
    from holdfast.adapters.sqlite.recall.indexes import OpenIndex
    from holdfast.domain.service.ids import StoreId

_ZEROS, _NINES = "-0000-0000-0000-000000000000", "-ffff-ffff-ffff-ffffffffffff"


class PostgresServiceStores:
    """The stores of the service in one database; each tenant sees its own."""

    # An open store is a few objects; the connections are shared.
    most_open = 1_000

    def __init__(
        self,
        address: str,
        *,
        connections: int,
        wait_seconds: float,
        outside: OpenIndex | None = None,
    ) -> None:
        self._wait_seconds = wait_seconds
        self._outside = outside
        self._shared = connected(
            read_address(address), size=connections, answer_within=wait_seconds
        )

    @repeatable
    def add(self, owner: StoreOwner, *, tenant_name: str = "") -> None:
        """Add the store of an owner; if there is one, only note that it was used now."""
        values = (owner.store_id, str(owner.user), owner.store_name)
        with self._entered(owner.tenant, "begin_writing") as connection:
            raw = psycopg.RawCursor(connection)
            raw.execute(SQL["add_service_store"], values)
            if tenant_name:
                raw.execute(SQL["name_known_tenant"], (tenant_name,))

    def owner_of(self, store_id: StoreId, *, tenants: Collection[UUID]) -> StoreOwner | None:
        """Return the owner of a store, if it is one of these tenants."""
        return next(self._owners("owner_of_store", (store_id,), tenants), None)

    def beginning(self, digits: str, *, tenants: Collection[UUID]) -> Sequence[StoreOwner]:
        """Return the owners of the tenants' stores whose id begins with these eight digits."""
        edges = (f"{digits}{_ZEROS}", f"{digits}{_NINES}")
        return tuple(self._owners("stores_beginning", edges, tenants))

    def is_made(self, owner: StoreOwner) -> bool:
        """Return True: a store is a row, which is there since it was added."""
        del owner
        return True

    def open(self, owner: StoreOwner) -> PostgresStore:
        """Open the store of an owner."""
        options = PostgresOptions(
            tenant=owner.tenant,
            space=SpaceId(owner.store_id),
            wait_seconds=self._wait_seconds,
            outside=self._outside,
        )
        return PostgresStore(PostgresEngine(self._shared.address, options, shared=self._shared))

    def close(self) -> None:
        """Close the connections; a second call does nothing."""
        self._shared.pool.close()

    def _owners(
        self, name: str, values: tuple[str, ...], tenants: Collection[UUID]
    ) -> Iterator[StoreOwner]:
        for tenant in tenants:
            for user, store_name in self._rows(tenant, name, values):
                yield StoreOwner(tenant=tenant, user=UUID(str(user)), store_name=str(store_name))

    @repeatable
    def _rows(self, tenant: UUID, name: str, values: tuple[str, ...]) -> list[Row]:
        with self._entered(tenant, "begin_reading") as connection:
            return psycopg.RawCursor(connection).execute(SQL[name], values).fetchall()

    @contextmanager
    def _entered(self, tenant: UUID, begin: str) -> Generator[psycopg.Connection, None, None]:
        """Run the block in a transaction of a tenant, with no store; commit it."""
        pool, address = self._shared.pool, self._shared.address
        connection = pool.take(patience=self._wait_seconds)
        whose = {"tenant": str(tenant), "store": "", "path": self._shared.server.search_path}
        try:
            connection.execute(SQL[begin])
            if begin == "begin_reading":
                connection.execute(SQL["enter_reading"], whose)
            elif connection.execute(SQL["enter"], whose).fetchall()[0][-1] != LATEST:
                raise StoreUpgradedError
            yield connection
            connection.execute(SQL["commit"])
        except psycopg.Error as error:
            if is_lost(error):
                pool.forget_idle()
                raise WorkUndoneError from error
            raise translated(error, address) from error
        finally:
            # A connection inside a transaction is closed there.
            pool.give_back(connection)
