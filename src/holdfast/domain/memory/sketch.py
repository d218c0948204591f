"""Sketches of claims (MinHash): nearly equal claims share a value, so duplicates are found fast."""

from __future__ import annotations

from functools import lru_cache
from zlib import crc32

from holdfast.domain.memory.selection import near_form

_EMPTY = 2**32
_BANDS = 5
_ROWS = 3
_PLACES = _BANDS * _ROWS
_FEWEST_WORDS = 8


@lru_cache(maxsize=512)
def sketch(claim: str) -> tuple[int, ...]:
    """Return five numbers; claims that differ in one word of twenty almost certainly share one.

    The hashes of the word pairs go into fifteen buckets, each bucket keeps its minimum, and each
    number combines three minima. A short claim has no sketch, because it must agree in every word.
    The numbers are stored, so the method must never change.
    """
    words = near_form(claim).encode().split()
    if len(words) < _FEWEST_WORDS:
        return ()
    least = [_EMPTY] * _PLACES
    pairs = map(crc32, words, [0, *map(crc32, words)])
    for pair in sorted(pairs, reverse=True):
        least[pair % _PLACES] = pair
    filled = _without_gaps(least)
    return tuple(
        crc32(repr((band, filled[band * _ROWS : (band + 1) * _ROWS])).encode())
        for band in range(_BANDS)
    )


def _without_gaps(least: list[int]) -> list[int]:
    """Fill each empty bucket from the next full one, because few words leave many empty."""
    filled, borrowed = list(least), _EMPTY
    for place in reversed(range(2 * _PLACES)):
        here = least[place % _PLACES]
        borrowed = borrowed if here == _EMPTY else here
        filled[place % _PLACES] = borrowed
    return filled
