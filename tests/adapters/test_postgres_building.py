"""An upgrade builds large vector indexes beside the old ones, while other programs go on."""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import monotonic, sleep
from uuid import uuid4

import numpy as np
import psycopg
import pytest

from holdfast.adapters.postgres.asking import SQL
from holdfast.adapters.postgres.care.building import DENSE
from holdfast.adapters.postgres.care.migrating import upgrade
from holdfast.adapters.postgres.database.address import Address, read_address
from holdfast.adapters.postgres.database.connecting import LATEST
from tests.adapters.test_postgres_schema import catalogue
from tests.patience import PATIENCE, PAUSE
from tests.postgres_server import OWNER, READY, server
from tests.requirements import requirement

SIZES = (256, 384)
TENANT = uuid4()
MANY = 150
BOTH = 2
BUILT = """
SELECT count(*) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
 WHERE c.relname ~ '^near_[0-9]+_[0-9]$' AND i.indisvalid
"""
NEAREST = """
SELECT seq FROM holdfast.embedding_part WHERE dimension = 384
 ORDER BY vector::halfvec(384) <=> %s::halfvec LIMIT 1
"""


def one_vector(size: int, seed: int) -> str:
    numbers = np.random.default_rng(seed).normal(size=size)
    return f"[{','.join(f'{number:.4f}' for number in numbers)}]"


def add(connection: psycopg.Connection, sequences: range, size: int = 384) -> None:
    """Add vectors as a program does, but to no memory."""
    for sequence in sequences:
        connection.execute(
            "INSERT INTO holdfast.embedding_part"
            " (tenant_id, store_id, model, seq, part, dimension, vector)"
            " VALUES (%s, %s, %s, %s, 0, %s, %s::halfvec)",
            (TENANT, TENANT, size, sequence, size, one_vector(size, sequence)),
        )


def administrator(database: str) -> psycopg.Connection:
    connection = psycopg.connect(server().url(database, "postgres"), autocommit=True)
    connection.execute("SET session_replication_role = replica")
    return connection


def asked(database: str, query: str, *values: object) -> object:
    with administrator(database) as connection:
        connection.execute("SET enable_seqscan = off; SET enable_sort = off")
        return connection.execute(query.encode(), values or None).fetchall()[0][0]


@pytest.fixture
def filled() -> tuple[str, Address]:
    """Return a store of the older schema with vectors of two sizes."""
    database = server().new_database()
    address = read_address(server().url(database, OWNER))
    upgrade(address, until=DENSE - 1)
    with administrator(database) as connection:
        for size in SIZES:
            add(connection, range(1, MANY + 1), size)
    return database, address


def counting(seen: list[tuple[int, int]], more: Callable[[], None]) -> Callable[[int, int], None]:
    def progress(done: int, total: int) -> None:
        seen.append((done, total))
        more()

    return progress


@requirement("server.upgrade-builds-beside")
def test_an_upgrade_builds_large_indexes_while_a_program_writes(
    filled: tuple[str, Address],
) -> None:
    database, address = filled
    seen: list[tuple[int, int]] = []
    numbers = set()

    def write() -> None:
        with administrator(database) as connection:
            connection.execute("SET lock_timeout = '10s'")
            add(connection, range(MANY + 2 * len(seen) - 1, MANY + 2 * len(seen) + 1))
            (number,) = connection.execute(
                "SELECT max(number) FROM holdfast.schema_version"
            ).fetchall()[0]
            numbers.add(number)

    done = upgrade(address, progress=counting(seen, write))

    assert [line.split()[:4] for line in done] == [
        *(["Built", "the", "index", name] for name in built_names(database)),
        *(["Brought", "the", "schema", "to"] for _ in range(DENSE, LATEST + 1)),
    ]
    assert numbers == {DENSE - 1}
    assert (seen[0][0], seen[-1][0]) == (0, seen[-1][1])
    assert catalogue(database) == catalogue(READY)
    for sequence in (1, MANY + 1, MANY + 2 * len(seen)):
        assert asked(database, NEAREST, one_vector(384, sequence)) == sequence
    assert upgrade(address) == []


def built_names(database: str) -> list[str]:
    """Return the indexes of the partition that has the vectors."""
    part = asked(database, "SELECT tableoid::regclass::text FROM holdfast.embedding_part LIMIT 1")
    return [f"near_{size}_{str(part)[-1]}" for size in SIZES]


@requirement("server.upgrade-builds-beside")
def test_an_interrupted_upgrade_goes_on_with_the_next_index(filled: tuple[str, Address]) -> None:
    database, address = filled
    first, second = built_names(database)

    def stop(done: int, total: int) -> None:
        if 0 < done < total:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        upgrade(address, progress=stop)

    assert asked(database, BUILT) == 1
    lines = "\n".join(upgrade(address))
    assert (first in lines, second in lines) == (False, True)
    assert catalogue(database) == catalogue(READY)


@requirement("server.upgrade-builds-beside")
def test_what_an_interrupted_build_left_is_built_again(filled: tuple[str, Address]) -> None:
    database, address = filled
    first, _ = built_names(database)
    with administrator(database) as connection, pytest.raises(psycopg.errors.UniqueViolation):
        connection.execute(
            f"CREATE UNIQUE INDEX CONCURRENTLY {first}"
            f" ON holdfast.embedding_part_{first[-1]} (dimension)".encode()
        )

    assert first in "\n".join(upgrade(address))
    assert catalogue(database) == catalogue(READY)


@requirement("server.upgrade-builds-beside")
def test_a_second_upgrade_waits_for_the_one_that_builds(filled: tuple[str, Address]) -> None:
    database, address = filled
    asks = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        " AND pid <> pg_backend_pid() AND query LIKE '%try_advisory_lock%'"
    )
    done: list[list[str]] = []
    thread = threading.Thread(target=lambda: done.append(upgrade(address)))
    with psycopg.connect(server().url(database, OWNER), autocommit=True) as first:
        first.execute(SQL["one_builds"])
        until = monotonic() + PATIENCE
        thread.start()
        while asked(database, asks) != BOTH and monotonic() < until:
            sleep(PAUSE)
        assert not done
        assert asked(database, BUILT) == 0
    thread.join()

    assert len(done[0]) == len(SIZES) + LATEST - DENSE + 1
