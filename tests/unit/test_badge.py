from __future__ import annotations

import pytest

from holdfast.domain.review.badge import badge


@pytest.mark.parametrize(
    ("counts", "line"),
    [
        ((0, 0, 0, 0), ""),
        ((3, 0, 0, 0), "◆ 3 to review"),
        ((3, 1, 2, 0), "◆ 3 to review · 1 conflict · 2 drifted"),
        ((3, 2, 0, 0), "◆ 3 to review · 2 conflicts"),
        ((0, 0, 0, 1), "◆ store needs a look: holdfast doctor"),
        ((1, 0, 0, 2), "◆ 1 to review · store needs a look: holdfast doctor"),
    ],
)
def test_the_badge_says_what_waits_for_a_person(
    counts: tuple[int, int, int, int], line: str
) -> None:
    assert badge(*counts, look="holdfast doctor") == line
