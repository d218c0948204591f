"""The static list of tools: what the SDK accepts, and what the model really allows."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

import mcp_types
import pytest
from mcp import Client
from mcp.server import MCPServer
from mcp_types.methods import validate_server_result
from pydantic import Field

from holdfast.domain.choices import EvidenceType, Kind, Origin, Scope, Status
from holdfast.domain.memory.evidence import LONGEST_REFERENCE
from holdfast.domain.memory.memory import (
    LONGEST_CLAIM,
    LONGEST_KEY,
    LONGEST_TAG,
    MOST_EVIDENCE,
    MOST_TAGS,
)
from holdfast.domain.recall.question import (
    DEFAULT_BUDGET,
    DEFAULT_LIMIT,
    INCLUDABLE,
    MOST_ITEMS,
    MOST_TOKENS,
)
from holdfast.surfaces.mcp.catalogue import TOOLS
from holdfast.surfaces.mcp.listed.instructions import INSTRUCTIONS
from holdfast.surfaces.mcp.tools.every import TOOL_BY_NAME
from holdfast.usecases.memory.remember import RememberOutcome
from tests.mcp.door import META, Door
from tests.mcp.schema import is_a_schema
from tests.requirements import requirement

BY_NAME: dict[str, Any] = {str(tool["name"]): tool for tool in TOOLS}
KIND = Literal[
    "fact", "gotcha", "decision", "plan", "rule", "name-alias", "insight", "exemplar",
    "assumption", "invariant", "observation", "reflection", "result", "failure",
]  # fmt: skip
SCOPE = Literal["repo", "workspace", "global"]

oracle = MCPServer("oracle")


@oracle.tool(name="memory.list")
def memory_list(
    q: Annotated[str, Field(max_length=8_192)] = "",
    scope: SCOPE = "repo",
    limit: Annotated[int, Field(ge=1, le=100)] = 10,
    status: Literal["accepted", "candidate"] = "accepted",
) -> dict[str, Any]:
    raise NotImplementedError


@oracle.tool(name="memory.create")
def memory_create(  # noqa: PLR0913, PLR0917 - the oracle has the tool's own arguments
    kind: KIND,
    evidence: Annotated[list[Any], Field(min_length=1, max_length=64)],
    claim: Annotated[str, Field(min_length=1, max_length=65_536)] = "c",
    value: Annotated[str, Field(min_length=1, max_length=65_536)] = "c",
    key: Annotated[str, Field(min_length=1, max_length=200)] = "k",
    scope: SCOPE = "repo",
    tags: Annotated[list[str], Field(max_length=32)] = [],  # noqa: B006 - read for its type only
    ttl: Annotated[str, Field(max_length=20)] = "never",
    because: Annotated[str, Field(min_length=1, max_length=2_000)] = "b",
    checks: Annotated[list[str], Field(max_length=8)] = [],  # noqa: B006 - read for its type only
    sensitive: bool = False,  # noqa: FBT001, FBT002 - the tool's own argument
) -> dict[str, Any]:
    raise NotImplementedError


@oracle.tool(name="memory.delete")
def memory_delete(
    id: Annotated[str, Field(min_length=3, max_length=100)],  # noqa: A002 - the tool's own word
    reason: Annotated[str, Field(max_length=500)] = "",
) -> dict[str, Any]:
    raise NotImplementedError


@oracle.tool(name="context.assemble", structured_output=False)
def context_assemble(
    q: Annotated[str, Field(min_length=1, max_length=8_192)],
    budget: Annotated[int, Field(ge=1, le=1_000_000)] = 2_000,
    include: Annotated[
        list[Literal["memory", "code", "history", "tasks", "sessions"]],
        Field(min_length=1, max_length=5),
    ] = [],  # noqa: B006 - read for its type only
    limit: Annotated[int, Field(ge=1, le=200)] = 20,
    deep: bool = False,  # noqa: FBT001, FBT002 - an argument of the tool
) -> str:
    raise NotImplementedError


@oracle.tool(name="run.finish")
def run_finish(
    summary: Annotated[str, Field(min_length=1, max_length=20_000)],
    goal: Annotated[str, Field(max_length=2_000)] = "",
    run: Annotated[str, Field(min_length=3, max_length=100)] = "r_1",
) -> dict[str, Any]:
    raise NotImplementedError


TASK_KINDS = Literal["task", "bug", "feature", "chore", "milestone"]
NOTES = Annotated[str, Field(min_length=0, max_length=16_384)]
SOME_TASKS = Annotated[list[str], Field(max_length=100)]
SOME_LABELS = Annotated[list[str], Field(max_length=50)]


@oracle.tool(name="task.list")
def task_list(
    id: Annotated[str, Field(min_length=1, max_length=200)] = "t_1",  # noqa: A002 - the tool's word
    statuses: Annotated[list[str], Field(max_length=4)] = [],  # noqa: B006 - read for its type
    limit: Annotated[int, Field(ge=1, le=100)] = 20,
) -> dict[str, Any]:
    raise NotImplementedError


@oracle.tool(name="task.add")
def task_add(  # noqa: PLR0913, PLR0917 - the fields of a task
    title: Annotated[str, Field(min_length=1, max_length=500)],
    notes: NOTES = "",
    kind: TASK_KINDS = "task",
    priority: Annotated[int, Field(ge=0, le=4)] = 2,
    parent: Annotated[str, Field(min_length=0, max_length=200)] = "",
    after: SOME_TASKS = [],  # noqa: B006 - read for its type only
    labels: SOME_LABELS = [],  # noqa: B006 - read for its type only
    evidence: Annotated[list[Any], Field(min_length=1, max_length=64)] = [],  # noqa: B006 - the same
    because: Annotated[str, Field(min_length=1, max_length=2_000)] = "b",
    branch: Annotated[str, Field(min_length=0, max_length=250)] = "",
) -> dict[str, Any]:
    raise NotImplementedError


@oracle.tool(name="task.update")
def task_update(  # noqa: PLR0913, PLR0917 - the fields of a task
    action: Literal["claim", "start", "release", "done", "block", "unblock", "edit"],
    id: Annotated[str, Field(min_length=1, max_length=200)] = "t_1",  # noqa: A002 - the tool's word
    why: Annotated[str, Field(min_length=1, max_length=500)] = "w",
    lease: Annotated[str, Field(min_length=1, max_length=20)] = "1h",
    worker: Annotated[str, Field(min_length=1, max_length=120)] = "w",
    title: Annotated[str, Field(min_length=1, max_length=500)] = "t",
    notes: NOTES = "",
    kind: TASK_KINDS = "task",
    priority: Annotated[int, Field(ge=0, le=4)] = 2,
    parent: Annotated[str, Field(min_length=0, max_length=200)] = "",
    after: SOME_TASKS = [],  # noqa: B006 - read for its type only
    labels: SOME_LABELS = [],  # noqa: B006 - read for its type only
    evidence: Annotated[list[Any], Field(min_length=1, max_length=64)] = [],  # noqa: B006 - the same
    because: Annotated[str, Field(min_length=1, max_length=2_000)] = "b",
    branch: Annotated[str, Field(min_length=0, max_length=250)] = "",
    not_after: SOME_TASKS = [],  # noqa: B006 - read for its type only
    not_labels: SOME_LABELS = [],  # noqa: B006 - read for its type only
) -> dict[str, Any]:
    raise NotImplementedError


@oracle.tool(name="session.hydrate")
def session_hydrate(
    budget: Annotated[int, Field(ge=100, le=100_000)] = 800,
    branch: Annotated[str, Field(min_length=1, max_length=250)] = "main",
) -> dict[str, Any]:
    raise NotImplementedError


@oracle.tool(name="session.note")
def session_note(
    text: Annotated[str, Field(min_length=1, max_length=2_000)] = "t",
    kind: Literal["note", "subtask", "approval", "goal", "question", "artefact"] = "note",
    session: Annotated[str, Field(min_length=1, max_length=200)] = "i_1",
    id: Annotated[str, Field(min_length=1, max_length=200)] = "n_1",  # noqa: A002 - the tool's word
    state: Literal["open", "done"] = "open",
) -> dict[str, Any]:
    raise NotImplementedError


ID = Annotated[str, Field(min_length=1, max_length=200)]
SESSION = Annotated[str, Field(min_length=1, max_length=200)]
RUN = Annotated[str, Field(min_length=1, max_length=100)]
FEW = Annotated[int, Field(ge=1, le=100)]
NONE: list[str] = []


@oracle.tool(name="memory.get")
def memory_get(ids: Annotated[list[str], Field(min_length=1, max_length=20)]) -> dict[str, Any]:
    raise NotImplementedError


@oracle.tool(name="memory.update")
def memory_update(
    id: ID,  # noqa: A002 - the tool's word
    claim: Annotated[str, Field(min_length=1, max_length=65_536)],
    evidence: Annotated[list[Any], Field(min_length=1, max_length=64)],
    kind: KIND = "fact",
    because: Annotated[str, Field(min_length=1, max_length=2_000)] = "b",
) -> dict[str, Any]:
    raise NotImplementedError


@oracle.tool(name="memory.related")
def memory_related(id: ID, limit: FEW = 20) -> dict[str, Any]:  # noqa: A002 - the tool's word
    raise NotImplementedError


@oracle.tool(name="memory.explain")
def memory_explain(id: ID, bundle: ID = "c_1") -> dict[str, Any]:  # noqa: A002 - the tool's word
    raise NotImplementedError


@oracle.tool(name="memory.feedback")
def memory_feedback(bundle: ID, good: bool) -> dict[str, Any]:  # noqa: FBT001 - the tool's own
    raise NotImplementedError


@oracle.tool(name="memory.verify")
def memory_verify(
    ids: Annotated[list[str], Field(min_length=1, max_length=100)] = NONE, at: ID = "main"
) -> dict[str, Any]:
    raise NotImplementedError


@oracle.tool(name="code.context")
def code_context(
    symbol: Annotated[str, Field(min_length=1, max_length=500)], limit: FEW = 20
) -> dict[str, Any]:
    raise NotImplementedError


@oracle.tool(name="blame")
def blame(place: Annotated[str, Field(min_length=1, max_length=1_000)]) -> dict[str, Any]:
    raise NotImplementedError


@oracle.tool(name="session.start")
def session_start() -> dict[str, Any]:
    raise NotImplementedError


@oracle.tool(name="session.turn")
def session_turn(
    session: SESSION,
    q: Annotated[str, Field(min_length=1, max_length=8_192)],
    bundle: ID = "c_1",
    satisfied: bool = False,  # noqa: FBT001, FBT002 - the tool's own argument
    notes: Annotated[str, Field(min_length=0, max_length=20_000)] = "",
) -> dict[str, Any]:
    raise NotImplementedError


@oracle.tool(name="session.end")
def session_end(session: SESSION) -> dict[str, Any]:
    raise NotImplementedError


@oracle.tool(name="session.resume")
def session_resume(session: SESSION) -> dict[str, Any]:
    raise NotImplementedError


@oracle.tool(name="run.start")
def run_start(
    goal: Annotated[str, Field(min_length=0, max_length=2_000)] = "",
) -> dict[str, Any]:
    raise NotImplementedError


@oracle.tool(name="run.note")
def run_note(
    text: Annotated[str, Field(min_length=1, max_length=20_000)], run: RUN
) -> dict[str, Any]:
    raise NotImplementedError


@oracle.tool(name="run.list")
def run_list(id: RUN = "r_1", limit: FEW = 20) -> dict[str, Any]:  # noqa: A002 - the tool's word
    raise NotImplementedError


@oracle.tool(name="review.list")
def review_list(
    ids: Annotated[list[str], Field(min_length=1, max_length=100)] = NONE, limit: FEW = 20
) -> dict[str, Any]:
    raise NotImplementedError


def skeleton(schema: dict[str, Any]) -> dict[str, Any]:
    """Return what a schema demands, without words, titles, defaults and what lists hold."""
    told = {"type", "enum", "minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems"}
    return {
        "required": sorted(schema.get("required", [])),
        "properties": {
            name: {key: value for key, value in property_.items() if key in told}
            for name, property_ in schema["properties"].items()
        },
    }


@requirement("mcp.tools-fit-the-sdk")
def test_the_tools_demand_what_the_sdk_would_demand_for_them() -> None:
    async def listed() -> list[mcp_types.Tool]:
        async with Client(oracle) as client:
            return (await client.list_tools()).tools

    theirs = {tool.name: tool for tool in asyncio.run(listed())}

    # 'from' is no name of a parameter in Python, so the oracle cannot have memory.link.
    assert set(BY_NAME) == set(TOOL_BY_NAME) == {*theirs, "memory.link"}
    for name, oracles in theirs.items():
        tool = BY_NAME[name]
        assert skeleton(tool["inputSchema"]) == skeleton(oracles.input_schema)
        assert ("outputSchema" in tool) == (oracles.output_schema is not None)


@requirement("mcp.tools-fit-the-sdk")
@pytest.mark.parametrize("tool", TOOLS, ids=list(BY_NAME))
def test_the_sdk_reads_a_tool_and_drops_nothing_of_it(tool: dict[str, Any]) -> None:
    read = mcp_types.Tool.model_validate(tool)

    assert read.model_dump(by_alias=True, exclude_none=True, mode="json") == tool


@pytest.mark.parametrize("version", ["2024-11-05", "2025-11-25", "2026-07-28"])
def test_the_answers_fit_each_version_of_the_protocol(door: Door, version: str) -> None:
    params: dict[str, object] = {"_meta": META} if version == "2026-07-28" else {}
    if version == "2026-07-28":
        validate_server_result(
            "server/discover", version, door.ask("server/discover", params)["result"]
        )
    called = door.ask("tools/call", {**params, "name": "memory.list"})["result"]

    validate_server_result("tools/list", version, door.ask("tools/list", params)["result"])
    validate_server_result("tools/call", version, called)


@pytest.mark.parametrize("tool", TOOLS, ids=list(BY_NAME))
def test_every_schema_is_a_schema(tool: dict[str, Any]) -> None:
    for name in {"inputSchema", "outputSchema"} & set(tool):
        assert is_a_schema(tool[name])


def test_the_hints_are_those_that_clients_act_on() -> None:
    closed = {"openWorldHint": False}

    assert BY_NAME["memory.list"]["annotations"] == {"readOnlyHint": True, **closed}
    assert BY_NAME["context.assemble"]["annotations"] == {"readOnlyHint": True, **closed}
    assert BY_NAME["memory.delete"]["annotations"] == {
        "readOnlyHint": False,
        "destructiveHint": True,
        "idempotentHint": True,
        **closed,
    }
    assert BY_NAME["memory.create"]["annotations"]["destructiveHint"] is False
    assert BY_NAME["memory.create"]["annotations"]["openWorldHint"] is False


@requirement("mcp.tools-fit-the-sdk")
@pytest.mark.parametrize("tool", TOOLS, ids=list(BY_NAME))
def test_limits_and_choices_are_told_in_words_too(tool: dict[str, Any]) -> None:
    for name, property_ in tool["inputSchema"]["properties"].items():
        words = property_["description"].replace("'", "").replace('"', "")
        numbers = [property_[key] for key in ("minimum", "maximum") if key in property_]
        numbers += [
            property_[key] for key in ("maxItems",) if key in property_ and name != "include"
        ]
        assert all(f"{number:,}" in words for number in numbers), name
        choices = [*property_.get("enum", []), *property_.get("items", {}).get("enum", [])]
        assert all(choice in words for choice in choices), name


def test_the_choices_are_the_models_own() -> None:
    create, listing = BY_NAME["memory.create"], BY_NAME["memory.list"]
    inputs, outputs = create["inputSchema"]["properties"], create["outputSchema"]["properties"]
    [_, evidence] = inputs["evidence"]["items"]["anyOf"]

    assert inputs["kind"]["enum"] == [kind.value for kind in Kind]
    assert inputs["scope"]["enum"] == [scope.value for scope in Scope]
    assert outputs["status"]["enum"] == [status.value for status in Status]
    assert outputs["trust"]["enum"] == [origin.value for origin in Origin]
    assert evidence["properties"]["type"]["enum"] == [kind.value for kind in EvidenceType]
    of_people = {RememberOutcome.SUPERSEDED, RememberOutcome.RENEWED}
    assert set(outputs["outcome"]["enum"]) == set(RememberOutcome) - of_people
    assert set(listing["inputSchema"]["properties"]["status"]["enum"]) <= set(Status)


def test_the_limits_are_the_models_own() -> None:
    create = BY_NAME["memory.create"]["inputSchema"]["properties"]
    assemble = BY_NAME["context.assemble"]["inputSchema"]["properties"]

    assert create["claim"]["maxLength"] == create["value"]["maxLength"] == LONGEST_CLAIM
    assert create["key"]["maxLength"] == LONGEST_KEY
    assert create["tags"]["maxItems"] == MOST_TAGS
    assert create["tags"]["items"]["maxLength"] == LONGEST_TAG
    assert create["evidence"]["maxItems"] == MOST_EVIDENCE
    assert create["because"]["maxLength"] == LONGEST_REFERENCE
    assert assemble["budget"]["maximum"] == MOST_TOKENS
    assert assemble["budget"]["default"] == DEFAULT_BUDGET
    assert assemble["limit"]["maximum"] == MOST_ITEMS
    assert assemble["limit"]["default"] == DEFAULT_LIMIT
    assert assemble["include"]["items"]["enum"] == list(INCLUDABLE)


def test_names_are_short_and_plain_enough_for_every_client() -> None:
    for name in BY_NAME:
        assert len(name) <= 40
        assert set(name) <= set("abcdefghijklmnopqrstuvwxyz._")
        assert "__" not in name
    assert len(INSTRUCTIONS) < 1_000
