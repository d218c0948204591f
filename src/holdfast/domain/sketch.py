"""A few numbers that nearly equal claims share: candidates for "we know this already"."""

from __future__ import annotations

from functools import lru_cache
from zlib import crc32

from holdfast.domain.selection import near_form

_EMPTY = 2**32
_BANDS = 5
_ROWS = 3
_PLACES = _BANDS * _ROWS
_FEWEST_WORDS = 8


@lru_cache(maxsize=8)
def sketch(claim: str) -> tuple[int, ...]:
    """Return five numbers; claims that differ in one word of twenty share one, nearly surely.

    The hashes of the word pairs fall into fifteen places, the least in each place stays,
    and each number joins three of them. A short claim has none: it is the same only when
    every word is. The numbers are kept, so how they are made never changes.
    """
    words = near_form(claim).encode().split()
    if len(words) < _FEWEST_WORDS:
        return ()
    least = [_EMPTY] * _PLACES
    before = 0
    for word in words:
        alone = crc32(word)
        pair = crc32(word, before)
        place = pair % _PLACES
        if pair < least[place]:  # noqa: PLR1730 - no call in this hot loop
            least[place] = pair
        before = alone
    filled = _without_gaps(least)
    return tuple(
        crc32(repr((band, filled[band * _ROWS : (band + 1) * _ROWS])).encode())
        for band in range(_BANDS)
    )


def _without_gaps(least: list[int]) -> list[int]:
    """Let an empty place borrow from the next one that is not: few words leave many empty."""
    filled, borrowed = list(least), _EMPTY
    for place in reversed(range(2 * _PLACES)):
        here = least[place % _PLACES]
        borrowed = borrowed if here == _EMPTY else here
        filled[place % _PLACES] = borrowed
    return filled
