"""Parse claims into clauses, so that the conflict rules can compare them.

The patterns were fitted with those of ``judging``; the limits of length were chosen by hand.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass, replace
from holdfast.heuristics.conflict.measures import Measure, Role, measures_in, role_of
from holdfast.heuristics.conflict.slots import (
    CHOSEN,
    Slot,
    labelled,
    slots_of,
)
from holdfast.heuristics.conflict.spelling import Signed, plain_text, signed, words_in
from holdfast.heuristics.conflict.stances import ENDED, Stance, negated_stems, stance_of
from holdfast.heuristics.same_start import FEWEST_START
from holdfast.heuristics.words import looks_like_a_name, says_nothing, stem, telling_stem

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_CLAUSES = 8
_MOST_GIVEN_UP = 5
_READ_AT_MOST = 4_000
_LONGEST_CLAUSE = 500
_SPLIT = re.compile(r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)(?<!etc\.)\s+(?=[^a-z])|\n+|;\s*|\s[—–]\s")
_MAY_SPLIT = re.compile(r"[.!?\n;—–].", re.DOTALL)
"""What every text contains that is split; looking for it takes a tenth of the time."""
_END = r"(?=\s+(?:to|for|in|when|as|because|since|now|and|with|by|on|at|only)\b|[,;]|\.(?!\d)|$)"
_MOVED = r"(?:mov|migrat|switch|chang)(?:e|ed|es|ing)"
_GONE = "replaced|removed|dropped|deprecated|retired|abandoned|decommissioned|shut down"
_DROPPED = "dropped|removed|abandoned|retired|gave up|got rid of"
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
    signed(
        "mov|migrat|switch|chang", rf"\b{_MOVED}\s+(?:\w+\s+){{0,3}}?(?:away\s+)?from\s+(.+?){_END}"
    ),
    signed("replac", r"\breplac(?:e|ed|es|ing)\s+(.+?)\s+(?:with|by)\b"),
    signed(
        _GONE,
        rf"^(.+?)\s+(?:was|were|has been|have been|got)\s+(?:now\s+)?(?:{_GONE})\b",
    ),
    signed(
        "deprecated|retired|gone|obsolete",
        r"^(.+?)\s+(?:is|are)\s+(?:now\s+)?(?:deprecated|retired|gone|obsolete)\b",
    ),
    signed(
        _DROPPED,
        rf"\b(?:we|i)\s+(?:have\s+|just\s+)?(?:{_DROPPED})\s+(?:support for\s+)?(.+?){_END}",
    ),
    signed("stop", rf"\bstop(?:ped)?\s+using\s+(.+?){_END}"),
)
_UNNAMED = frozenset({"one", "ones", "others", "other", "another"})
_BACKWARD = re.compile(r"(?:it|this|that|these|those|they|both|he|she)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenUp:
    """A thing that a clause gives up: for good, or only in contrast to what it prefers."""

    phrase: str
    stems: frozenset[str]
    is_for_good: bool
    is_name: bool


class Clause:
    """One statement of a claim: its topic and what it says about it.

    A sync parses thousands of claims, and a new claim is compared with those that share words with
    it. Most of them have other topics, so what only a comparison of one topic needs is read when a
    rule asks for it.
    """

    def __init__(self, text: str, given_up: tuple[GivenUp, ...], label: frozenset[str]) -> None:
        self.text = text
        self.given_up = given_up
        self.label = label
        """The words of a label before the clause, such as ``Queue: …``."""
        self.words = words_in(text)
        self.lows = tuple(map(str.casefold, self.words))
        self.start = self.lows[:FEWEST_START]
        """The first words, in lower case."""
        told = list(filter(None, map(telling_stem, self.words)))
        self.first = told[0] if told else ""
        self.topic = label.union(told)

    @cached_property
    def subject(self) -> frozenset[str]:
        """The topic without the numbers and units of its measures, and with what they number."""
        measures, taken = self._measured
        told = [telling_stem(word) for at, word in enumerate(self.words) if at not in taken]
        named = [one.kind[1:] for one in measures if one.kind.startswith("@")]
        return self.label.union(filter(None, [*told, *named]))

    @property
    def lows_beside_values(self) -> tuple[str, ...]:
        """Its words in lower case, without the numbers and units of its measures."""
        taken = self._measured[1]
        return tuple([low for at, low in enumerate(self.lows) if at not in taken])

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Its numbers, versions, weekdays and dates."""
        return self._measured[0]

    @property
    def stance(self) -> Stance:
        """Whether it requires, states, allows, leaves open or forbids something."""
        return self._stance[0]

    @property
    def cue(self) -> str:
        """The word that shows the stance."""
        return self._stance[1]

    @property
    def has_ended(self) -> bool:
        """Whether it says that something is not so any more."""
        return self.cue == ENDED

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """The topics that it gives a value."""
        if self.stance is Stance.FORBIDS:
            return ()
        return _slots(self.words, self.label)

    @cached_property
    def abouts(self) -> frozenset[frozenset[str]]:
        """The topics of the slots."""
        return frozenset([slot.about for slot in self.slots])

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
        return negated_stems(self.words)

    def said(self, wanted: str) -> str:
        """Return the word of the clause that has this stem, as it was written."""
        return next(word for word in self.words if stem(word) == wanted)

    @cached_property
    def _measured(self) -> tuple[tuple[Measure, ...], frozenset[int]]:
        return measures_in(self.words)

    @cached_property
    def _stance(self) -> tuple[Stance, str]:
        return stance_of(self.text, self.lows)


@lru_cache(maxsize=8192)
def clauses_of(claim: str) -> tuple[Clause, ...]:
    """Return the clauses of a claim, at most MOST_CLAUSES."""
    text = claim[:_READ_AT_MOST]
    parts = _SPLIT.split(text) if _MAY_SPLIT.search(text) else [text]
    # A clause that begins with "it" or "that" refers to the one before and has no topic itself.
    read = (
        _clause(part[:_LONGEST_CLAUSE])
        for n, part in enumerate(map(str.strip, parts))
        if not (n and _BACKWARD.match(part))
    )
    return tuple([clause for clause in read if clause is not None][:MOST_CLAUSES])


def _clause(part: str) -> Clause | None:
    text = plain_text(part)
    if not text:
        return None
    head = labelled(text)
    text, given_up = _without_given_up(head.text)
    return Clause(text, given_up, head.topic)


def _slots(words: Sequence[str], label: frozenset[str]) -> tuple[Slot, ...]:
    """Return the slots of a clause; a label before the clause narrows the topic of each slot.

    ``Mara: Works in Porto`` is about where Mara works, so the verb counts although it is a stop
    word. ``Testing: Use pytest`` yields no slot, because testing can use several tools.
    """
    found: list[Slot] = []
    for slot in slots_of(words):
        about = slot.about
        if not about and label and slot.how != CHOSEN:
            about = frozenset({stem(words[0])})
        if about and (label or not slot.about):
            found.append(replace(slot, about=about | label))
        elif about:
            found.append(slot)
    return tuple(found)


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
    words = words_in(phrase)
    telling = [word for word in words if not says_nothing(word) and word not in _UNNAMED]
    if not telling or len(words) > _MOST_GIVEN_UP:
        return None
    return GivenUp(
        phrase=phrase.strip(),
        stems=frozenset(stem(word) for word in telling),
        is_for_good=is_for_good,
        is_name=looks_like_a_name(" ".join(telling), is_first=not is_for_good),
    )
