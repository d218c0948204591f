"""The official SDK's client against the real process, in both eras."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError

from holdfast.surfaces.mcp.catalogue import TOOLS
from holdfast.surfaces.python.api import open_memory
from tests.mcp.door import CLAIM, COMMAND, Folder
from tests.requirements import requirement
from tests.usecases.wishes import approve

MODES = {"auto": "2026-07-28", "legacy": "2025-11-25", "2026-07-28": "2026-07-28"}
PROPOSAL = {"kind": "gotcha", "value": CLAIM, "evidence": ["src/app.py:1-2"], "key": "tokens"}


@contextlib.asynccontextmanager
async def connected(folder: Folder, mode: str) -> AsyncGenerator[Client, None]:
    parameters = StdioServerParameters(
        command=COMMAND[0], args=COMMAND[1:], env=folder.environment, cwd=folder.repo
    )
    async with Client(parameters, mode=mode) as client:
        yield client


async def called(client: Client, tool: str, /, **arguments: object) -> Any:
    return await client.call_tool(tool, arguments)


@pytest.fixture(params=MODES)
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@requirement("mcp.both-eras")
def test_the_sdk_connects_and_sees_the_tools(folder: Folder, mode: str) -> None:
    async def talk() -> tuple[str, str | None, dict[str, Any]]:
        async with connected(folder, mode) as client:
            tools = (await client.list_tools()).tools
            return client.protocol_version, client.instructions, {tool.name: tool for tool in tools}

    version, instructions, tools = asyncio.run(talk())

    assert version == MODES[mode]
    assert set(tools) == {str(tool["name"]) for tool in TOOLS}
    assert tools["memory.list"].annotations.read_only_hint is True
    assert tools["memory.delete"].annotations.destructive_hint is True
    assert tools["context.assemble"].output_schema is None
    # A client that adopts a version outright asks for no introduction.
    assert instructions is None if mode == "2026-07-28" else "quoted data" in str(instructions)


@requirement("mcp.agents-only-propose")
@requirement("mcp.both-eras")
def test_a_proposal_is_recalled_once_a_person_accepted_it(folder: Folder, mode: str) -> None:
    async def talk() -> tuple[Any, Any, Any, Any]:
        async with connected(folder, mode) as client:
            created = await called(client, "memory.create", **PROPOSAL)
            before = await called(client, "context.assemble", q="refresh tokens")
            with open_memory(home=folder.home, folder=folder.repo) as memory:
                approve(memory.app, created.structured_content["id"], by="ada")
            after = await called(client, "context.assemble", q="refresh tokens", budget=2_000)
            deleted = await called(client, "memory.delete", id=created.structured_content["id"])
            return created, before, after, deleted

    created, before, after, deleted = asyncio.run(talk())

    assert created.structured_content["status"] == "candidate"
    assert CLAIM not in before.content[0].text
    assert CLAIM in after.content[0].text
    assert after.structured_content is None
    assert deleted.structured_content["deleted"] is False
    assert "a person decides" in deleted.content[0].text


@requirement("mcp.agents-only-propose")
def test_a_proposal_can_be_listed_and_taken_back(folder: Folder, mode: str) -> None:
    async def talk() -> tuple[Any, Any, Any]:
        async with connected(folder, mode) as client:
            created = await called(client, "memory.create", **PROPOSAL)
            listed = await called(client, "memory.list", q="tokens", status="candidate")
            deleted = await called(client, "memory.delete", id=created.structured_content["id"])
            return listed, deleted, await called(client, "memory.list", status="candidate")

    listed, deleted, rest = asyncio.run(talk())

    assert [item["claim"] for item in listed.structured_content["memories"]] == [CLAIM]
    assert deleted.structured_content["deleted"] is True
    assert rest.structured_content["memories"] == []


@requirement("mcp.refuses-in-words")
def test_errors_reach_the_client_as_they_should(folder: Folder, mode: str) -> None:
    async def talk() -> tuple[Any, Any]:
        async with connected(folder, mode) as client:
            bad = await called(client, "memory.list", limit=999)
            alone = await called(
                client, "memory.create", **{**PROPOSAL, "evidence": ["statement: trust me"]}
            )
            with pytest.raises(MCPError) as unknown:
                await called(client, "memory.approve", id="m_1")
            assert unknown.value.code == -32602
            return bad, alone

    bad, alone = asyncio.run(talk())

    assert bad.is_error is True
    assert "'limit' must be at most 100" in bad.content[0].text
    assert alone.is_error is True
    assert "only a person's own statement" in alone.content[0].text


def test_a_proposal_names_the_client_that_made_it(folder: Folder, mode: str) -> None:
    async def talk() -> Any:
        async with connected(folder, mode) as client:
            return await called(client, "memory.create", **PROPOSAL)

    created = asyncio.run(talk())

    with open_memory(home=folder.home, folder=folder.repo) as memory:
        record = memory.explain(created.structured_content["id"]).record
    assert record.memory.source == "mcp:mcp"
