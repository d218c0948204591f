"""The vocabulary as a table that is read at once: a bucket of entries for every hash.

To load the tokenizer takes a tenth of a second, and an answer counts a dozen short texts.
The table is made from the tokenizer, once, and counts the same.
"""

from __future__ import annotations

from functools import lru_cache
from struct import Struct
from typing import TYPE_CHECKING
from zlib import crc32

from holdfast.adapters.disk.whole import read_plain
from holdfast.adapters.tokens.pieces import UnknownTextError, pieces_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_MAGIC = b"HLDFTOK1"
_HEAD = Struct("<8sI")
_BUCKETS = 1 << 16
_STARTS = Struct(f"<{_BUCKETS + 1}I")
_RANK_BYTES = 3
_NONE = 1 << 24
# Joining the bytes of a piece takes the square of its length; the tokenizer has a better way.
_LONGEST_PIECE = 256
_KNOWN_PIECES = 20_000


class TokenTable:
    """Counts tokens by a table of the vocabulary."""

    def __init__(self, starts: memoryview, entries: bytes) -> None:
        self._starts = starts
        self._entries = entries
        self._cost = lru_cache(maxsize=_KNOWN_PIECES)(self._cost_of)
        self._rank = lru_cache(maxsize=_KNOWN_PIECES)(self._rank_of)

    @classmethod
    def read(cls, content: bytes) -> TokenTable | None:
        """Return the table that a file holds; None where it is torn or of another kind."""
        start = _HEAD.size
        if len(content) < start + _STARTS.size:
            return None
        magic, checksum = _HEAD.unpack_from(content)
        if magic != _MAGIC or checksum != crc32(memoryview(content)[start:]):
            return None
        end = start + _STARTS.size
        return cls(memoryview(content)[start:end].cast("I"), content[end:])

    def count(self, text: str) -> int | None:
        """Return how many tokens the vocabulary makes of the text; None if only it can tell."""
        try:
            return sum(map(self._cost, pieces_of(text)))
        except UnknownTextError:
            return None

    def _cost_of(self, piece: str) -> int:
        raw = piece.encode()
        if self._rank_of(raw) != _NONE:
            return 1
        if len(raw) > _LONGEST_PIECE:
            raise UnknownTextError
        return self._joined(raw)

    def _joined(self, raw: bytes) -> int:
        """Return how many tokens are left when the pair of the lowest rank is always joined."""
        rank = self._rank
        parts = [raw[place : place + 1] for place in range(len(raw))]
        ranks = [rank(raw[place : place + 2]) for place in range(len(raw) - 1)]
        while ranks:
            lowest = min(ranks)
            if lowest == _NONE:
                break
            place = ranks.index(lowest)
            parts[place : place + 2] = [parts[place] + parts[place + 1]]
            del ranks[place]
            if place:
                ranks[place - 1] = rank(parts[place - 1] + parts[place])
            if place < len(ranks):
                ranks[place] = rank(parts[place] + parts[place + 1])
        return len(parts)

    def _rank_of(self, raw: bytes) -> int:
        """Return the rank of these bytes in the vocabulary."""
        bucket = crc32(raw) % _BUCKETS
        place, end = self._starts[bucket], self._starts[bucket + 1]
        entries, wanted = self._entries, len(raw)
        while place < end:
            start = place + 1 + _RANK_BYTES
            long = entries[place]
            if long == wanted and entries[start : start + long] == raw:
                return int.from_bytes(entries[place + 1 : start], "little")
            place = start + long
        return _NONE


def is_torn(path: Path) -> bool:
    """Tell whether a table lies there that cannot be read."""
    try:
        return TokenTable.read(read_plain(path)) is None
    except OSError:
        return True


def as_table(vocabulary: Iterable[bytes]) -> bytes:
    """Return the content of a table of these tokens, given by rank."""
    buckets: list[list[bytes]] = [[] for _ in range(_BUCKETS)]
    for rank, token in enumerate(vocabulary):
        entry = len(token).to_bytes() + rank.to_bytes(_RANK_BYTES, "little") + token
        buckets[crc32(token) % _BUCKETS].append(entry)
    joined = [b"".join(bucket) for bucket in buckets]
    starts = [0]
    for bucket in joined:
        starts.append(starts[-1] + len(bucket))
    body = _STARTS.pack(*starts) + b"".join(joined)
    return _HEAD.pack(_MAGIC, crc32(body)) + body
