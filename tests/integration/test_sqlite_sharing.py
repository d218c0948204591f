"""Many at once: processes, threads, and folders where nobody may write."""

from __future__ import annotations

import fcntl
import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from holdfast.adapters.sqlite.store import SqliteStore, StoreOptions
from holdfast.domain.errors import StoreBusyError, StoreReadOnlyError, StoreUnreadableError
from holdfast.domain.memory.memory import Standing
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.misuse import NestedWorkError
from tests.builders import NOON
from tests.contract.steps import found, keep, memory_id, numbered, read, said_nothing
from tests.patience import PAUSE
from tests.requirements import requirement

FORK = multiprocessing.get_context("fork")


def _keep_many(path: Path, first: int, count: int) -> None:
    store = SqliteStore.open(path)
    for n in range(first, first + count):
        keep(store, numbered(n))
    store.close()


@requirement("store.many-processes")
def test_eight_processes_writing_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "holdfast.db"
    processes = [FORK.Process(target=_keep_many, args=(path, n * 100, 12)) for n in range(8)]

    for process in processes:
        process.start()
    for process in processes:
        process.join()

    assert [process.exitcode for process in processes] == [0] * 8
    store = SqliteStore.open(path)
    expected = {memory_id(n * 100 + k) for n in range(8) for k in range(12)}
    assert set(found(store, Selection(), Page(limit=999))) == expected
    bad = [f for f in store.upkeep.check(said_nothing) if f.severity == "damage"]
    assert bad == []
    store.close()


def _keep_until_killed(path: Path, first: int, told: str) -> None:
    store = SqliteStore.open(path)
    with Path(told).open("a", encoding="utf-8") as diary:
        for n in range(first, first + 10_000):
            keep(store, numbered(n))
            diary.write(f"{memory_id(n)}\n")
            diary.flush()


@requirement("store.nothing-acknowledged-is-lost")
def test_what_was_acknowledged_survives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "holdfast.db"
    for round_ in range(3):
        diaries = [tmp_path / f"diary-{round_}-{n}" for n in range(2)]
        processes = [
            FORK.Process(
                target=_keep_until_killed,
                args=(path, 100_000 * round_ + 20_000 * n, str(diary)),
            )
            for n, diary in enumerate(diaries)
        ]
        for process in processes:
            process.start()
        while not all(diary.exists() and diary.stat().st_size > 100 for diary in diaries):
            assert all(process.is_alive() for process in processes)
            time.sleep(PAUSE)
        for process in processes:
            assert process.pid is not None
            os.kill(process.pid, signal.SIGKILL)
            process.join()

        store = SqliteStore.open(path)
        there = set(found(store, Selection(), Page(limit=99_999, oldest_first=True)))
        told = {line for diary in diaries for line in diary.read_text().split()}
        assert told <= there
        assert store.warnings == ()
        store.close()
    store = SqliteStore.open(path)
    bad = [f for f in store.upkeep.check(said_nothing) if f.severity == "damage"]
    assert bad == []
    store.close()


@requirement("store.busy-is-not-damage")
def test_a_writer_who_waits_too_long_is_told_so_and_nothing_is_changed(tmp_path: Path) -> None:
    path = tmp_path / "holdfast.db"
    holder = SqliteStore.open(path)
    hasty = SqliteStore.open(path, options=StoreOptions(wait_seconds=0.05))

    with holder.writing(NOON) as tx:
        tx.memories.add(numbered(1), Standing())
        with pytest.raises(StoreBusyError), hasty.writing(NOON):
            pytest.fail("the block must not run")

    keep(hasty, numbered(2))
    assert found(holder, Selection()) == [memory_id(1), memory_id(2)]
    holder.close()
    hasty.close()


@requirement("store.busy-is-not-damage")
def test_a_lock_held_by_another_program_is_busy_too(tmp_path: Path) -> None:
    path = tmp_path / "holdfast.db"
    store = SqliteStore.open(path, options=StoreOptions(wait_seconds=0.05))
    other = apsw.Connection(str(path))
    other.execute("BEGIN IMMEDIATE")

    with pytest.raises(StoreBusyError):
        keep(store, numbered(1))

    other.execute("ROLLBACK")
    keep(store, numbered(2))
    assert found(store, Selection()) == [memory_id(2)]
    other.close()
    store.close()


