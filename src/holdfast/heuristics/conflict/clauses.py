"""Parse claims into clauses, so that the conflict rules can compare them.

The patterns were fitted with those of ``judging``; the limits of length were chosen by hand.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass, replace
from holdfast.heuristics.conflict.measures import Measure, Role, measures_in, role_of
from holdfast.heuristics.conflict.slots import (
    CHOSEN,
    Labelled,
    Slot,
    is_returned_constant,
    labelled,
    slots_of,
)
from holdfast.heuristics.conflict.spelling import Signed, plain_text, signed
from holdfast.heuristics.same_start import FEWEST_START, word_set
from holdfast.heuristics.words import looks_like_a_name, says_nothing, stem

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_CLAUSES = 8
_MOST_GIVEN_UP = 5
_READ_AT_MOST = 4_000
_LONGEST_CLAUSE = 500
_SPLIT = re.compile(r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)(?<!etc\.)\s+(?=[^a-z])|\n+|;\s*|\s[—–]\s")
_END = r"(?=\s+(?:to|for|in|when|as|because|since|now|and|with|by|on|at)\b|[,;]|\.(?!\d)|$)"
_MOVED = r"(?:mov|migrat|switch|chang)(?:e|ed|es|ing)"
_GONE = r"(?:replaced|removed|dropped|deprecated|retired|abandoned|decommissioned|shut down)"
_DROPPED = r"(?:dropped|removed|abandoned|retired|gave up|got rid of)"
_IN_CONTRAST: tuple[Signed, ...] = (
    signed(
        "instead of|rather than|in place of|as opposed to",
        rf"\b(?:instead of|rather than|in place of|as opposed to)\s+(?:using\s+)?(.+?){_END}",
    ),
    signed(
        ",",
        rf",\s*(?:and\s+|but\s+)?(?:not|never)\s+(?:(?:with|in|on|to|via|by|from)\s+)?(.+?){_END}",
    ),
    signed("prefer", rf"\bprefer\s+.+?\s+over\s+(.+?){_END}"),
)
_FOR_GOOD: tuple[Signed, ...] = (
    signed("from", rf"\b{_MOVED}\s+(?:\w+\s+){{0,3}}?(?:away\s+)?from\s+(.+?){_END}"),
    signed("replac", r"\breplac(?:e|ed|es|ing)\s+(.+?)\s+(?:with|by)\b"),
    signed(
        "was|were|been|got",
        rf"^(.+?)\s+(?:was|were|has been|have been|got)\s+(?:now\s+)?{_GONE}\b",
    ),
    signed(
        "deprecated|retired|gone|obsolete",
        r"^(.+?)\s+(?:is|are)\s+(?:now\s+)?(?:deprecated|retired|gone|obsolete)\b",
    ),
    signed(
        "dropped|removed|abandoned|retired|gave up|got rid of",
        rf"\b(?:we|i)\s+(?:have\s+|just\s+)?{_DROPPED}\s+(?:support for\s+)?(.+?){_END}",
    ),
    signed("stop", rf"\bstop(?:ped)?\s+using\s+(.+?){_END}"),
)
_WORD = re.compile(r"[^\s,!?()\[\]{}\"“”„`]+")
_UNNAMED = frozenset({"one", "ones", "others", "other", "another"})
_BACKWARD = re.compile(r"(?:it|this|that|these|those|they|both|he|she)\b", re.IGNORECASE)
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
_FALSE_NEGATIONS = signed(
    "no|never",
    r"\b(?:(?:do not|never|not) forget(?: to)?|not only|no matter|not just|no doubt"
    r"|no(?! longer (?!than))(?=.*\b(?:longer|more|larger|bigger|older|less|fewer|later) than))\b",
)


class Stance(StrEnum):
    """Whether a clause requires, states, allows, leaves open or forbids something."""

    REQUIRES = "requires it"
    DOES = "states it"
    ALLOWS = "allows it"
    LEAVES_OPEN = "makes it optional"
    FORBIDS = "forbids it"


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenUp:
    """A thing that a clause gives up: for good, or only in contrast to what it prefers."""

    phrase: str
    stems: frozenset[str]
    is_for_good: bool
    is_name: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """One statement of a claim: its topic and what it says about it.

    A sync parses thousands of claims and compares most of them with claims of other topics. What
    only a comparison of one topic needs is therefore computed on demand.
    """

    text: str
    words: tuple[str, ...]
    lows: tuple[str, ...]
    first: str
    topic: frozenset[str]
    subject: frozenset[str]
    stance: Stance
    cue: str
    measures: tuple[Measure, ...]
    slots: tuple[Slot, ...]
    abouts: frozenset[frozenset[str]]
    """The topics of the slots."""
    given_up: tuple[GivenUp, ...]
    start: tuple[str, ...]
    """The first words, in lower case."""
    label: frozenset[str] = frozenset()
    """The words of a label before the clause, such as ``Queue: …``."""

    @property
    def role(self) -> Role:
        """The role of the clause's numbers."""
        return role_of(self.text.casefold())

    @property
    def stems(self) -> frozenset[str]:
        """The stems of all words."""
        return frozenset(map(stem, self.words))

    @property
    def negated(self) -> frozenset[str]:
        """The content stems after a negation, such as ``evict`` in ``never evicts``."""
        return _negated_stems(self.words)

    def said(self, wanted: str) -> str:
        """Return the word of the clause that has this stem, as it was written."""
        return next(word for word in self.words if stem(word) == wanted)


