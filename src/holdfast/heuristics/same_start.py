"""Detect a slot with two values: two short claims with equal beginnings and different ends.

The thresholds and the limits of length were chosen by hand; ``python -m benchmarks.conflicts``
measures them on ``mab_fact``.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import combinations, islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def word_set(text: str) -> frozenset[str]:
    """Return the words of a list that is written as one text."""
    return frozenset(text.split())


FEWEST_START = 3
_SAME_START = 0.5
_MOST_WORDS = 40
_LONGEST_CLAIM = 400
_KNOWN_CLAIMS = 4_096
_WORD = re.compile(r"[^\W_]+(?:[._-][^\W_]+)*")
_BEING = frozenset({"is", "are", "was", "were"})
_DONE = ("ed", "ing")
_DONE_IRREGULARLY = word_set("""
    written kept built cut run set read sent held made done put found taken given drawn driven
    stood bound born led paid shown known seen chosen spoken sold taught worn hidden reachable
""")
_STATES = word_set("""
    slow fast flaky broken stable unstable down up ready empty full old new big small large heavy
    light noisy quiet safe hard easy simple complex cheap expensive busy idle good bad important
    red green dirty clean strict loose generic static dynamic optional required mandatory
    idempotent deterministic experimental internal external frozen
""")
_STATELY = ("able", "ible", "less", "ful", "ous", "wise")
_WHERE = word_set("""
    in on at with by as to from through via into over for under behind about not never always also
    still already
""")


def one_slot(claims: Sequence[str]) -> list[tuple[int, int]]:
    """Return the pairs of short claims that fill one slot differently, as places."""
    starts: dict[tuple[str, ...], list[int]] = {}
    for place, claim in enumerate(claims):
        if len(claim) <= _LONGEST_CLAIM:
            starts.setdefault(_first_words(claim), []).append(place)
    alike = sorted(place for places in starts.values() if len(places) > 1 for place in places)
    words = {place: _WORD.findall(claims[place].casefold()) for place in alike}
    short = [place for place in alike if FEWEST_START < len(words[place]) <= _MOST_WORDS]
    return [pair for pair in combinations(short, 2) if is_same_slot(*map(words.__getitem__, pair))]


@lru_cache(maxsize=_KNOWN_CLAIMS)
def _first_words(claim: str) -> tuple[str, ...]:
    return tuple([word[0] for word in islice(_WORD.finditer(claim.casefold()), FEWEST_START)])


def is_same_slot(one: Sequence[str], other: Sequence[str]) -> bool:
    """Tell whether two claims, given as lower-case words, fill one slot differently."""
    shorter = min(len(one), len(other))
    start = 0
    while start < shorter and one[start] == other[start]:
        start += 1
    if start < FEWEST_START or start < _SAME_START * shorter or start == len(one) == len(other):
        return False
    return _is_said_of_one(one[:start], one[start:], other[start:])


def is_done(word: str) -> bool:
    """Tell whether a word is a participle: it says what is done to something."""
    return word.endswith(_DONE) or word.removeprefix("re") in _DONE_IRREGULARLY


def _is_said_of_one(start: Sequence[str], one: Sequence[str], other: Sequence[str]) -> bool:
    """Tell whether the verb shows one topic with two values after it.

    ``The owner of billing is Ada`` and ``The owner of search is Ada`` are two slots, and so are
    ``We use Redis for caching`` and ``We use Redis for locks``: both can be true. A participle, as
    in ``The cache is emptied nightly``, is not a value either, nor are two states: ``The build is
    slow`` and ``The build is flaky``.
    """
    if _BEING.isdisjoint(start):
        return start[-1] == "of" and _BEING.isdisjoint({*one, *other})
    ends = [end for end in (one, other) if end]
    if any(end[0] in _WHERE for end in ends):
        return False
    if start[-1] not in _BEING:
        return True
    if any(is_done(end[0]) for end in ends):
        return False
    return not any(_is_state(end) for end in ends) or _are_opposite(ends)


def _is_state(end: Sequence[str]) -> bool:
    """Tell whether a claim ends in a mere state; the ``new`` in ``new delhi`` is not one."""
    is_all = len(end) == 1 or end[1] in _WHERE
    return is_all and (end[0] in _STATES or end[0].endswith(_STATELY))


def _are_opposite(ends: Sequence[Sequence[str]]) -> bool:
    from holdfast.heuristics.words import are_opposite, stem

    return are_opposite(stem(ends[0][0]), stem(ends[-1][0]))
