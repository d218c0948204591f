from __future__ import annotations

import pytest

from holdfast.domain.badge import badge


@pytest.mark.parametrize(
    ("candidates", "warnings", "line"),
    [
        (0, 0, ""),
        (3, 0, "◆ 3 to review"),
        (0, 1, "◆ store needs a look: holdfast doctor"),
        (1, 2, "◆ 1 to review · store needs a look: holdfast doctor"),
    ],
)
def test_the_badge_says_what_waits_for_a_person(candidates: int, warnings: int, line: str) -> None:
    assert badge(candidates, warnings) == line
