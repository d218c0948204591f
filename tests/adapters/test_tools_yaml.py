from __future__ import annotations

import pytest

from holdfast.adapters.tools.writing import MisfitError, TextDraft, without
from holdfast.adapters.tools.yaml_writing import YamlItem
from tests.requirements import requirement

ITEM = YamlItem(name="read", item="notes.md")


@requirement("adapters.others-stay")
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("read: a.md\n", "read: [a.md, notes.md]\n"),
        ("read: 'a b.md' # mine\n", "read: ['a b.md', notes.md] # mine\n"),
        ("read: [a.md]\nmodel: x\n", "read: [a.md, notes.md]\nmodel: x\n"),
        ("read: [\n  a.md,\n]\n", "read: [\n  a.md, notes.md,\n]\n"),
        ("read: []\n", "read: [notes.md]\n"),
        ("read:\n- a.md\n- b.md # two\n\nmodel: x\n", None),
        (
            "read:\r\n    - a.md\r\nmodel: x\r\n",
            "read:\r\n    - a.md\r\n    - notes.md\r\nmodel: x\r\n",
        ),
        ("model: x\nread:\n  - a.md", "model: x\nread:\n  - a.md\n  - notes.md"),
    ],
)
def test_an_item_is_added_to_the_list_there_is(text: str, wanted: str | None) -> None:
    draft = TextDraft(text)

    ITEM.put(draft, is_new=False)

    assert draft.text == wanted or wanted is None
    assert without(draft.text, draft.spans()) == text
    seen = ITEM.seen(draft.text)
    assert seen is not None
    assert seen.words == "notes.md"


@pytest.mark.parametrize(
    "text",
    [
        "read: [a.md]\nmodel: x\n",
        "read:\n- a.md\n- b.md\nmodel: x\n",
        "model: x\nread:\n  - a.md",
        "# only a comment\n",
        "",
        "model: x\n",
    ],
)
def test_an_item_is_taken_out_by_its_name_alone(text: str) -> None:
    draft = TextDraft(text)
    ITEM.put(draft, is_new=False)
    after = TextDraft(draft.text)

    ITEM.take(after)

    assert after.text == text
    assert ITEM.seen(after.text) is None


def test_the_first_item_of_a_list_is_taken_out_too() -> None:
    draft = TextDraft("read: [notes.md]\n")

    ITEM.take(draft)

    assert draft.text == "read: []\n"


def test_nothing_is_taken_out_where_nothing_is() -> None:
    draft = TextDraft("read: [a.md]\n")

    assert not ITEM.take(draft)
    assert draft.text == "read: [a.md]\n"


def test_a_block_that_was_edited_says_so() -> None:
    draft = TextDraft("")
    ITEM.put(draft, is_new=True)

    seen = ITEM.seen(draft.text.replace("- notes.md", "- mine.md"))

    assert seen is not None
    assert seen.is_untouched is False


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: [\n", 2),
        ("- a\n", 1),
        ("x: 1\nread:\n  a: 1\n", 3),
        ("read: &a x\nb: *a\nread: y\n", 3),
    ],
)
def test_what_cannot_be_added_to_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(MisfitError) as refused:
        ITEM.put(TextDraft(text), is_new=False)

    assert refused.value.line == line
