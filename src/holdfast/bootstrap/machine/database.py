"""The database server of a store: its schema, its size, its backups, and its tenants."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from holdfast.app.performing import performs
from holdfast.bootstrap.machine.parts import MachinePart
from holdfast.domain.database_errors import BadStoreAddressError
from holdfast.domain.memory.callers import Operation
from holdfast.domain.memory.place import SpaceId
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from holdfast.bootstrap.machine.parts import Located
    from holdfast.domain.care.database import DatabaseStats, TenantRemoval, TenantSize
    from holdfast.domain.review.curation import HealthFinding
    from holdfast.ports.store.upkeep import Progress

_NO_ADDRESS = "none is given."


class Database(MachinePart):
    """The database that the address of the store names."""

    @performs(Operation.CONFIGURE)
    def upgrade(self, progress: Progress) -> Sequence[str]:
        """Create or upgrade the schema, as the owner of the tables; return what was done."""
        from holdfast.bootstrap.plugs.server import upgrade_database

        return upgrade_database(self._address(), progress)

    @performs(Operation.MAINTAIN)
    def check(self) -> Sequence[HealthFinding]:
        """Check the server, the role, the schema and the isolation of tenants."""
        from holdfast.bootstrap.plugs.server import check_database

        machine = self._machine
        return check_database(self._address(), machine.principal.space, machine.at)

    @performs(Operation.READ)
    def tenant(self) -> str:
        """Return the tenant that a token of this store names."""
        from holdfast.bootstrap.plugs.addresses import server_address, tenant_of
        from holdfast.domain.service.tokens import IN_A_FILE

        at = self._machine.at
        return tenant_of(at.tenant).hex if server_address(at.address) else IN_A_FILE

    @performs(Operation.MAINTAIN)
    def stats(self) -> DatabaseStats:
        """Return the size of the database by table and tenant, and what the server is doing."""
        from holdfast.bootstrap.plugs.tenants import database_stats

        return database_stats(self._address())

    @performs(Operation.MAINTAIN)
    def backup_advice(self) -> Sequence[HealthFinding]:
        """Return what the settings of the server mean for its backups."""
        from holdfast.bootstrap.plugs.tenants import backup_advice

        return backup_advice(self._address())

    @performs(Operation.MAINTAIN)
    def citus_script(self) -> Sequence[str]:
        """Return the statements that distribute the tables with Citus."""
        from holdfast.bootstrap.plugs.tenants import citus_script

        return citus_script(self._address())

    def _address(self) -> str:
        return address_of(self._machine)


class Tenants(MachinePart):
    """The tenants of the database that the address of the store names."""

    @performs(Operation.CONFIGURE)
    def create(self, name: str) -> tuple[TenantSize, bool]:
        """Add a tenant with an empty default space; return it, and whether it is new."""
        from holdfast.bootstrap.plugs.tenants import create_tenant

        return create_tenant(address_of(self._machine), name)

    @performs(Operation.MAINTAIN)
    def list(self) -> Sequence[TenantSize]:
        """Return the tenants that the role of the address may see."""
        from holdfast.bootstrap.plugs.tenants import list_tenants

        return list_tenants(address_of(self._machine))

    @performs(Operation.MAINTAIN)
    def named(self, name: str) -> TenantSize:
        """Return one tenant by its name or id."""
        from holdfast.bootstrap.plugs.tenants import tenant_named

        return tenant_named(address_of(self._machine), name)

    @performs(Operation.EXPORT)
    def export(self, tenant: TenantSize) -> Iterator[tuple[str, Iterator[str]]]:
        """Return each space of a tenant with the lines of its export."""
        from holdfast.bootstrap.opening.wiring import open_holdfast
        from holdfast.bootstrap.plugs.addresses import ServerPlace

        at = ServerPlace(address=address_of(self._machine), tenant=str(tenant.id))
        for space in tenant.spaces:
            opened = open_holdfast(
                principal=replace(self.principal, space=SpaceId(space)),
                home=self._machine.home,
                folder=self._machine.folder,
                at=at,
            )
            with closing(opened), closing(opened.exchange.export()) as lines:
                yield space, lines

    @performs(Operation.FORGET)
    def remove(self, name: str) -> TenantRemoval:
        """Remove a tenant with everything it has, and count every table afterwards."""
        from holdfast.bootstrap.plugs.tenants import remove_tenant

        return remove_tenant(address_of(self._machine), name)


def address_of(machine: Located) -> str:
    """Return the address of the database.

    Raises:
        BadStoreAddressError: None is given.
    """
    from holdfast.bootstrap.plugs.addresses import server_address

    address = server_address(machine.at.address)
    if not address:
        raise BadStoreAddressError(_NO_ADDRESS)
    return address
