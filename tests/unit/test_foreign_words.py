"""What another program says is repeated briefly, and without what looks like a key."""

from __future__ import annotations

import pytest

from holdfast.domain.gates.foreign_words import brief, failure_of, quoted
from tests.requirements import requirement


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("no such model: text-embedding-3-small.", "no such model: text-embedding-3-small"),
        ("one\n\n two\tthree", "one two three"),
        ("a\x00b\u200bc", "abc"),
        ("half \ud800 of it", "half ? of it"),
        ("a" * 30 + " b" * 200, "a" * 30 + " b" * 64 + "\u2026"),
        ("", ""),
        ("x" * 2_001, ""),
    ],
)
def test_foreign_words_are_on_one_short_visible_line(text: str, shown: str) -> None:
    assert brief(text) == shown


@requirement("foreign.no-key-repeated")
@pytest.mark.parametrize(
    "key",
    [
        "sk-1234",
        "sk-proj-abc123DEF456",
        "sk-abc***********xyz",
        "hf_abcdEFGH",
        "ghp_0123456789abcdef",
        "Bearer correcthorse",
        "0123456789abcdef01234567",
        "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
        "AKIAIOSFODNN7EXAMPLE",
    ],
)
def test_what_looks_like_a_key_is_hidden(key: str) -> None:
    shown = brief(f'{{"error": {{"message": "bad key {key} for model e5-small"}}}}')

    assert key.removeprefix("Bearer ") not in shown
    assert "model e5-small" in shown


def test_quoted_words_end_where_the_quotation_marks_end() -> None:
    assert quoted('it is "over".') == "\"it is 'over'\""


def test_a_failure_has_the_type_of_the_exception_and_its_words() -> None:
    assert failure_of(KeyError("model")) == "KeyError: 'model'"
    assert failure_of(RuntimeError()) == "RuntimeError"
    assert failure_of(SystemExit(2)) == "SystemExit: 2"


def test_a_failure_that_cannot_describe_itself_has_its_type_alone() -> None:
    class Mute(Exception):  # noqa: N818 - what another package calls its exception
        def __str__(self) -> str:
            raise ValueError

    assert failure_of(Mute()) == "Mute"