def _stop_in_a_write(path: Path) -> None:
    store = SqliteStore.open(path)
    with store.writing(NOON):
        os.kill(os.getpid(), signal.SIGSTOP)


def _stop_with_everything_locked(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
    connection.execute("BEGIN IMMEDIATE")
    os.kill(os.getpid(), signal.SIGSTOP)


def _stop_in_the_queue(path: Path) -> None:
    queue = os.open(f"{path}-queue", os.O_RDWR)
    fcntl.flock(queue, fcntl.LOCK_EX)
    os.kill(os.getpid(), signal.SIGSTOP)


@requirement("store.readers-never-wait")
@requirement("store.busy-names-the-process")
@pytest.mark.parametrize(
    "hold", [_stop_in_a_write, _stop_with_everything_locked, _stop_in_the_queue]
)
def test_beside_a_stopped_process_readers_read_and_writers_learn_who_it_is(
    tmp_path: Path, hold: Callable[[Path], None]
) -> None:
    path = tmp_path / "holdfast.db"
    store = SqliteStore.open(path)
    keep(store, numbered(1))
    store.close()
    holder = FORK.Process(target=hold, args=(path,))
    holder.start()
    assert holder.pid is not None
    os.waitpid(holder.pid, os.WUNTRACED)

    # A reader that waited for the process would do so until the test is ended.
    store = SqliteStore.open(path, options=StoreOptions(wait_seconds=3600))
    seen = found(store, Selection())
    with pytest.raises(StoreBusyError, match=f"Process {holder.pid} .*is stopped"):
        store.writing(NOON, patience=0.05).__enter__()
    seen_again = found(store, Selection())
    os.kill(holder.pid, signal.SIGKILL)
    holder.join()

    assert seen == seen_again == [memory_id(1)]
    keep(store, numbered(2))
    assert found(store, Selection()) == [memory_id(1), memory_id(2)]
    store.close()


def test_an_abandoned_place_in_the_queue_blocks_nobody(tmp_path: Path) -> None:
    path = tmp_path / "holdfast.db"
    store = SqliteStore.open(path, options=StoreOptions(wait_seconds=0.05))
    queue = os.open(f"{path}-queue", os.O_RDWR)
    fcntl.flock(queue, fcntl.LOCK_EX)
    for _ in range(3):
        with pytest.raises(StoreBusyError):
            keep(store, numbered(1))
    os.close(queue)

    patient = SqliteStore.open(path)
    keep(patient, numbered(2))

    assert found(patient, Selection()) == [memory_id(2)]
    patient.close()
    store.close()


def test_threads_take_turns_at_one_store(tmp_path: Path) -> None:
    store = SqliteStore.open(tmp_path / "holdfast.db")
    errors: list[BaseException] = []

    def work(first: int) -> None:
        try:
            for n in range(first, first + 5):
                keep(store, numbered(n))
                assert read(store, memory_id(n)).memory.id == memory_id(n)
        except BaseException as error:  # noqa: BLE001 - carried to the test's own thread
            errors.append(error)

    threads = [threading.Thread(target=work, args=(n * 10,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert errors == []
    assert len(found(store, Selection())) == 30
    store.close()


def test_reading_inside_a_unit_of_work_sees_it(tmp_path: Path) -> None:
    store = SqliteStore.open(tmp_path / "holdfast.db")

    with store.writing(NOON) as tx:
        tx.memories.add(numbered(1), Standing())
        assert found(store, Selection()) == [memory_id(1)]

    store.close()


def test_a_unit_of_work_inside_another_is_refused_and_the_outer_one_goes_on(
    tmp_path: Path,
) -> None:
    store = SqliteStore.open(tmp_path / "holdfast.db")

    with store.writing(NOON) as tx:
        tx.memories.add(numbered(1), Standing())
        with pytest.raises(NestedWorkError), store.writing(NOON):
            pytest.fail("the block must not run")

    assert found(store, Selection()) == [memory_id(1)]
    store.close()


def test_a_file_put_in_place_of_the_open_one_is_the_one_that_is_used(tmp_path: Path) -> None:
    path = tmp_path / "holdfast.db"
    store = SqliteStore.open(path)
    keep(store, numbered(1))
    beside = SqliteStore.open(path)
    assert found(beside, Selection()) == [memory_id(1)]
    with store.writing(NOON) as tx:
        tx.work.run("drop_standing", 1)

    store.upkeep.repair(said_nothing)
    keep(beside, numbered(2))

    assert found(store, Selection()) == [memory_id(1), memory_id(2)]
    beside.close()
    store.close()


def test_a_writer_whose_file_was_deleted_writes_to_a_new_one_at_once(tmp_path: Path) -> None:
    path = tmp_path / "holdfast.db"
    store = SqliteStore.open(path, options=StoreOptions(wait_seconds=2.0))
    keep(store, numbered(1))
    for name in ("holdfast.db", "holdfast.db-wal", "holdfast.db-shm"):
        (tmp_path / name).unlink(missing_ok=True)

    keep(store, numbered(2))

    assert found(store, Selection()) == [memory_id(2)]
    assert store.warnings
    store.close()


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    store = SqliteStore.open(tmp_path / "holdfast.db")
    store.close()
    store.close()

    with pytest.raises(StoreUnreadableError, match="closed"), store.reading():
        pytest.fail("the block must not run")


READ_AS_SOMEBODY_ELSE = """
import json, os, sys, tempfile
from datetime import datetime, UTC
from pathlib import Path
from holdfast.adapters.sqlite.units import opening
from holdfast.adapters.sqlite.store import SqliteStore
from holdfast.domain.errors import HoldfastError
from holdfast.domain.memory.selection import Page, Selection

def look(path):
    store = SqliteStore.open(path)
    with store.reading() as tx:
        records = tx.memories.find(Selection(), Page(oldest_first=True))
        words = len(tx.finding.words.search(["claim"], Selection(), limit=9))
    try:
        with store.writing(datetime.now(UTC)):
            said = "wrote"
    except HoldfastError as error:
        said = type(error).__name__
    checked = [finding.severity for finding in store.upkeep.check(lambda done, total: None)]
    store.close()
    return [[record.memory.id for record in records], words, said, "damage" in checked]

with tempfile.TemporaryDirectory() as rehearsal:  # loads all it needs while it may read our code
    look(Path(rehearsal) / "holdfast.db")
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
print(json.dumps(look(Path(sys.argv[1]))))
"""


@pytest.fixture
def open_folder(tmp_path: Path) -> Iterator[Path]:
    """A folder that another user of this machine can reach."""
    folder = Path("/tmp") / f"holdfast-test-{os.getpid()}-{tmp_path.name}"  # noqa: S108 - others must reach it
    folder.mkdir(mode=0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


def as_somebody_else(path: Path) -> tuple[list[str], int, str, bool]:
    """Read and try to write the store as a user who may only read."""
    done = subprocess.run(
        [sys.executable, "-c", READ_AS_SOMEBODY_ELSE, str(path)],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    seen, words, said, damaged = json.loads(done.stdout)
    return seen, words, said, damaged


@requirement("store.read-only-explained")
@pytest.mark.parametrize("log", ["clean", "alive", "alive without shared memory"])
def test_a_store_in_a_read_only_folder_can_be_read(open_folder: Path, log: str) -> None:
    made = open_folder / "made"
    store = SqliteStore.open(made / "holdfast.db")
    keep(store, numbered(1))
    keep(store, numbered(2))
    if log == "clean":
        store.close()
    home = open_folder / "home"
    shutil.copytree(made, home)
    if log.endswith("memory"):
        (home / "holdfast.db-shm").unlink()
    for path in home.iterdir():
        path.chmod(0o444)
    home.chmod(0o555)

    seen, words, said, damaged = as_somebody_else(home / "holdfast.db")

    assert seen == [memory_id(1), memory_id(2)]
    assert words == 2
    assert said == StoreReadOnlyError.__name__
    assert not damaged
    store.close()
