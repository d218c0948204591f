"""The check before a server starts: a database that no request could use is refused."""

from __future__ import annotations

from holdfast.bootstrap.plugs.addresses import server_address
from holdfast.bootstrap.plugs.server import server_pool
from holdfast.domain.database_errors import ServerRefusedError, ServerUnreachableError

_PATIENCE_SECONDS = 2.0


class ServedDatabase:
    """The database whose stores a server is to serve; '' is the address of none."""

    def __init__(self, address: str | None) -> None:
        self._address = server_address(address)

    def refuse_unusable(self) -> None:
        """Return if the database can be used, or if there is none.

        One that cannot be reached, or has no free connection, may come back, so a server starts
        all the same, and says that it is not ready.

        Raises:
            UnavailableError: The database, the role, the password or the schema is refused.
        """
        if not self._address:
            return
        pool = server_pool(self._address, size=1)
        try:
            pool.probe(patience=_PATIENCE_SECONDS)
        except ServerUnreachableError:
            return
        except ServerRefusedError as error:
            if not error.may_pass:
                raise
        finally:
            pool.close()
