"""The words of values, for people."""

from __future__ import annotations

from holdfast.integrations.wording import words_of


def test_names_that_say_something_stay() -> None:
    value = {
        "text": "Ada drinks tea.",
        "note": "green",
        "tags": ["a", " ", None],
        "in": {"deep": {"count": 2, "text": "x"}, "is_hot": True},
    }

    assert words_of(value).splitlines() == [
        *("Ada drinks tea.", "note: green", "tags: a"),
        *("in.deep.count: 2", "x", "in.is_hot: True"),
    ]
    assert words_of("plain") == "plain"
