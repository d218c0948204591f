"""Progress, cancellation, and questions to the person at the client."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp_types import ElicitResult

from holdfast.surfaces.mcp.pending import ANSWER_SECONDS
from holdfast.surfaces.python.api import open_memory
from tests.mcp.door import CLAIM, COMMAND, HELLO, META, Door, Folder, kept, told_by_a_person
from tests.requirements import requirement

ASKING: dict[str, object] = {**HELLO, "capabilities": {"elicitation": {}}}
MODERN = {**META, "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}}}
YES = {"action": "accept", "content": {"confirm": True}}
_NO = "A person was asked, and said no."
_CLOSED = "A person was asked, and closed the question without an answer."
_UNREADABLE = "The client was asked to ask a person, and sent back no answer that can be read."
NOT_YES: list[tuple[Any, str]] = [
    ({"action": "accept", "content": {"confirm": False}}, _NO),
    ({"action": "decline"}, _NO),
    ({"action": "cancel"}, _CLOSED),
    ({"action": "accept", "content": {}}, _UNREADABLE),
    ({"action": "accept"}, _UNREADABLE),
    ({"action": "accept", "content": {"confirm": "true"}}, _UNREADABLE),
    ({"action": "accept", "content": {"confirm": 1}}, _UNREADABLE),
    ("accept", _UNREADABLE),
]


def message(method: str, params: object, request_id: object = 1) -> bytes:
    return json.dumps(
        {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}
    ).encode()


def a_call(tool: str, request_id: object = 1, **arguments: object) -> bytes:
    return message("tools/call", {"name": tool, "arguments": arguments}, request_id)


def cancelled(request_id: object) -> bytes:
    params = {"requestId": request_id}
    notice = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}
    return json.dumps(notice).encode()


def answer(request_id: str, **outcome: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": request_id, **outcome}).encode()


@pytest.fixture
def asking(door: Door) -> Door:
    """A client whose user can be asked, where a person let such answers decide."""
    door.engine.person = "ada"
    door.ask("initialize", ASKING)
    return door


@requirement("mcp.progress-and-cancellation")
def test_a_client_that_asks_for_progress_gets_rising_numbers(door: Door) -> None:
    params = {"name": "context.assemble", "arguments": {"q": "x"}, "_meta": {"progressToken": "p"}}

    *told, last = door.tell(message("tools/call", params))

    assert [one["params"]["progressToken"] for one in told] == ["p"] * len(told)
    numbers = [one["params"]["progress"] for one in told]
    assert numbers == sorted(set(numbers))
    assert len(numbers) >= 2
    assert last["result"]["isError"] is False


def test_a_client_that_does_not_ask_gets_no_progress(door: Door) -> None:
    assert len(door.tell(a_call("context.assemble", q="x"))) == 1


@requirement("mcp.progress-and-cancellation")
def test_a_cancelled_call_is_not_answered_and_the_others_are(door: Door) -> None:
    door.arriving = [cancelled(1), message("ping", {}, 2), cancelled(77), b"nonsense cancelled"]

    said = door.tell(a_call("memory.create", kind="fact", claim=CLAIM, evidence=["src/app.py:1"]))

    assert [one.get("id") for one in said] == [2, None]
    assert door.app.memories.browse is not None
    assert door.call("memory.list", status="candidate")["structuredContent"]["total"] == 0


def test_a_line_that_only_quotes_a_cancellation_is_answered(door: Door) -> None:
    door.arriving = [
        a_call("memory.list", 5, q="notifications/cancelled"),
        b"{notifications/cancelled",
    ]

    said = door.tell(a_call("memory.list", 4))

    assert [one["id"] for one in said] == [4, 5, None]


@requirement("mcp.a-person-is-asked")
def test_a_person_at_the_client_forgets_a_memory(asking: Door) -> None:
    name = told_by_a_person(asking.app, CLAIM)

    [question] = asking.tell(a_call("memory.delete", 7, id=name))
    ping = asking.ask("ping", request_id=8)
    [done] = asking.tell(answer(question["id"], result=YES))

    assert question["method"] == "elicitation/create"
    assert CLAIM in question["params"]["message"]
    assert ping["id"] == 8
    assert (done["id"], done["result"]["structuredContent"]["deleted"]) == (7, True)
    assert asking.call("memory.get", ids=[name])["isError"] is True


@requirement("mcp.a-person-is-asked")
@pytest.mark.parametrize(("said", "why"), NOT_YES)
def test_anything_but_a_clear_yes_decides_nothing(asking: Door, said: object, why: str) -> None:
    name = told_by_a_person(asking.app, CLAIM)

    [question] = asking.tell(a_call("memory.delete", 7, id=name))
    [done] = asking.tell(answer(question["id"], result=said))

    assert done["result"]["structuredContent"]["deleted"] is False
    assert done["result"]["structuredContent"]["message"] == f"{why} {name} stays."
    assert kept(asking, name).memory.claim == CLAIM


def test_an_error_of_the_client_decides_nothing_and_is_not_told_as_a_no(asking: Door) -> None:
    name = told_by_a_person(asking.app, CLAIM)

    [question] = asking.tell(a_call("memory.delete", 7, id=name))
    [done] = asking.tell(answer(question["id"], error={"code": -32603, "message": "no"}))

    assert done["result"]["structuredContent"]["deleted"] is False
    assert done["result"]["structuredContent"]["message"] == f"{_UNREADABLE} {name} stays."


@requirement("mcp.a-person-is-asked")
def test_an_answer_to_a_question_that_nobody_asked_does_nothing(asking: Door) -> None:
    name = told_by_a_person(asking.app, CLAIM)

    assert asking.tell(answer("holdfast-1", result=YES)) == []
    [question] = asking.tell(a_call("memory.delete", 7, id=name))
    asking.tell(answer(question["id"], result={"action": "decline"}))

    assert asking.tell(answer(question["id"], result=YES)) == []
    assert kept(asking, name).memory.claim == CLAIM


def test_a_question_whose_call_was_cancelled_is_withdrawn(asking: Door) -> None:
    name = told_by_a_person(asking.app, CLAIM)
    [question] = asking.tell(a_call("memory.delete", 7, id=name))

    [withdrawn] = asking.tell(cancelled(7))

    assert withdrawn["params"]["requestId"] == question["id"]
    assert asking.tell(answer(question["id"], result=YES)) == []
    assert kept(asking, name).memory.claim == CLAIM


@requirement("mcp.a-person-is-asked")
def test_a_person_at_the_client_links_memories(asking: Door) -> None:
    one, other = (told_by_a_person(asking.app, claim) for claim in ("Owls fly.", "Bats fly."))
    arguments = {"from": one, "to": other, "kind": "supports"}

    [question] = asking.tell(message("tools/call", {"name": "memory.link", "arguments": arguments}))
    refused = asking.tell(answer(question["id"], result={"action": "decline"}))
    [again] = asking.tell(message("tools/call", {"name": "memory.link", "arguments": arguments}))
    [done] = asking.tell(answer(again["id"], result=YES))

    assert refused[0]["result"]["structuredContent"]["linked"] is False
    assert done["result"]["structuredContent"]["linked"] is True
    [(link, _)] = asking.app.memories.related(one)
    assert link.kind == "supports"


@requirement("mcp.agents-only-propose")
@pytest.mark.parametrize("capabilities", [{}, {"elicitation": {"url": {}}}, {"elicitation": None}])
def test_a_client_without_forms_only_proposes(door: Door, capabilities: object) -> None:
    door.engine.person = "ada"
    door.ask("initialize", {**HELLO, "capabilities": capabilities})
    name = told_by_a_person(door.app, CLAIM)

    result = door.call("memory.delete", id=name)["structuredContent"]

    assert result["deleted"] is False
    assert "a person decides" in result["message"]


@requirement("mcp.agents-only-propose")
def test_without_the_setting_nobody_is_asked_and_it_is_proposed(door: Door) -> None:
    door.ask("initialize", ASKING)
    name = told_by_a_person(door.app, CLAIM)

    result = door.call("memory.delete", id=name)["structuredContent"]

    assert "a person decides" in result["message"]
    assert kept(door, name).memory.claim == CLAIM


def modern(name: str, **more: object) -> bytes:
    params = {"name": "memory.delete", "arguments": {"id": name}, "_meta": MODERN, **more}
    return message("tools/call", params)


@requirement("mcp.a-person-is-asked")
def test_a_modern_client_repeats_the_call_with_the_answer(asking: Door) -> None:
    name = told_by_a_person(asking.app, CLAIM)

    [first] = asking.tell(modern(name))
    state = first["result"]["requestState"]
    [done] = asking.tell(modern(name, requestState=state, inputResponses={"confirm": YES}))

    assert first["result"]["resultType"] == "input_required"
    assert first["result"]["inputRequests"]["confirm"]["method"] == "elicitation/create"
    assert done["result"]["resultType"] == "complete"
    assert done["result"]["structuredContent"]["deleted"] is True


@requirement("mcp.a-person-is-asked")
def test_a_modern_answer_counts_once_for_its_own_question(asking: Door) -> None:
    name, other = (told_by_a_person(asking.app, claim) for claim in ("Owls fly.", "Bats fly."))
    [first] = asking.tell(modern(name))
    state = first["result"]["requestState"]
    forged: list[dict[str, object]] = [
        {"inputResponses": {"confirm": YES}},
        {"requestState": "made up", "inputResponses": {"confirm": YES}},
        {"requestState": 5, "inputResponses": {"confirm": YES}},
        {"requestState": state},
    ]

    for more in forged:
        [again] = asking.tell(modern(name, **more))
        assert again["result"]["resultType"] == "input_required"
    [first] = asking.tell(modern(name))
    state = first["result"]["requestState"]
    [elsewhere] = asking.tell(modern(other, requestState=state, inputResponses={"confirm": YES}))
    [late] = asking.tell(modern(name, requestState=state, inputResponses={"confirm": YES}))

    assert elsewhere["result"]["resultType"] == late["result"]["resultType"] == "input_required"
    assert kept(asking, name).memory.claim == "Owls fly."
    assert kept(asking, other).memory.claim == "Bats fly."


@requirement("mcp.a-person-is-asked")
def test_a_question_that_nobody_answers_ends_its_call(asking: Door) -> None:
    name = told_by_a_person(asking.app, CLAIM)
    [question] = asking.tell(a_call("memory.delete", 7, id=name))
    assert asking.conversation.watches
    asking.seconds = ANSWER_SECONDS - 1
    asking.conversation.look()
    assert len(asking.sent) == 2

    asking.seconds = ANSWER_SECONDS
    asking.conversation.look()

    *_, withdrawn, ended = asking.sent
    assert withdrawn["params"] == {"requestId": question["id"]}
    assert (ended["id"], ended["result"]["isError"]) == (7, True)
    assert "Nobody answered" in ended["result"]["content"][0]["text"]
    assert not asking.conversation.watches
    assert asking.tell(answer(question["id"], result=YES)) == []
    assert kept(asking, name).memory.claim == CLAIM


@requirement("mcp.a-person-is-asked")
def test_a_late_answer_decides_nothing(asking: Door) -> None:
    name = told_by_a_person(asking.app, CLAIM)
    [question] = asking.tell(a_call("memory.delete", 7, id=name))
    [first] = asking.tell(modern(name))
    state = first["result"]["requestState"]
    asking.seconds = ANSWER_SECONDS

    late = asking.tell(answer(question["id"], result=YES))
    [again] = asking.tell(modern(name, requestState=state, inputResponses={"confirm": YES}))

    assert [one.get("id") for one in late] == [None, 7]
    assert again["result"]["resultType"] == "input_required"
    assert kept(asking, name).memory.claim == CLAIM


def test_open_questions_have_a_limit_and_the_oldest_goes(asking: Door) -> None:
    name = told_by_a_person(asking.app, CLAIM)
    [oldest] = asking.tell(modern(name))
    [asked] = asking.tell(a_call("memory.delete", 100, id=name))
    said = []
    for number in range(40):
        asking.tell(modern(name))
        said += asking.tell(a_call("memory.delete", number, id=name))
    ended = [one["id"] for one in said if "result" in one]
    assert ended == [100, *range(8)]

    state = oldest["result"]["requestState"]
    [again] = asking.tell(modern(name, requestState=state, inputResponses={"confirm": YES}))
    assert again["result"]["resultType"] == "input_required"
    assert asking.tell(answer(asked["id"], result=YES)) == []


@requirement("mcp.a-person-is-asked")
@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
@pytest.mark.parametrize("from_file", [True, False])
def test_the_sdk_client_asks_its_user_where_the_settings_file_lets_it(
    folder: Folder, mode: str, *, from_file: bool
) -> None:
    with open_memory(home=folder.home, folder=folder.repo) as memory:
        name = memory.remember(CLAIM, because="decided").id
    settings = folder.environment
    if from_file:
        (folder.home / "config.toml").write_text('"mcp.answers" = "decide"\n', encoding="utf-8")
    else:
        settings["HOLDFAST_MCP_ANSWERS"] = "decide"
    asked: list[str] = []

    async def say_yes(context: Any, params: Any) -> ElicitResult:
        del context
        asked.append(params.message)
        return ElicitResult(action="accept", content={"confirm": True})

    async def talk() -> Any:
        server = StdioServerParameters(
            command=COMMAND[0], args=COMMAND[1:], env=settings, cwd=folder.repo
        )
        async with Client(server, mode=mode, elicitation_callback=say_yes) as client:
            return await client.call_tool("memory.delete", {"id": name})

    result = asyncio.run(talk())

    # Whoever starts a server sets its variables, an agent with a shell too: only the file counts.
    assert result.structured_content["deleted"] is from_file
    assert len(asked) == int(from_file)
