"""Makes pairs from slots, opposed statements and statements side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from training.claim_rules import Maker
from training.claim_slots import (
    BESIDE,
    CLOCK,
    DURATION,
    NUMBERS,
    OPPOSED,
    PEOPLE,
    PERIOD,
    SIZE,
    SLOTS,
    SUBJECTS,
)
from training.claim_words import AMENDED, SCOPES
from training.claims import AMENDS, COMPATIBLE, UNRELATED, ClaimPair

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

_EQUAL = (
    ("30 seconds", "30000 ms"), ("a minute", "60 s"), ("two hours", "120 minutes"),
    ("a week", "seven days"), ("half an hour", "30 minutes"), ("a day", "24 hours"),
    ("two weeks", "14 days"), ("a year", "12 months"), ("1 GB", "1024 MB"),
    ("a quarter", "3 months"),
    ("one", "1"), ("two", "2"), ("three", "3"), ("five", "5"), ("ten", "10"), ("fifty", "50"),
)  # fmt: skip
_PLACES = {"d": DURATION, "p": PERIOD, "z": SIZE, "c": CLOCK, "w": PEOPLE, "n": "#",
           "t": "3 March|1 June|15 October|31 December|12 April|20 August"}  # fmt: skip
SLOT_PAIRS, OPPOSED_PAIRS, BESIDE_PAIRS = 30_000, 14_000, 9_000


class SlotMaker(Maker):
    """Makes pairs of claims as people write them, with and without a thing that they are about."""

    def number(self) -> str:
        """Return a number in digits or as a word."""
        return self.chance.choice(self.chance.choice(NUMBERS).split("|"))

    def drawn(self, values: str) -> str:
        """Return one of the values; a sign stands for a number."""
        found = self.chance.choice(values.split("|"))
        if not found.startswith("#"):
            return found
        unit = found[1:]
        number = self.number()
        return f"{number}{unit}" if unit == "%" else f"{number} {unit}".strip()

    def two(self, values: str) -> tuple[str, str]:
        """Return two different values, which are not two names of one."""
        for _ in range(20):
            one, other = self.drawn(values), self.drawn(values)
            if one != other and not self._equal(one, other):
                return one, other
        return values.split("|", maxsplit=1)[0], values.rsplit("|", maxsplit=1)[-1]

    @staticmethod
    def _equal(one: str, other: str) -> bool:
        spelled = {word: number for word, _, number in (two.partition("|") for two in NUMBERS)}
        plain = [" ".join(spelled.get(word) or word for word in text.split())
                 for text in (one, other)]  # fmt: skip
        return plain[0] == plain[1] or any({*pair} == {one, other} for pair in _EQUAL)

    def slot(self) -> ClaimPair:
        """Two values of one slot; or one value in other words; or another subject."""
        told, subjects, values = self.chance.choice(SLOTS)
        shapes, xs = told.split("/"), subjects.split("|")
        if not values:
            xs, values = [""], subjects
            shapes = [shape.replace("{x}", "{v}") for shape in shapes]
        x = self.chance.choice(xs)
        old, new = self.two(values)
        first, second = self.chance.choice(shapes), self.chance.choice(shapes)
        if self.chance.random() < 0.3:
            second = first
        older = first.format(x=x, v=old)
        kind = self.chance.random()
        if kind < 0.52:
            return self._other_value(older, second.format(x=x, v=new), old)
        if kind < 0.66 and first != second:
            return self.pair(older, second.format(x=x, v=old), COMPATIBLE)
        if kind < 0.74:
            one, other = self.chance.sample(self.chance.choice(_EQUAL), 2)
            shape = self.chance.choice([one for one in SLOTS if one[2] in {DURATION, PERIOD, "#"}])
            wide, name = shape[0].split("/"), self.chance.choice(shape[1].split("|"))
            ends = [self.chance.choice(wide).format(x=name, v=value) for value in (one, other)]
            return self.pair(ends[0], ends[1], COMPATIBLE)
        others = [one for one in xs if one != x]
        if kind < 0.9 and others:
            return self.pair(older, second.format(x=self.chance.choice(others), v=new), COMPATIBLE)
        scope, there = self.chance.sample(SCOPES, 2)
        newer = self._placed(second.format(x=x, v=new), scope)
        older = older if self.chance.random() < 0.6 else self._placed(older, there)
        return self.pair(older, newer, COMPATIBLE)

    def _other_value(self, older: str, newer: str, old: str) -> ClaimPair:
        if self.chance.random() < 0.3:
            newer = self.chance.choice(AMENDED).format(s=newer, o=old)
        return self.pair(older, newer, AMENDS)

    def opposed(self) -> ClaimPair:
        """Two sides of one question; or one side in other words; or another subject or question."""
        sides = self.chance.choice(OPPOSED)
        turn = self.chance.choice([0, 1])
        x, y = self.chance.sample(SUBJECTS, 2)

        def said(side: str, about: str) -> str:
            return self.chance.choice(side.split("/")).format(x=about)

        older = said(sides[turn], x)
        kind = self.chance.random()
        if kind < 0.5:
            return self._other_value(older, said(sides[1 - turn], x), "the old way")
        if kind < 0.7:
            return self.pair(older, said(sides[turn], x), COMPATIBLE)
        if kind < 0.85:
            return self.pair(older, said(sides[1 - turn], y), UNRELATED)
        beside = self.chance.choice([one for one in OPPOSED if one is not sides])
        return self.pair(older, said(self.chance.choice(beside), x), COMPATIBLE)

    def beside(self) -> ClaimPair:
        """Two statements about one subject, or one statement with two values."""
        group = self.chance.choice(BESIDE)
        one, other = self.chance.sample(group, 2)
        filled = [self._filled(one), self._filled(other)]
        if "{" in one and self.chance.random() < 0.35:
            place = one[one.index("{") + 1]
            old, new = self.two(_PLACES[place])
            rest = one.replace("{" + place + "}", "\0", 1)
            told = self._filled(rest)
            return self._other_value(told.replace("\0", old), told.replace("\0", new), old)
        return self.pair(filled[0], filled[1], COMPATIBLE)

    def _filled(self, text: str) -> str:
        for place, values in _PLACES.items():
            while "{" + place + "}" in text:
                text = text.replace("{" + place + "}", self.drawn(values), 1)
        return text


def slot_pairs(chance: Random) -> Iterator[ClaimPair]:
    """Make pairs of every kind."""
    maker = SlotMaker(chance)
    for make, many in ((maker.slot, SLOT_PAIRS), (maker.opposed, OPPOSED_PAIRS),
                       (maker.beside, BESIDE_PAIRS)):  # fmt: skip
        for _ in range(many):
            yield make()
