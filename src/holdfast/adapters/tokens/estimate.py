"""A count that needs no vocabulary: words, their length, and what else a tokenizer would cut.

Against a real vocabulary (cl100k) it counts about a seventh too many on English prose and a
quarter too many on code, so a budget is kept; words of other languages can come out too
cheap. ``docs/explanation/tokens.md`` shows the figures.
"""

from __future__ import annotations

import re
from functools import lru_cache

# The last part spells the signs of ASCII out: to exclude all the rest takes 4 ms to compile.
_PIECE = re.compile(
    r"[A-Za-z]+|[0-9]{1,3}|[^\x00-\x7f]+|[ ]+|[\r\n\t]+"
    r"|[\x00-\x08\x0b\x0c\x0e-\x1f!-/:-@\[-`{-\x7f]+"
)
_CAMEL = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_SPACE_BEFORE_NUMBER = re.compile(r" (?=[0-9])")
_WHOLE_WORD = 8
_LETTERS_PER_PIECE = 4
_SYMBOLS_PER_TOKEN = 2
# Tokens per ten characters, by how many bytes a character takes: letters, ideographs, emoji.
_WIDE = ((0x7FF, 5), (0xFFFF, 12), (0x10FFFF, 24))
_MARGIN = 105
_KNOWN_PIECES = 20_000  # the words of a few answers: they come back with every question


class EstimatedTokens:
    """Counts tokens by the shape of the text; loads nothing."""

    name = "estimate"

    def count(self, text: str) -> int:
        """Return about how many tokens a model would see, rather a few too many."""
        pieces = sum(map(_cost, _PIECE.findall(text)))
        # A word takes the space before it along; a number leaves it standing.
        pieces += len(_SPACE_BEFORE_NUMBER.findall(text))
        return -(-pieces * _MARGIN // 100)


@lru_cache(maxsize=_KNOWN_PIECES)
def _cost(piece: str) -> int:
    first = piece[0]
    if not first.isascii():
        return -(-sum(_wide(character) for character in piece) // 10)
    if first.isalpha():
        return sum(_word(part) for part in _CAMEL.findall(piece))
    if first == " ":
        return 1 if len(piece) > 1 else 0
    if first.isdigit() or first in "\r\n\t":
        return 1
    return -(-len(piece) // _SYMBOLS_PER_TOKEN)


def _wide(character: str) -> int:
    return next(cost for last, cost in _WIDE if ord(character) <= last)


def _word(part: str) -> int:
    if len(part) <= _WHOLE_WORD:
        return 1
    return 1 + -(-(len(part) - _WHOLE_WORD) // _LETTERS_PER_PIECE)
