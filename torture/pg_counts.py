"""Concurrent writers and searchers of one store on a server: every counter is exact."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import psycopg

from holdfast import MemoryService
from holdfast.domain.errors import StoreBusyError
from tests.postgres_server import Server
from tests.service_model import models
from torture.crew import in_child, in_children
from torture.report import Report, Tally, faulty
from torture.task import Task

TENANT, USER = "counts", "ada"
TEXT = "The cat slept on the mat."
_COUNTS = (
    "SELECT s.total_memories, count(m.id)"
    "  FROM holdfast.memory_stores s LEFT JOIN holdfast.memory m"
    "    ON m.tenant_id = s.tenant_id AND m.store_id = s.id"
    " WHERE s.id = %s GROUP BY 1"
)


def run(task: Task, database: Server) -> Report:
    """Let the processes add and search at once, and compare the counters with their sums."""
    processes, each = task.number(short=6, full=30), 20 if task.full else 3
    place = _Place(address=database.url(), home=str(task.folder("counts")), models=models())
    store = in_child(place.first)
    turns = [partial(place.write, store, number, each) for number in range(processes)]
    written = 1 + sum(in_children(turns))
    accesses = in_child(partial(place.accesses, store))
    tally = Tally(acks=written, faults=processes)
    if accesses != [written]:
        tally += faulty(f"{accesses} accesses of {written} are counted")
    with psycopg.connect(database.url(role="postgres")) as connection:
        counted = connection.execute(_COUNTS, (store,)).fetchone()
    if counted != (written, written):
        tally += faulty(f"{written} memories were added; the counter and the rows are {counted}")
    done = f"{processes} concurrent writers, {written:,} memories and as many searches counted"
    return Report(tool="counts", done=done, tally=tally)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where the store is; each method is called in a process of its own."""

    address: str
    home: str
    models: str

    def service(self) -> MemoryService:
        os.environ["HOLDFAST_MODELS"], os.environ["HOLDFAST_HOME"] = self.models, self.home
        return MemoryService(self.address, tenant=TENANT)

    def first(self) -> str:
        with self.service() as service:
            store = service.get_or_create_store(TENANT, USER)
            service.add_memory(store, TEXT)
        return store

    def write(self, store: str, number: int, each: int) -> int:
        with self.service() as service:
            service.get_or_create_store(TENANT, USER)
            for turn in range(each):
                _done(partial(service.add_memory, store, f"writer {number} turn {turn}"))
                _done(partial(service.search_memories, store, TEXT, 1))
        return each

    def accesses(self, store: str) -> list[int]:
        with self.service() as service:
            service.get_or_create_store(TENANT, USER)
            return [one.access_count for one in service.search_memories(store, TEXT, 1)]


def _done(call: Callable[[], object]) -> None:
    """Call until the lock of the store is free in time: a call that is refused changed nothing."""
    while True:
        try:
            call()
        except StoreBusyError:
            continue
        return
