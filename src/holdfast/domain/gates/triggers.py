"""Select the rules worth trying on a text: those with a trigger that occurs in it.

Every text pays for this selection. The triggers are grouped by their rarest character, so that a
search for one character rules out most groups.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_COMMON_FIRST = " etainsorldcuhmpfg.ybvwk-,xj:'_/()qz"

Group = tuple[str, tuple[tuple[str, int], ...]]
Index = tuple[tuple[Group, ...], tuple[Group, ...]]


def index_of(triggers_of_rules: Iterable[Sequence[str]]) -> Index:
    """Group the lower-case triggers with their rule numbers: the ASCII groups, and all groups."""
    groups: dict[str, list[tuple[str, int]]] = {}
    for number, triggers in enumerate(triggers_of_rules):
        for trigger in triggers:
            rarest = max(trigger, key=_rarity, default="")
            groups.setdefault(rarest, []).append((trigger, number))
    everything = tuple((rarest, tuple(group)) for rarest, group in groups.items())
    return tuple(group for group in everything if group[0].isascii()), everything


def triggered(index: Index, lowered: str) -> list[int]:
    """Return the numbers of the rules with a trigger in the text, in rule order."""
    numbers = {
        number
        for rarest, group in (index[0] if lowered.isascii() else index[1])
        if rarest in lowered
        for trigger, number in group
        if trigger in lowered
    }
    return sorted(numbers) if numbers else []


def _rarity(character: str) -> int:
    place = _COMMON_FIRST.find(character)
    return place if place >= 0 else len(_COMMON_FIRST)
