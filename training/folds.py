"""Which questions of the development halves a training leaves out, so that it is measured on them.

``sets`` leaves out every set: nothing but public sources is trained on. ``0`` and ``1`` leave out
one half of each set, whole conversations; in a set with one corpus, questions with a common answer
are in the same half. Names of sets leave out these sets, and ``nothing`` leaves out none.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from training.sources import SETS

if TYPE_CHECKING:
    from training.pools import Pool

EVERY, NOTHING = "sets", "nothing"
_HALVES = ("0", "1")


class Left:
    """What is left out of a training, by pool and question."""

    def __init__(self, wish: str, pools: list[Pool]) -> None:
        names = wish.split(",")
        if wish not in {EVERY, NOTHING, *_HALVES} and not {*names} <= {*SETS}:
            raise ValueError(wish)
        self._wish = wish
        self._sets = {*SETS} if wish == EVERY else {*names}
        self._halves = {id(pool): half for pool, half in _halves(pools) if wish in _HALVES}

    def out(self, pool: Pool, number: int) -> bool:
        """Tell whether a question is left out."""
        if pool.src not in SETS or self._wish == NOTHING:
            return False
        if self._wish in _HALVES:
            return self._halves[id(pool)][number] == int(self._wish)
        return pool.src in self._sets

    def questions(self, pools: list[Pool]) -> set[tuple[str, str]]:
        """Return the sets and ids of the questions that are left out."""
        return {
            (pool.src, ask.id)
            for pool in pools
            if pool.src in SETS
            for number, ask in enumerate(pool.asks)
            if self.out(pool, number)
        }

    def answers(self, pool: Pool) -> set[int]:
        """Return the documents that answer what is left out; they are no wrong answers either."""
        return {
            place
            for number, ask in enumerate(pool.asks)
            if self.out(pool, number)
            for place in ask.gold
        }


def _halves(pools: list[Pool]) -> list[tuple[Pool, list[int]]]:
    groups: dict[str, list[Pool]] = defaultdict(list)
    for pool in pools:
        if pool.src in SETS:
            groups[pool.src].append(pool)
    found = []
    for same in groups.values():
        for number, pool in enumerate(same):
            whole = [number % 2] * len(pool.asks)
            found.append((pool, whole if len(same) > 1 else _by_answers(pool)))
    return found


def _by_answers(pool: Pool) -> list[int]:
    """Return a half for each question; those that share an answer are in the same one."""
    leader: dict[int, int] = {}

    def first(place: int) -> int:
        while leader.setdefault(place, place) != place:
            place = leader[place]
        return place

    for ask in pool.asks:
        for place in ask.gold[1:]:
            leader[first(place)] = first(ask.gold[0])
    sizes: dict[int, int] = defaultdict(int)
    for ask in pool.asks:
        sizes[first(ask.gold[0])] += 1
    counts, half = [0, 0], {}
    for place in sorted(sizes, key=lambda one: (-sizes[one], one)):
        half[place] = int(counts[0] > counts[1])
        counts[half[place]] += sizes[place]
    return [half[first(ask.gold[0])] for ask in pool.asks]
