"""Divides large content where its own bytes say so, so that a small change stays small.

A boundary is a place where each of fourteen bytes in a row belongs to a fixed set: the first to an
eighth of all values, each other one to a half. The sets are bits of hashes, so the places look
random, one in 64 KiB on average, and depend on nothing but these bytes. The search is one regular
expression, which the standard library runs at the speed of C.
"""

from __future__ import annotations

import re
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SMALLEST, LARGEST = 16 * 1024, 256 * 1024
"""The sizes of pieces; content up to the largest size is one piece."""
_BYTES = 14


def pieces(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Return content in pieces; equal content gives equal pieces, however it is read."""
    held = b""
    for part in parts:
        held += part
        start = 0
        while len(held) - start > 2 * LARGEST:
            end = _boundary(held, start)
            yield held[start:end]
            start = end
        held = held[start:]
    start = 0
    while start < len(held):
        end = _boundary(held, start)
        yield held[start:end]
        start = end


def _boundary(held: bytes, start: int) -> int:
    """Return the end of the piece that starts there."""
    if len(held) - start <= SMALLEST:
        return len(held)
    last = min(len(held), start + LARGEST)
    found = _pattern().search(held, start + SMALLEST, last)
    return last if found is None else found.end()


@cache
def _pattern() -> re.Pattern[bytes]:
    sets = [_half(place) for place in range(_BYTES)]
    sets[0] = sets[0] & _half(_BYTES) & _half(_BYTES + 1)
    words = b"".join(
        b"[" + b"".join(b"\\x%02x" % one for one in sorted(each)) + b"]" for each in sets
    )
    return re.compile(words, re.DOTALL)


def _half(place: int) -> set[int]:
    bits = int.from_bytes(sha256(b"holdfast boundary %d" % place).digest())
    return {value for value in range(256) if bits >> value & 1}
