"""The sets of characters in ignore patterns, such as ``[a-z]`` and ``[[:digit:]]``, as in git."""

from __future__ import annotations

import re
from string import ascii_uppercase

NOTHING = "(?!)"
_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": r" \t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": r"\x21-\x7e",
    "lower": "a-z",
    "print": r"\x20-\x7e",
    "punct": r"\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e",
    "space": r" \t\n\r\x0b\x0c",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}
_PIECE = re.compile(
    r"\[:(?P<name>[^\]]*):\]"
    r"|(?P<first>\\.|[^\\])(?:-(?P<last>\\.|[^\\\]]))?",
    re.DOTALL,
)


def read_set(part: str, at: int, *, ignores_case: bool = False) -> tuple[str, int]:
    """Return the expression of the set whose inside begins at a place, and where it ends.

    A set without an end, or with an unknown class, matches nothing. Without case, git compares the
    letters of a set with small letters, so a capital counts only as part of a range.
    """
    sign = "^" if part[at : at + 1] in {"!", "^"} else ""
    at += len(sign)
    letters = ""
    is_first = True
    while is_first or part[at : at + 1] != "]":
        is_first = False
        piece = _PIECE.match(part, at)
        if piece is None or (piece["name"] is not None and piece["name"] not in _CLASSES):
            return NOTHING, len(part)
        letters += _letters(piece, ignores_case=ignores_case)
        at = piece.end()
    if not letters:
        return "[^/]" if sign else NOTHING, at + 1
    return f"(?!/)[{sign}{letters}]", at + 1


def _letters(piece: re.Match[str], *, ignores_case: bool) -> str:
    if piece["name"] is not None:
        return _CLASSES[piece["name"]]
    first, last = piece["first"][-1], (piece["last"] or piece["first"])[-1]
    is_range = piece["last"] is not None and first <= last
    if ignores_case and first in ascii_uppercase and not is_range:
        return ""
    # git takes the start of a range for a letter too, also if its end comes before it.
    return re.escape(first) + (f"{re.escape(first)}-{re.escape(last)}" if first < last else "")
