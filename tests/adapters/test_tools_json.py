from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.adapters.tools.json_text import NotJsonError, read_json
from holdfast.adapters.tools.json_writing import JsonEntries, JsonEntry, is_ours
from holdfast.adapters.tools.writing import MisfitError, TextDraft, without
from tests.requirements import requirement

HOOK = {"hooks": [{"type": "command", "command": "holdfast hook claude Stop", "timeout": 5}]}
WRITING = JsonEntries(
    entries=(
        JsonEntry(path=("hooks", "Stop"), value=HOOK, is_element=True),
        JsonEntry(path=("mcpServers", "holdfast"), value={"command": "holdfast", "args": ["mcp"]}),
    ),
    companions=(("version", 1),),
)
ODD = [
    "",
    "{}",
    "{ }\n",
    "{\n}\n",
    "\ufeff{}",
    '{"a":1}',
    '{"a": 1, "b": [1, 2]}\n',
    '{\n\t"a": 1,\n\t"b": {"c": []}\n}',
    '{\r\n  "a": 1\r\n}\r\n',
    '// mine\n{\n  "a": 1 // one\n}\n// end\n',
    '{\n  "a": 1, // one\n}\n',
    '{\n  /* first */\n  "hooks": {\n    "Stop": [],\n  },\n}\n',
    '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}}',
    '{"hooks": {}, "mcpServers": {}}',
    '{\n    "mcpServers": {\n        "other": {"command": "x"}\n    },\n    "version": 2\n}\n',
    '{"text": "// no comment, \\"quoted\\" }", "n": -1.5e3, "t": [true, false, null]}',
]


def put(text: str) -> TextDraft:
    draft = TextDraft(text)
    WRITING.put(draft, is_new=not text)
    return draft


@pytest.mark.parametrize("text", ODD)
@requirement("adapters.others-stay")
def test_entries_are_added_and_nothing_else_changes(text: str) -> None:
    draft = put(text)

    held = read_json(draft.text)
    added = held.at("mcpServers", "holdfast")
    stops = held.at("hooks", "Stop")
    assert added is not None
    assert added.value == {"command": "holdfast", "args": ["mcp"]}
    assert stops is not None
    assert isinstance(stops.value, list)
    assert stops.value[-1] == HOOK
    assert without(draft.text, draft.spans()) == text
    assert WRITING.seen(draft.text) is not None


@pytest.mark.parametrize("text", [one for one in ODD if one.strip("\ufeff")])
def test_entries_are_taken_out_again_by_what_they_say_alone(text: str) -> None:
    draft = TextDraft(put(text).text)

    WRITING.take(draft)

    left = read_json(draft.text).value
    before = read_json(text).value
    assert isinstance(left, dict)
    assert isinstance(before, dict)
    # What was empty before cannot be told from what only we filled.
    filled = {name: value for name, value in before.items() if value not in ({}, {"Stop": []})}
    assert {name: left[name] for name in filled} == filled
    assert set(left) - set(before) <= {"version"}
    assert WRITING.seen(draft.text) is None


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


NAMES = st.text(max_size=5).filter(lambda name: name not in {"hooks", "version"})


@requirement("adapters.others-stay")
@given(
    held=st.dictionaries(NAMES, VALUES, max_size=4),
    indent=st.sampled_from([None, 1, 2, 4, "\t"]),
)
def test_any_settings_in_any_indentation_stay_as_they_are(
    held: dict[str, object], indent: int | str | None
) -> None:
    text = json.dumps(held, indent=indent)

    draft = put(text)

    assert without(draft.text, draft.spans()) == text
    after = json.loads(draft.text)
    assert {name: after[name] for name in held} == held
    again = TextDraft(draft.text)
    WRITING.take(again)
    assert json.loads(again.text) == {**held, "version": 1}


def test_a_file_that_held_only_ours_is_worth_nothing_any_more() -> None:
    draft = TextDraft(put("").text)

    assert WRITING.take(draft)
    assert not WRITING.take(TextDraft('{"mine": 1}'))
    assert not WRITING.take(TextDraft("{} // a word of mine"))
    assert WRITING.take(TextDraft(" \n"))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{\n"a": 1\n"b": 2}', 3),
        ("[1, 2]", 1),
        ('{"a": }', 1),
        ("{'a': 1}", 1),
        ('{"a": 1} x', 1),
        ('{"a" 1}', 1),
        ("{1: 2}", 1),
        ('{"a": "\\q"}', 1),
        ("[" * 200, 1),
    ],
)
def test_what_is_no_json_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(MisfitError) as refused:
        WRITING.put(TextDraft(text), is_new=False)

    assert refused.value.line == line


@pytest.mark.parametrize(
    "text", ['{"hooks": []}', '{\n"hooks": {"Stop": {}}}', '{"mcpServers": "none"}']
)
def test_what_is_no_place_for_an_entry_is_refused(text: str) -> None:
    with pytest.raises(MisfitError, match="cannot be added"):
        WRITING.put(TextDraft(text), is_new=False)


def test_a_hook_of_ours_in_a_persons_own_group_is_taken_out_of_it() -> None:
    mine = {"type": "command", "command": "mine"}
    text = json.dumps({"hooks": {"Stop": [{"hooks": [mine, HOOK["hooks"][0]]}]}})
    draft = TextDraft(text)

    assert not WRITING.take(draft)

    assert json.loads(draft.text) == {"hooks": {"Stop": [{"hooks": [mine]}]}}


def test_a_hook_of_an_earlier_version_is_found_under_any_event() -> None:
    old = {"bash": "/usr/bin/python3 -P -m holdfast --home /x hook copilot sessionStart"}
    seen = WRITING.seen(json.dumps({"hooks": {"sessionStart": [old]}}))

    assert seen is not None
    assert "sessionStart" in seen.words


@pytest.mark.parametrize(
    ("value", "is_one"),
    [
        (HOOK, True),
        ({"command": "/v/bin/python -P -m holdfast hook auto Stop"}, True),
        ({"command": "echo holdfast is a word"}, False),
        ({"command": ["holdfast", "hook"]}, False),
        ({"hooks": []}, False),
        ("holdfast hook claude Stop", False),
    ],
)
def test_only_a_command_line_of_ours_is_ours(value: object, *, is_one: bool) -> None:
    assert is_ours(value) is is_one


def test_of_two_members_with_one_name_the_last_counts() -> None:
    found = read_json('{"a": {"b": 1}, "a": {"b": 2}}').at("a", "b")

    assert found is not None
    assert found.value == 2


def test_a_wrong_place_is_named_by_its_line() -> None:
    with pytest.raises(NotJsonError) as refused:
        read_json('{\n\n"a"')

    assert refused.value.line == 3


def test_an_entry_in_the_middle_leaves_its_neighbours() -> None:
    draft = TextDraft(
        '{\n  "mcpServers": {\n    "a": 1,\n    "holdfast": {},\n    "b": 2\n  }\n}\n'
    )

    WRITING.take(draft)

    assert draft.text == '{\n  "mcpServers": {\n    "a": 1,\n    "b": 2\n  }\n}\n'
