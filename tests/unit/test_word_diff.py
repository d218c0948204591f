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
        ("x new b", "x b", "x [-new -]b"),
        ("x b", "x new b", "x {+new +}b"),
        ("Redis is fast.", "We use it: Redis is fast.", "{+We use it: +}Redis is fast."),
        ("one  two three", "one two three", "one[-  -]{+ +}two three"),
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


def test_one_changed_word_of_a_long_text_is_shown_alone() -> None:
    words = [f"word{place}" for place in range(900)]
    changed = [*words[:450], "another", *words[451:]]

    pieces = word_diff(" ".join(words), " ".join(changed))

    assert [one.text for one in pieces[1:3]] == ["word450", "another"]
    assert [one.part for one in pieces] == [
        *(DiffSide.SAME, DiffSide.GONE, DiffSide.NEW, DiffSide.SAME)
    ]


def test_a_word_that_is_repeated_very_often_is_not_compared() -> None:
    old = " ".join(f"a x{place}" for place in range(480))
    new = " ".join(f"a y{place}" for place in range(480))

    assert [one.text for one in word_diff(old, new)] == [old, new]
