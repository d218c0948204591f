"""Small files of our own: whole at any moment, and changed by one process at a time."""

from __future__ import annotations

import fcntl
import json
import multiprocessing
import os
import signal
import threading
from _thread import get_native_id
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from holdfast.adapters.disk import file_locks
from holdfast.adapters.disk.atomic_files import read_plain, write_new, write_whole
from holdfast.adapters.disk.file_locks import busy, changing, lock_within, open_lock, turn_at
from holdfast.adapters.files.clone_state import FORGOTTEN_FILE, ForgottenTexts
from holdfast.domain.errors import StoreBusyError
from tests.patience import PATIENCE
from tests.requirements import requirement

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("durable", [True, False])
def test_a_file_is_replaced_whole_and_only_its_owner_may_read_it(
    tmp_path: Path, *, durable: bool
) -> None:
    path = tmp_path / "kept" / "notes.json"

    write_whole(path, b"old", durable=durable)
    write_whole(path, b"new", durable=durable)

    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert [one.name for one in path.parent.iterdir()] == ["notes.json"]


def test_what_a_killed_process_of_the_same_number_left_is_no_obstacle(tmp_path: Path) -> None:
    path = tmp_path / "notes.json"
    path.with_name(f".notes.json.{get_native_id()}").symlink_to(tmp_path / "elsewhere")

    write_whole(path, b"new")

    assert path.read_bytes() == b"new"
    assert not (tmp_path / "elsewhere").exists()


def test_a_file_that_cannot_be_replaced_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "notes.json"
    (path / "a folder stands there").mkdir(parents=True)

    with pytest.raises(OSError, match=r"notes\.json"):
        write_whole(path, b"new")

    assert [one.name for one in tmp_path.iterdir()] == ["notes.json"]


def test_a_new_file_is_never_written_over_another(tmp_path: Path) -> None:
    write_new(tmp_path / "page", b"one", rights=0o640)

    with pytest.raises(FileExistsError):
        write_new(tmp_path / "page", b"two")

    assert (tmp_path / "page").read_bytes() == b"one"
    assert (tmp_path / "page").stat().st_mode & 0o777 == 0o640


def test_turns_are_taken_one_after_the_other(tmp_path: Path) -> None:
    order: list[str] = []
    waiting = threading.Event()

    def second() -> None:
        waiting.set()
        with turn_at(tmp_path / "lock"):
            order.append("second")

    thread = threading.Thread(target=second)
    with turn_at(tmp_path / "lock"):
        thread.start()
        waiting.wait(timeout=PATIENCE)
        order.append("first")
    thread.join(timeout=PATIENCE)

    assert order == ["first", "second"]


def test_who_may_not_wait_for_ever_is_told_that_somebody_else_has_the_turn(tmp_path: Path) -> None:
    file = open_lock(tmp_path / "lock")
    try:
        with turn_at(tmp_path / "lock"), pytest.raises(BlockingIOError):
            lock_within(file, 0.002)
        lock_within(file, 0.0, shared=True)
    finally:
        os.close(file)


@requirement("store.owner-only-files")
def test_the_folders_above_a_file_are_for_their_owner_whatever_the_umask_is(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        write_whole(tmp_path / "a" / "b" / "notes.json", b"x")
    finally:
        os.umask(before)

    modes = [path.stat().st_mode & 0o777 for path in (tmp_path / "a", tmp_path / "a" / "b")]
    assert modes == [0o700, 0o700]


def _hold_and_stop(path: Path) -> None:
    handle = open_lock(path)
    fcntl.flock(handle, fcntl.LOCK_EX)
    os.kill(os.getpid(), signal.SIGSTOP)


@requirement("store.busy-names-the-process")
def test_a_turn_that_does_not_come_names_the_process_that_holds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "some.lock"
    holder = multiprocessing.get_context("fork").Process(target=_hold_and_stop, args=(path,))
    holder.start()
    assert holder.pid is not None
    os.waitpid(holder.pid, os.WUNTRACED)
    monkeypatch.setattr(file_locks, "_PATIENCE_SECONDS", 0.01)

    with pytest.raises(StoreBusyError, match=f"kill -CONT {holder.pid}"), turn_at(path):
        pytest.fail("the block must not run")

    os.kill(holder.pid, signal.SIGKILL)
    holder.join()
    with turn_at(path):
        assert "Another process" in str(busy(str(path), str(tmp_path / "missing")))


@requirement("files.no-pipe-hangs-a-verb")
def test_only_a_regular_file_is_read(tmp_path: Path) -> None:
    file, pipe, link = tmp_path / "file", tmp_path / "pipe", tmp_path / "link"
    file.write_bytes(b"whole")
    os.mkfifo(pipe)
    link.symlink_to(file)

    assert read_plain(file) == b"whole"
    assert read_plain(link, follows_link=True) == b"whole"
    for other in (pipe, link, tmp_path):
        with pytest.raises(OSError, match=other.name):
            read_plain(other)


@requirement("store.small-files-keep-every-change")
def test_threads_that_write_one_file_at_once_all_succeed(tmp_path: Path) -> None:
    path = tmp_path / "notes.json"
    contents = [str(number).encode() for number in range(8)]
    together = threading.Barrier(len(contents))

    def write(content: bytes) -> None:
        together.wait(PATIENCE)
        for _ in range(20):
            write_whole(path, content, durable=False)

    with ThreadPoolExecutor(len(contents)) as pool:
        for done in [pool.submit(write, content) for content in contents]:
            done.result(PATIENCE)

    assert path.read_bytes() in contents
    assert [one.name for one in tmp_path.iterdir()] == ["notes.json"]


@requirement("store.small-files-keep-every-change")
def test_no_change_of_a_small_file_is_lost_among_threads(tmp_path: Path) -> None:
    path = tmp_path / "kept" / "count"

    def add_one() -> None:
        for _ in range(10):
            with changing(path):
                count = int(read_plain(path)) if path.exists() else 0
                write_whole(path, str(count + 1).encode(), durable=False)

    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(add_one) for _ in range(4)]:
            done.result(PATIENCE)

    assert read_plain(path) == b"40"


@requirement("store.small-files-keep-every-change")
def test_texts_that_are_forgotten_at_once_all_stay_blocked(tmp_path: Path) -> None:
    claims = [f"The rule of {name} stays." for name in ("amber", "basalt", "cedar", "dune")]

    with ThreadPoolExecutor(len(claims)) as pool:
        list(pool.map(ForgottenTexts(tmp_path).add, claims))

    assert len(json.loads(read_plain(tmp_path / FORGOTTEN_FILE))["hashes"]) == len(claims)
