"""Estimates tokens without a vocabulary, from words, their length and other characters.

Compared with a real vocabulary (cl100k), it counts about a twentieth too many on English prose and
a fifth too many on code, so that a budget is kept. For words of other languages, and for texts with
very many names, it may count too few. ``docs/explanation/tokens.md`` has the figures.
"""

from __future__ import annotations

import re
from functools import lru_cache

# The last part lists the ASCII characters: excluding all the others takes 4 ms to compile.
_PIECE = re.compile(
    r"'(?:s|t|m|re|ve|ll|d)\b|[A-Za-z]+|[0-9]{1,3}|[^\x00-\x7f]+|[ ]+|[\r\n\t]+"
    r"|[\x00-\x08\x0b\x0c\x0e-\x1f!-/:-@\[-`{-\x7f]+"
)
_CAMEL = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_SPACE_BEFORE_NUMBER = re.compile(r" (?=[0-9])")
_SYMBOLS_PER_TOKEN = 2
_TOKEN = 100
# The mean tokens of a word, in hundredths, by its letters from none on: cl100k on the texts of four
# public sets and the pages of this repository. Names are rarer than other words, so they cost more.
_LOWER = (100, 100, 100, 100, 100, 102, 103, 106, 113, 116, 121, 125, 127, 139)
_CAPITALISED = (100, 100, 100, 103, 109, 123, 136, 140, 152, 180, 188, 200, 205, 210)
_UPPER = (100, 100, 104, 130, 156, 170, 190)
_FURTHER_LETTER = 25
# Tokens per ten characters: Latin letters with accents, other letters, ideographs, emoji. An accent
# costs more, because the words around it are not English and break into pieces.
_WIDE = ((0x24F, 25), (0x7FF, 5), (0xFFFF, 12), (0x10FFFF, 24))
_KNOWN_PIECES = 20_000  # the words of a few answers: every question repeats them


class EstimatedTokens:
    """Estimates tokens from the characters of a text; loads nothing."""

    name = "estimate"

    def count(self, text: str) -> int:
        """Return about how many tokens a model would count, rather a few too many."""
        pieces = sum(map(_cost, _PIECE.findall(text)))
        # A word includes the space before it; a number does not.
        pieces += _TOKEN * len(_SPACE_BEFORE_NUMBER.findall(text))
        return -(-pieces // _TOKEN)


@lru_cache(maxsize=_KNOWN_PIECES)
def _cost(piece: str) -> int:
    """Return the tokens of a piece, in hundredths."""
    first = piece[0]
    if not first.isascii():
        return -(-sum(_wide(character) for character in piece) // 10) * _TOKEN
    if first.isalpha():
        return sum(_word(part) for part in _CAMEL.findall(piece))
    if first == " ":
        return _TOKEN if len(piece) > 1 else 0
    if first.isdigit() or first in "\r\n\t" or piece[-1].isalpha():
        return _TOKEN  # digits, a line break, or the end of a contraction
    return -(-len(piece) // _SYMBOLS_PER_TOKEN) * _TOKEN


def _wide(character: str) -> int:
    return next(cost for last, cost in _WIDE if ord(character) <= last)


def _word(part: str) -> int:
    known = _LOWER if part.islower() else _CAPITALISED if part[1:].islower() else _UPPER
    letters = len(part)
    if letters < len(known):
        return known[letters]
    return known[-1] + _FURTHER_LETTER * (letters - len(known) + 1)
