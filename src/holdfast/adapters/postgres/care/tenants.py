"""The tenants of a database: created, listed, and removed with everything they have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from psycopg import errors

from holdfast.adapters.postgres.care.distributing import tables_in_order
from holdfast.adapters.postgres.care.entering import administering
from holdfast.adapters.postgres.database.connecting import LATEST
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
        tables = [one for one, has_tenant in tables_in_order(entered).items() if has_tenant]
        stores = [str(row[0]) for row in entered.rows("lock_stores")]
        deleted = {
            str(table): int(count) for table, count in entered.rows("remove_from_stores", stores)
        }
        entered.enter(tenant)
        deleted["memory_stores"] = len(entered.rows("remove_stores_of_tenant"))
        deleted["tenant"] = len(entered.rows("remove_own_tenant"))
        _prove(entered, tenant, stores)
        return TenantRemoval(
            tenant=found,
            deleted=tuple((table, count) for table, count in deleted.items() if count),
            checked=len(tables),
        )


def _prove(entered: Entered, tenant: UUID, stores: list[str]) -> None:
    """Look into every table in every store that the tenant had."""
    left = {str(row[0]) for row in entered.rows("left_in_stores", stores)}
    entered.enter(tenant)
    left |= {str(row[0]) for row in entered.rows("count_own")}
    if left:
        raise RowsLeftError(sorted(left))


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
