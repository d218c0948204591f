"""The tenants of a database server, and its figures, for the people who run it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.bootstrap.plugs.addresses import tenant_name, tenant_of
from holdfast.bootstrap.plugs.server import need_driver

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.care.database import DatabaseStats, TenantRemoval, TenantSize
    from holdfast.domain.review.curation import HealthFinding


def citus_script(address: str) -> Sequence[str]:
    """Return the statements that distribute the tables with Citus."""
    need_driver()
    from holdfast.adapters.postgres.care.distributing import citus_script
    from holdfast.adapters.postgres.database.address import read_address

    return citus_script(read_address(address))


def database_stats(address: str) -> DatabaseStats:
    """Return the size of a database by table and tenant."""
    need_driver()
    from holdfast.adapters.postgres.care.measuring import database_stats
    from holdfast.adapters.postgres.database.address import read_address

    return database_stats(read_address(address), tenant=tenant_of())


def backup_advice(address: str) -> Sequence[HealthFinding]:
    """Return what the settings of the server mean for its backups."""
    need_driver()
    from holdfast.adapters.postgres.care.advising import backup_advice
    from holdfast.adapters.postgres.database.address import read_address

    return backup_advice(read_address(address))


def create_tenant(address: str, name: str) -> tuple[TenantSize, bool]:
    """Add a tenant; return it, and whether it is new."""
    need_driver()
    from holdfast.adapters.postgres.care.tenants import create_tenant
    from holdfast.adapters.postgres.database.address import read_address

    return create_tenant(read_address(address), tenant_of(name), tenant_name(name))


def list_tenants(address: str) -> Sequence[TenantSize]:
    """Return the tenants that the role of the address may see."""
    need_driver()
    from holdfast.adapters.postgres.care.tenants import list_tenants
    from holdfast.adapters.postgres.database.address import read_address

    return list_tenants(read_address(address), tenant_of())


def tenant_named(address: str, name: str) -> TenantSize:
    """Return one tenant by its name or id."""
    need_driver()
    from holdfast.adapters.postgres.care.tenants import tenant_named
    from holdfast.adapters.postgres.database.address import read_address

    return tenant_named(read_address(address), tenant_of(name), tenant_name(name))


def remove_tenant(address: str, name: str) -> TenantRemoval:
    """Remove a tenant with everything it has."""
    need_driver()
    from holdfast.adapters.postgres.care.tenants import remove_tenant
    from holdfast.adapters.postgres.database.address import read_address

    return remove_tenant(read_address(address), tenant_of(name), tenant_name(name))
