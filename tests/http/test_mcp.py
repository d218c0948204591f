"""MCP over streamable HTTP: the same tools behind tokens, in both eras."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import signal
import ssl
from collections.abc import AsyncGenerator, Callable, Coroutine
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitResult, ResourceTemplateReference, ResourceUpdatedNotification

from holdfast.domain.memory.callers import Operation, Principal, PrincipalKind
from holdfast.domain.memory.place import SpaceId
from holdfast.surfaces.http.options import ServeOptions
from holdfast.surfaces.mcp.catalogue import CORE, tools_of
from holdfast.surfaces.mcp.tools.every import NEEDS, OF_A_CHECKOUT
from tests.http.conftest import Home, Served, client, running
from tests.http.test_program import program
from tests.mcp.door import META
from tests.patience import PATIENCE
from tests.requirements import requirement

MODES = ["legacy", "2026-07-28"]
CLAIM = "Refresh tokens rotate on every use."
PROPOSAL = {"kind": "gotcha", "claim": CLAIM, "evidence": ["url:https://example.org/tokens"]}
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "raw", "version": "0"},
    },
}
ACCEPT = {"Accept": "application/json, text/event-stream"}
CLIENTS, WRITES = 12, 4


@contextlib.asynccontextmanager
async def connected(
    url: str, token: str | None, mode: str, *, query: str = "", **more: Any
) -> AsyncGenerator[Client, None]:
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    plain = httpx2.AsyncHTTPTransport(verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))
    async with (
        httpx2.AsyncClient(headers=headers, transport=plain, timeout=PATIENCE) as http,
        Client(
            streamable_http_client(f"{url}/mcp{query}", http_client=http), mode=mode, **more
        ) as found,
    ):
        yield found


@pytest.fixture(params=MODES)
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def agent(home: Home, request: pytest.FixtureRequest) -> str:
    name = request.node.name.replace("[", " ").replace("]", "")
    return home.token(name=name[-60:].strip("_"))


def spoken(work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    return asyncio.run(work())


@requirement("mcp.over-http")
def test_the_same_tools_are_served_over_http(served: Served, agent: str, mode: str) -> None:
    async def talk() -> Any:
        async with connected(served.url, agent, mode) as door:
            tools = (await door.list_tools()).tools
            created = await door.call_tool("memory.create", {**PROPOSAL, "key": mode})
            name = created.structured_content["id"]
            got = await door.call_tool("memory.get", {"ids": [name]})
            assembled = await door.call_tool("context.assemble", {"q": "refresh tokens"})
            return tools, created, got, assembled

    tools, created, got, assembled = spoken(talk)

    may = Principal.of(PrincipalKind.AGENT).may
    offered = {name for name in NEEDS if NEEDS[name] in may} - OF_A_CHECKOUT
    assert {tool.name for tool in tools} == offered
    assert created.structured_content["status"] == "candidate"
    assert got.structured_content["memories"][0]["claim"] == CLAIM
    assert assembled.content[0].text.startswith("# c_")


@requirement("mcp.over-http")
def test_resources_prompts_and_completions_are_served_over_http(
    served: Served, agent: str, mode: str
) -> None:
    async def talk() -> Any:
        async with connected(served.url, agent, mode) as door:
            created = await door.call_tool("memory.create", PROPOSAL)
            name = created.structured_content["id"]
            read = await door.read_resource(f"memory://{name}")
            listed = await door.list_resources()
            templates = await door.list_resource_templates()
            prompts = await door.list_prompts()
            review = await door.get_prompt("review", {"limit": "3"})
            completed = await door.complete(
                ResourceTemplateReference(uri="session://{id}"), {"name": "id", "value": "i_"}
            )
            with pytest.raises(MCPError) as missing:
                await door.read_resource("memory://m_nothing")
            return read, listed, templates, prompts, review, completed, missing.value

    read, listed, templates, prompts, review, completed, missing = spoken(talk)

    assert json.loads(read.contents[0].text)["claim"] == CLAIM
    assert isinstance(listed.resources, list)
    assert len(templates.resource_templates) == 4
    assert len(prompts.prompts) == 4
    assert "do not approve" in review.messages[0].content.text
    assert completed.completion.values == []
    assert missing.code == -32602


@requirement("mcp.scopes-per-tool")
def test_a_token_sees_and_uses_only_the_tools_of_its_scopes(served: Served, mode: str) -> None:
    token = served.home.token(name=f"reader {mode}", may=frozenset({Operation.READ}))

    async def talk() -> Any:
        async with connected(served.url, token, mode) as door:
            tools = (await door.list_tools()).tools
            refused = await door.call_tool("memory.create", PROPOSAL)
            return {tool.name for tool in tools}, refused

    names, refused = spoken(talk)

    reading = {name for name in NEEDS if NEEDS[name] is Operation.READ}
    assert names == reading - OF_A_CHECKOUT
    assert refused.is_error is True
    assert "may" in refused.content[0].text


@requirement("mcp.core-profile-is-small")
def test_the_address_names_the_profile_and_the_place(served: Served, agent: str, mode: str) -> None:
    async def talk() -> Any:
        query = "?profile=core&repo=github.com/acme/shop&branch=main"
        async with connected(served.url, agent, mode, query=query) as door:
            created = await door.call_tool("memory.create", {**PROPOSAL, "scope": "repo"})
            here = await door.call_tool("memory.list", {"status": "candidate", "scope": "repo"})
            listed = [tool.name for tool in (await door.list_tools()).tools]
        async with connected(served.url, agent, mode, query="?repo=other") as door:
            there = await door.call_tool("memory.list", {"status": "candidate", "scope": "repo"})
            return created, here, there, listed

    created, here, there, listed = spoken(talk)

    assert listed == [str(tool["name"]) for tool in tools_of(CORE)]
    assert created.structured_content["scope"] == "repo"
    assert here.structured_content["total"] == 1
    assert there.structured_content["total"] == 0


@requirement("mcp.a-client-is-an-agent")
@pytest.mark.parametrize("kind", [PrincipalKind.PERSON, PrincipalKind.AGENT])
def test_a_client_decides_nothing_whatever_the_kind_of_its_token(
    served: Served, mode: str, kind: PrincipalKind
) -> None:
    token = served.home.token(kind, name=f"{kind.value} {mode}")
    asked: list[str] = []

    async def say(context: Any, params: Any) -> ElicitResult:
        del context
        asked.append(params.message)
        return ElicitResult(action="accept", content={"confirm": True})

    async def talk() -> Any:
        said, other = (
            served.person.post(
                "/v1/memories", json={"claim": f"{who} fly {mode} {kind}.", "because": "seen"}
            ).json()
            for who in ("Owls", "Bats")
        )
        async with connected(served.url, token, mode, elicitation_callback=say) as door:
            tools = await door.list_tools()
            gone = await door.call_tool("memory.delete", {"id": said["id"]})
            linked = await door.call_tool("memory.link", {"from": said["id"], "to": other["id"]})
            made = await door.call_tool("memory.create", {**PROPOSAL, "claim": f"{kind} {mode}"})
        names = {tool.name for tool in tools.tools}
        return said["id"], names, gone, linked, made

    name, names, gone, linked, made = spoken(talk)

    assert asked == []
    assert "memory.link" not in names
    assert gone.structured_content["deleted"] is False
    assert "a person decides" in gone.structured_content["message"]
    assert linked.structured_content["linked"] is False
    assert made.structured_content["status"] == "candidate"
    answer = served.person.get(f"/v1/memories/{name}")
    assert answer.status_code == 200, answer.text
    assert answer.json()["data"]["status"] == "accepted"


@requirement("mcp.over-http")
def test_a_tool_that_reads_a_checkout_says_why_it_is_not_served(
    served: Served, agent: str, mode: str
) -> None:
    async def talk() -> tuple[set[str], list[str]]:
        async with connected(served.url, agent, mode) as door:
            names = {tool.name for tool in (await door.list_tools()).tools}
            said = []
            for name in sorted(OF_A_CHECKOUT):
                with pytest.raises(MCPError) as refused:
                    await door.call_tool(name, {})
                said.append(str(refused.value))
        return names, said

    names, said = spoken(talk)

    assert not names & OF_A_CHECKOUT
    assert len(said) == 3
    assert all("this server has none for you" in one for one in said)


@requirement("mcp.over-http")
def test_several_processes_say_why_nobody_can_subscribe(home: Home) -> None:
    options = ServeOptions(home=str(home.folder), workers=2)
    token = home.token(name="subscriber")
    wish = {
        "jsonrpc": "2.0",
        "id": 3,
        "method": "resources/subscribe",
        "params": {"uri": "memory://m_1"},
    }
    with running(options) as url, client(url, token) as raw:
        answer = post(raw, wish)

    assert "several workers keeps none" in answer.text


@requirement("mcp.over-http")
def test_several_processes_promise_only_what_works_without_a_session(home: Home) -> None:
    options = ServeOptions(home=str(home.folder), workers=2)
    token = home.token(name="greeted")
    with running(options) as url, client(url, token) as raw:
        greeting = post(raw, HELLO).text
        stream = raw.get("/mcp", headers={"Accept": "text/event-stream"})
        end = raw.delete("/mcp")

    told = json.loads(greeting[greeting.index("{") :])["result"]["capabilities"]["resources"]
    assert told["subscribe"] is False
    assert (stream.status_code, stream.headers["allow"]) == (405, "POST")
    assert (end.status_code, end.headers["allow"]) == (405, "POST")
    assert "keeps no sessions" in stream.text


@requirement("mcp.over-http")
def test_one_process_promises_subscriptions(served: Served, agent: str) -> None:
    with client(served.url, agent) as raw:
        greeting = post(raw, HELLO).text

    told = json.loads(greeting[greeting.index("{") :])["result"]["capabilities"]["resources"]
    assert told["subscribe"] is True


@requirement("mcp.progress-and-cancellation")
def test_progress_is_reported_over_http(served: Served, agent: str, mode: str) -> None:
    told: list[tuple[float, str | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        del total
        told.append((progress, message))

    async def talk() -> Any:
        async with connected(served.url, agent, mode) as door:
            return await door.call_tool("context.assemble", {"q": "tokens"}, progress_callback=note)

    assert spoken(talk).is_error is False
    assert [number for number, _ in told] == sorted({number for number, _ in told})
    assert len(told) >= 2


def in_flight(watcher: httpx2.Client) -> int:
    """Return how many requests the server is answering, with the one that asks."""
    found = re.search(r"requests_in_flight (\d+)", watcher.get("/metrics").text)
    assert found is not None
    return int(found[1])


@requirement("mcp.progress-and-cancellation")
def test_a_call_that_is_cancelled_over_http_stores_nothing(tmp_path: Path, mode: str) -> None:
    home = Home(tmp_path)
    token = home.token()
    memory = home.machine().open()

    async def talk(url: str) -> None:
        async with connected(url, token, mode) as door:
            await door.call_tool("memory.list", {})
            with memory.store.writing(memory.now()), client(url) as watcher:
                # A session has a stream that stays open; the watcher is in flight, too.
                during = 3 if mode == "legacy" else 2
                while in_flight(watcher) != during - 1:
                    await asyncio.sleep(0)
                call = asyncio.create_task(door.call_tool("memory.create", PROPOSAL))
                while in_flight(watcher) < during:
                    await asyncio.sleep(0)
                call.cancel()
                await asyncio.wait([call])
                # The notice of the cancellation is a request, too.
                while in_flight(watcher) >= during:
                    await asyncio.sleep(0)
            listed = await door.call_tool("memory.list", {"status": "candidate"})
            assert listed.structured_content["total"] == 0

    with running(ServeOptions(home=str(home.folder))) as url:
        asyncio.run(talk(url))
    memory.close()


@requirement("mcp.subscriptions")
@pytest.mark.filterwarnings("ignore:resources/.*subscribe is removed")
def test_a_session_is_told_that_a_resource_changed(served: Served, agent: str) -> None:
    async def talk() -> Any:
        heard: asyncio.Queue[Any] = asyncio.Queue()

        async def note(message: Any) -> None:
            if isinstance(message, ResourceUpdatedNotification):
                await heard.put(message)

        async with connected(served.url, agent, "legacy", message_handler=note) as door:
            created = await door.call_tool("memory.create", {**PROPOSAL, "key": "watched"})
            name = created.structured_content["id"]
            await door.session.subscribe_resource(f"memory://{name}")  # ty: ignore[deprecated] - of the older protocol
            await door.call_tool("memory.delete", {"id": name})
            told = await heard.get()
            await door.session.unsubscribe_resource(f"memory://{name}")  # ty: ignore[deprecated] - as above
            return name, str(told.params.uri)

    name, uri = spoken(talk)

    assert uri == f"memory://{name}"


@requirement("mcp.subscriptions")
def test_a_modern_stream_tells_that_a_resource_changed(served: Served, agent: str) -> None:
    async def talk() -> tuple[str, list[Any]]:
        async with connected(served.url, agent, "2026-07-28") as door:
            created = await door.call_tool("memory.create", {**PROPOSAL, "key": "listened"})
            name = created.structured_content["id"]
            uri = f"memory://{name}"
            params = {"notifications": {"resourceSubscriptions": [uri]}, "_meta": META}
            body = {"jsonrpc": "2.0", "id": 5, "method": "subscriptions/listen", "params": params}
            headers = {
                **ACCEPT,
                "Authorization": f"Bearer {agent}",
                "MCP-Protocol-Version": "2026-07-28",
                "Mcp-Method": "subscriptions/listen",
            }
            plain = httpx2.AsyncHTTPTransport(verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))
            found: list[Any] = []
            async with (
                httpx2.AsyncClient(transport=plain, timeout=PATIENCE) as http,
                http.stream("POST", f"{served.url}/mcp", json=body, headers=headers) as stream,
            ):
                async for line in stream.aiter_lines():
                    if line.startswith("data: "):
                        found.append(json.loads(line.removeprefix("data: ")))
                    if len(found) == 1 and line.startswith("data: "):
                        await door.call_tool("memory.delete", {"id": name})
                    if len(found) == 2:
                        break
            return uri, found

    uri, (acknowledged, updated) = spoken(talk)

    assert acknowledged["method"] == "notifications/subscriptions/acknowledged"
    assert updated["method"] == "notifications/resources/updated"
    assert updated["params"]["uri"] == uri


@requirement("mcp.over-http")
def test_a_stream_ends_with_its_token(served: Served) -> None:
    token = served.home.token(name="listener")
    params = {"notifications": {"resourceSubscriptions": ["memory://m_1"]}, "_meta": META}
    body = {"jsonrpc": "2.0", "id": 5, "method": "subscriptions/listen", "params": params}
    headers = {
        **ACCEPT,
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "subscriptions/listen",
    }
    with (
        client(served.url, token) as door,
        door.stream("POST", "/mcp", json=body, headers=headers) as stream,
    ):
        lines = stream.iter_lines()
        first = next(line for line in lines if line.startswith("data: "))
        served.home.revoke("listener")
        rest = [line for line in lines if line.startswith("data: ")]

    assert "acknowledged" in first
    assert [json.loads(line.removeprefix("data: "))["id"] for line in rest] == [5]


@requirement("mcp.over-http")
@pytest.mark.parametrize("is_expiring", [True, False])
def test_the_open_stream_of_a_session_ends_with_its_token(
    served: Served, *, is_expiring: bool
) -> None:
    keep_for = timedelta(seconds=3) if is_expiring else None
    name = f"opens {is_expiring}"
    token = served.home.token(name=name, keep_for=keep_for)
    with client(served.url, token) as door:
        session = post(door, HELLO).headers["mcp-session-id"]
        wanted = {"Accept": "text/event-stream", "Mcp-Session-Id": session}
        with door.stream("GET", "/mcp", headers=wanted) as stream:
            assert stream.status_code == 200
            if not is_expiring:
                served.home.revoke(name)
            rest = b"".join(stream.iter_bytes())

    assert b"Traceback" not in rest


@requirement("mcp.over-http")
def test_a_stream_that_watches_nothing_ends_with_its_token(served: Served) -> None:
    token = served.home.token(name="idle listener")
    body = {
        "jsonrpc": "2.0",
        "id": 6,
        "method": "subscriptions/listen",
        "params": {"notifications": {}, "_meta": META},
    }
    headers = {
        **ACCEPT,
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "subscriptions/listen",
    }
    with (
        client(served.url, token) as door,
        door.stream("POST", "/mcp", json=body, headers=headers) as stream,
    ):
        lines = stream.iter_lines()
        next(line for line in lines if line.startswith("data: "))
        served.home.revoke("idle listener")
        rest = [line for line in lines if line.startswith("data: ")]

    assert [json.loads(line.removeprefix("data: "))["id"] for line in rest] == [6]


@requirement("mcp.many-clients")
def test_many_clients_over_http_lose_nothing(served: Served) -> None:
    token = served.home.token(name="many", space=SpaceId("many"))

    async def write(number: int) -> list[bool]:
        mode = MODES[number % 2]
        async with connected(served.url, token, mode) as door:
            results = [
                await door.call_tool(
                    "memory.create", {**PROPOSAL, "claim": f"Client {number} noted item {turn}."}
                )
                for turn in range(WRITES)
            ]
            return [bool(result.is_error) for result in results]

    async def all_at_once() -> list[list[bool]]:
        return await asyncio.gather(*(write(number) for number in range(CLIENTS)))

    failed = asyncio.run(all_at_once())
    memory = served.home.machine(SpaceId("many")).open()
    with client(served.url, token) as reader:
        total = reader.get("/v1/memories", params={"statuses": "candidate"}).json()["total"]
    memory.close()

    assert failed == [[False] * WRITES] * CLIENTS
    assert total == CLIENTS * WRITES


def post(door: httpx2.Client, body: object, **headers: str) -> httpx2.Response:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    sent = {**ACCEPT, "Content-Type": "application/json", **headers}
    return door.post("/mcp", content=raw, headers=sent)


@requirement("mcp.over-http")
@pytest.mark.parametrize(
    ("token", "status"), [(None, 401), ("hf_wrong", 401), ("expired", 401), ("revoked", 401)]
)
def test_nobody_speaks_without_a_valid_token(
    served: Served, token: str | None, status: int
) -> None:
    shown = token
    if token == "expired":  # noqa: S105 - the name of a case
        shown = served.home.token(name="short", keep_for=timedelta(milliseconds=1))
    if token == "revoked":  # noqa: S105 - the name of a case
        shown = served.home.token(name="gone")
        served.home.revoke("gone")

    with client(served.url, shown) as door:
        answer = post(door, HELLO)

    assert answer.status_code == status
    assert answer.headers["www-authenticate"].startswith("Bearer")


@requirement("mcp.over-http")
def test_a_token_that_ends_in_the_middle_ends_its_session_and_no_other(served: Served) -> None:
    ends, stays = served.home.token(name="ends"), served.home.token(name="stays")
    with client(served.url, ends) as first, client(served.url, stays) as second:
        one, other = post(first, HELLO), post(second, HELLO)
        session = {"Mcp-Session-Id": one.headers["mcp-session-id"]}
        beside = {"Mcp-Session-Id": other.headers["mcp-session-id"]}
        ping = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
        before = post(first, ping, **session).status_code
        served.home.revoke("ends")

        after = post(first, ping, **session).status_code
        stolen = post(second, ping, **session).status_code
        unharmed = post(second, ping, **beside).status_code

    assert (before, after, stolen, unharmed) == (200, 401, 404, 200)


@requirement("mcp.over-http")
@pytest.mark.parametrize(
    "headers",
    [{"Host": "evil.example"}, {"Origin": "https://evil.example"}, {"Origin": "null"}],
)
def test_other_hosts_and_origins_are_refused(served: Served, headers: dict[str, str]) -> None:
    assert post(served.agent, HELLO, **headers).status_code in {403, 421}


MALFORMED: list[tuple[Any, dict[str, str], set[int]]] = [
    (b"{", {}, {400}),
    (b"\xff\xfe", {}, {400}),
    (b"[]", {}, {400}),
    ([HELLO, HELLO], {}, {400}),
    (b"[" * 50_000, {}, {400}),
    ({"jsonrpc": "1.0", "id": 1, "method": "ping"}, {}, {400}),
    ({"jsonrpc": "2.0", "id": 1, "method": 5}, {}, {400}),
    (HELLO, {"Content-Type": "text/plain"}, {400, 415}),
    (HELLO, {"Accept": "text/html"}, {406}),
    (HELLO, {"MCP-Protocol-Version": "1999-01-01"}, {400}),
    (HELLO, {"Mcp-Session-Id": "nobodys"}, {404}),
    ([HELLO], {"MCP-Protocol-Version": "2026-07-28"}, {400}),
    (b"x" * 2_000_000, {}, {413}),
    (
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": META}},
        {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call"},
        {400},
    ),
]


@requirement("mcp.survives-any-input")
@pytest.mark.parametrize(("body", "headers", "statuses"), MALFORMED)
def test_malformed_requests_are_refused_and_the_next_one_works(
    served: Served, body: Any, headers: dict[str, str], statuses: set[int]
) -> None:
    refused = post(served.agent, body, **headers)

    assert refused.status_code in statuses
    assert "Traceback" not in refused.text
    assert post(served.agent, HELLO).status_code == 200


@pytest.mark.parametrize("query", ["?profile=tiny", "?nonsense=1", "?repo=a&repo=b"])
def test_an_address_with_unknown_words_is_refused(served: Served, query: str) -> None:
    answer = served.agent.post(f"/mcp{query}", json=HELLO, headers=ACCEPT)

    assert answer.status_code == 422
    assert answer.json()["code"] == "bad-field"


@requirement("mcp.survives-any-input")
def test_a_client_that_never_reads_harms_nobody(served: Served) -> None:
    silent = [client(served.url, served.home.token(name=f"silent {n}")) for n in range(5)]
    streams = []
    for door in silent:
        session = post(door, HELLO).headers["mcp-session-id"]
        request = door.build_request(
            "GET", "/mcp", headers={"Accept": "text/event-stream", "Mcp-Session-Id": session}
        )
        streams.append(door.send(request, stream=True))

    answers = [post(served.agent, HELLO).status_code for _ in range(5)]

    assert answers == [200] * 5
    assert [stream.status_code for stream in streams] == [200] * 5
    for stream, door in zip(streams, silent, strict=True):
        stream.close()
        door.close()


def test_a_server_without_tokens_serves_an_agent(home: Home, mode: str) -> None:
    options = ServeOptions(home=str(home.folder), asks_for_tokens=False)

    async def talk(url: str) -> Any:
        async with connected(url, None, mode) as door:
            return await door.call_tool("memory.list", {})

    with running(options) as url:
        result = asyncio.run(talk(url))

    assert result.is_error is False


@requirement("mcp.over-http")
def test_several_processes_serve_without_sessions(home: Home, mode: str) -> None:
    options = ServeOptions(home=str(home.folder), workers=2)
    token = home.token(name=f"stateless {mode}")

    async def talk(url: str) -> Any:
        async with connected(url, token, mode) as door:
            return await door.call_tool("memory.list", {})

    with running(options) as url, client(url, token) as raw:
        result = asyncio.run(talk(url))
        greeting = post(raw, HELLO)

    assert result.is_error is False
    assert "mcp-session-id" not in greeting.headers


@requirement("http.graceful-end")
def test_a_server_that_is_told_to_end_does_not_wait_for_open_streams(tmp_path: Path) -> None:
    home = Home(tmp_path)
    token = home.token()
    with program(home) as (process, url), client(url, token) as door:
        session = post(door, HELLO).headers["mcp-session-id"]
        wanted = {"Accept": "text/event-stream", "Mcp-Session-Id": session}
        with door.stream("GET", "/mcp", headers=wanted) as stream:
            process.send_signal(signal.SIGTERM)
            rest = b"".join(stream.iter_bytes())

        assert process.wait(PATIENCE) == 0
    assert stream.status_code == 200
    assert b"Traceback" not in rest


def test_without_the_sdk_there_is_no_such_path(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("holdfast.surfaces.http.agents_door.door.find_spec", lambda _name: None)

    answer = post(served.agent, HELLO)

    assert answer.status_code == 404
    assert answer.json()["code"] == "no-such-route"
