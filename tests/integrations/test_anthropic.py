"""The memory tool of the Claude API, beside the SDK's own."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast.integrations.shelf import DocumentShelf
from tests.requirements import requirement
from torture.frameworks.installed import install
from torture.frameworks.memory_tool import compare_memory_tool

TEA = "/memories/tea.md"


def tool_of(place: str, tenant: str, user: str = "ada") -> Any:
    install("anthropic.lib.tools", "anthropic.tools.memory")
    from holdfast.integrations.anthropic import MemoryTool

    return MemoryTool(place, tenant=tenant, user=user)


@pytest.fixture
def tool(place: str, tenant: str) -> Iterator[Any]:
    opened = tool_of(place, tenant)
    yield opened
    opened.close()


def call(tool: Any, command: str, **given: Any) -> str:
    return str(tool.call({"command": command, **given}))


def refusal(tool: Any, command: str, **given: Any) -> str:
    from anthropic.lib.tools import ToolError

    with pytest.raises(ToolError) as refused:
        call(tool, command, **given)
    return str(refused.value)


@requirement("frameworks.anthropic-memory-tool")
def test_random_commands_are_answered_as_by_the_sdk(tmp_path: Path) -> None:
    found = compare_memory_tool(700, seed=3, folder=tmp_path)

    assert (found.differences, found.operations) == ([], 700)


@requirement("frameworks.on-both-stores")
@requirement("frameworks.undo")
def test_files_have_a_history_and_changes_can_be_undone(tool: Any) -> None:
    call(tool, "create", path=TEA, file_text="Ada drinks tea.\n")
    call(tool, "str_replace", path=TEA, old_str="tea", new_str="coffee")
    call(tool, "create", path="/memories/d/e/x", file_text="")
    call(tool, "delete", path="/memories/d")

    undone = [tool.undo() for _ in range(3)]

    assert [{one.command for one in each} for each in undone] == [
        *({"delete"}, {"create"}, {"str_replace"}),
    ]
    assert "Ada drinks tea." in call(tool, "view", path=TEA)
    assert call(tool, "view", path="/memories").count("\n") == 2
    assert [(one.command, one.before) for one in tool.history(TEA)] == [("create", None)]
    assert [len(tool.undo()) for _ in range(2)] == [1, 0]
    assert refusal(tool, "view", path=TEA).startswith(f"The path {TEA} does not exist")


@requirement("frameworks.undo")
def test_a_rename_is_undone_and_a_later_change_stops_an_undo(tool: Any, tenant: str) -> None:
    call(tool, "create", path="/memories/d/a", file_text="one")
    call(tool, "rename", old_path="/memories/d", new_path="/memories/e")
    tool.undo()
    assert "one" in call(tool, "view", path="/memories/d/a")

    beside = tool._shelf
    found = beside.get("/memories/d/a")
    from holdfast.domain.documents.document import PutDocument

    beside.keep([PutDocument(name=found.name, value={"text": "other"}, source="test")])
    from anthropic.lib.tools import ToolError

    with pytest.raises(ToolError, match="has changed since"):
        tool.undo()


@requirement("frameworks.refuse-in-their-words")
def test_a_secret_is_an_error_of_the_tool(tool: Any) -> None:
    said = refusal(tool, "create", path=TEA, file_text="the password is hunter2-and-more")

    assert "looks like a secret" in said
    assert "Nothing was written. Remove the secret from the text." in said
    assert call(tool, "view", path="/memories").endswith("\t/memories")


@requirement("frameworks.refuse-in-their-words")
@pytest.mark.parametrize(
    "path", ["/memories/.\u200b./z", "/memories/\u202egpj.md", "/memories/" + "x" * 1_000]
)
def test_a_path_that_is_not_what_it_seems_is_refused(tool: Any, path: str) -> None:
    assert "all of them visible" in refusal(tool, "create", path=path, file_text="x")
    assert call(tool, "view", path="/memories").endswith("\t/memories")


@requirement("frameworks.spaces-apart")
def test_users_have_files_of_their_own(tool: Any, place: str, tenant: str) -> None:
    call(tool, "create", path=TEA, file_text="Ada drinks tea.")
    bob = tool_of(place, tenant, "bob")

    assert refusal(bob, "view", path=TEA).endswith("Please provide a valid path.")
    assert bob.space != tool.space
    bob.close()


@requirement("frameworks.seen-by-people")
def test_people_find_the_text_of_files(
    tool: Any, place: str, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    call(tool, "create", path=TEA, file_text="Ada drinks green tea.\n")
    call(tool, "str_replace", path=TEA, old_str="green", new_str="black")
    monkeypatch.setenv("HOLDFAST_TENANT", tenant)
    address = place if place.startswith("postgresql://") else ""

    with holdfast.open(space=tool.space, store=address, name="ada") as memory:
        listed = [one.text for one in memory.list()]
        answer = memory.recall("what does Ada drink", budget=500)
        (kept,) = [one for one in memory.list() if "black" in one.text]
        forgotten = memory.forget(kept)

    assert listed[0] == "Ada drinks black tea."
    assert [hit.text for hit in answer] == ["Ada drinks black tea."]
    assert forgotten is not None
    assert refusal(tool, "view", path=TEA).startswith(f"The path {TEA} does not exist")


def test_clearing_forgets_everything(tool: Any) -> None:
    call(tool, "create", path=TEA, file_text="Ada drinks tea.")

    assert tool.clear_all_memory() == "All memory cleared"
    assert call(tool, "view", path="/memories").endswith("\t/memories")
    assert tool.history() == []


def test_the_tool_can_be_awaited(place: str, tenant: str) -> None:
    install("anthropic.lib.tools")
    from anthropic.lib.tools import ToolError

    from holdfast.integrations.anthropic import AsyncMemoryTool

    async def used() -> list[str]:
        tool = AsyncMemoryTool(place, tenant=tenant, cache_control={"type": "ephemeral"})
        commands: list[dict[str, Any]] = [
            {"command": "create", "path": TEA, "file_text": "one\n"},
            {"command": "insert", "path": TEA, "insert_line": 1, "insert_text": "two"},
            {"command": "str_replace", "path": TEA, "old_str": "two", "new_str": "2"},
            {"command": "view", "path": TEA},
            {"command": "rename", "old_path": TEA, "new_path": "/memories/x"},
            {"command": "delete", "path": "/memories/x"},
        ]
        answers = [str(await tool.call(one)) for one in commands]
        with pytest.raises(ToolError, match="does not exist"):
            await tool.call(commands[-1])
        answers.append(str(await tool.clear_all_memory()))
        assert tool.to_dict()["cache_control"] == {"type": "ephemeral"}
        tool.close()
        return answers

    answers = asyncio.run(used())

    assert answers[3].endswith("     1\tone\n     2\t2\n     3\t")
    assert answers[-2:] == ["Successfully deleted /memories/x", "All memory cleared"]


def test_a_closed_shelf_is_refused(place: str, tenant: str) -> None:
    with DocumentShelf("test", store=place, tenant=tenant) as shelf:
        inner = DocumentShelf("test", store=shelf, tenant=tenant, user="bob")
        inner.close()
        assert shelf.within() == []

    with pytest.raises(holdfast.ClosedError):
        shelf.within()
