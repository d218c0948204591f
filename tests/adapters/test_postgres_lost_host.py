"""A database server whose machine stops to answer, without a word."""

from __future__ import annotations

import os
import socket
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager, suppress
from uuid import uuid4

import pytest

from holdfast.adapters.postgres.database.address import read_address
from holdfast.adapters.postgres.database.connecting import connect
from holdfast.adapters.postgres.store import PostgresOptions, PostgresStore
from holdfast.adapters.postgres.units import cancelling
from holdfast.bootstrap.service.deadline import RequestDeadline
from holdfast.domain.memory.selection import Selection
from holdfast.domain.service_errors import TimedOutError
from tests.adapters.test_postgres_work import end_connections
from tests.endless import read_forever
from tests.postgres_server import APP, READY, server
from tests.requirements import requirement

_SOON_SECONDS = 60
_PIECE = 65_536


class Bridge:
    """Passes bytes between a socket of TCP and the server; it can stop, and end nothing."""

    def __init__(self) -> None:
        self._behind = str(server().folder / ".s.PGSQL.5432")
        self.goes_on = threading.Event()
        self.goes_on.set()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self._open = [self._listening]
        self._threads: list[threading.Thread] = []
        self._start(self._accept)

    @property
    def url(self) -> str:
        return f"postgresql://{APP}@127.0.0.1:{self.port}/{READY}?sslmode=disable"

    def close(self) -> None:
        self.goes_on.set()
        for one in self._open:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        for one in self._open:
            one.close()

    def _start(self, target: object, *given: object) -> None:
        assert callable(target)
        self._threads.append(threading.Thread(target=target, args=given))
        self._threads[-1].start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                behind = socket.socket(socket.AF_UNIX)
                self._open += [client, behind]
                behind.connect(self._behind)
                self._start(self._pass, client, behind)
                self._start(self._pass, behind, client)

    def _pass(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(_PIECE):
                self.goes_on.wait()
                other.sendall(data)
        for end in (one, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


@contextmanager
def bridge() -> Generator[Bridge, None, None]:
    with closing(Bridge()) as made:
        yield made


@contextmanager
def line_to(url: str) -> Generator[socket.socket, None, None]:
    """Yield the socket of a new connection."""
    with (
        connect(read_address(url)) as connection,
        closing(socket.socket(fileno=os.dup(connection.fileno()))) as line,
    ):
        yield line


@requirement("server.lost-host")
@pytest.mark.skipif(sys.platform != "linux", reason="these options have other names elsewhere")
def test_a_connection_ends_soon_after_its_server_vanished() -> None:
    with bridge() as made, line_to(made.url) as line:
        assert line.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
        idle, between, tries, unread = (
            line.getsockopt(socket.IPPROTO_TCP, option)
            for option in (
                socket.TCP_KEEPIDLE,
                socket.TCP_KEEPINTVL,
                socket.TCP_KEEPCNT,
                socket.TCP_USER_TIMEOUT,
            )
        )

    assert idle + between * tries <= _SOON_SECONDS
    assert 0 < unread <= _SOON_SECONDS * 1_000


@requirement("server.lost-host")
@pytest.mark.skipif(sys.platform != "linux", reason="these options have other names elsewhere")
def test_the_address_may_say_when_a_connection_ends() -> None:
    with bridge() as made, line_to(f"{made.url}&keepalives_idle=77") as line:
        assert line.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == 77


@requirement("server.lost-host")
def test_a_read_that_is_given_up_ends_although_its_server_hangs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cancelling, "_CUT_AFTER_SECONDS", 0.0)
    monkeypatch.setattr(cancelling, "_ATTEMPT_SECONDS", 0.1)
    deadline = RequestDeadline()
    with (
        bridge() as made,
        closing(PostgresStore.open(made.url, PostgresOptions(tenant=uuid4()))) as store,
    ):
        made.goes_on.clear()
        giving_up = threading.Timer(0.1, deadline.give_up)
        giving_up.start()
        with pytest.raises(TimedOutError), store.cancelled_by(deadline), store.reading() as tx:
            tx.memories.count(Selection())
        giving_up.join()


def read_twice(store: PostgresStore, meanwhile: Callable[[], None]) -> None:
    """Ask a question that is answered, and then one that is not."""
    with store.reading() as tx:
        tx.memories.count(Selection())
        meanwhile()
        read_forever(tx)


@requirement("http.given-up-reads-end")
def test_a_read_whose_first_connection_was_lost_ends_when_it_is_given_up() -> None:
    deadline = RequestDeadline()
    with closing(PostgresStore.open(server().url(), PostgresOptions(tenant=uuid4()))) as store:
        end_connections()
        giving_up = threading.Timer(0.1, deadline.give_up)
        with store.cancelled_by(deadline), pytest.raises(TimedOutError):
            read_twice(store, giving_up.start)
        giving_up.join()
