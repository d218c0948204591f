"""The channel between a server and a worker: what one end does when the other is gone."""

from __future__ import annotations

import fcntl
import os
import resource
import signal
import socket
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
import uvicorn

from holdfast.surfaces.http import sharing
from holdfast.surfaces.http.sharing import PassedConnections, ServerWorkers
from tests.requirements import requirement

if TYPE_CHECKING:
    from types import FrameType


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ServerWorkers]:
    monkeypatch.setattr(signal, "signal", lambda *_: None)  # the server would handle all signals
    with socket.create_server(("127.0.0.1", 0)) as listening:
        made = ServerWorkers(uvicorn.Config("nothing:app"), listening)
        monkeypatch.undo()
        yield made
        for worker in made._workers:
            worker.channel.close()
            worker.theirs.close()
            for _, connection in worker.untaken:
                connection.close()


def started(server: ServerWorkers) -> PassedConnections:
    """Return what a new worker of a server listens to, after it said that it is ready."""
    (given,) = server.sockets
    worker = PassedConnections(socket.socket(fileno=os.dup(given.fileno())))
    worker.setblocking(False)  # noqa: FBT003 - as an event loop calls it
    worker.listen(1)
    looked(server)
    return worker


def looked(server: ServerWorkers) -> None:
    for worker in [*server._workers]:
        server._look(worker)


def called(server: ServerWorkers) -> socket.socket:
    """Pass a connection to a worker, and return the end of its caller."""
    caller, connection = socket.socketpair()
    assert server._pass(connection)
    return caller


@requirement("http.workers-pass-back")
def test_what_a_worker_that_ends_did_not_take_goes_to_another(server: ServerWorkers) -> None:
    ending = started(server)
    taken, untaken = called(server), called(server)
    serving, _ = ending.accept()
    looked(server)

    ending.close()
    looked(server)

    (passed_back,) = server._waiting
    other = started(server)
    assert server._pass(passed_back)
    with other.accept()[0] as connection:
        connection.send(b"still open")
    assert untaken.recv(100) == b"still open"
    serving.close()
    assert taken.recv(100) == b""
    for one in (taken, untaken):
        one.close()
    other.close()


@requirement("http.hanging-workers-get-no-callers")
def test_a_worker_that_takes_nothing_gets_no_more_connections(
    server: ServerWorkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    hanging, working = started(server), started(server)
    callers = [called(server)]
    monkeypatch.setattr(sharing, "_LATE_SECONDS", -1.0)
    for _ in range(3):
        callers.append(called(server))
        working.accept()[0].close()
        looked(server)

    hanging.accept()[0].close()
    looked(server)
    callers += [called(server), called(server)]

    for worker in (hanging, working):  # each is given one of two again
        worker.accept()[0].close()
    looked(server)
    callers.append(called(server))
    for one in callers:
        one.close()
    hanging.close()
    working.close()


@requirement("http.hanging-workers-get-no-callers")
def test_if_all_workers_may_hang_they_get_connections_in_turn(
    server: ServerWorkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    workers = [started(server), started(server)]
    monkeypatch.setattr(sharing, "_LATE_SECONDS", -1.0)

    callers = [called(server) for _ in range(4)]

    for worker in workers:
        for _ in range(2):
            worker.accept()[0].close()
        worker.close()
    for one in callers:
        one.close()


@pytest.fixture
def many_files() -> Iterator[int]:
    """Allow more open files than ``select`` can watch; return a number beyond its limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    beyond = 1_100
    enough = max(soft, 2 * beyond) if soft != resource.RLIM_INFINITY else soft
    resource.setrlimit(resource.RLIMIT_NOFILE, (enough, hard))
    yield beyond
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@requirement("http.hanging-workers-get-no-callers")
def test_a_server_with_many_open_files_still_hears_its_workers(
    server: ServerWorkers, many_files: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def beyond(channel: socket.socket) -> socket.socket:
        return socket.socket(fileno=fcntl.fcntl(channel, fcntl.F_DUPFD_CLOEXEC, many_files))

    monkeypatch.setattr(sharing, "_LOOK_SECONDS", 600.0)
    (given,) = server.sockets
    (worker,) = server._workers
    with worker.channel as low:
        worker.channel = beyond(low)
    worker.channel.settimeout(0)
    theirs = PassedConnections(beyond(worker.theirs))

    theirs.listen(1)
    server._wait()
    looked(server)

    assert worker.channel.fileno() >= many_files
    assert worker.is_ready
    theirs.close()
    assert given.fileno() == -1


@requirement("http.workers-end-with-their-server")
def test_a_worker_ends_if_its_server_was_killed_before_it_heard_of_it() -> None:
    noted: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        del frame
        noted.append(number)

    before = signal.signal(signal.SIGTERM, note)
    try:
        ours, theirs = socket.socketpair()
        worker = PassedConnections(theirs)
        worker.listen(1)
        ours.close()
        with theirs, pytest.raises(BlockingIOError):
            worker.accept()
    finally:
        signal.signal(signal.SIGTERM, before)
    assert noted == [signal.SIGTERM]
