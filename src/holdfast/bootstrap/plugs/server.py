"""The database server that a store is on, if an address of one is given.

Imports are kept to the minimum, because hooks and prompts use this module often.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.bootstrap.plugs.addresses import (
    ServerPlace,
    replica_addresses,
    tenant_name,
    tenant_of,
)

if TYPE_CHECKING:
    from holdfast.adapters.postgres.units.pool import Pool
    from holdfast.adapters.sqlite.recall.indexes import OpenIndex
    from holdfast.domain.memory.place import SpaceId
    from holdfast.domain.review.curation import HealthFinding
    from holdfast.ports.sessions.tool_sessions import Watch
    from holdfast.ports.store.cancelling import CancellableStore
    from holdfast.ports.store.service_stores import ServiceStores
    from holdfast.ports.store.store import Store
    from holdfast.ports.store.upkeep import Progress

_WAIT_SECONDS = 10.0


def open_server_store(
    address: str,
    space: SpaceId,
    *,
    at: ServerPlace | None = None,
    wait_seconds: float = _WAIT_SECONDS,
    takes_copy: bool = False,
    outside: OpenIndex | None = None,
) -> Store:
    """Open the store of a space on a server; ``takes_copy`` opens an unfinished copy too.

    ``outside`` opens an index of vectors outside the database.

    Raises:
        NoSuchStoreError: The space has no store there, and none is to be added.
        NoDriverError: The package that connects to Postgres is not installed.
        UnavailableError: The server, the role or the schema cannot be used.
    """
    need_driver()
    from holdfast.adapters.postgres.store import PostgresOptions, PostgresStore
    from holdfast.domain.access_errors import NoSuchStoreError

    place = at or ServerPlace(adds_store=False)
    options = PostgresOptions(
        tenant=tenant_of(place.tenant),
        space=space,
        wait_seconds=wait_seconds,
        adds_store=place.adds_store,
        tenant_name=tenant_name(place.tenant),
        takes_copy=takes_copy,
        replicas=replica_addresses(),
        outside=outside,
    )
    tenant = tenant_name(place.tenant)
    try:
        opened = PostgresStore.open(address, options)
    except NoSuchStoreError as error:
        raise NoSuchStoreError(space, tenant=tenant) from error
    if opened.was_added and place.tell_of_new is not None:
        place.tell_of_new(
            f"The space {space} of the tenant {tenant} had no store; one was created."
        )
    return opened


def server_pool(address: str, *, size: int) -> Pool:
    """Return connections to a server that the stores of many tenants share.

    The tenant belongs to each transaction, not to a connection.
    """
    need_driver()
    from holdfast.adapters.postgres.database.address import read_address
    from holdfast.adapters.postgres.units.pool import Pool

    return Pool(read_address(address), size=size)


def open_pooled_store(
    address: str, space: SpaceId, *, tenant: str, pool: Pool, outside: OpenIndex | None = None
) -> CancellableStore:
    """Open the store of a space on a server; it is not created.

    Raises:
        NoSuchStoreError: The tenant has no such space.
        UnavailableError: The server, the role or the schema cannot be used.
    """
    from holdfast.adapters.postgres.store import PostgresOptions, PostgresStore

    options = PostgresOptions(
        tenant=tenant_of(tenant), space=space, adds_store=False, outside=outside
    )
    return PostgresStore.open(address, options, pool)


def server_service_stores(
    address: str, *, connections: int, wait_seconds: float, outside: OpenIndex | None = None
) -> ServiceStores:
    """Return the stores of the memory service on a server.

    Raises:
        NoDriverError: The package that connects to Postgres is not installed.
        UnavailableError: The server, the role or the schema cannot be used.
    """
    need_driver()
    from holdfast.adapters.postgres.service_stores import PostgresServiceStores

    return PostgresServiceStores(
        address, connections=connections, wait_seconds=wait_seconds, outside=outside
    )


def server_watch(address: str, space: SpaceId, *, wait_seconds: float) -> Watch:
    """Return a quick look at the store of a space, for hooks."""
    need_driver()
    from holdfast.adapters.postgres.store import PostgresOptions
    from holdfast.adapters.postgres.watching import PostgresWatch

    options = PostgresOptions(tenant=tenant_of(), space=space, wait_seconds=wait_seconds)
    return PostgresWatch(address, options)


def shown_address(address: str) -> str:
    """Return an address without its password."""
    need_driver()
    from holdfast.adapters.postgres.database.address import read_address

    return read_address(address).shown


def upgrade_database(address: str, progress: Progress) -> list[str]:
    """Create or upgrade the schema of a database; return what was done."""
    need_driver()
    from holdfast.adapters.postgres.care.migrating import upgrade
    from holdfast.adapters.postgres.database.address import read_address

    return upgrade(read_address(address), progress=progress)


def check_database(address: str, space: SpaceId, at: ServerPlace) -> list[HealthFinding]:
    """Check the server, the role, the schema and the isolation of tenants; change nothing.

    The last finding tells whether the tenant has a store of the space.
    """
    need_driver()
    from holdfast.adapters.postgres.care.inspecting import inspect_database
    from holdfast.adapters.postgres.database.address import read_address
    from holdfast.adapters.sqlite.derived.scanning import fine
    from holdfast.domain.errors import NotFoundError, UnavailableError

    replicas = [read_address(one) for one in replica_addresses()]
    findings = inspect_database(read_address(address), replicas)
    whose = f"The tenant {tenant_name(at.tenant)}"
    try:
        open_server_store(address, space, at=at._replace(adds_store=False)).close()
        findings.append(fine("store", f"{whose} has a store of the space {space}."))
    except NotFoundError:
        findings.append(fine("store", f"{whose} has no store of the space {space} yet."))
    except UnavailableError:
        pass  # a finding above has the reason
    return findings


def need_driver() -> None:
    """Refuse to go on without the package that connects to Postgres."""
    from importlib.util import find_spec

    if find_spec("psycopg") is None:
        from holdfast.domain.database_errors import NoDriverError

        raise NoDriverError
