"""Every backend, new for every test. A new backend is one line in STORES."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from uuid import uuid4

import pytest

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.adapters.postgres.database.address import read_address
from holdfast.adapters.postgres.store import PostgresOptions, PostgresStore
from holdfast.adapters.postgres.units.pool import Pool
from holdfast.adapters.sqlite.store import SqliteStore
from holdfast.adapters.vectors.sidecar import Sidecar
from holdfast.ports.store.store import Store
from tests.postgres_server import server

Door = Callable[[], Store]


def _inmemory(_: Path) -> Door:
    only = InMemoryStore()
    return lambda: only


@cache
def _empty_store() -> Path:
    """The folder with an empty store that tests get copies of."""
    folder = Path(tempfile.mkdtemp(prefix="hf-empty-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    SqliteStore.open(folder / "holdfast.db", index=Sidecar).close()
    return folder


def _sqlite(folder: Path) -> Door:
    shutil.copytree(_empty_store(), folder, dirs_exist_ok=True)
    return lambda: SqliteStore.open(folder / "holdfast.db", index=Sidecar)


@cache
def _pool() -> Pool:
    """The connections of all tests of this process, as a server shares them among its tenants."""
    pool = Pool(read_address(server().url()), size=100)
    atexit.register(pool.close)  # before the server stops, which would wait for them
    return pool


def _postgres(_: Path) -> Door:
    options = PostgresOptions(tenant=uuid4())
    return lambda: PostgresStore.open(server().url(), options, _pool())


STORES = {"inmemory": _inmemory, "sqlite": _sqlite, "postgres": _postgres}


@pytest.fixture(params=STORES)
def door(request: pytest.FixtureRequest, tmp_path: Path) -> Door:
    """A function that opens the same store again, as another process would."""
    return STORES[request.param](tmp_path)


@pytest.fixture
def store(door: Door) -> Iterator[Store]:
    opened = door()
    yield opened
    opened.close()


@pytest.fixture
def beside(store: Store, door: Door) -> Iterator[Store]:
    """A second connection to the same store, for a concurrent user."""
    opened = door()
    assert type(opened) is type(store)
    yield opened
    opened.close()
