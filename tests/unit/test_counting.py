"""A number and its noun agree."""

from __future__ import annotations

import pytest

from holdfast.domain.text.counting import counted


@pytest.mark.parametrize(
    ("number", "words"), [(0, "0 notes"), (1, "1 note"), (2, "2 notes"), (1_200, "1,200 notes")]
)
def test_a_noun_has_its_plural_except_for_one(number: int, words: str) -> None:
    assert counted(number, "note") == words


def test_an_irregular_plural_is_given() -> None:
    assert counted(1, "memory", "memories") == "1 memory"
    assert counted(2, "memory", "memories") == "2 memories"
