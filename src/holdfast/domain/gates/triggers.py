"""Find which rules are worth trying on a text, by the letters that each of them needs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

_COMMON_FIRST = " etainsorldcuhmpfg.ybvwk-,xj:'_/()qz"
Index = dict[str, dict[str, list[tuple[str, int]]]]
"""Triggers with their rule numbers, under the rarest character and the rarest pair of each."""


def index_of(triggers_of_rules: Iterable[Sequence[str]]) -> Index:
    """Group the lower-case triggers with their rule numbers.

    Many triggers share a pair of characters that most texts do not contain, and one search for the
    pair saves the searches for all of them.
    """
    index: Index = {}
    for number, triggers in enumerate(triggers_of_rules):
        for trigger in triggers:
            pairs = map("".join, pairwise(trigger))
            pair = max(pairs, key=lambda pair: sum(map(_rarity, pair)), default=trigger)
            groups = index.setdefault(max(pair, key=_rarity, default=""), {})
            groups.setdefault(pair, []).append((trigger, number))
    return index


def triggered(index: Index, lowered: str) -> list[int]:
    """Return the numbers of the rules with a trigger in the text, in rule order."""
    numbers = {
        number
        for rarest in index.keys() & _characters(lowered)
        for pair, triggers in index[rarest].items()
        if pair in lowered
        for trigger, number in triggers
        if trigger in lowered
    }
    return sorted(numbers) if numbers else []


@lru_cache(maxsize=4)
def _characters(lowered: str) -> frozenset[str]:
    """Return the characters of a text; each of several indexes asks for those of the same text."""
    return frozenset(lowered) | {""}


def _rarity(character: str) -> int:
    place = _COMMON_FIRST.find(character)
    return place if place >= 0 else len(_COMMON_FIRST)
