"""Makes pairs of claims in the language of decisions, by rules, with their labels.

Nothing here reads a benchmark set. A newer claim amends an older one if both decide the same
property of the same thing differently; it is compatible if it speaks of another thing, another
property or another place, or says the same in other words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from training.claim_words import (
    ACTIONS,
    ADDED,
    AMENDED,
    ASIDES,
    ENDED,
    FEATURES,
    FORBIDDEN,
    HABITS,
    OFF,
    ON,
    OPENINGS,
    OPTIONAL,
    PEOPLE,
    PROPERTIES,
    REASONS,
    REQUIRED,
    SCOPES,
    SUPPORTED,
    THINGS,
    Property,
)
from training.claims import AMENDS, COMPATIBLE, CONTRADICTS, UNRELATED, ClaimPair

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

MANY = 2_400
"""How often each maker is called."""
_UNITS = {
    "duration": ("{} seconds", "{} s", "{} minutes", "{} hours", "{} ms"),
    "period": ("{} days", "{} weeks", "{} months", "{} years"),
    "size": ("{} MB", "{} GB", "{} megabytes"), "percent": ("{} %", "{}%", "{} percent"),
    "rate": ("{} requests per minute", "{} requests a second", "{} calls per hour"),
    "money": ("{} euros", "${}", "{} dollars"),
}  # fmt: skip
_NUMBERS = ("1", "2", "3", "4", "5", "7", "8", "10", "12", "15", "20", "25", "30", "40", "45", "50",
            "60", "64", "80", "90", "100", "120", "200", "250", "300", "500", "1000")  # fmt: skip
_VALUES = {
    "count": _NUMBERS, "few": ("1", "2", "3", "4", "6", "8", "12", "16"),
    "port": ("80", "443", "3000", "5000", "5432", "6379", "8000", "8080", "8443", "9000", "9090"),
    "weekday": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Sunday"),
    "python": tuple(f"3.{number}" for number in range(8, 14)),
}  # fmt: skip
_MONTHS = ("January", "March", "April", "June", "July", "September", "October", "December")
_EQUAL = (
    ("60 seconds", "a minute"), ("90 seconds", "one and a half minutes"),
    ("2 hours", "120 minutes"),
    ("1 day", "24 hours"), ("1 second", "1000 ms"), ("14 days", "two weeks"), ("1 GB", "1024 MB"),
    ("30 minutes", "half an hour"), ("12 months", "a year"), ("7 days", "a week"),
)  # fmt: skip


class Maker:
    """Makes pairs; every choice comes from one source of chance."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance

    def value(self, prop: Property, *but: str) -> str:
        """Return a value of a property that is none of those given."""
        while True:
            found = self._drawn(prop)
            if found not in but:
                return found

    def _drawn(self, prop: Property) -> str:
        pick = self.chance.choice
        if not prop.kind:
            return pick(prop.values)
        if prop.kind == "clock":
            return f"{pick(range(24)):02}:{pick(['00', '15', '30'])}"
        if prop.kind == "date":
            return f"{pick(_MONTHS)} {pick(range(1, 29))}"
        if prop.kind in _VALUES:
            return pick(_VALUES[prop.kind])
        return pick(_UNITS[prop.kind]).format(pick(_NUMBERS))

    def told(self, prop: Property, thing: str, value: str) -> str:
        """Return a sentence that gives a property of a thing a value."""
        return self.chance.choice(prop.told).format(c=thing, v=value)

    def dressed(self, text: str, *, opening: bool = True) -> str:
        """Return a sentence as somebody may write it: an opening, a reason, a full stop or none."""
        chance = self.chance.random
        if opening:
            text = self.chance.choice(OPENINGS) + text
        if chance() < 0.15:
            text += f" {self.chance.choice(REASONS)}"
        if chance() < 0.85:
            text = text[:1].upper() + text[1:]
        if chance() < 0.8:
            text += "."
        return text

    def pair(self, older: str, newer: str, label: str, *, opening: bool = True) -> ClaimPair:
        """Return a pair; a third of the claims have another sentence beside what counts."""
        both = [self.dressed(older), self.dressed(newer, opening=opening)]
        for place in (0, 1):
            if self.chance.random() < 0.12:
                extra = self.dressed(self.anything())
                told = [both[place].rstrip(".") + ".", extra]
                self.chance.shuffle(told)
                both[place] = " ".join(told)
        return ClaimPair("decisions", both[0], both[1], label)

    def anything(self) -> str:
        """Return some other sentence of the same language."""
        prop = self.chance.choice(PROPERTIES)
        return self.told(prop, self.chance.choice(THINGS), self.value(prop))

    def _slot(self) -> tuple[Property, str, str, str]:
        prop = self.chance.choice(PROPERTIES)
        old = self.value(prop)
        return prop, self.chance.choice(THINGS), old, self.value(prop, old)

    def restated(self) -> ClaimPair:
        """Another value, in other words, without a word about the change."""
        prop, thing, old, new = self._slot()
        return self.pair(self.told(prop, thing, old), self.told(prop, thing, new), AMENDS)

    def amended(self) -> ClaimPair:
        """Another value, and a word about the change."""
        prop, thing, old, new = self._slot()
        says = self.told(prop, thing, new)
        newer = self.chance.choice(AMENDED).format(s=says, o=old)
        return self.pair(self.told(prop, thing, old), newer, AMENDS, opening=False)

    def ended(self) -> ClaimPair:
        """The change itself is told; half of them about a claim that already has the new value."""
        prop, thing, old, new = self._slot()
        shape = self.chance.choice(ENDED)
        newer = shape.format(n=prop.noun, c=thing, o=old, v=new)
        if "{v}" in shape and self.chance.random() < 0.35:
            older = self.told(prop, thing, new)
            ends = (older, newer) if self.chance.random() < 0.5 else (newer, older)
            return self.pair(*ends, COMPATIBLE)
        return self.pair(self.told(prop, thing, old), newer, AMENDS, opening=False)

    def restored(self) -> ClaimPair:
        """The older claim tells a change, and the newer one has the value from before it."""
        prop, thing, old, new = self._slot()
        older = self.chance.choice(AMENDED).format(s=self.told(prop, thing, new), o=old)
        return self.pair(older, self.told(prop, thing, old), AMENDS)

    def same(self) -> ClaimPair:
        """The same value in other words, sometimes with a word about a change before it."""
        prop, thing, old, new = self._slot()
        older, newer = self.told(prop, thing, new), self.told(prop, thing, new)
        if self.chance.random() < 0.35:
            newer = self.chance.choice(AMENDED).format(s=newer, o=old)
        elif self.chance.random() < 0.25:
            older = self.chance.choice(AMENDED).format(s=older, o=old)
        return self.pair(older, newer, COMPATIBLE)

    def other_property(self) -> ClaimPair:
        """The same thing, another property; a change of one does not touch the other."""
        prop, thing, old, _ = self._slot()
        other = self.chance.choice([one for one in PROPERTIES if one.noun != prop.noun])
        newer = self.told(other, thing, self.value(other, old))
        if self.chance.random() < 0.4:
            shape = self.chance.choice(AMENDED)
            newer = shape.format(s=newer, o=self.value(other, old))
        return self.pair(self.told(prop, thing, old), newer, COMPATIBLE)

    def other_thing(self) -> ClaimPair:
        """The same property of another thing, often in the same words."""
        prop, thing, old, new = self._slot()
        other = self.chance.choice([one for one in THINGS if one != thing])
        shape = self.chance.choice(prop.told)
        shapes = (shape, shape if self.chance.random() < 0.6 else self.chance.choice(prop.told))
        older, newer = shapes[0].format(c=thing, v=old), shapes[1].format(c=other, v=new)
        if self.chance.random() < 0.3:
            newer = self.chance.choice(AMENDED).format(s=newer, o=self.value(prop, new))
        return self.pair(older, newer, COMPATIBLE)

    def scoped(self) -> ClaimPair:
        """A rule and its exception, or one value here and another there."""
        prop, thing, old, new = self._slot()
        here, there = self.chance.sample(SCOPES, 2)
        older, newer = self.told(prop, thing, old), self.told(prop, thing, new)
        kind = self.chance.random()
        if kind < 0.45:
            return self.pair(older, self._placed(newer, here), COMPATIBLE)
        if kind < 0.55:
            return self.pair(self._placed(older, here), newer, COMPATIBLE)
        if kind < 0.8:
            return self.pair(self._placed(older, here), self._placed(newer, there), COMPATIBLE)
        return self.pair(self._placed(older, here), self._placed(newer, here), AMENDS)

    def _placed(self, text: str, scope: str) -> str:
        shape = self.chance.choice(["{s}, {t}", "{t} {s}", "{t}, {s}", "only {s}: {t}"])
        return shape.format(s=scope, t=text)

    def around(self) -> ClaimPair:
        """Something else about the same property that gives it no other value."""
        prop, thing, old, new = self._slot()
        name = f"the {prop.noun} of {thing}"
        told = [
            *(one.format(n=name, p=self.chance.choice(PEOPLE)) for one in ASIDES),
            f"should we change {name} to {new}?", f"somebody proposed {new} for {name}",
            f"we thought about {new} for {name} and stayed with {old}",
            f"until last year {name} was {new}", f"{name} was {new} in the beginning",
            f"{name} may change next year", f"somebody asked whether {name} could be {new}",
            f"{name} stays as it is", f"nobody could say why {name} is {old}",
            f"{new} was rejected as {name}",
        ]  # fmt: skip
        if self.chance.random() < 0.2:
            stayed = f"we thought about {old} for {name} and stayed with {new}"
            return self.pair(self.told(prop, thing, old), stayed, AMENDS)
        ends = self.told(prop, thing, old), self.chance.choice(told)
        return self.pair(*(ends if self.chance.random() < 0.75 else ends[::-1]), COMPATIBLE)

    def bounded(self) -> ClaimPair:
        """A limit, and a value inside or outside it; or the same measure in another unit."""
        thing = self.chance.choice(THINGS)
        if self.chance.random() < 0.3:
            one, other = self.chance.sample(self.chance.choice(_EQUAL), 2)
            prop = self.chance.choice([p for p in PROPERTIES if p.kind in {"duration", "period"}])
            told = self.told(prop, thing, one), self.told(prop, thing, other)
            return self.pair(*told, COMPATIBLE)
        low, high = sorted(self.chance.sample([2, 3, 5, 8, 10, 12, 15, 20, 30, 50, 80, 100], 2))
        noun = self.chance.choice(
            [
                "response time",
                "queue length",
                "error rate",
                "coverage",
                "number of open tickets",
                "build time",
                "bundle size",
            ]
        )
        is_most = self.chance.random() < 0.5
        limit = self.chance.choice(
            ["the {n} of {c} must be at most {v}", "the {n} of {c} may not exceed {v}",
             "keep the {n} of {c} below {v}"] if is_most else
            ["the {n} of {c} must be at least {v}", "keep the {n} of {c} above {v}"])  # fmt: skip
        seen = self.chance.choice([
            "the {n} of {c} is {v} today", "last week the {n} of {c} was {v}",
            "we measured a {n} of {v} for {c}",
        ])  # fmt: skip
        rule = limit.format(n=noun, c=thing, v=high if is_most else low)
        seen = seen.format(n=noun, c=thing, v=low if is_most else high)
        return self.pair(rule, seen, COMPATIBLE)

    def added(self) -> ClaimPair:
        """One more of something of which there can be several."""
        thing, shape = self.chance.choice(THINGS), self.chance.choice(ADDED)
        one, other = self.chance.sample(SUPPORTED, 2)
        older, newer = shape.format(c=thing, v=one), shape.format(c=thing, v=other)
        kind = self.chance.random()
        if kind < 0.6:
            return self.pair(older, newer, COMPATIBLE)
        gone = self.chance.choice(["{c} no longer works with {v}", "{c} has lost support for {v}",
                                   "we removed {v} from {c}"])  # fmt: skip
        label = AMENDS if kind < 0.85 else COMPATIBLE
        return self.pair(older, gone.format(c=thing, v=one if label == AMENDS else other), label)

    def stances(self) -> ClaimPair:
        """What must be done, what must not, and what may: of one action or of two."""
        (i, g), (i2, g2) = self.chance.sample(ACTIONS, 2)
        sides = [REQUIRED, FORBIDDEN, OPTIONAL]
        first, second = self.chance.choice(sides[:2]), self.chance.choice(sides)
        kind = self.chance.random()
        older = self.chance.choice(first).format(i=i, g=g)
        if kind < 0.25:
            newer = self.chance.choice(second).format(i=i2, g=g2)
            return self.pair(older, newer, COMPATIBLE if self._like(i, i2) else UNRELATED)
        newer = self.chance.choice(second).format(i=i, g=g)
        if kind < 0.4:
            scope = self.chance.choice(SCOPES)
            return self.pair(older, self._placed(newer, scope), COMPATIBLE)
        if first is second:
            return self.pair(older, newer, COMPATIBLE)
        if kind < 0.65:
            newer = self.chance.choice(AMENDED).format(s=newer, o=f"the rule about {g}")
        return self.pair(older, newer, AMENDS)

    @staticmethod
    def _like(one: str, other: str) -> bool:
        return bool(set(one.split()) & set(other.split()) - {"the", "in", "a", "of", "on", "to"})

    def switched(self) -> ClaimPair:
        """A feature that is on, and one that is off."""
        one, other = self.chance.sample(FEATURES, 2)
        first, second = self.chance.choice([(ON, OFF), (OFF, ON), (ON, ON), (OFF, OFF)])
        older = self.chance.choice(first).format(f=one)
        if self.chance.random() < 0.25:
            return self.pair(older, self.chance.choice(second).format(f=other), UNRELATED)
        newer = self.chance.choice(second).format(f=one)
        if self.chance.random() < 0.25:
            newer = self._placed(newer, self.chance.choice(SCOPES))
            return self.pair(older, newer, COMPATIBLE)
        return self.pair(older, newer, COMPATIBLE if first is second else AMENDS)

    def people(self) -> ClaimPair:
        """What is known of a person."""
        one, other = self.chance.sample(PEOPLE, 2)
        (_, told, values), (_, told2, values2) = self.chance.sample(HABITS, 2)
        old, new = self.chance.sample(values, 2)
        older = self.chance.choice(told).format(p=one, v=old)
        kind = self.chance.random()
        if kind < 0.45:
            newer = self.chance.choice(told).format(p=one, v=new)
            if kind < 0.2:
                newer = self.chance.choice(AMENDED).format(s=newer, o=old)
                return self.pair(older, newer, AMENDS, opening=False)
            return self.pair(older, newer, CONTRADICTS)
        if kind < 0.6:
            return self.pair(older, self.chance.choice(told).format(p=one, v=old), COMPATIBLE)
        if kind < 0.8:
            newer = self.chance.choice(told2).format(p=one, v=self.chance.choice(values2))
            return self.pair(older, newer, COMPATIBLE)
        return self.pair(older, self.chance.choice(told).format(p=other, v=new), COMPATIBLE)

    def topics(self) -> ClaimPair:
        """Two claims that begin with one topic and say two things, or two values of one."""
        prop, thing, old, new = self._slot()
        topic = self.chance.choice([thing, prop.noun, f"{thing} / {prop.noun}"])
        if self.chance.random() < 0.4:
            told = self.told(prop, thing, old), self.told(prop, thing, new)
            return self.pair(f"{topic}: {told[0]}", f"{topic}: {told[1]}", AMENDS)
        other = self.chance.choice([one for one in PROPERTIES if one.noun != prop.noun])
        told = self.told(prop, thing, old), self.told(other, thing, self.value(other))
        return self.pair(f"{topic}: {told[0]}", f"{topic}: {told[1]}", COMPATIBLE)

    def nothing(self) -> ClaimPair:
        """Two claims that have nothing to do with each other."""
        return self.pair(self.anything(), self.anything(), UNRELATED)


def made_pairs(chance: Random, *, many: int = MANY) -> Iterator[ClaimPair]:
    """Make pairs of every kind."""
    maker = Maker(chance)
    shares = (
        (maker.restated, 2.2), (maker.amended, 2), (maker.ended, 1), (maker.restored, 0.5),
        (maker.same, 1.2), (maker.other_property, 1.2), (maker.other_thing, 1.4),
        (maker.scoped, 1), (maker.around, 1), (maker.bounded, 0.4), (maker.added, 0.5),
        (maker.stances, 1.8), (maker.switched, 0.6), (maker.people, 1), (maker.topics, 0.5),
        (maker.nothing, 0.4),
    )  # fmt: skip
    for make, share in shares:
        for _ in range(int(many * share)):
            yield make()
