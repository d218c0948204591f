from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.domain.text.word_diff import DiffPiece, DiffSide, plain_diff, word_diff

words = st.lists(st.sampled_from(["we", "use", "Redis", "\n", "  ", "not", "Postgres."])).map(
    " ".join
)


@pytest.mark.parametrize(
    ("old", "new", "plain"),
    [
        ("every hour", "every day", "every [-hour-]{+day+}"),
        ("one two", "one two", "one two"),
        (
            "Contexts are one class.",
            "A request is an alias.",
            "[-Contexts are one class.-]{+A request is an alias.+}",
        ),
        (
            "runs at noon daily",
            "runs at eight, each day",
            "runs at [-noon daily-]{+eight, each day+}",
        ),
        ("a b c", "x b y", "[-a-]{+x+} b [-c-]{+y+}"),
        ("", "new", "{+new+}"),
        ("old", "", "[-old-]"),
        ("", "", ""),
    ],
)
def test_a_difference_is_shown_word_by_word(old: str, new: str, plain: str) -> None:
    assert plain_diff(word_diff(old, new)) == plain


@given(words, words)
def test_both_texts_can_be_read_out_of_the_difference(old: str, new: str) -> None:
    pieces = word_diff(old, new)

    assert "".join(one.text for one in pieces if one.part is not DiffSide.NEW) == old
    assert "".join(one.text for one in pieces if one.part is not DiffSide.GONE) == new


def test_long_texts_are_shown_one_after_the_other() -> None:
    old, new = "a " * 1500, "b " * 1500

    assert word_diff(old, new) == (
        DiffPiece(part=DiffSide.GONE, text=old),
        DiffPiece(part=DiffSide.NEW, text=new),
    )
