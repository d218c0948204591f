"""The two profiles: a short list for small contexts, and all tools."""

from __future__ import annotations

import json
from typing import Any

import mcp_types
import pytest

from holdfast.bootstrap.opening.wiring import token_counter
from holdfast.surfaces.mcp.catalogue import CORE, FULL, TOOLS, tools_of
from holdfast.surfaces.mcp.tools.every import SCHEMAS
from tests.mcp.door import HELLO, Door, Folder
from tests.mcp.schema import is_a_schema
from tests.requirements import requirement

MOST_TOKENS = 1_200


def names(door: Door) -> list[str]:
    return [tool["name"] for tool in door.ask("tools/list")["result"]["tools"]]


@requirement("mcp.core-profile-is-small")
def test_the_core_list_is_six_tools_in_few_tokens() -> None:
    listed = json.dumps({"tools": tools_of(CORE)}, ensure_ascii=False, separators=(",", ":"))

    assert len(tools_of(CORE)) == 6
    assert token_counter("exact").count(listed) <= MOST_TOKENS


@requirement("mcp.core-profile-is-small")
@pytest.mark.parametrize("tool", tools_of(CORE), ids=lambda tool: str(tool["name"]))
def test_a_core_tool_is_the_full_one_in_few_words(tool: dict[str, Any]) -> None:
    full: dict[str, Any] = SCHEMAS[tool["name"]]

    assert is_a_schema(tool["inputSchema"])
    assert mcp_types.Tool.model_validate(tool).name == tool["name"]
    assert set(tool["inputSchema"]["properties"]) <= set(full["properties"])
    assert tool["inputSchema"]["required"] == full["required"]


def test_the_profile_decides_what_is_listed_and_all_of_it_is_served() -> None:
    door = Door(profile=CORE)

    assert names(door) == [str(tool["name"]) for tool in tools_of(CORE)]
    assert names(Door(profile=FULL)) == [str(tool["name"]) for tool in TOOLS]
    assert door.call("task.list")["isError"] is False


@pytest.mark.parametrize(
    ("words", "setting", "count"),
    [((), None, len(TOOLS)), (("--profile", "core"), "full", 6), ((), "core", 6)],
)
def test_the_profile_is_an_option_or_a_setting(
    folder: Folder, words: tuple[str, ...], setting: str | None, count: int
) -> None:
    if setting is not None:
        (folder.home / "config.toml").write_text(f'"mcp.profile" = "{setting}"\n', encoding="utf-8")

    with folder.spawn(*words) as server:
        server.ask("initialize", HELLO)
        listed = server.ask("tools/list")["result"]["tools"]
        _, rest, errors = server.end()

    assert (len(listed), rest, errors) == (count, b"", b"")


def test_a_setting_that_cannot_be_read_lists_all_tools(folder: Folder) -> None:
    (folder.home / "config.toml").write_text('"mcp.profile" = "tiny"\n', encoding="utf-8")

    with folder.spawn() as server:
        listed = server.ask("tools/list")["result"]["tools"]
        _, _, errors = server.end()

    assert len(listed) == len(TOOLS)
    assert errors.startswith(b"holdfast mcp: ")
