"""Builds the vector indexes that an upgrade needs beside the old ones, while programs go on.

A build of a large index takes minutes, for which a transaction would keep every writer waiting. So
the indexes are built before the transaction of the upgrade, one partition after the other; the
migration then only exchanges them. An upgrade that is interrupted goes on with the next index.
"""

from __future__ import annotations

from contextlib import contextmanager
from time import sleep
from typing import TYPE_CHECKING

from holdfast.adapters.postgres.asking import SQL
from holdfast.adapters.postgres.database.connecting import server_of

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    import psycopg

    from holdfast.adapters.postgres.database.address import Address
    from holdfast.ports.store.upkeep import Progress

DENSE = 23
"""The migration that exchanges the indexes."""

_BETWEEN_TRIES_SECONDS = 0.2


def build_beside(
    connection: psycopg.Connection, address: Address, progress: Progress
) -> Iterator[str]:
    """Build what the migration takes over, if the schema is older; say what was built."""
    server = server_of(connection, address)
    if not server.has_schema:
        return
    (found,) = connection.execute(SQL["schema_number"]).fetchall()[0]
    if not 0 < found < DENSE:
        return
    with _alone(connection):
        connection.execute(SQL["build_unhurried"], {"path": server.search_path})
        wanted = connection.execute(SQL["sparse_indexes"]).fetchall()
        total, done = sum(size for _, size, _, _ in wanted), 0
        for name, size, removal, build in wanted:
            progress(done, total)
            if removal is not None:
                connection.execute(removal)
            connection.execute(build)
            done += size
            yield f"Built the index {name} beside the old one."
        progress(done, total)


@contextmanager
def _alone(connection: psycopg.Connection) -> Generator[None, None, None]:
    """Let a second upgrade wait until this one has built its indexes."""
    while not connection.execute(SQL["one_builds"]).fetchall()[0][0]:
        sleep(_BETWEEN_TRIES_SECONDS)
    try:
        yield
    finally:
        connection.execute(SQL["another_may_build"])
