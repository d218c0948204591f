"""Follow the links of memories from the best hits: a few steps of personalised PageRank."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

# Chosen by hand.
_DAMPING = 0.5
_STEPS = 12


def walked(
    seeds: Mapping[int, float], edges: Mapping[int, Mapping[int, float]]
) -> dict[int, float]:
    """Return the visiting frequency of each node for a random walk that restarts at the seeds.

    The most visited node has 1. Edges are followed in both directions.
    """
    total = sum(seeds.values())
    if total <= 0:
        return {}
    home = {place: amount / total for place, amount in seeds.items()}
    both: dict[int, dict[int, float]] = {}
    for source, targets in edges.items():
        for target, strength in targets.items():
            both.setdefault(source, {})[target] = strength
            both.setdefault(target, {})[source] = strength
    here = dict(home)
    for _ in range(_STEPS):
        there = {place: (1 - _DAMPING) * amount for place, amount in home.items()}
        for place, amount in here.items():
            ways = both.get(place)
            if not ways:
                there[place] = there.get(place, 0.0) + _DAMPING * amount
                continue
            out = sum(ways.values())
            for target, strength in ways.items():
                step = _DAMPING * amount * strength / out
                there[target] = there.get(target, 0.0) + step
        here = there
    most = max(here.values())
    return {place: amount / most for place, amount in here.items()}
