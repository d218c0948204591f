"""The database server of a store: its schema, and whether it keeps tenants apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.performing import performs
from holdfast.bootstrap.machine.parts import MachinePart
from holdfast.domain.database_errors import BadStoreAddressError
from holdfast.domain.memory.callers import Operation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.review.curation import HealthFinding

_NO_ADDRESS = "none is given."


class Database(MachinePart):
    """The database that the address of the store names."""

    @performs(Operation.CONFIGURE)
    def upgrade(self) -> Sequence[str]:
        """Create or upgrade the schema, as the owner of the tables; return what was done."""
        from holdfast.bootstrap.plugs.server import upgrade_database

        return upgrade_database(self._address())

    @performs(Operation.MAINTAIN)
    def check(self) -> Sequence[HealthFinding]:
        """Check the server, the role, the schema and the isolation of tenants."""
        from holdfast.bootstrap.plugs.server import check_database

        machine = self._machine
        return check_database(self._address(), machine.principal.space, machine.at)

    def _address(self) -> str:
        from holdfast.bootstrap.plugs.server import server_address

        address = server_address(self._machine.at.address)
        if not address:
            raise BadStoreAddressError(_NO_ADDRESS)
        return address
