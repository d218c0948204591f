"""A few numbers that nearly equal claims share: candidates for "we know this already"."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from zlib import crc32

from holdfast.domain.selection import near_form

_BANDS = 5
_ROWS = 3
_FEWEST_WORDS = 8
# Fixed for ever: sketches are kept, and only equal seeds can meet.
_SEEDS = tuple(crc32(f"holdfast sketch {place}".encode()) for place in range(_BANDS * _ROWS))


@lru_cache(maxsize=8)
def sketch(claim: str) -> tuple[int, ...]:
    """Return five numbers; claims that differ in one word of twenty share one, nearly surely.

    Each number joins three minima of the word pairs' hashes under fixed permutations. A
    short claim has none: it is the same only when every word is.
    """
    words = near_form(claim).split()
    if len(words) < _FEWEST_WORDS:
        return ()
    hashes = {crc32(f"{one} {other}".encode()) for one, other in pairwise(words)}
    minima = [min(map(seed.__xor__, hashes)) for seed in _SEEDS]
    return tuple(
        crc32(repr((place, minima[place * _ROWS : (place + 1) * _ROWS])).encode())
        for place in range(_BANDS)
    )
