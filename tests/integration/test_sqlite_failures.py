"""Trouble with the disk: each kind has its own name, and nothing is half done."""

from __future__ import annotations

import errno
import itertools
import os
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from holdfast.adapters.sqlite.database.connection import from_system, translated
from holdfast.adapters.sqlite.derived import scanning
from holdfast.adapters.sqlite.store import SqliteStore, StoreOptions
from holdfast.domain.errors import (
    HoldfastError,
    StoreBusyError,
    StoreDamagedError,
    StoreFullError,
    StoreReadOnlyError,
    StoreUnreadableError,
    UnstorableTextError,
)
from holdfast.domain.memory.memory import Standing
from holdfast.domain.memory.selection import Page, Selection
from tests.builders import NOON
from tests.contract.steps import found, keep, memory_id, numbered, said_nothing
from tests.requirements import requirement


class Plan:
    """Which call to the disk fails, and how."""

    def __init__(self) -> None:
        self.calls = 0
        self.fails_at = 0
        self.for_good = False
        self.error: type[apsw.Error] = apsw.IOError

    def call(self) -> None:
        self.calls += 1
        late = self.for_good and self.calls > self.fails_at
        if self.fails_at and (self.calls == self.fails_at or late):
            raise self.error


class FaultyFile(apsw.VFSFile):
    def __init__(self, plan: Plan, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        self.plan = plan
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - SQLite's name
        self.plan.call()
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802 - SQLite's name
        self.plan.call()
        super().xSync(flags)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802 - SQLite's name
        self.plan.call()
        super().xTruncate(newsize)

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802 - SQLite's name
        self.plan.call()
        return super().xRead(amount, offset)


class FaultyDisk(apsw.VFS):
    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        super().__init__("faulty", "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> FaultyFile:  # noqa: N802 - SQLite's name
        return FaultyFile(self.plan, name, flags)


@pytest.fixture
def plan() -> Iterator[Plan]:
    plan = Plan()
    disk = FaultyDisk(plan)
    yield plan
    disk.unregister()


def keep_some(path: Path) -> tuple[list[str], list[HoldfastError]]:
    """Keep memories on the faulty disk; return those acknowledged, and what was said instead."""
    kept: list[str] = []
    said: list[HoldfastError] = []
    try:
        store = SqliteStore.open(path, options=StoreOptions(vfs="faulty", wait_seconds=0.05))
    except HoldfastError as failure:
        return kept, [failure]
    for n in range(3):
        try:
            keep(store, numbered(n))
            kept.append(memory_id(n))
        except HoldfastError as failure:
            said.append(failure)
    store.close()
    return kept, said


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@requirement("store.io-errors-lose-nothing")
@requirement("store.busy-is-not-damage")
@pytest.mark.parametrize("for_good", [False, True])
@pytest.mark.parametrize("error", [apsw.IOError, apsw.FullError])
def test_whatever_call_to_the_disk_fails_nothing_acknowledged_is_lost(
    tmp_path: Path,
    plan: Plan,
    error: type[apsw.Error],
    for_good: bool,  # noqa: FBT001 - a parameter
) -> None:
    plan.error, plan.for_good = error, for_good
    for failing in itertools.count(1, 5):
        path = tmp_path / f"{failing}" / "holdfast.db"
        SqliteStore.open(path).close()
        plan.calls, plan.fails_at = 0, failing
        kept, said = keep_some(path)
        ended = plan.calls < failing
        plan.fails_at = 0

        after = SqliteStore.open(path)
        there = found(after, Selection(), Page(oldest_first=True))
        bad = [f for f in after.upkeep.check(said_nothing) if f.severity == "damage"]
        after.close()

        assert set(kept) <= set(there)
        assert bad == []
        assert not [failure for failure in said if isinstance(failure, StoreDamagedError)]
        if ended:
            break


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_after_a_failed_write_the_same_store_goes_on(tmp_path: Path, plan: Plan) -> None:
    store = SqliteStore.open(tmp_path / "holdfast.db", options=StoreOptions(vfs="faulty"))
    keep(store, numbered(1))
    plan.error, plan.calls, plan.fails_at = apsw.FullError, 0, 1

    with pytest.raises(StoreFullError):
        keep(store, numbered(2))

    plan.fails_at = 0
    keep(store, numbered(3))
    assert found(store, Selection()) == [memory_id(1), memory_id(3)]
    store.close()


@requirement("store.busy-is-not-damage")
@pytest.mark.parametrize(
    ("error", "number", "word"),
    [
        (apsw.BusyError, 0, StoreBusyError),
        (apsw.LockedError, 0, StoreBusyError),
        (apsw.FullError, 0, StoreFullError),
        (apsw.IOError, errno.ENOSPC, StoreFullError),
        (apsw.IOError, errno.EFBIG, StoreFullError),
        (apsw.IOError, errno.EDQUOT, StoreFullError),
        (apsw.IOError, errno.EIO, StoreUnreadableError),
        (apsw.IOError, 0, StoreUnreadableError),
        (apsw.ReadOnlyError, 0, StoreReadOnlyError),
        (apsw.CantOpenError, errno.EACCES, StoreReadOnlyError),
        (apsw.CantOpenError, 0, StoreUnreadableError),
        (apsw.CorruptError, 0, StoreDamagedError),
        (apsw.NotADBError, 0, StoreDamagedError),
        (apsw.NoMemError, 0, StoreUnreadableError),
        (apsw.InterruptError, 0, StoreUnreadableError),
    ],
)
def test_every_failure_has_its_own_word(
    error: type[apsw.Error], number: int, word: type[HoldfastError]
) -> None:
    assert type(translated(error("said"), "/x/holdfast.db", system_error=number)) is word


@pytest.mark.parametrize(
    ("number", "word"),
    [
        (errno.ENOSPC, StoreFullError),
        (errno.EROFS, StoreReadOnlyError),
        (errno.EACCES, StoreReadOnlyError),
        (errno.EIO, StoreUnreadableError),
    ],
)
def test_failures_of_the_system_have_the_same_words(number: int, word: type[HoldfastError]) -> None:
    assert type(from_system(OSError(number, "said"), "/x/holdfast.db")) is word


@pytest.mark.parametrize("hidden", ["home", "home/holdfast.db"])
def test_a_store_that_may_not_be_read_is_not_called_read_only(tmp_path: Path, hidden: str) -> None:
    path = tmp_path / "home" / "holdfast.db"
    SqliteStore.open(path).close()
    usual = (tmp_path / hidden).stat().st_mode
    (tmp_path / hidden).chmod(0)
    try:
        if os.access(path, os.R_OK):
            pytest.skip("this person may read everything")
        with pytest.raises(StoreUnreadableError, match="may not read it"):
            SqliteStore.open(path)
    finally:
        (tmp_path / hidden).chmod(usual)


def test_half_a_character_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    store = SqliteStore.open(tmp_path / "holdfast.db")

    with pytest.raises(UnstorableTextError):
        keep(store, numbered(1), numbered(2, source="half \ud800"))

    assert found(store, Selection()) == []
    store.close()


def test_a_folder_in_place_of_the_store_is_explained(tmp_path: Path) -> None:
    (tmp_path / "holdfast.db").mkdir()

    with pytest.raises(StoreUnreadableError):
        SqliteStore.open(tmp_path / "holdfast.db")


def test_a_text_in_place_of_the_store_is_damage_and_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scanning, "_CHUNK", 20)  # a scan gives up after some unreadable chunks
    path = tmp_path / "holdfast.db"
    path.write_text("Dear diary. " * 1_000, encoding="utf-8")

    store = SqliteStore.open(path)

    with pytest.raises(StoreDamagedError), store.writing(NOON) as tx:
        tx.memories.add(numbered(1), Standing())
    assert path.read_text(encoding="utf-8") == "Dear diary. " * 1_000
    repair = store.upkeep.repair(said_nothing)
    assert repair.kept_damaged_file is not None
    assert "Dear diary" in Path(repair.kept_damaged_file).read_text(encoding="utf-8")
    keep(store, numbered(1))
    store.close()
