"""Excerpts of a diff."""

from __future__ import annotations

import pytest

from holdfast.domain.text.fencing import both_sides
from tests.requirements import requirement


@requirement("verdict.drift-shows-both-sides")
@pytest.mark.parametrize(
    ("removed", "added", "shown"),
    [
        (9, 9, "--++"),
        (9, 1, "---+"),
        (1, 9, "-+++"),
        (9, 0, "----"),
        (0, 9, "++++"),
        (1, 1, "-+"),
    ],
)
def test_both_sides_of_a_change_are_shown(removed: int, added: int, shown: str) -> None:
    lines = [*(f"-old {n}" for n in range(removed)), *(f"+new {n}" for n in range(added))]

    assert "".join(line[0] for line in both_sides(lines, 4)) == shown


def test_lines_around_a_change_fill_what_is_left() -> None:
    lines = ["@@ -1 +1 @@", " same", "-old", "+new", " same", " same"]

    assert both_sides(lines, 4) == ["@@ -1 +1 @@", " same", "-old", "+new"]
