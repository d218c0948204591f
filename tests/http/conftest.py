"""A server in a thread of this process, listening on a real socket."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import httpx2
import pytest
import uvicorn

from holdfast.bootstrap.machine.machine import Machine
from holdfast.bootstrap.plugs.addresses import IN_A_FILE, ServerPlace
from holdfast.domain.memory.callers import Operation, Principal, PrincipalKind
from holdfast.domain.memory.place import DEFAULT_SPACE, SpaceId
from holdfast.domain.values import replace
from holdfast.surfaces.http.application import HttpServer
from holdfast.surfaces.http.options import ServeOptions
from holdfast.surfaces.http.serving import server_config
from holdfast.usecases.service.tokens import CreateToken
from tests.patience import PATIENCE


@dataclass(frozen=True)
class Home:
    """The stores that a server serves: a folder, or a database."""

    folder: Path
    place: ServerPlace = IN_A_FILE

    def machine(self, space: SpaceId = DEFAULT_SPACE) -> Machine:
        home = self.folder if space == DEFAULT_SPACE else self.folder / "spaces" / space
        person = Principal.of(PrincipalKind.PERSON, space=space, name="ada")
        return Machine(principal=person, home=home, folder=lambda: self.folder, at=self.place)

    def token(
        self,
        kind: PrincipalKind = PrincipalKind.AGENT,
        *,
        space: SpaceId = DEFAULT_SPACE,
        may: frozenset[Operation] | None = None,
        keep_for: timedelta | None = None,
        name: str = "",
    ) -> str:
        """Create a token, and the store of its space if there is none."""
        machine = self.machine(space)
        memory = machine.open()
        try:
            wish = CreateToken(
                name=name or kind.value,
                kind=kind,
                tenant=machine.database.tenant(),
                may=may,
                keep_for=keep_for,
            )
            return str(memory.access.create(wish).text)
        finally:
            memory.close()

    def revoke(self, name: str) -> None:
        memory = self.machine().open()
        memory.access.revoke(name)
        memory.close()


@contextmanager
def running(options: ServeOptions) -> Generator[str, None, None]:
    """Run a server in a thread, and yield its URL."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    listening.listen(128)
    server = uvicorn.Server(server_config(HttpServer(options).app(), options))
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


def client(url: str, token: str | None = None, **headers: str) -> httpx2.Client:
    """Return a client that shows a token."""
    shown = {} if token is None else {"Authorization": f"Bearer {token}"}
    # No TLS here, and to load the certificates of the machine takes longer than the tests.
    plain = httpx2.HTTPTransport(verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))
    return httpx2.Client(
        base_url=url,
        headers={**shown, **headers},
        timeout=PATIENCE,
        transport=plain,
        trust_env=False,
    )


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    return Home(tmp_path_factory.mktemp("home"))


@dataclass(frozen=True)
class Served:
    """A running server with a caller of each kind."""

    home: Home
    url: str
    agent: httpx2.Client
    person: httpx2.Client


@pytest.fixture(scope="module")
def served(home: Home) -> Iterator[Served]:
    agent, person = home.token(), home.token(PrincipalKind.PERSON, name="ada")
    options = ServeOptions(home=str(home.folder), address=home.place.address)
    with running(options) as url, client(url, agent) as one, client(url, person) as other:
        yield Served(home, url, one, other)


def altered(options: ServeOptions, **changes: object) -> ServeOptions:
    return replace(options, **changes)  # type: ignore[arg-type]  # the names are those of options
