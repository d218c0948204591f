"""The difference of two texts, word by word."""

from __future__ import annotations

import re
from enum import StrEnum

from holdfast.domain.values import dataclass

_WORDS = re.compile(r"\s+|[^\s]+")
_LONGEST = 4_000


class DiffSide(StrEnum):
    """Whether words are in both texts, only in the old one, or only in the new one."""

    SAME = "same"
    GONE = "gone"
    NEW = "new"


_MARKS = {DiffSide.SAME: ("", ""), DiffSide.GONE: ("[-", "-]"), DiffSide.NEW: ("{+", "+}")}


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffPiece:
    """Some words, and in which text they occur."""

    part: DiffSide
    text: str

    @property
    def marked(self) -> str:
        """The words between marks that show the change without colours."""
        before, after = _MARKS[self.part]
        return f"{before}{self.text}{after}"


def word_diff(old: str, new: str) -> tuple[DiffPiece, ...]:
    """Return the kept, removed and added words; without the added ones it is the old text.

    Texts of thousands of words are returned whole, one after the other.
    """
    before, after = _WORDS.findall(old), _WORDS.findall(new)
    if len(before) + len(after) > _LONGEST:
        return _pieces([(DiffSide.GONE, before), (DiffSide.NEW, after)])
    from difflib import SequenceMatcher

    found: list[tuple[DiffSide, list[str]]] = []
    matcher = SequenceMatcher(a=before, b=after, autojunk=False)
    for same, first, last, there, then in matcher.get_opcodes():
        if same == "equal":
            found.append((DiffSide.SAME, before[first:last]))
        else:
            found += [(DiffSide.GONE, before[first:last]), (DiffSide.NEW, after[there:then])]
    return _pieces(found)


def plain_diff(pieces: tuple[DiffPiece, ...]) -> str:
    """Return a difference as plain text without colours: ``every [-hour-]{+day+}``."""
    return "".join(piece.marked for piece in pieces)


def _pieces(found: list[tuple[DiffSide, list[str]]]) -> tuple[DiffPiece, ...]:
    return tuple(DiffPiece(part=part, text="".join(words)) for part, words in found if words)
