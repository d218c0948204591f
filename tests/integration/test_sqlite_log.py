"""The write-ahead log: when it is written back, and how long it becomes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from holdfast.adapters.sqlite.database.files import RESERVE_BYTES
from holdfast.adapters.sqlite.store import SqliteStore, StoreOptions
from holdfast.domain.memory.selection import Selection
from holdfast.domain.tasks.finding import TaskFilter
from tests.builders import NOON, a_task
from tests.contract.steps import found, keep, memory_id, numbered, said_nothing
from tests.requirements import requirement

PAGE = 4096
LARGE = 60
"""Tasks of which each fills a page, so that a unit of work with them is not small."""


def put_tasks(store: SqliteStore, first: int, count: int, *, size: int = PAGE - 500) -> None:
    """Write tasks in one unit of work."""
    with store.writing(NOON) as tx:
        for number in range(first, first + count):
            tx.diary.tasks.put(a_task(number, notes="n" * size))


@requirement("store.long-log-emptied")
def test_a_large_unit_of_work_leaves_no_long_log_to_the_next_one(tmp_path: Path) -> None:
    path, log = tmp_path / "holdfast.db", tmp_path / "holdfast.db-wal"
    store, beside = SqliteStore.open(path), SqliteStore.open(path)

    put_tasks(store, 0, 400, size=15_000)
    assert log.stat().st_size == 0
    with beside.reading() as seen:
        assert len(seen.diary.tasks.find(TaskFilter(), limit=9)) == 9
        put_tasks(store, 2_000, 400, size=15_000)
        assert log.stat().st_size > 0
        assert seen.diary.tasks.find(TaskFilter(beyond=a_task(1_000).id), limit=9) == ()
    keep(store, numbered(1))
    assert found(store, Selection()) == [memory_id(1)]
    beside.close()
    store.close()


@requirement("store.log-left-to-small-work")
def test_a_large_unit_of_work_leaves_the_log_to_a_small_one(tmp_path: Path) -> None:
    path, log = tmp_path / "holdfast.db", tmp_path / "holdfast.db-wal"
    store = SqliteStore.open(path)
    before = path.read_bytes()

    for number in range(5):
        put_tasks(store, LARGE * number, LARGE)
    assert log.stat().st_size > 250 * PAGE
    assert path.read_bytes() == before

    put_tasks(store, 5 * LARGE, 1)
    assert path.read_bytes() != before
    store.close()


@requirement("store.log-left-to-small-work")
@pytest.mark.parametrize(("count", "units"), [(1, 300), (LARGE, 25)])
def test_the_log_is_never_much_longer_than_the_reserve(
    tmp_path: Path, count: int, units: int
) -> None:
    log = tmp_path / "holdfast.db-wal"
    store = SqliteStore.open(tmp_path / "holdfast.db")
    lengths = []
    for number in range(units):
        put_tasks(store, count * number, count)
        lengths.append(log.stat().st_size)

    # A unit of work writes a few pages for each task, and more where a table gets another page.
    assert max(lengths) < RESERVE_BYTES + 3 * count * PAGE
    store.close()


class _Disk(apsw.VFS):
    """A disk on which nothing can be written into the database itself while it is ``full``."""

    def __init__(self) -> None:
        self.full = False
        self.refused = 0
        super().__init__("full-for-the-database", "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802 - SQLite's name
        return _File(self, name, flags)


class _File(apsw.VFSFile):
    def __init__(self, disk: _Disk, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        self.disk = disk
        self.is_database = bool(flags[0] & apsw.SQLITE_OPEN_MAIN_DB)
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - SQLite's name
        if self.disk.full and self.is_database:
            self.disk.refused += 1
            raise apsw.FullError
        super().xWrite(data, offset)


@pytest.fixture
def disk() -> Iterator[_Disk]:
    disk = _Disk()
    yield disk
    disk.unregister()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@requirement("store.log-left-to-small-work")
def test_a_log_that_cannot_be_written_back_fails_no_commit(tmp_path: Path, disk: _Disk) -> None:
    path = tmp_path / "holdfast.db"
    store = SqliteStore.open(path, options=StoreOptions(vfs="full-for-the-database"))
    disk.full = True
    for number in range(6):
        put_tasks(store, LARGE * number, LARGE)
    put_tasks(store, 6 * LARGE, 1)
    assert disk.refused > 0

    disk.full = False
    with store.reading() as tx:
        assert len(tx.diary.tasks.find(TaskFilter(), limit=999)) == 6 * LARGE + 1
    store.close()
    again = SqliteStore.open(path)
    assert [one for one in again.upkeep.check(said_nothing) if one.severity == "damage"] == []
    again.close()
