"""Creates and upgrades the schema, as the role that owns the tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
from psycopg import errors

from holdfast.adapters.postgres.asking import SQL, migrations
from holdfast.adapters.postgres.care.building import DENSE, build_beside
from holdfast.adapters.postgres.database.connecting import (
    APPLICATION_ROLE,
    LATEST,
    about,
    connect,
    refuse_old,
    server_of,
)
from holdfast.adapters.postgres.database.failures import translated
from holdfast.domain.database_errors import NoVectorExtensionError, RoleLacksRightsError
from holdfast.domain.version_errors import NewerStoreError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.adapters.postgres.database.address import Address
    from holdfast.adapters.postgres.database.connecting import Server
    from holdfast.ports.store.upkeep import Progress


def _silent(done: int, total: int) -> None:
    """Show nothing."""


def upgrade(address: Address, *, until: int = LATEST, progress: Progress = _silent) -> list[str]:
    """Bring the schema to this program's number, all steps or none; return what was done.

    Large indexes are built before; those that are complete stay if the upgrade is interrupted.

    Raises:
        NewerStoreError: The schema is newer than this program.
        RoleLacksRightsError: The role may not create what is missing.
        NoVectorExtensionError: The extension is missing, and the role may not create it.
    """
    with connect(address) as connection:
        refuse_old(server_of(connection, address))
        try:
            done = list(build_beside(connection, address, progress)) if until >= DENSE else []
            with connection.transaction():
                return [*done, *_steps(connection, address, until)]
        except errors.InsufficientPrivilege as error:
            role = server_of(connection, address).role
            raise RoleLacksRightsError(
                role, f"may not change the schema of {address.shown}", "Connect as its owner."
            ) from error
        except psycopg.Error as error:
            raise translated(error, address) from error


def _steps(connection: psycopg.Connection, address: Address, until: int) -> Iterator[str]:
    connection.execute(SQL["lock_schema"])
    if server_of(connection, address).vector_version is None:
        yield _extension(connection, server_of(connection, address))
    server = about(connection, address)
    yield from _role(connection, server)
    if not server.has_schema:
        connection.execute(SQL["create_schema"])
    connection.execute(SQL["use_schema"], {"path": server.search_path})
    found = (
        int(connection.execute(SQL["schema_number"]).fetchall()[0][0]) if server.has_schema else 0
    )
    if found > LATEST:
        raise NewerStoreError(address.shown, found, LATEST)
    yield from _migrated(connection, found, until)
    if found < until == LATEST:
        connection.execute(SQL["write_removal"])
    if until == LATEST and connection.execute(SQL["reader_waits"]).fetchall():
        connection.execute(SQL["let_readers_read"])
        yield "Let the role 'holdfast_reader' read memories and relationships."


def _migrated(connection: psycopg.Connection, found: int, until: int) -> Iterator[str]:
    if 0 < found < until:
        connection.execute(SQL["wait_for_writers"])
    for number, script in enumerate(migrations()[:until], start=1):
        if number > found:
            connection.execute(script)
            yield f"Brought the schema to number {number}."


def _extension(connection: psycopg.Connection, server: Server) -> str:
    try:
        with connection.transaction():
            connection.execute(SQL["create_extension"])
    except psycopg.Error as error:
        raise NoVectorExtensionError(server.database) from error
    return "Created the extension 'vector'."


def _role(connection: psycopg.Connection, server: Server) -> Iterator[str]:
    if connection.execute(SQL["application_role"]).fetchall():
        return
    try:
        with connection.transaction():
            connection.execute(SQL["create_role"])
    except errors.InsufficientPrivilege as error:
        raise RoleLacksRightsError(
            server.role,
            f"may not create the role '{APPLICATION_ROLE}'",
            f"Let an administrator run: CREATE ROLE {APPLICATION_ROLE} NOLOGIN.",
        ) from error
    yield f"Created the role '{APPLICATION_ROLE}'."
