"""Cutting a text into the pieces that the cl100k vocabulary joins bytes within."""

from __future__ import annotations

import re
from functools import lru_cache
from unicodedata import category

# What the vocabulary is published with, for a text whose letters, numbers, spaces and signs
# are all written in ASCII. The signs are spelt out: to exclude the rest is slow to compile.
_PIECE = re.compile(
    r"'(?:[sdmtSDMT]|[lL][lL]|[vV][eE]|[rR][eE])"
    r"|[\x00-\x09\x0b\x0c\x0e-/:-@\[-`{-\x7f]?[A-Za-z]+"
    r"|[0-9]{1,3}"
    r"| ?[\x00-\x08\x0e-\x1f!-/:-@\[-`{-\x7f]+[\r\n]*"
    r"|[\t-\r ]+\Z|[\t-\r ]*[\r\n]|[\t-\r ]+(?![^\t-\r ])|[\t-\r ]"
)
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_LETTER, _NUMBER, _SIGN, _SPACE = "a", "0", "!", "\v"
_LONG_S = "\u017f"
_KINDS = {"L": _LETTER, "N": _NUMBER, "M": _SIGN, "P": _SIGN, "S": _SIGN, "Z": _SPACE}
_CONTROLS = {"Cc": _SIGN, "Cf": _SIGN, "Co": _SIGN}


class UnknownTextError(ValueError):
    """The text holds what only the tokenizer itself knows how to cut."""


def pieces_of(text: str) -> list[str]:
    """Return the pieces of a text, in order.

    Raises:
        UnknownTextError: It may name a special token, or has characters this Python is too old
            to know.
    """
    if "<|" in text:
        raise UnknownTextError
    if text.isascii():
        return _PIECE.findall(text)
    shape = _NOT_ASCII.sub(_kind, text)
    return [text[found.start() : found.end()] for found in _PIECE.finditer(shape)]


def _kind(found: re.Match[str]) -> str:
    return _kind_of(found[0])


@lru_cache(maxsize=4_096)
def _kind_of(character: str) -> str:
    """Return an ASCII character of the same kind."""
    if character == "\x85":
        return _SPACE
    known = category(character)
    kind = _CONTROLS.get(known) or _KINDS.get(known[0])
    # A long s is an s to whoever looks for "'s" in any case.
    if kind is None or character == _LONG_S:
        raise UnknownTextError
    return kind
