"""Clients that open connections and do not go on cannot keep others out."""

from __future__ import annotations

import resource
import socket
import time
from contextlib import suppress
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest

from holdfast.surfaces.http import connections
from holdfast.surfaces.http.options import ServeOptions
from tests.http.conftest import Home, client, running
from tests.patience import PATIENCE, PAUSE
from tests.requirements import requirement

_HALF = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n"


def _opened(url: str, said: bytes) -> socket.socket:
    address = urlsplit(url)
    opened = socket.create_connection((address.hostname, address.port), timeout=PATIENCE)
    opened.sendall(said)
    return opened


def _is_closed(half: socket.socket) -> bool:
    """Wait for the end of a connection; there is no other way out than the end or the limit."""
    try:
        return half.recv(1) == b""
    except ConnectionResetError:
        return True


def _status(opened: socket.socket) -> int:
    """Read a whole answer, which may arrive in pieces, and return its status."""
    answer = HTTPResponse(opened)
    answer.begin()
    answer.read()
    return answer.status


@requirement("http.connections-bounded")
@pytest.mark.parametrize("said", [b"", _HALF, b"GET /heal"])
def test_a_connection_whose_headers_do_not_arrive_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    monkeypatch.setattr(connections, "HEADER_SECONDS", 0.05)

    with running(ServeOptions(home=str(Home(tmp_path).folder))) as url, _opened(url, said) as half:
        assert _is_closed(half)


@requirement("http.connections-bounded")
def test_a_second_request_of_a_connection_must_arrive_in_time_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ServeOptions(home=str(Home(tmp_path).folder))
    with running(options) as url, _opened(url, _HALF + b"\r\n") as used:
        assert _status(used) == 200
        monkeypatch.setattr(connections, "HEADER_SECONDS", 0.05)
        used.sendall(_HALF)
        assert _is_closed(used)


@requirement("http.connections-bounded")
def test_a_request_that_begins_before_the_answer_must_arrive_in_time_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ServeOptions(home=str(Home(tmp_path).folder))
    answered: list[int] = []

    with running(options) as url:
        for seconds in (0.5, 5.0, 50.0):  # on a busy machine the first answer may need longer
            monkeypatch.setattr(connections, "HEADER_SECONDS", seconds)
            with _opened(url, _HALF + b"\r\n" + _HALF) as used, suppress(OSError, HTTPException):
                answered.append(_status(used))
                assert _is_closed(used)
                break

    assert answered == [200]


@requirement("http.connections-bounded")
def test_a_connection_that_is_idle_between_requests_stays_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ServeOptions(home=str(Home(tmp_path).folder))
    with running(options) as url, _opened(url, _HALF + b"\r\n") as used:
        assert _status(used) == 200
        monkeypatch.setattr(connections, "HEADER_SECONDS", 0.05)
        with _opened(url, _HALF) as half:  # the time of the first one would be over too
            assert _is_closed(half)
        monkeypatch.setattr(connections, "HEADER_SECONDS", PATIENCE)
        used.sendall(_HALF + b"\r\n")
        assert _status(used) == 200


@requirement("http.connections-bounded")
@pytest.mark.parametrize(
    "head",
    [
        b"POST /sign-in HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\n",
        b"POST /sign-out HTTP/1.1\r\n",
        b"POST /v1/memories HTTP/1.1\r\nContent-Type: application/json\r\n",
        b"POST /mcp HTTP/1.1\r\n",
        b"GET /healthz HTTP/1.1\r\n",
        _HALF + b"\r\nPOST /nowhere HTTP/1.1\r\n",
    ],
)
def test_a_connection_whose_body_does_not_arrive_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, head: bytes
) -> None:
    monkeypatch.setattr(connections, "BODY_GRACE", 0.05)
    options = ServeOptions(home=str(Home(tmp_path).folder), seconds=0.05)
    said = head + b"Host: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{"

    with running(options) as url, _opened(url, said) as opened:
        with suppress(OSError):  # it may be closed already; one byte more must not keep it open
            opened.sendall(b" ")
        while not _is_closed(opened):
            pass


@requirement("http.connections-bounded")
def test_a_client_that_reads_nothing_of_its_answers_loses_its_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "READ_SECONDS", 0.05)
    monkeypatch.setattr(connections, "most_connections", lambda: 1)
    long_answer = b"GET /v1/openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"

    with (
        running(ServeOptions(home=str(Home(tmp_path).folder))) as url,
        _opened(url, long_answer * 100),
    ):
        while not _answers(url):
            time.sleep(PAUSE)


def _answers(url: str) -> bool:
    """Return whether a server with room for one connection has it free."""
    with client(url) as later, suppress(httpx2.TransportError):
        return later.get("/healthz").status_code == 200
    return False


@requirement("http.connections-bounded")
def test_beyond_the_most_connections_new_ones_are_closed_and_old_ones_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "most_connections", lambda: 3)

    with running(ServeOptions(home=str(Home(tmp_path).folder))) as url:
        opened = [_opened(url, _HALF) for _ in range(3)]
        with _opened(url, b"") as fourth:
            assert _is_closed(fourth)
        opened[0].sendall(b"\r\n")
        assert _status(opened[0]) == 200
        for one in opened:
            one.close()
        with client(url) as later:
            assert later.get("/healthz").status_code == 200


def test_a_process_may_open_all_files_that_the_system_allows() -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(256, before[1]), before[1]))
        few = connections.most_connections()
        connections.raise_file_limit()
        assert connections.most_connections() > few
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
