"""Opens a connection, and refuses a server, a role or a schema that is not safe to use."""

from __future__ import annotations

import logging
from time import monotonic, sleep
from typing import TYPE_CHECKING, NamedTuple

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from holdfast.adapters.postgres.asking import SQL
from holdfast.adapters.postgres.database.failures import is_starting, not_connected, translated
from holdfast.domain.database_errors import (
    NotMigratedError,
    NoVectorExtensionError,
    RoleLacksRightsError,
    RoleTooStrongError,
    ServerTooOldError,
    ServerUnreachableError,
)
from holdfast.domain.version_errors import NewerStoreError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.adapters.postgres.database.address import Address
    from holdfast.adapters.sqlite.database.rows import Row

LATEST = 23
"""The number of the schema that this program knows."""

APPLICATION_ROLE = "holdfast_app"
OLDEST_SERVER = 16
OLDEST_VECTOR = (0, 8)
_SERVER_STEP = 10_000
_LEAST_SECONDS, _MOST_SECONDS = 2, 10
_TOO_STRONG = (
    "owns tables of the store, or may become their owner",
    "may become a superuser or a role with BYPASSRLS, or use files or programs of the server",
    "may truncate tables of the store",
    "belongs to 'holdfast_reader', which reads every store of a tenant",
)
_BETWEEN_TRIES_SECONDS = 0.1
_WITHOUT_ANSWER = {
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "25000",
}
"""How soon a connection ends whose server has vanished; an address may say otherwise.

The system alone would wait for a quarter of an hour, or for two hours if nothing was sent.
"""
# A statement that is run a second time is prepared, and planned once: planning costs more than
# running it. There are more statements than the driver would remember by itself.
_PREPARED_AFTER, _MOST_PREPARED = 1, 1_000


class Server(NamedTuple):
    """What a connection told about the server, the role and the database."""

    version_number: int
    version: str
    role: str
    is_superuser: bool
    bypasses_security: bool
    vector_version: str | None
    vector_schema: str | None
    has_schema: bool
    database: str

    @property
    def search_path(self) -> str:
        """The schemas that queries use: that of Holdfast, and that of the vector extension."""
        return f'holdfast, "{self.vector_schema}"'


# The driver logs a broken pipeline, which would reach the terminal; the error itself is raised.
logging.getLogger("psycopg").addHandler(logging.NullHandler())


def connect(
    address: Address, *, patience: float = 0.0, answer_within: float = _MOST_SECONDS
) -> psycopg.Connection:
    """Open a connection; try for ``patience`` seconds to reach a server.

    ``answer_within`` is how many seconds one attempt may take, at least two, and how long to wait
    for a server that says that it is starting.

    Raises:
        ServerUnreachableError: The server does not answer.
        ServerRefusedError: It does not accept the user, the password or the database.
    """
    begun = monotonic()
    conninfo = make_conninfo("", **{**_WITHOUT_ANSWER, **conninfo_to_dict(address.conninfo)})
    while True:
        try:
            connection = psycopg.connect(
                conninfo,
                autocommit=True,
                connect_timeout=round(max(_LEAST_SECONDS, min(answer_within, _MOST_SECONDS))),
                prepare_threshold=_PREPARED_AFTER if address.prepares else None,
                application_name="holdfast",
            )
        except psycopg.Error as error:
            refused = not_connected(error, address)
            limit = patience if isinstance(refused, ServerUnreachableError) else 0.0
            if is_starting(error):
                limit = max(patience, answer_within)
            if monotonic() >= begun + limit:
                raise refused from error
            sleep(_BETWEEN_TRIES_SECONDS)
        else:
            connection.prepared_max = _MOST_PREPARED
            return connection


def about(connection: psycopg.Connection, address: Address) -> Server:
    """Return what the server is; refuse one that is too old or lacks the vector extension.

    Raises:
        ServerTooOldError: The server or the extension is too old.
        NoVectorExtensionError: The extension is missing.
    """
    server = server_of(connection, address)
    refuse_old(server)
    if server.vector_version is None:
        raise NoVectorExtensionError(server.database)
    return server


def server_of(connection: psycopg.Connection, address: Address) -> Server:
    """Return what the server tells about itself."""
    row = _row(connection, "about_server", address)
    return Server(*row)


def refuse_old(server: Server) -> None:
    """Refuse a server or an extension that lacks what the store needs."""
    if server.version_number < OLDEST_SERVER * _SERVER_STEP:
        raise ServerTooOldError(what="PostgreSQL", found=server.version, needed=str(OLDEST_SERVER))
    found = server.vector_version
    if found is not None and tuple(int(part) for part in found.split(".")[:2]) < OLDEST_VECTOR:
        needed = ".".join(str(part) for part in OLDEST_VECTOR)
        raise ServerTooOldError(what="The extension vector", found=found, needed=needed)


def refuse_unsafe(connection: psycopg.Connection, server: Server, address: Address) -> None:
    """Refuse a role that row level security does not bind, and a schema that cannot be read.

    Raises:
        RoleTooStrongError: The role could read the rows of other tenants.
        RoleLacksRightsError: The role may not use the tables.
        NotMigratedError: The schema is missing or older.
        NewerStoreError: The schema is newer, and this program cannot read it.
    """
    if server.is_superuser:
        raise RoleTooStrongError(server.role, "is a superuser")
    if server.bypasses_security:
        raise RoleTooStrongError(server.role, "has the attribute BYPASSRLS")
    if not server.has_schema:
        raise NotMigratedError(address.shown, found=0, needed=LATEST)
    owned, stronger, truncates, may_use, reads_all = _row(connection, "rights_of_role", address)
    for is_so, problem in zip((owned, stronger, truncates, reads_all), _TOO_STRONG, strict=True):
        if is_so:
            raise RoleTooStrongError(server.role, problem)
    if not may_use:
        raise RoleLacksRightsError(
            server.role,
            "may not use the tables of the store",
            f"Make it a member of '{APPLICATION_ROLE}': GRANT {APPLICATION_ROLE} TO {server.role}.",
        )
    found_schema(connection, address)


def found_schema(connection: psycopg.Connection, address: Address) -> int:
    """Return the number of the schema; it may be newer if this program can read it.

    Raises:
        NotMigratedError: The schema is older.
        NewerStoreError: The schema is newer, and this program cannot read it.
    """
    (found,) = _row(connection, "schema_number", address)
    if found < LATEST:
        raise NotMigratedError(address.shown, found=found, needed=LATEST)
    if found > LATEST:
        (needed,) = _row(connection, "readable_from", address, {"known": LATEST})
        if needed > LATEST:
            raise NewerStoreError(address.shown, found, LATEST)
    return int(found)


def _row(
    connection: psycopg.Connection,
    name: str,
    address: Address,
    values: Mapping[str, int] | None = None,
) -> Row:
    try:
        rows = connection.execute(SQL[name], values).fetchall()
    except psycopg.Error as error:
        raise translated(error, address) from error
    return rows[0]
