"""Thirty writers of one store at the same time, in threads and processes: every count is exact."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from holdfast import MemoryService
from holdfast.bootstrap.service.calls import ServiceCalls
from holdfast.domain.errors import NoSuchError
from holdfast.domain.service.memories import AddMemory, Relate, SearchMemories
from tests.postgres_server import server
from tests.requirements import requirement
from tests.service_model import models

PROCESSES, THREADS, EACH = 3, 10, 2
TEXT = "The cat slept on the mat."
WRITER = """
import sys
from concurrent.futures import ThreadPoolExecutor
from holdfast import MemoryService

place, tenant, threads, each, text = sys.argv[1:]
with MemoryService(place, tenant=tenant) as service:
    store = service.get_or_create_store(tenant, "ada")

    def write(writer):
        for number in range(int(each)):
            service.add_memory(store, f"{writer} {number}")
            assert [one.content for one in service.search_memories(store, text, 1)] == [text]

    with ThreadPoolExecutor(int(threads)) as pool:
        list(pool.map(write, range(int(threads))))
"""


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("HOLDFAST_MODELS", models())
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path / "home"))
    return str(tmp_path / "home") if request.param == "sqlite" else server().url()


@requirement("service.counts-are-exact")
def test_thirty_writers_are_all_counted(place: str) -> None:
    tenant = str(uuid4())
    command = [sys.executable, "-c", WRITER, place, tenant, str(THREADS), str(EACH), TEXT]
    with MemoryService(place) as service:
        store = service.get_or_create_store(tenant, "ada")
        service.add_memory(store, TEXT)
        writers = [
            subprocess.Popen(command, env=os.environ, stderr=subprocess.PIPE)
            for _ in range(PROCESSES)
        ]
        said = [writer.communicate()[1].decode() for writer in writers]
        written = PROCESSES * THREADS * EACH

        found = service.search_memories(store, TEXT, 1_000, -1)

    assert said == [""] * PROCESSES
    assert len(found) == 1 + written
    assert {one.access_count for one in found if one.content == TEXT} == {1 + written}
    if "://" in place:
        assert total_memories(tenant, store) == 1 + written


def total_memories(tenant: str, store: str) -> int:
    with psycopg.connect(server().url()) as connection:
        connection.execute("SELECT set_config('app.current_tenant_id', %s, true)", (tenant,))
        row = connection.execute(
            "SELECT total_memories FROM holdfast.memory_stores WHERE id = %s", (store,)
        ).fetchone()
    assert row is not None
    return int(row[0])


@requirement("service.stays-in-its-stores")
def test_tenants_that_share_connections_see_nothing_of_each_other(place: str) -> None:
    """More threads than connections, and calls that fail in between."""
    is_server = "://" in place
    calls = ServiceCalls(
        home=None if is_server else Path(place), address=place if is_server else ""
    )
    known: dict[str, tuple[str, str]] = {}

    def live(number: int) -> set[str]:
        tenant = str(uuid4())
        own = calls.of_tenant(tenant)
        store = own.get_or_create_store(tenant, "ada", "default")
        seen: set[str] = set()
        for step in range(EACH):
            memory = own.add_memory(store, AddMemory(content=f"{tenant} {step}"))
            known[tenant] = (store, memory)
            for other, (their_store, their_memory) in list(known.items()):
                if other != tenant:
                    with pytest.raises(NoSuchError):
                        own.search_memories(their_store, SearchMemories(query=other))
                    with pytest.raises(NoSuchError):
                        own.add_relationship(
                            Relate(source=memory, target=their_memory, relationship_type="x")
                        )
            wish = SearchMemories(query=str(number), limit=100, min_similarity=-1)
            found = own.search_memories(store, wish)
            seen |= {one.record.memory.claim.replace(tenant, "own") for one in found}
        return seen

    with ThreadPoolExecutor(20) as pool:
        lived = list(pool.map(live, range(20)))
    calls.close()

    assert lived == [{f"own {step}" for step in range(EACH)}] * 20


@requirement("service.counts-are-exact")
def test_threads_that_ask_for_one_store_get_one(place: str) -> None:
    tenant = str(uuid4())

    with MemoryService(place) as service, ThreadPoolExecutor(8) as pool:
        stores = set(pool.map(lambda _: service.get_or_create_store(tenant, "ada"), range(16)))

    assert len(stores) == 1
