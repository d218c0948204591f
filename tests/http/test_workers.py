"""The worker processes of a server: they are spawned, and have the settings of a command."""

from __future__ import annotations

import os
import signal
import time
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.http.conftest import Home, client
from tests.http.test_program import program
from tests.patience import PAUSE
from tests.requirements import requirement

# Python imports this module in every process that starts with its folder in the search path.
_TELLING = """
import gc, os, signal

def tell(number, frame):
    name = os.path.join({folder!r}, str(os.getpid()))
    with open(name + ".part", "w") as file:
        file.write(" ".join(map(str, gc.get_threshold())))
        file.write(" " + os.environ["OPENBLAS_NUM_THREADS"])
    os.replace(name + ".part", name)

signal.signal(signal.SIGUSR1, tell)
"""

_EVENTS = "anon_inode:[eventpoll]"
_ESTABLISHED = "01"
_WATCHED = 2
"""An event loop watches a pipe of its own, and the address as soon as the application is ready."""


@requirement("http.worker-settings")
@pytest.mark.parametrize("workers", [1, 2])
def test_every_process_that_answers_has_the_settings_of_a_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    told = tmp_path / "told"
    told.mkdir()
    (tmp_path / "sitecustomize.py").write_text(_TELLING.format(folder=str(told)))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)

    with program(Home(tmp_path / "home"), "--workers", str(workers)) as (process, url):
        with client(url) as caller:
            assert caller.get("/healthz").status_code == 200
        answering = [process.pid] if workers == 1 else _spawned(process.pid, workers)
        settings = {_asked(told, pid) for pid in answering}

    assert settings == {"50000 10 10 1"}


@requirement("http.workers-end-with-their-server")
def test_the_workers_of_a_killed_server_end(tmp_path: Path) -> None:
    with program(Home(tmp_path / "home"), "--workers", "2") as (process, _):
        workers = _spawned(process.pid, 2)
        process.kill()

        while any(Path(f"/proc/{pid}").exists() for pid in workers):
            time.sleep(PAUSE)


@requirement("http.workers-share-evenly")
def test_the_workers_get_equally_many_connections(tmp_path: Path) -> None:
    with program(Home(tmp_path / "home"), "--workers", "2") as (process, url), ExitStack() as open_:
        workers = _spawned(process.pid, 2)
        for _ in range(8):
            caller = open_.enter_context(client(url))
            assert caller.get("/healthz").status_code == 200

        assert [_connections(pid, url) for pid in workers] == [4, 4]


@requirement("http.workers-are-replaced")
def test_a_killed_worker_is_replaced_and_no_new_caller_notices(tmp_path: Path) -> None:
    with program(Home(tmp_path / "home"), "--workers", "2") as (process, url):
        first, second = _spawned(process.pid, 2)
        os.kill(first, signal.SIGKILL)
        while Path(f"/proc/{first}").exists():  # until then, a thread of it may keep files open
            time.sleep(PAUSE)

        for _ in range(6):
            with client(url) as caller:
                assert caller.get("/healthz").status_code == 200
        while (workers := _spawned(process.pid, 2)) and first in workers:
            time.sleep(PAUSE)
        assert second in workers
        with ExitStack() as open_:
            for _ in range(4):
                caller = open_.enter_context(client(url))
                assert caller.get("/healthz").status_code == 200
            assert [_connections(pid, url) for pid in workers] == [2, 2]


@requirement("http.hanging-workers-get-no-callers")
def test_a_worker_that_hangs_refuses_no_caller(tmp_path: Path) -> None:
    with program(Home(tmp_path / "home"), "--workers", "2") as (process, url):
        first, _ = _spawned(process.pid, 2)
        os.kill(first, signal.SIGSTOP)

        for _ in range(3):  # one of them waits until the hanging worker is replaced
            with client(url) as caller:
                assert caller.get("/healthz").status_code == 200


@requirement("http.workers-are-replaced")
def test_replaced_workers_leave_nothing_open_in_a_server_without_callers(tmp_path: Path) -> None:
    with program(Home(tmp_path / "home"), "--workers", "2") as (process, _):
        first, second = _spawned(process.pid, 2)
        opened = Path(f"/proc/{process.pid}/fd")
        usual = len([*opened.iterdir()])
        for killed in (first, second):
            os.kill(killed, signal.SIGKILL)
            while killed in _spawned(process.pid, 2):
                time.sleep(PAUSE)

        while len([*opened.iterdir()]) > usual:
            time.sleep(PAUSE)


@requirement("http.workers-share-evenly")
def test_workers_answer_where_another_event_loop_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "uvloop.py").write_text("")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    with (
        program(Home(tmp_path / "home"), "--workers", "2") as (_, url),
        client(url) as caller,
    ):
        assert caller.get("/healthz").status_code == 200


def _connections(pid: int, url: str) -> int:
    """Return how many connections to a port a process has open."""
    wanted = f":{urlsplit(url).port:04X}"
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    inodes = {line[9] for line in lines if line[1].endswith(wanted) and line[3] == _ESTABLISHED}
    files = Path(f"/proc/{pid}/fd").iterdir()
    return sum(str(one.readlink()).removeprefix("socket:").strip("[]") in inodes for one in files)


def _spawned(parent: int, number: int) -> list[int]:
    """Return the workers of a server, once all of them wait for requests."""
    while True:
        children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        found = [int(child) for child in children if _is_worker(int(child))]
        if len(found) == number:
            return found
        time.sleep(PAUSE)


def _is_worker(pid: int) -> bool:
    """Tell whether a process is a worker that waits for requests."""
    folder = Path(f"/proc/{pid}")
    if b"spawn_main" not in (folder / "cmdline").read_bytes():
        return False
    try:
        opened = [one for one in (folder / "fd").iterdir() if str(one.readlink()) == _EVENTS]
        watched = [(folder / "fdinfo" / one.name).read_text().count("tfd:") for one in opened]
    except FileNotFoundError:  # a process that starts opens and closes files
        return False
    return any(number >= _WATCHED for number in watched)


def _asked(told: Path, pid: int) -> str:
    os.kill(pid, signal.SIGUSR1)
    while not (told / str(pid)).exists():
        time.sleep(PAUSE)
    return (told / str(pid)).read_text()
