"""Which rules are worth a try on a text: those of which a trigger occurs in it.

Every text pays for this question, whatever it holds. The triggers are grouped by their rarest
character, so that most groups are ruled out by a search for one character.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_COMMON_FIRST = " etainsorldcuhmpfg.ybvwk-,xj:'_/()qz"

Group = tuple[str, tuple[tuple[str, int], ...]]
Index = tuple[tuple[Group, ...], tuple[Group, ...]]


def index_of(triggers_of_rules: Iterable[Sequence[str]]) -> Index:
    """Group the triggers, in lower case, with the numbers of their rules: ASCII only, and all."""
    groups: dict[str, list[tuple[str, int]]] = {}
    for number, triggers in enumerate(triggers_of_rules):
        for trigger in triggers:
            rarest = max(trigger, key=_rarity, default="")
            groups.setdefault(rarest, []).append((trigger, number))
    everything = tuple((rarest, tuple(group)) for rarest, group in groups.items())
    return tuple(group for group in everything if group[0].isascii()), everything


def triggered(index: Index, lowered: str) -> list[int]:
    """Return the numbers of the rules of which a trigger occurs, in the order of the rules."""
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
