"""The difference of two texts, word by word."""

from __future__ import annotations

import re
from collections import Counter
from enum import StrEnum

from holdfast.domain.values import dataclass

_WORDS = re.compile(r"\s+|[^\s]+")
_LONGEST = 4_000
_MOST_PAIRS = 200_000
"""Of a word in one text and the same in the other: the time grows with them."""


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

    Words that change side by side are one piece: a blank between them is no word that was kept.
    Texts of thousands of words, or with a word that is repeated very often, are returned whole, one
    after the other.
    """
    before, after = _WORDS.findall(old), _WORDS.findall(new)
    often = Counter(after)
    pairs = sum(count * often[word] for word, count in Counter(before).items())
    if len(before) + len(after) > _LONGEST or pairs > _MOST_PAIRS:
        return _pieces([(DiffSide.GONE, before), (DiffSide.NEW, after)])
    from difflib import SequenceMatcher

    found: list[tuple[DiffSide, list[str]]] = []
    gone: list[str] = []
    added: list[str] = []
    steps = SequenceMatcher(a=before, b=after, autojunk=False).get_opcodes()
    for place, (same, first, last, there, then) in enumerate(steps):
        kept = before[first:last]
        is_gap = 0 < place < len(steps) - 1 and not "".join(kept).strip()
        if same == "equal" and not is_gap:
            found += [(DiffSide.GONE, gone), (DiffSide.NEW, added), (DiffSide.SAME, kept)]
            gone, added = [], []
        else:
            gone, added = gone + kept, added + after[there:then]
    return _pieces([*found, (DiffSide.GONE, gone), (DiffSide.NEW, added)])


def plain_diff(pieces: tuple[DiffPiece, ...]) -> str:
    """Return a difference as plain text without colours: ``every [-hour-]{+day+}``."""
    return "".join(piece.marked for piece in pieces)


def _pieces(found: list[tuple[DiffSide, list[str]]]) -> tuple[DiffPiece, ...]:
    return tuple(DiffPiece(part=part, text="".join(words)) for part, words in found if words)
