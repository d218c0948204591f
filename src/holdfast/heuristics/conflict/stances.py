"""Read whether a clause requires, states, allows, leaves open or forbids something.

The word lists were fitted with the rules of ``judging``.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.heuristics.conflict.slots import is_returned_constant
from holdfast.heuristics.conflict.spelling import signed, words_in
from holdfast.heuristics.same_start import word_set
from holdfast.heuristics.words import says_nothing, stem

if TYPE_CHECKING:
    from collections.abc import Sequence

_NEGATING = word_set("not never no none avoid stop without nobody nothing neither")
_FORBIDDING = frozenset(
    stem(word)
    for word in word_set("forbid forbidden disallow prohibit banned ban disable off reject deny")
)
_REQUIRING = word_set(
    "must always require required requires mandatory need needs needed shall enforced"
)
_ALLOWING = word_set("may can allow allowed allows permitted fine ok okay acceptable")
_OPEN = frozenset({"optional", "unnecessary"})
_WORKING = word_set("work works worked working function functions usable possible")
_FALSE_NEGATIONS = signed(
    "no|never",
    r"\b(?:(?:do not|never|not) forget(?: to)?|not only|no matter|not just|no doubt"
    r"|no(?! longer (?!than))(?=.*\b(?:longer|more|larger|bigger|older|less|fewer|later) than))\b",
)


ENDED = "no longer"
"""The cue of a clause that forbids nothing, but says that something is not so any more."""


class Stance(StrEnum):
    """Whether a clause requires, states, allows, leaves open or forbids something."""

    REQUIRES = "requires it"
    DOES = "states it"
    ALLOWS = "allows it"
    LEAVES_OPEN = "makes it optional"
    FORBIDS = "forbids it"


def negated_stems(words: Sequence[str]) -> frozenset[str]:
    """Return the content stems after the first negation."""
    lows = [word.casefold() for word in words]
    at = next((n for n, low in enumerate(lows) if low in _NEGATING), len(lows))
    return frozenset(stem(word) for word in words[at + 1 :] if not says_nothing(word))


def stance_of(text: str, lows: Sequence[str]) -> tuple[Stance, str]:
    """Return the stance of a clause, and the word that shows it."""
    if _FALSE_NEGATIONS.may_match(text.casefold()):
        plain, false_negations = _FALSE_NEGATIONS.pattern.subn("always", text)
        lows = [word.casefold() for word in words_in(plain)] if false_negations else lows
    against = [
        at
        for at, low in enumerate(lows)
        if (low in _NEGATING or stem(low) in _FORBIDDING)
        and not is_returned_constant(lows, at)
        and not _is_not_needed(lows, at)
    ]
    asking = _first(lows, _REQUIRING)
    if any(low in _OPEN for low in lows):
        return (Stance.REQUIRES if against else Stance.LEAVES_OPEN), "optional"
    if "without" in lows and any(_is_not_needed(lows, at) for at in range(len(lows))):
        return (Stance.REQUIRES if against else Stance.LEAVES_OPEN), "without"
    if len(against) % 2:
        return _negated(lows, against[0])
    if asking:
        return Stance.REQUIRES, asking
    allowing = _first(lows, _ALLOWING)
    return (Stance.ALLOWS, allowing) if allowing else (Stance.DOES, "")


def _is_not_needed(lows: Sequence[str], at: int) -> bool:
    """Tell whether a clause says what a thing can do without: ``it works without a network``."""
    return lows[at] == "without" and at > 0 and lows[at - 1] in _WORKING


def _negated(lows: Sequence[str], at: int) -> tuple[Stance, str]:
    following = lows[at + 1] if at + 1 < len(lows) else ""
    if following in {"required", "needed", "necessary", "mandatory", "require", "need"}:
        return Stance.LEAVES_OPEN, f"{lows[at]} {following}"
    if (lows[at], following) == ("no", "longer"):
        return Stance.FORBIDS, ENDED
    before = lows[at - 1] if at else ""
    cue = (
        f"{before} {lows[at]}"
        if before in {"must", "may", "can", "do", "does", "should"}
        else lows[at]
    )
    return Stance.FORBIDS, cue


def _first(lows: Sequence[str], among: frozenset[str]) -> str:
    return next((low for low in lows if low in among), "")
