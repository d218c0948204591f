"""Sessions and streams of MCP: how many a token may have, and when they are over."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack
from types import SimpleNamespace
from typing import Any, cast

import mcp_types as types
import pytest

from holdfast.domain.database_errors import ServerUnreachableError
from holdfast.domain.service_errors import NotAuthenticatedError
from holdfast.surfaces.http.agents_door import streams
from holdfast.surfaces.http.agents_door.senders import SenderCalls
from holdfast.surfaces.http.agents_door.sessions import (
    IDLE_SECONDS,
    MOST_OF_A_TOKEN,
    SESSION_HEADER,
    OpenSessions,
)
from holdfast.surfaces.http.agents_door.streams import ResourceWatch
from tests.http.conftest import Served, client
from tests.http.test_mcp import ACCEPT, HELLO, post
from tests.mcp.door import META
from tests.requirements import requirement

PING = {"jsonrpc": "2.0", "id": 7, "method": "ping"}
URI = "memory://m_1"


@requirement("mcp.sessions-of-a-token")
def test_a_token_with_too_many_sessions_loses_its_own_oldest_one(served: Served) -> None:
    greedy, modest = (served.home.token(name=name) for name in ("greedy", "modest"))
    with client(served.url, greedy) as one, client(served.url, modest) as other:
        theirs = post(other, HELLO).headers[SESSION_HEADER]
        names = [post(one, HELLO).headers[SESSION_HEADER] for _ in range(MOST_OF_A_TOKEN)]
        used = post(one, PING, **{SESSION_HEADER: names[0]}).status_code
        names += [post(one, HELLO).headers[SESSION_HEADER] for _ in range(2)]
        states = [post(one, PING, **{SESSION_HEADER: name}).status_code for name in names]
        kept = post(other, PING, **{SESSION_HEADER: theirs}).status_code

    assert used == 200
    assert states == [200, 404, 404, *[200] * (MOST_OF_A_TOKEN - 1)]
    assert kept == 200


@requirement("mcp.sessions-of-a-token")
def test_a_token_has_a_limited_number_of_streams(served: Served) -> None:
    token, other = (served.home.token(name=name) for name in ("streams", "no streams"))
    params = {"notifications": {"resourceSubscriptions": [URI]}, "_meta": META}
    body = {"jsonrpc": "2.0", "id": 5, "method": "subscriptions/listen", "params": params}
    headers = {
        **ACCEPT,
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "subscriptions/listen",
    }
    said: list[str] = []
    lines: list[Iterator[str]] = []
    with ExitStack() as opened:
        doors = [opened.enter_context(client(served.url, token)) for _ in range(2)]
        doors.append(opened.enter_context(client(served.url, other)))
        for door in [doors[0]] * MOST_OF_A_TOKEN + doors[1:]:
            stream = opened.enter_context(door.stream("POST", "/mcp", json=body, headers=headers))
            lines.append(stream.iter_lines())  # a stream is closed with its iterator
            said.append(next(line for line in lines[-1] if line.startswith(("data: ", "{"))))

    told = [json.loads(one.removeprefix("data: ")) for one in said]
    assert ["error" in one for one in told] == [*[False] * MOST_OF_A_TOKEN, True, False]
    assert "end another one" in told[MOST_OF_A_TOKEN]["error"]["message"]


@requirement("mcp.sessions-of-a-token")
def test_a_session_is_over_when_nobody_used_it_for_long() -> None:
    now = [0.0]
    sessions = OpenSessions(most=2, clock=lambda: now[0])
    sessions.opened("one", "ada")
    sessions.opened("two", "ada")
    with sessions.used("one"), sessions.used("unknown"):
        now[0] = IDLE_SECONDS
        assert not sessions.is_over("one")
        assert sessions.surplus("ada") == ["two"]
    assert sessions.is_over("two")
    assert not sessions.is_over("one")
    assert sessions.surplus("bob") == []
    sessions.opened("three", "ada")
    assert sessions.surplus("ada") == ["one"]

    sessions.ended("one", "bob")
    assert not sessions.is_over("one")
    sessions.ended("one", "ada")
    assert sessions.is_over("one")
    assert sessions.is_over("unknown")


class Store:
    """Stands for the store behind a watched resource, and for the client that is told."""

    def __init__(self) -> None:
        self.version = "first"
        self.failure: Exception | None = None
        self.looks = 0
        self.told: list[str] = []

    async def versions(self, _sender: object, uris: list[str]) -> dict[str, str]:
        self.looks += 1
        if self.failure is not None:
            raise self.failure
        return dict.fromkeys(uris, self.version)

    async def send_resource_updated(self, uri: str) -> None:
        self.told.append(uri)

    async def send_notification(self, told: Any, **_related: object) -> None:
        if isinstance(told, types.ResourceUpdatedNotification):
            self.told.append(str(told.params.uri))


Begin = Callable[[ResourceWatch, Store], Awaitable[asyncio.Task[Any]]]


async def looked(store: Store, times: int = 2) -> None:
    """Wait until the resource was looked at again, from the beginning of a look to its end."""
    until = store.looks + times
    while store.looks < until:
        await asyncio.sleep(0)


def context_of(store: Store) -> Any:
    sender = SimpleNamespace(caller=SimpleNamespace(token_id="t_1"))  # noqa: S106 - an id
    request = SimpleNamespace(headers={SESSION_HEADER: "one"}, state=SimpleNamespace(sender=sender))
    return SimpleNamespace(request=request, session=store, request_id=5)


async def subscribed(watch: ResourceWatch, store: Store) -> asyncio.Task[Any]:
    """Subscribe a session to the resource, and look for changes."""
    await watch.subscribe(context_of(store), cast("Any", SimpleNamespace(uri=URI)))
    return asyncio.create_task(watch.run())


async def listening(watch: ResourceWatch, store: Store) -> asyncio.Task[Any]:
    """Open a stream about the resource."""
    asked = types.SubscriptionsListenRequestParams(
        notifications=types.SubscriptionFilter(resource_subscriptions=[URI])
    )
    return asyncio.create_task(watch.listen(context_of(store), asked))


@pytest.mark.parametrize("begin", [subscribed, listening])
@pytest.mark.parametrize("failure", [ServerUnreachableError("db"), NotAuthenticatedError()])
@requirement("mcp.subscriptions")
def test_whoever_watches_outlives_a_store_that_cannot_be_reached_for_a_while(
    failure: Exception, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "LOOK_SECONDS", 0.0)
    store = Store()
    watch = ResourceWatch(cast("SenderCalls", store), is_over=lambda _: False)
    ends = isinstance(failure, NotAuthenticatedError)

    async def watched() -> None:
        running = await begin(watch, store)
        await looked(store)
        store.failure = failure
        await looked(store, 1)
        store.failure, store.version = None, "second"
        if not ends:
            await looked(store)
        watch.ending.set()
        await running

    asyncio.run(watched())

    assert store.told == ([] if ends else [URI])


@requirement("mcp.subscriptions")
def test_nothing_is_read_for_a_session_that_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "LOOK_SECONDS", 0.0)
    store = Store()
    over: list[str] = []

    def is_over(name: str) -> bool:
        over.append(name)
        return True

    watch = ResourceWatch(cast("SenderCalls", store), is_over=is_over)

    async def watched() -> None:
        await watch.subscribe(context_of(store), cast("Any", SimpleNamespace(uri=URI)))
        running = asyncio.create_task(watch.run())
        while not over:
            await asyncio.sleep(0)
        watch.ending.set()
        await running

    asyncio.run(watched())

    assert (over, store.looks) == (["one"], 1)
