"""A connection pooler in transaction mode: a statement may run on any connection of the server.

The tests run where PgBouncer is installed; without it, the option of the address is still tested.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from time import sleep
from uuid import UUID, uuid4

import psycopg
import pytest

from holdfast.adapters.postgres.database.address import read_address
from holdfast.adapters.postgres.store import PostgresOptions, PostgresStore
from holdfast.domain.database_errors import BadStoreAddressError
from holdfast.domain.memory.selection import Selection
from tests.contract.steps import found, hits, keep, memory_id, numbered
from tests.patience import PAUSE
from tests.postgres_server import APP, GROUPS, READY, USER, server
from tests.requirements import requirement

PGBOUNCER = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
CONNECTIONS, TENANTS, ROUNDS = 2, 3, 6
WORDS = ("walrus", "seal", "otter")
SETTINGS = """
[databases]
{database} = host={host} dbname={database}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = trust
auth_file = {users}
pool_mode = transaction
default_pool_size = {size}
max_client_conn = 100
ignore_startup_parameters = extra_float_digits
"""


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@pytest.fixture(scope="module")
def pooled() -> Iterator[list[str]]:
    """The addresses of the server behind a pooler; none where no pooler is installed."""
    if PGBOUNCER is None:
        yield []
        return
    folder = server().folder.parent
    port = free_port()
    users = Path(folder / "users.txt")
    users.write_text(f'"{APP}" ""\n', encoding="utf-8")
    settings = folder / "pgbouncer.ini"
    settings.write_text(
        SETTINGS.format(
            database=READY, host=server().folder, port=port, users=users, size=CONNECTIONS
        ),
        encoding="utf-8",
    )
    for one in (users, settings):
        one.chmod(0o644)
    process = subprocess.Popen(  # noqa: S603 - the pooler under test
        [PGBOUNCER, str(settings)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        user=USER,
        group=USER,
        extra_groups=GROUPS,
    )
    address = f"postgresql://{APP}@127.0.0.1:{port}/{READY}?prepare=off"
    try:
        wait_for(read_address(address).conninfo, process)
        yield [address]
    finally:
        process.terminate()
        process.wait()


def wait_for(conninfo: str, process: subprocess.Popen[bytes]) -> None:
    while True:
        try:
            psycopg.connect(conninfo).close()
        except psycopg.OperationalError:
            assert process.poll() is None, "the pooler ended while it was starting"
            sleep(PAUSE)
        else:
            return


def opened(address: str, tenant: UUID) -> PostgresStore:
    return PostgresStore.open(address, PostgresOptions(tenant=tenant))


def fill(address: str, tenant: UUID, word: str) -> list[int]:
    """Write memories and search after each; return how many were found of all three words."""
    seen = []
    with closing(opened(address, tenant)) as store:
        for number in range(1, ROUNDS + 1):
            keep(store, numbered(number, claim=f"A {word} number {number}."))
            seen.append(sum(len(hits(store, one)) for one in WORDS))
    return seen


@requirement("server.pooler")
def test_more_tenants_than_connections_keep_their_own(pooled: list[str]) -> None:
    for address in pooled:
        tenants = [uuid4() for _ in range(TENANTS)]
        with ThreadPoolExecutor(TENANTS) as threads:
            seen = list(threads.map(fill, [address] * TENANTS, tenants, WORDS))

        assert seen == [list(range(1, ROUNDS + 1))] * TENANTS
        for tenant in tenants:
            with closing(opened(server().url(), tenant)) as store:
                assert found(store, Selection()) == [memory_id(n) for n in range(1, ROUNDS + 1)]


def test_the_option_of_the_address_is_taken_out_of_it() -> None:
    plain = read_address("postgresql://a@h/d?sslmode=require")
    off = read_address("postgresql://a@h/d?prepare=off&sslmode=require")
    last = read_address("postgresql://a@h/d?sslmode=require&prepare=on")

    assert (plain.prepares, off.prepares, last.prepares) == (True, False, True)
    assert plain.conninfo == off.conninfo == last.conninfo
    assert read_address("postgresql://a@h/d?prepare=off").conninfo == "postgresql://a@h/d"
    with pytest.raises(BadStoreAddressError):
        read_address("postgresql://a@h/d?prepare=maybe")