@lru_cache(maxsize=8192)
def clauses_of(claim: str) -> tuple[Clause, ...]:
    """Return the clauses of a claim, at most MOST_CLAUSES."""
    parts = [part.strip() for part in _SPLIT.split(claim[:_READ_AT_MOST])]
    # A clause that begins with "it" or "that" refers to the one before and has no topic itself.
    read = (
        _clause(part[:_LONGEST_CLAUSE])
        for n, part in enumerate(parts)
        if not (n and _BACKWARD.match(part))
    )
    return tuple([clause for clause in read if clause is not None][:MOST_CLAUSES])


def _clause(part: str) -> Clause | None:
    text = plain_text(part)
    if not text:
        return None
    head = labelled(text)
    text, given_up = _without_given_up(head.text)
    words = _words(text)
    measures, taken = measures_in(words)
    lows = tuple([word.casefold() for word in words])
    stance, cue = _stance(text, lows)
    telling = [(at, stem(word)) for at, word in enumerate(words) if not says_nothing(word)]
    slots = () if stance is Stance.FORBIDS else _slots(words, head)
    labels = {one.kind[1:] for one in measures if one.kind.startswith("@")} - {""}
    return Clause(
        text=text,
        words=words,
        lows=lows,
        first=telling[0][1] if telling else "",
        topic=frozenset(one for _, one in telling) | head.topic,
        subject=frozenset(one for at, one in telling if at not in taken) | labels | head.topic,
        stance=stance,
        cue=cue,
        measures=measures,
        slots=slots,
        abouts=frozenset([slot.about for slot in slots]),
        given_up=given_up,
        start=lows[:FEWEST_START],
        label=head.topic,
    )


def _slots(words: Sequence[str], head: Labelled) -> tuple[Slot, ...]:
    """Return the slots of a clause; a label before the clause narrows the topic of each slot.

    ``Mara: Works in Porto`` is about where Mara works, so the verb counts although it is a stop
    word. ``Testing: Use pytest`` yields no slot, because testing can use several tools.
    """
    found: list[Slot] = []
    for slot in slots_of(words):
        about = slot.about
        if not about and head.topic and slot.how != CHOSEN:
            about = frozenset({stem(words[0])})
        if about and (head.topic or not slot.about):
            found.append(replace(slot, about=about | head.topic))
        elif about:
            found.append(slot)
    return tuple(found)


def _words(text: str) -> tuple[str, ...]:
    found = [word.strip("'").replace("**", "").rstrip(".:'") for word in _WORD.findall(text)]
    return tuple([word for word in found if word])


def _without_given_up(text: str) -> tuple[str, tuple[GivenUp, ...]]:
    """Remove what a clause gives up, such as the Y in ``X instead of Y``: it is not asserted."""
    found: list[GivenUp] = []
    low = text.casefold()
    for kind in (*_IN_CONTRAST, *_FOR_GOOD):
        match = kind.pattern.search(text) if kind.may_match(low) else None
        gone = None if match is None else _given_up(match[1], is_for_good=kind in _FOR_GOOD)
        if match is None or gone is None:
            continue
        found.append(gone)
        if match.start() > 0:
            text = f"{text[: match.start()]} {text[match.end(1) :]}".strip()
    return text, tuple(found)


def _given_up(phrase: str, *, is_for_good: bool) -> GivenUp | None:
    words = _words(phrase)
    telling = [word for word in words if not says_nothing(word) and word not in _UNNAMED]
    if not telling or len(words) > _MOST_GIVEN_UP:
        return None
    return GivenUp(
        phrase=phrase.strip(),
        stems=frozenset(stem(word) for word in telling),
        is_for_good=is_for_good,
        is_name=looks_like_a_name(" ".join(telling), is_first=not is_for_good),
    )


def _negated_stems(words: Sequence[str]) -> frozenset[str]:
    """Return the content stems after the first negation."""
    lows = [word.casefold() for word in words]
    at = next((n for n, low in enumerate(lows) if low in _NEGATING), len(lows))
    return frozenset(stem(word) for word in words[at + 1 :] if not says_nothing(word))


def _stance(text: str, lows: Sequence[str]) -> tuple[Stance, str]:
    """Return the stance of a clause, and the word that shows it."""
    if _FALSE_NEGATIONS.may_match(text.casefold()):
        plain, false_negations = _FALSE_NEGATIONS.pattern.subn("always", text)
        lows = [word.casefold() for word in _words(plain)] if false_negations else lows
    against = [
        at
        for at, low in enumerate(lows)
        if (low in _NEGATING or stem(low) in _FORBIDDING) and not is_returned_constant(lows, at)
    ]
    asking = _first(lows, _REQUIRING)
    if any(low in _OPEN for low in lows):
        return (Stance.REQUIRES if against else Stance.LEAVES_OPEN), "optional"
    if len(against) % 2:
        return _negated(lows, against[0])
    if asking:
        return Stance.REQUIRES, asking
    allowing = _first(lows, _ALLOWING)
    return (Stance.ALLOWS, allowing) if allowing else (Stance.DOES, "")


def _negated(lows: Sequence[str], at: int) -> tuple[Stance, str]:
    following = lows[at + 1] if at + 1 < len(lows) else ""
    if following in {"required", "needed", "necessary", "mandatory", "require", "need"}:
        return Stance.LEAVES_OPEN, f"{lows[at]} {following}"
    before = lows[at - 1] if at else ""
    cue = (
        f"{before} {lows[at]}"
        if before in {"must", "may", "can", "do", "does", "should"}
        else lows[at]
    )
    return Stance.FORBIDS, cue


def _first(lows: Sequence[str], among: frozenset[str]) -> str:
    return next((low for low in lows if low in among), "")
