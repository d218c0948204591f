"""The connections to a server, which the stores of several spaces and tenants can share."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import psycopg

from holdfast.adapters.postgres.database.connecting import about, connect, refuse_unsafe
from holdfast.adapters.postgres.database.failures import translated
from holdfast.adapters.postgres.units.pool import Pool

if TYPE_CHECKING:
    from collections.abc import Generator

    from holdfast.adapters.postgres.database.address import Address
    from holdfast.adapters.postgres.database.connecting import Server


class Connections(NamedTuple):
    """An address whose server, role and schema were checked, and the pool of its connections."""

    address: Address
    server: Server
    pool: Pool


def connected(address: Address, *, size: int, answer_within: float) -> Connections:
    """Connect to a server, and refuse one that is not safe to use.

    Raises:
        UnavailableError: The server, the role or the schema cannot be used.
    """
    pool = Pool(address, size=size)
    connection = connect(address, answer_within=answer_within)
    try:
        server = about(connection, address)
        refuse_unsafe(connection, server, address)
    except psycopg.Error as error:
        connection.close()
        raise translated(error, address) from error
    except BaseException:
        connection.close()
        raise
    pool.adopt(connection)
    return Connections(address, server, pool)


def through(pool: Pool, address: Address, *, patience: float) -> Connections:
    """Check the server through a pool that others use too.

    Raises:
        UnavailableError: The server, the role or the schema cannot be used.
    """
    connection = pool.take(patience=patience)
    try:
        server = about(connection, address)
        refuse_unsafe(connection, server, address)
    except psycopg.Error as error:
        raise translated(error, address) from error
    finally:
        pool.give_back(connection)
    return Connections(address, server, pool)


@contextmanager
def pipeline(connection: psycopg.Connection) -> Generator[None, None, None]:
    """Send statements without waiting for each answer.

    After a failure the server skips the statements behind it. The driver takes those that it was
    about to prepare for prepared, so a connection with a failed statement is not used again.
    """
    try:
        with connection.pipeline():
            yield
    except BaseException:
        if connection.info.transaction_status is psycopg.pq.TransactionStatus.INERROR:
            connection.close()
        raise
