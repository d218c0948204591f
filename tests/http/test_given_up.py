"""Reads that take too long, or whose client has left: they end, and hold nobody up."""

from __future__ import annotations

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from urllib.parse import urlsplit
from uuid import uuid4

import httpx2
import psycopg
import pytest

from holdfast.bootstrap.plugs.addresses import IN_A_FILE, ServerPlace
from holdfast.bootstrap.service.deadline import RequestDeadline
from holdfast.bootstrap.service.service import ServedRequest, Service, ServiceOptions
from holdfast.domain.memory.callers import PrincipalKind
from holdfast.domain.memory.place import Place
from holdfast.domain.service_errors import TimedOutError
from holdfast.surfaces.http.options import ServeOptions
from tests.endless import endless_read
from tests.http.conftest import Home, altered, client, running
from tests.http.test_mcp import connected
from tests.patience import PATIENCE, PAUSE
from tests.postgres_server import OWNER, READY, server
from tests.requirements import requirement

READERS = 8


@dataclass(frozen=True)
class Slow:
    """A memory whose status and links take forever to read, and the options of its server."""

    token: str
    options: ServeOptions


@pytest.fixture(params=["file", "postgres"])
def slow(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Slow:
    place = IN_A_FILE
    if request.param == "postgres":
        place = ServerPlace(address=server().url(), tenant=str(uuid4()))
    token = Home(tmp_path, place).token(PrincipalKind.PERSON)
    monkeypatch.setattr("holdfast.usecases.inspect.open_conflicts", endless_read)
    monkeypatch.setattr("holdfast.usecases.memory.browse.related", endless_read)
    return Slow(token, ServeOptions(home=str(tmp_path), address=place.address, threads=READERS))


def answered(caller: httpx2.Client) -> bool:
    """Return whether a request is answered; a busy machine may need several tries."""
    until = monotonic() + PATIENCE
    while caller.get("/v1/memories").status_code != 200:
        if monotonic() > until:
            return False
        sleep(PAUSE)
    return True


@requirement("http.given-up-reads-end")
def test_reads_that_were_given_up_hold_nobody_up(slow: Slow) -> None:
    options = altered(slow.options, seconds=0.5)
    with running(options) as url, client(url, slow.token) as caller:
        with ThreadPoolExecutor(READERS) as readers:
            late = list(readers.map(lambda _: caller.get("/v1/status"), range(READERS)))
        next_is_answered = answered(caller)

    codes = {(one.status_code, one.json()["code"]) for one in late}
    assert codes == {(503, "request-timed-out")}
    assert next_is_answered


@requirement("http.given-up-reads-end")
def test_a_read_ends_whose_client_has_left(slow: Slow) -> None:
    options = altered(slow.options, threads=1, seconds=86_400.0)
    with running(options) as url, client(url, slow.token) as caller:
        address = urlsplit(url)
        asked = f"GET /v1/status HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {slow.token}"
        with socket.create_connection((address.hostname, address.port)) as impatient:
            impatient.sendall(f"{asked}\r\n\r\n".encode())
            while "requests_in_flight 2" not in caller.get("/metrics").text:
                sleep(PAUSE)

        assert answered(caller)


@requirement("http.given-up-reads-end")
def test_a_call_over_mcp_that_takes_too_long_ends_too(slow: Slow) -> None:
    async def talk(url: str, named: str) -> tuple[list[str], bool]:
        async with connected(url, slow.token, "2026-07-28") as door:
            calls = [door.call_tool("memory.related", {"id": named}) for _ in range(READERS)]
            late = [repr(one.content) for one in await asyncio.gather(*calls)]
        with client(url, slow.token) as caller:
            return late, await asyncio.to_thread(answered, caller)

    options = altered(slow.options, seconds=0.5)
    with running(options) as url, client(url, slow.token) as caller:
        made = caller.post("/v1/memories", json={"claim": "It rains.", "because": "Seen."})
        late, next_is_answered = asyncio.run(talk(url, made.json()["id"]))

    assert all("took longer than the server allows" in one for one in late), late
    assert next_is_answered


@requirement("http.given-up-reads-end")
def test_a_search_for_a_token_that_is_given_up_holds_nobody_up(tmp_path: Path) -> None:
    place = ServerPlace(address=server().url(), tenant=str(uuid4()))
    token = Home(tmp_path, place).token(PrincipalKind.PERSON)
    options = ServeOptions(home=str(tmp_path), address=place.address, threads=1, seconds=2.0)
    database = psycopg.connect(server().url(READY, OWNER))
    with running(options) as url, client(url, token) as caller, closing(database) as locking:
        assert answered(caller)
        locking.execute("LOCK TABLE holdfast.access_token IN ACCESS EXCLUSIVE MODE")
        late = caller.get("/v1/memories")
        until = monotonic() + PATIENCE
        # The only thread is free although nobody can read the tokens.
        while (ready := caller.get("/readyz").status_code) != 200 and monotonic() < until:
            sleep(PAUSE)
        locking.rollback()
        next_is_answered = answered(caller)

    assert (late.status_code, late.json()["code"]) == (503, "request-timed-out")
    assert (ready, next_is_answered) == (200, True)


@requirement("http.given-up-reads-end")
def test_a_change_that_was_given_up_while_it_waited_for_a_thread_is_not_begun(
    tmp_path: Path,
) -> None:
    home = Home(tmp_path)
    token = home.token(PrincipalKind.PERSON)
    service = Service(ServiceOptions(home=str(tmp_path)))
    with closing(service):
        deadline = RequestDeadline()
        caller = service.caller(token, deadline)
        deadline.give_up()
        place = Place(space=caller.name.space)
        late = ServedRequest(caller=caller, place=place, deadline=deadline)
        begun: list[str] = []
        with pytest.raises(TimedOutError):
            service.write(late, lambda memory: begun.append(memory.store.space))

    assert begun == []
