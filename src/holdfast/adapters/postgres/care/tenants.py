"""The tenants of a database: created, listed, and removed with everything they have."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from psycopg import errors

from holdfast.adapters.postgres.care.distributing import tables_in_order
from holdfast.adapters.postgres.care.entering import administering
from holdfast.adapters.postgres.database.connecting import LATEST
from holdfast.adapters.postgres.units.locking import lock_key
from holdfast.domain.care.database import TenantRemoval, TenantSize
from holdfast.domain.database_errors import RowsLeftError, TenantInUseError
from holdfast.domain.errors import HoldfastError
from holdfast.domain.lookup_errors import NoSuchTenantError
from holdfast.domain.memory.place import DEFAULT_SPACE

if TYPE_CHECKING:
    from uuid import UUID

    from holdfast.adapters.postgres.care.entering import Entered
    from holdfast.adapters.postgres.database.address import Address
    from holdfast.adapters.sqlite.database.rows import Row

_OF_THE_TENANT = ("memory_stores", "tenant")


def create_tenant(address: Address, tenant: UUID, name: str) -> tuple[TenantSize, bool]:
    """Add a tenant with an empty default space; return it, and whether it is new."""
    with administering(address, needed=LATEST) as entered:
        entered.enter(tenant)
        is_new = not entered.rows("own_tenant")
        entered.run("name_tenant", name)
        entered.run("add_store", DEFAULT_SPACE)
        return _size(entered, entered.rows("own_tenant")[0]), is_new


def list_tenants(address: Address, tenant: UUID) -> tuple[TenantSize, ...]:
    """Return all tenants for the owner of the tables; for another role, the tenant itself."""
    with administering(address, needed=LATEST) as entered:
        return sizes_of_tenants(entered, tenant)


def sizes_of_tenants(entered: Entered, tenant: UUID) -> tuple[TenantSize, ...]:
    """Return the tenants that the role may see, oldest first."""
    entered.enter(tenant)
    return tuple(_size(entered, row) for row in entered.rows("all_tenants"))


def tenant_named(address: Address, tenant: UUID, name: str) -> TenantSize:
    """Return one tenant.

    Raises:
        NoSuchTenantError: The database has none of this name or id.
    """
    with administering(address, needed=LATEST) as entered:
        return _found(entered, tenant, name)


def remove_tenant(address: Address, tenant: UUID, name: str) -> TenantRemoval:
    """Remove every row of a tenant, and count all tables afterwards; all of it, or nothing.

    Raises:
        NoSuchTenantError: The database has none of this name or id.
        RowsLeftError: A table still has rows of the tenant; nothing was removed.
        TenantInUseError: A store was added meanwhile; nothing was removed.
    """
    try:
        return _removed(address, tenant, name)
    except HoldfastError as error:
        if isinstance(error.__cause__, errors.ForeignKeyViolation):
            raise TenantInUseError(name) from error
        raise


def _removed(address: Address, tenant: UUID, name: str) -> TenantRemoval:
    with administering(address, needed=LATEST) as entered:
        found = _found(entered, tenant, name)
        stores = [str(row[0]) for row in entered.rows("stores_of_tenant")]
        tables = [one for one, has_tenant in tables_in_order(entered).items() if has_tenant]
        for store in stores:
            entered.rows("lock_space", lock_key(tenant, store))
        deleted: Counter[str] = Counter()
        of_stores = [one for one in reversed(tables) if one not in _OF_THE_TENANT]
        for store in stores:
            entered.enter(tenant, store)
            for table in of_stores:
                deleted[table] += int(entered.rows("remove_rows", table)[0][0])
        for table in _OF_THE_TENANT:
            deleted[table] += int(entered.rows("remove_rows", table)[0][0])
        _prove(entered, tenant, stores, tables)
        return TenantRemoval(
            tenant=found,
            deleted=tuple((table, count) for table, count in deleted.items() if count),
            checked=len(tables),
        )


def _prove(entered: Entered, tenant: UUID, stores: list[str], tables: list[str]) -> None:
    """Count every table in every store that the tenant had."""
    left: Counter[str] = Counter()
    for store in stores or [""]:
        entered.enter(tenant, store)
        for table in tables:
            left[table] += int(entered.rows("count_rows", table)[0][0])
    remaining = sorted(table for table, count in left.items() if count)
    if remaining:
        raise RowsLeftError(remaining)


def _found(entered: Entered, tenant: UUID, name: str) -> TenantSize:
    entered.enter(tenant)
    rows = entered.rows("own_tenant")
    if not rows:
        raise NoSuchTenantError(name)
    return _size(entered, rows[0])


def _size(entered: Entered, row: Row) -> TenantSize:
    tenant, name, created = row
    entered.enter(tenant)
    stores = entered.rows("stores_of_tenant")
    return TenantSize(
        id=tenant,
        name=name,
        created_at=created,
        spaces=tuple(str(store[1]) for store in stores),
        memories=sum(int(store[2]) for store in stores),
    )
