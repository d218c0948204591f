"""Both eras of the protocol, message by message."""

from __future__ import annotations

import json

import pytest

from tests.mcp.door import HELLO, META, Door
from tests.requirements import requirement

NAME = "io.modelcontextprotocol/"


@requirement("mcp.both-eras")
@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_a_handshake_gets_the_version_it_asked_for(door: Door, version: str) -> None:
    answer = door.ask("initialize", {**HELLO, "protocolVersion": version})

    assert answer["result"]["protocolVersion"] == version
    assert answer["result"]["serverInfo"]["name"] == "holdfast"
    assert answer["result"]["capabilities"] == {
        "tools": {"listChanged": False},
        "resources": {"subscribe": True, "listChanged": False},
        "prompts": {"listChanged": False},
        "completions": {},
    }
    assert "quoted data" in answer["result"]["instructions"]


@pytest.mark.parametrize("version", ["2026-07-28", "1999-01-01", None, 7, ["2025-11-25"]])
def test_a_handshake_with_another_version_gets_the_newest_of_its_era(
    door: Door, version: object
) -> None:
    answer = door.ask("initialize", {**HELLO, "protocolVersion": version})

    assert answer["result"]["protocolVersion"] == "2025-11-25"


def test_a_handshake_request_gets_a_plain_result(door: Door) -> None:
    door.ask("initialize", HELLO)

    assert door.ask("ping", request_id="seven") == {"jsonrpc": "2.0", "id": "seven", "result": {}}
    assert set(door.ask("tools/list")["result"]) == {"tools"}
    assert "resultType" not in door.call("memory.list")


def test_a_client_that_never_greets_is_served(door: Door) -> None:
    assert door.ask("tools/list", {})["result"]["tools"]
    assert door.call("memory.list")["isError"] is False


@requirement("mcp.both-eras")
def test_a_modern_client_discovers_the_server(door: Door) -> None:
    result = door.ask("server/discover", {"_meta": META})["result"]

    assert result["supportedVersions"] == ["2026-07-28"]
    assert result["resultType"] == "complete"
    assert result["ttlMs"] >= 0
    assert result["cacheScope"] == "public"
    assert result["_meta"][f"{NAME}serverInfo"]["name"] == "holdfast"
    assert "quoted data" in result["instructions"]


def test_a_probe_without_an_envelope_is_answered_too(door: Door) -> None:
    assert door.ask("server/discover")["result"]["supportedVersions"] == ["2026-07-28"]


def test_every_modern_result_is_typed_and_signed(door: Door) -> None:
    listed = door.ask("tools/list", {"_meta": META})["result"]
    called = door.ask("tools/call", {"_meta": META, "name": "memory.list"})["result"]
    failed = door.ask("tools/call", {"_meta": META, "name": "memory.delete"})["result"]

    assert failed["isError"] is True
    assert {"ttlMs", "cacheScope"} <= set(listed)
    for result in (listed, called, failed):
        assert result["resultType"] == "complete"
        assert f"{NAME}serverInfo" in result["_meta"]


@requirement("mcp.both-eras")
def test_an_unknown_modern_version_is_refused_with_those_we_speak(door: Door) -> None:
    meta = {**META, f"{NAME}protocolVersion": "2031-01-01"}

    error = door.ask("tools/list", {"_meta": meta})["error"]

    assert error["code"] == -32022
    assert error["data"]["requested"] == "2031-01-01"
    assert error["data"]["supported"][0] == "2026-07-28"
    assert "2025-11-25" in error["data"]["supported"]


@pytest.mark.parametrize(
    ("meta", "named"),
    [
        ({f"{NAME}protocolVersion": "2026-07-28"}, "clientCapabilities"),
        ({**META, f"{NAME}protocolVersion": 5}, "protocolVersion"),
        ({**META, f"{NAME}protocolVersion": None}, "protocolVersion"),
    ],
)
def test_half_an_envelope_is_refused_by_name(
    door: Door, meta: dict[str, object], named: str
) -> None:
    error = door.ask("tools/list", {"_meta": meta})["error"]

    assert error["code"] == -32602
    assert named in error["message"]


def test_what_the_modern_era_dropped_is_not_found_there(door: Door) -> None:
    assert door.ask("ping", {"_meta": META})["error"]["code"] == -32601


def test_a_greeting_is_a_greeting_whatever_its_envelope(door: Door) -> None:
    result = door.ask("initialize", {**HELLO, "_meta": META})["result"]

    assert result["protocolVersion"] == "2025-11-25"


@pytest.mark.parametrize(
    "method", ["logging/setLevel", "sampling/createMessage", "", "nonsense", "x" * 9_000]
)
def test_an_unknown_method_is_not_found(door: Door, method: str) -> None:
    error = door.ask(method)["error"]

    assert error["code"] == -32601
    assert len(error["message"]) < 200


@pytest.mark.parametrize("name", ["memory.approve", "", 5, None, ["memory.list"]])
def test_an_unknown_tool_is_a_protocol_error(door: Door, name: object) -> None:
    assert door.ask("tools/call", {"name": name, "arguments": {}})["error"]["code"] == -32602


def test_a_second_page_of_tools_is_refused(door: Door) -> None:
    assert door.ask("tools/list", {"cursor": "2"})["error"]["code"] == -32602


@pytest.mark.parametrize("arguments", [[], "q", 5, True])
def test_arguments_that_are_no_object_are_a_protocol_error(door: Door, arguments: object) -> None:
    answer = door.ask("tools/call", {"name": "memory.list", "arguments": arguments})

    assert answer["error"]["code"] == -32602


@pytest.mark.parametrize(
    "method",
    ["notifications/initialized", "notifications/cancelled", "tools/call", "initialize", "no/such"],
)
@pytest.mark.parametrize("params", [None, {}, {"requestId": 1}, [], {"_meta": {"x": 1}}])
def test_a_notification_is_never_answered(door: Door, method: str, params: object) -> None:
    message = {"jsonrpc": "2.0", "method": method, "params": params}

    assert door.hear(json.dumps(message).encode()) is None


@pytest.mark.parametrize("outcome", [{"result": {}}, {"error": {"code": 1, "message": "no"}}])
def test_an_answer_nobody_asked_for_is_not_answered(door: Door, outcome: dict[str, object]) -> None:
    assert door.hear(json.dumps({"jsonrpc": "2.0", "id": 1, **outcome}).encode()) is None


@pytest.mark.parametrize("request_id", [0, -5, 10**40, "", "ä", "x" * 5_000])
def test_an_answer_carries_the_id_of_its_question(door: Door, request_id: object) -> None:
    assert door.ask("ping", request_id=request_id)["id"] == request_id
