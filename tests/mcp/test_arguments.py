"""The checker by hand agrees with the schema it checks, and says what is wrong."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.surfaces.mcp.arguments import complaint, without_nothing
from holdfast.surfaces.mcp.catalogue import TOOLS
from tests.mcp.door import Door, text_of
from tests.mcp.schema import fits
from tests.requirements import requirement

SCHEMAS: dict[str, Any] = {str(tool["name"]): tool["inputSchema"] for tool in TOOLS}
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-2, 300)
    | st.sampled_from([1.0, 1.5, 1e300, 2_000_000])
    | st.text(max_size=6)
    | st.sampled_from(["", "x" * 70, "x" * 201, "x" * 2_001, "fact", "repo", "memory", "accepted"])
)
ITEMS = SCALARS | st.dictionaries(
    st.sampled_from(["type", "ref", "span"]),
    SCALARS | st.sampled_from(["span", "url", "statement"]),
)
VALUES = SCALARS | st.lists(ITEMS, max_size=3) | st.just(["a"] * 65) | ITEMS


@requirement("mcp.refuses-in-words")
@given(name=st.sampled_from(sorted(SCHEMAS)), data=st.data())
def test_arguments_are_taken_exactly_when_they_fit_the_schema(
    name: str, data: st.DataObject
) -> None:
    names = [*SCHEMAS[name]["properties"], "other"]
    drawn: dict[str, object] = data.draw(st.dictionaries(st.sampled_from(names), VALUES))
    arguments = without_nothing(drawn)

    complained = complaint(name, arguments, SCHEMAS[name])

    is_whole = name != "memory.create" or bool({"claim", "value"} & arguments.keys())
    assert (complained is None) == (is_whole and fits(arguments, SCHEMAS[name]))


BAD = [
    ("memory.list", {"limit": 999}, "'limit' must be at most 100; it is 999"),
    ("memory.list", {"limit": 0}, "'limit' must be at least 1; it is 0"),
    ("memory.list", {"limit": "ten"}, "'limit' must be a whole number; it is 'ten'"),
    ("memory.list", {"limit": True}, "'limit' must be a whole number; it is true"),
    ("memory.list", {"limit": 1.5}, "'limit' must be a whole number; it is 1.5"),
    ("memory.list", {"scope": "galaxy"}, "'scope' must be one of repo, workspace, global"),
    ("memory.list", {"query": "x"}, "there is no argument query; there are: q, scope, limit"),
    ("session.start", {"name": "x"}, "there is no argument name; there are none."),
    ("memory.list", {"q": {"a": 1}}, "'q' must be text; it is an object"),
    ("memory.list", {"q": ["a"]}, "'q' must be text; it is a list"),
    ("memory.delete", {}, "'id' is missing"),
    ("memory.delete", {"id": None}, "'id' is missing"),
    ("memory.create", {"kind": "fact"}, "'claim' is missing"),
    ("memory.create", {"kind": "fact"}, "'evidence' is missing"),
    ("memory.create", {"text": "Owls fly."}, "'claim' is missing"),
    ("memory.create", {"kind": "fact", "value": "v"}, "'evidence' is missing"),
    ("memory.create", {"kind": "fact", "value": "v"}, "src/app.py:10-30"),
    ("memory.create", {"evidence": []}, "'evidence' must have at least 1 item; it has 0"),
    ("memory.create", {"evidence": [None]}, "'evidence[0]' must be text or an object; it is null"),
    ("memory.create", {"evidence": [{"type": "x", "ref": "y"}]}, "'evidence[0].type' must be one"),
    ("memory.create", {"evidence": [{"type": "url"}]}, "'evidence[0].ref' is missing"),
    ("memory.create", {"tags": ["a", ""]}, "'tags[1]' must have at least 1 character; it has 0"),
    ("memory.create", {"kind": "rumour"}, "'kind' must be one of fact, gotcha"),
    ("memory.create", {"key": "k" * 201}, "'key' must have at most 200 characters; it has 201"),
    ("context.assemble", {"q": "x", "budget": 0}, "'budget' must be at least 1"),
    ("context.assemble", {"q": "x", "include": "memory"}, "'include' must be a list"),
    ("context.assemble", {"q": "x", "include": ["web"]}, "'include[0]' must be one of memory"),
    ("context.assemble", {}, "'q' is missing"),
]


@requirement("mcp.refuses-in-words")
@pytest.mark.parametrize(("tool", "arguments", "words"), BAD)
def test_a_bad_argument_is_named_with_what_it_should_be(
    door: Door, tool: str, arguments: dict[str, object], words: str
) -> None:
    result = door.call(tool, **arguments)

    assert result["isError"] is True
    assert "structuredContent" not in result
    assert words in text_of(result)
    error = result["_meta"]["holdfast/error"]
    assert (error["code"], error["family"], error["exit_code"]) == ("bad-field", "invalid", 2)
    assert error["message"] == error["facts"]["problem"]
    assert error["facts"]["field"]
    assert error["advice"]


def test_a_complaint_stays_short_whatever_was_sent(door: Door) -> None:
    arguments: dict[str, object] = {f"{'n' * 500}{number}": "x" for number in range(500)}

    assert len(text_of(door.call("memory.list", kind="x" * 10_000, **arguments))) < 2_000


def test_null_means_not_said(door: Door) -> None:
    assert door.call("memory.list", q=None, scope=None, limit=None)["isError"] is False


def test_a_whole_number_may_be_written_with_a_point(door: Door) -> None:
    assert door.call("memory.list", limit=5.0)["isError"] is False
