"""The channel between a server and a worker: what one end does when the other is gone."""

from __future__ import annotations

import signal
import socket
from typing import TYPE_CHECKING

import pytest

from holdfast.surfaces.http.sharing import PassedConnections
from tests.requirements import requirement

if TYPE_CHECKING:
    from types import FrameType


@requirement("http.workers-pass-back")
def test_a_worker_that_ends_passes_back_what_it_did_not_take() -> None:
    ours, theirs = socket.socketpair()
    caller, connection = socket.socketpair()
    with ours, caller, connection:
        socket.send_fds(ours, [b"."], [connection.fileno()])

        PassedConnections(theirs).close()

        mark, files, _, _ = socket.recv_fds(ours, 1, 1)
        assert mark == b"."
        with socket.socket(fileno=files[0]) as passed_back:
            passed_back.send(b"still open")
        assert caller.recv(100) == b"still open"
        with pytest.raises(BrokenPipeError):  # it takes nothing more
            ours.send(b".")


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
