"""The check of a database: the server, the role, the schema, and the isolation of tenants."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg

from holdfast.adapters.postgres.asking import SQL
from holdfast.adapters.postgres.database.connecting import (
    LATEST,
    about,
    connect,
    found_schema,
    refuse_unsafe,
    server_of,
)
from holdfast.adapters.postgres.database.failures import translated
from holdfast.adapters.sqlite.derived.scanning import damage, fine, warning
from holdfast.domain.database_errors import NotMigratedError
from holdfast.domain.errors import HoldfastError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.adapters.postgres.database.address import Address
    from holdfast.adapters.sqlite.database.rows import Row
    from holdfast.domain.review.curation import HealthFinding

_WITHOUT_REPLICA = "Reads go to the primary meanwhile."
_UPGRADE = "Run: holdfast db upgrade --store postgresql://OWNER@HOST/DATABASE"
_REKEY = "Let the owner of the tables drop them: a row could refer to one of another tenant."
_PROTECT = "Let the owner of the tables restore the policies, and look for what was read meanwhile."


def inspect_database(address: Address, replicas: Sequence[Address] = ()) -> list[HealthFinding]:
    """Check a database without changing it; a fault is a finding.

    Raises:
        ServerUnreachableError: The server does not answer.
        ServerRefusedError: It does not accept the user, the password or the database.
    """
    with connect(address) as connection:
        server = server_of(connection, address)
        findings = [fine("server", f"PostgreSQL {server.version} answers at {address.shown}.")]
        try:
            about(connection, address)
            findings.append(fine("vector", f"The extension vector is {server.vector_version}."))
            refuse_unsafe(connection, server, address)
            findings.append(fine("role", f"The role {server.role} is bound by row security."))
            findings.append(_schema(found_schema(connection, address)))
        except HoldfastError as error:
            advice = _UPGRADE if isinstance(error, NotMigratedError) else error.hint
            findings.append(warning("database", error.message, advice))
        if server.has_schema:
            findings.append(_isolation(connection, address))
            findings.append(_keys(connection, address))
        findings += [_replica(connection, address, one) for one in replicas]
        return findings


def _schema(found: int) -> HealthFinding:
    if found > LATEST:
        message = f"The schema has number {found}; this program knows {LATEST}, so it only reads."
        return warning("schema", message, "Upgrade Holdfast on this machine.")
    return fine("schema", f"The schema has number {found}.")


def _asked(connection: psycopg.Connection, name: str, address: Address) -> list[Row]:
    try:
        return connection.execute(SQL[name]).fetchall()
    except psycopg.Error as error:
        raise translated(error, address) from error


def _keys(connection: psycopg.Connection, address: Address) -> HealthFinding:
    rows = _asked(connection, "keys_without_tenant", address)
    if rows:
        names = ", ".join(str(row[1]) for row in rows)
        return damage("keys", f"These keys do not carry the tenant: {names}.", _REKEY)
    return fine("keys", "Every primary, unique and foreign key carries the tenant.")


def _replica(connection: psycopg.Connection, address: Address, replica: Address) -> HealthFinding:
    position = str(_asked(connection, "position", address)[0][0])
    try:
        with connect(replica) as other:
            row = other.execute(SQL["distance"], {"position": position}).fetchall()[0]
    except HoldfastError as error:
        return warning("replica", error.message, _WITHOUT_REPLICA)
    except psycopg.Error as error:
        return warning("replica", translated(error, replica).message, _WITHOUT_REPLICA)
    is_following, behind = row
    if not is_following:
        said = f"The server {replica.shown} does not follow a primary."
        return warning("replica", said, "Take it out of HOLDFAST_REPLICAS.")
    return fine("replica", f"The replica {replica.shown} is {behind:,} bytes behind.")


def _isolation(connection: psycopg.Connection, address: Address) -> HealthFinding:
    rows = _asked(connection, "unprotected_tables", address)
    if rows:
        names = ", ".join(str(row[0]) for row in rows)
        return damage("isolation", f"Tenants are not kept apart in: {names}.", _PROTECT)
    return fine("isolation", "Row security keeps tenants apart in every table.")
