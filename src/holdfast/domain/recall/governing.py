"""Memories that apply to any work in a place: pinned ones, rules, decisions and gotchas.

Follow the links of memories from the best hits: a few steps of personalised PageRank.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Kind
from holdfast.domain.recall.bundle import Reason
from holdfast.domain.recall.ranking import Scored
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from holdfast.domain.memory.memory import MemoryRecord


# Chosen by hand.
_PINNED = 1.0
_IMPORTANCE = 0.1
_LEAST = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class Guidance:
    """A group of kinds: the score of its newest memory, and the decrease for each later one."""

    kinds: frozenset[Kind]
    first: float
    step: float
    most: int


GUIDING: tuple[Guidance, ...] = (
    Guidance(kinds=frozenset({Kind.RULE, Kind.INVARIANT}), first=0.8, step=0.02, most=40),
    Guidance(kinds=frozenset({Kind.DECISION}), first=0.7, step=0.03, most=25),
    Guidance(kinds=frozenset({Kind.GOTCHA, Kind.FAILURE}), first=0.65, step=0.03, most=25),
    Guidance(kinds=frozenset({Kind.ASSUMPTION}), first=0.5, step=0.05, most=10),
)
"""The decreases interleave the kinds, so that many rules do not displace the newest decision."""


def governing(
    pinned: Iterable[MemoryRecord], guiding: Mapping[Guidance, Iterable[MemoryRecord]]
) -> tuple[Scored, ...]:
    """Return the memories that apply, best first; each input list is newest first."""
    found: dict[int, Scored] = {}
    for record in pinned:
        found[record.sequence] = _scored(record, Reason(leg="pinned", amount=_PINNED))
    for sort, records in guiding.items():
        for place, record in enumerate(records):
            amount = max(sort.first - place * sort.step, _LEAST)
            note = f"a {record.memory.kind.value} that holds here"
            reason = Reason(leg=record.memory.kind.value, amount=amount, note=note)
            found.setdefault(record.sequence, _scored(record, reason))
    return tuple(sorted(found.values(), key=lambda item: (-item.score, item.record.sequence)))


def _scored(record: MemoryRecord, reason: Reason) -> Scored:
    importance = Reason(leg="importance", amount=_IMPORTANCE * record.memory.importance)
    score = round(reason.amount + importance.amount, 6)
    return Scored(record=record, score=score, reasons=(reason, importance))


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
