"""The difference of two texts, word by word."""

from __future__ import annotations

import re
from enum import StrEnum

from holdfast.domain.values import dataclass

_WORDS = re.compile(r"\s+|[^\s]+")
_LONGEST = 4_000


class Part(StrEnum):
    """Whether words are in both texts, only in the old one, or only in the new one."""

    SAME = "same"
    GONE = "gone"
    NEW = "new"


_MARKS = {Part.SAME: ("", ""), Part.GONE: ("[-", "-]"), Part.NEW: ("{+", "+}")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Some words, and in which text they occur."""

    part: Part
    text: str

    @property
    def marked(self) -> str:
        """The words between marks that show the change without colours."""
        before, after = _MARKS[self.part]
        return f"{before}{self.text}{after}"


def word_diff(old: str, new: str) -> tuple[Piece, ...]:
    """Return the kept, removed and added words; without the added ones it is the old text.

    Texts of thousands of words are returned whole, one after the other.
    """
    before, after = _WORDS.findall(old), _WORDS.findall(new)
    if len(before) + len(after) > _LONGEST:
        return _pieces([(Part.GONE, before), (Part.NEW, after)])
    from difflib import SequenceMatcher

    found: list[tuple[Part, list[str]]] = []
    matcher = SequenceMatcher(a=before, b=after, autojunk=False)
    for same, first, last, there, then in matcher.get_opcodes():
        if same == "equal":
            found.append((Part.SAME, before[first:last]))
        else:
            found += [(Part.GONE, before[first:last]), (Part.NEW, after[there:then])]
    return _pieces(found)


def plain_diff(pieces: tuple[Piece, ...]) -> str:
    """Return a difference as plain text without colours: ``every [-hour-]{+day+}``."""
    return "".join(piece.marked for piece in pieces)


def _pieces(found: list[tuple[Part, list[str]]]) -> tuple[Piece, ...]:
    return tuple(Piece(part=part, text="".join(words)) for part, words in found if words)
