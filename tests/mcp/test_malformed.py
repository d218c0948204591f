"""Whatever comes down the pipe, one valid answer goes back or none, and the next one works."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.surfaces.mcp.catalogue import TOOLS
from tests.mcp.door import HELLO, META, Door
from tests.requirements import requirement

DEEP = 100_000
TABLE = [
    (b"{", -32700),
    (b"nonsense", -32700),
    (b"\xff\xfe\x00", -32700),
    (b'{"jsonrpc":"2.0","id":1,"method":"\xc3\x28"}', -32700),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":NaN}}', -32700),
    (b"[" * DEEP, -32700),
    (b'{"a":' * DEEP + b"1" + b"}" * DEEP, -32700),
    (b'{"jsonrpc":"2.0","id":' + b"9" * 5_000 + b',"method":"ping"}', -32700),
    (b"[]", -32600),
    (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600),
    (b"5", -32600),
    (b'"ping"', -32600),
    (b"null", -32600),
    (b"{}", -32600),
    (b'{"id":1,"method":"ping"}', -32600),
    (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600),
    (b'{"jsonrpc":"2.0","id":1}', -32600),
    (b'{"jsonrpc":"2.0","id":1,"method":5}', -32600),
    (b'{"jsonrpc":"2.0","method":1,"params":"bar"}', -32600),
    (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
    (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600),
    (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600),
    (b'{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600),
    (b'{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}', -32600),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":"x"}', -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"\\ud800\\u0000"}', -32601),
    (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\\udfff"}}', -32602),
]


def is_valid(answer: Any) -> bool:
    """Tell whether it is one JSON-RPC response: a result or an error, and an id or none."""
    if answer is None:
        return True
    has_outcome = ("result" in answer) != ("error" in answer)
    error = answer.get("error", {"code": 0, "message": ""})
    return (
        set(answer) <= {"jsonrpc", "id", "result", "error"}
        and answer["jsonrpc"] == "2.0"
        and has_outcome
        and isinstance(answer["id"], int | str | None)
        and isinstance(error["code"], int)
        and isinstance(error["message"], str)
    )


@requirement("mcp.survives-any-input")
@pytest.mark.parametrize(("line", "code"), TABLE, ids=[repr(line[:50]) for line, _ in TABLE])
def test_a_malformed_line_gets_its_error_and_the_talk_goes_on(
    door: Door, line: bytes, code: int
) -> None:
    answer = door.hear(line)

    assert is_valid(answer)
    assert answer["error"]["code"] == code
    assert door.ask("ping")["result"] == {}


@pytest.mark.parametrize("line", [b"", b"\n", b"  \r\n"])
def test_an_empty_line_is_passed_over(door: Door, line: bytes) -> None:
    assert door.hear(line) is None


def test_a_byte_order_mark_is_passed_over(door: Door) -> None:
    assert door.hear(b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"ping"}')["result"] == {}


def test_an_error_keeps_the_id_where_it_can_be_read(door: Door) -> None:
    assert door.hear(b'{"jsonrpc":"1.0","id":7,"method":"ping"}')["id"] == 7
    assert door.hear(b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}')["id"] is None


ODD = ("\\ud800", "\\u0000", "\\u202e\\u200b", "\\ud83d")
NAMES = ("q", "value", "key", "id", "kind", "ttl", "because", "zzz")


@pytest.mark.parametrize("tool", [str(tool["name"]) for tool in TOOLS])
def test_odd_characters_in_an_argument_never_break_the_answer(door: Door, tool: str) -> None:
    for word, name in product(ODD, NAMES):
        evidence = f'["src/app.py:1","{word}:{word}"]'
        arguments = f'{{"kind":"fact","value":"v","evidence":{evidence},"{name}":"{word}"}}'
        line = (
            f'{{"jsonrpc":"2.0","id":1,"method":"tools/call",'
            f'"params":{{"name":"{tool}","arguments":{arguments}}}}}'
        )

        assert is_valid(door.hear(line.encode())), line
        assert door.reports == [], line


def test_deep_arguments_are_refused_in_words(door: Door) -> None:
    nested: object = "x"
    for _ in range(400):
        nested = [nested]

    result = door.call("memory.create", kind=nested, value="v", evidence=[nested])

    assert result["isError"] is True


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | st.sampled_from(["\ud800", "\0", "memory.list", "2026-07-28", "m_1", "c_1", "src/app.py:1"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
ARGUMENTS = st.dictionaries(
    st.sampled_from(
        ["q", "scope", "limit", "status", "kind", "key", "value", "evidence", "tags", "ttl"]
        + ["because", "id", "budget", "include", "other"]
    ),
    JSON_VALUES
    | st.sampled_from(["fact", "repo", "global", "candidate", "30d", "never"])
    | st.lists(st.sampled_from(["src/app.py:1", "commit:ab", "statement:x", "c_1"]), max_size=3),
)
PARAMS = (
    JSON_VALUES
    | st.fixed_dictionaries(
        {},
        optional={
            "name": st.sampled_from([tool["name"] for tool in TOOLS]) | JSON_VALUES,
            "arguments": ARGUMENTS | JSON_VALUES,
            "_meta": st.just(META) | JSON_VALUES,
            "cursor": JSON_VALUES,
            "clientInfo": JSON_VALUES,
            "protocolVersion": JSON_VALUES,
        },
    )
    | st.just(HELLO)
)
METHODS = st.sampled_from(
    ["initialize", "ping", "tools/list", "tools/call", "server/discover", "notifications/cancelled"]
)
MESSAGES = JSON_VALUES | st.fixed_dictionaries(
    {"jsonrpc": st.sampled_from(["2.0", "2.0", "2.0", "1.0"])},
    optional={"id": JSON_VALUES, "method": METHODS | JSON_VALUES, "params": PARAMS},
)


@requirement("mcp.survives-any-input")
@given(lines=st.lists(st.binary(max_size=200), max_size=5))
def test_no_bytes_ever_break_the_talk(lines: list[bytes]) -> None:
    door = Door()

    for line in lines:
        assert is_valid(door.hear(line.replace(b"\n", b"")))

    assert door.ask("ping")["result"] == {}


@requirement("mcp.survives-any-input")
@given(messages=st.lists(MESSAGES, max_size=5))
def test_no_message_ever_breaks_the_talk(messages: list[object]) -> None:
    door = Door()

    for message in messages:
        assert is_valid(door.hear(json.dumps(message).encode()))

    assert door.reports == []
    assert door.ask("ping")["result"] == {}


@given(name=st.sampled_from([str(tool["name"]) for tool in TOOLS]), arguments=ARGUMENTS)
def test_no_arguments_ever_reach_a_bug(name: str, arguments: dict[str, object]) -> None:
    door = Door()

    result = door.call(name, **arguments)

    assert result["isError"] in {True, False}
    assert door.reports == []
