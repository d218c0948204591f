"""The difference of two texts, word by word."""

from __future__ import annotations

import re
from collections import Counter
from enum import StrEnum
from itertools import groupby
from operator import itemgetter

from holdfast.domain.values import dataclass

_WORDS = re.compile(r"\s+|[^\s]+")
_MOST_WORDS = 2_000
_MOST_PAIRS = 100_000
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
    found: list[tuple[DiffSide, list[str]]] = []
    mine = theirs = 0
    for here, there in [*_kept(before, after), (len(before), len(after))]:
        found += [(DiffSide.GONE, before[mine:here]), (DiffSide.NEW, after[theirs:there])]
        found.append((DiffSide.SAME, before[here : here + 1]))
        mine, theirs = here + 1, there + 1
    together = groupby((one for one in found if one[1]), key=itemgetter(0))
    return tuple(
        DiffPiece(part=part, text="".join(word for _, words in some for word in words))
        for part, some in together
    )


def _kept(before: list[str], after: list[str]) -> list[tuple[int, int]]:
    """Return the places of the words that both texts have, and of equal blanks beside them.

    Only words are compared: each blank fits every other, and most of the time would be theirs.
    """
    mine, theirs = _places(before), _places(after)
    words, others = [before[one] for one in mine], [after[one] for one in theirs]
    often = Counter(others)
    pairs = sum(count * often[word] for word, count in Counter(words).items())
    if len(words) + len(others) > _MOST_WORDS or pairs > _MOST_PAIRS:
        return []
    from difflib import SequenceMatcher

    blocks = SequenceMatcher(a=words, b=others, autojunk=False).get_matching_blocks()
    same = [(mine[a + n], theirs[b + n]) for a, b, size in blocks for n in range(size)]
    beside = {(here + step, there + step) for here, there in same for step in (-1, 0, 1)}
    kept, last = [], (-1, -1)
    for here, there in sorted(beside):
        is_next = here > last[0] and there > last[1]
        if is_next and before[here : here + 1] == after[there : there + 1] != []:
            kept.append(last := (here, there))
    return kept


def _places(tokens: list[str]) -> list[int]:
    return [place for place, token in enumerate(tokens) if not token.isspace()]


def plain_diff(pieces: tuple[DiffPiece, ...]) -> str:
    """Return a difference as plain text without colours: ``every [-hour-]{+day+}``."""
    return "".join(piece.marked for piece in pieces)
