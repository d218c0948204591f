"""Lines that stand in every file."""

from __future__ import annotations

import pytest

from holdfast.domain.anchors.everyday_lines import are_common
from holdfast.domain.memory.anchor import marks


@pytest.mark.parametrize(
    "lines",
    [
        [""],
        ["    ", "\t", ""],
        ["}"],
        ["});", "", "}"],
        ["        return None", "", ""],
        ["    pass"],
        ["else:", "    continue"],
        ["} else {"],
        ['    """'],
        ["end"],
    ],
)
def test_blank_lines_and_lines_of_every_file_are_common(lines: list[str]) -> None:
    assert are_common(marks(lines))


@pytest.mark.parametrize(
    "lines",
    [["x = 1"], ["port=80", ""], ["}", "", "def rotate(token):"], ["return total"], ["SPAM"]],
)
def test_a_line_with_a_word_of_its_own_is_not(lines: list[str]) -> None:
    assert not are_common(marks(lines))


def test_lines_that_nothing_was_noted_of_are_not() -> None:
    assert not are_common(())
