"""Which claims say nearly the same."""

from __future__ import annotations

import pytest

from holdfast.domain.memory.near_claims import alike_groups

CLAIM = "anchor ballast capstan davit ensign fathom gunwale"


@pytest.mark.parametrize(
    ("more", "are_alike"),
    [
        ("halyard keel", True),
        ("halyard keel lanyard", True),
        ("halyard keel lanyard mizzen", False),
    ],
)
def test_claims_are_alike_that_share_seven_tenths_of_their_words(
    more: str, *, are_alike: bool
) -> None:
    assert alike_groups([CLAIM, f"{CLAIM} {more}"]) == ([[0, 1]] if are_alike else [])
