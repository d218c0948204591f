"""Threads that share one store: each reads over a connection of its own."""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest

from holdfast.adapters.sqlite.queries import SQL
from holdfast.adapters.sqlite.store import SqliteStore, StoreOptions
from holdfast.adapters.vectors.sidecar import Sidecar
from holdfast.domain.errors import StoreUnreadableError
from holdfast.domain.memory.selection import Selection
from tests.contract.steps import found, hits, keep, memory_id, numbered
from tests.contract.test_meaning import embed, search, toward
from tests.requirements import requirement

HURRIED = StoreOptions(wait_seconds=0.05)


class Stop:
    """Stops the first thread that runs a statement, until it may go on."""

    def __init__(self, name: str) -> None:
        self._statement = SQL[name]
        self._first: int | None = None
        self.is_inside = threading.Event()
        self.may_go_on = threading.Event()

    def __call__(self, _cursor: apsw.Cursor, statement: str, _values: object) -> bool:
        """Wait, if this is the first thread that comes here."""
        if statement == self._statement and self._first is None:
            self._first = threading.get_ident()
            self.is_inside.set()
            self.may_go_on.wait()
        return True


@contextmanager
def stopped_at(name: str) -> Generator[Stop, None, None]:
    stop = Stop(name)

    def watch(connection: apsw.Connection) -> None:
        connection.exec_trace = stop

    apsw.connection_hooks.append(watch)
    try:
        yield stop
    finally:
        stop.may_go_on.set()
        apsw.connection_hooks.remove(watch)


def open_files(path: Path) -> list[str]:
    """Return the files of a store that this process has open."""
    handles = Path("/proc/self/fd").iterdir()
    names = [str(handle.readlink()) for handle in handles if handle.exists()]
    return [name for name in names if name.startswith(str(path))]


@requirement("store.readers-never-wait")
def test_a_reader_stopped_inside_a_query_holds_up_nobody(tmp_path: Path) -> None:
    path = tmp_path / "holdfast.db"
    with stopped_at("take_all_oldest_first") as stop:
        store = SqliteStore.open(path, options=HURRIED)
        keep(store, numbered(1))
        seen: list[list[str]] = []
        slow = threading.Thread(target=lambda: seen.append(list(found(store, Selection()))))
        slow.start()
        stop.is_inside.wait()

        assert found(store, Selection()) == [memory_id(1)]
        keep(store, numbered(2))
        assert hits(store, "claim") == [memory_id(1), memory_id(2)]

        stop.may_go_on.set()
        slow.join()
        assert seen == [[memory_id(1)]]
        store.close()
    assert open_files(path) == []


@requirement("store.readers-never-wait")
def test_a_reader_beside_a_unit_of_work_of_another_thread_sees_what_stood_before(
    tmp_path: Path,
) -> None:
    with stopped_at("add_memory") as stop:
        store = SqliteStore.open(tmp_path / "holdfast.db", options=HURRIED)
        writer = threading.Thread(target=lambda: keep(store, numbered(1)))
        writer.start()
        stop.is_inside.wait()

        assert found(store, Selection()) == []

        stop.may_go_on.set()
        writer.join()
        assert found(store, Selection()) == [memory_id(1)]
        store.close()


def test_many_threads_search_by_meaning_at_once(tmp_path: Path) -> None:
    path = tmp_path / "holdfast.db"
    store = SqliteStore.open(path, index=Sidecar)
    keep(store, *(numbered(number) for number in range(1, 40)))
    embed(store, {number: [toward(number)] for number in range(1, 40)})
    answers: list[object] = []
    together = threading.Barrier(8)

    def ask() -> None:
        together.wait()
        answers.extend(search(store, toward(20), limit=3) for _ in range(5))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    expected = search(store, toward(20), limit=3)
    assert answers == [expected] * 40
    store.close()
    assert open_files(tmp_path) == []


def test_closing_waits_for_the_readers_of_other_threads(tmp_path: Path) -> None:
    path = tmp_path / "holdfast.db"
    with stopped_at("take_all_oldest_first") as stop:
        store = SqliteStore.open(path)
        keep(store, numbered(1))
        seen: list[list[str]] = []
        slow = threading.Thread(target=lambda: seen.append(list(found(store, Selection()))))
        slow.start()
        stop.is_inside.wait()
        closing = threading.Thread(target=store.close)
        closing.start()

        stop.may_go_on.set()
        slow.join()
        closing.join()

        assert seen == [[memory_id(1)]]
        assert open_files(path) == []
        with pytest.raises(StoreUnreadableError, match="closed"):
            found(store, Selection())
