"""Makes pairs about everyday life, and facts about people, firms and works, by rules.

``claim_lives.txt`` has groups of statements: those of different sides cannot both hold, and those
with a plus hold beside every side. Nothing here reads a benchmark set.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from training.claim_words import AMENDED
from training.claims import AMENDS, COMPATIBLE, CONTRADICTS, ClaimPair, each

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

LIVES, FACTS = 24_000, 40_000
_GROUPS = Path(__file__).with_name("claim_lives.txt")
_FIRST = each(
    "Ada Amir Bea Boris Carla Chen Dana Diego Edith Emre Farah Felix Gita Greta Hana Hugo Ines"
    " Ivan Jana Joel Karim Kira Lena Luis Mara Milo Nadia Nils Olga Omar Pia Pavel Rania Rob Sana"
    " Sven Tara Tomas Uma Uri Vera Viktor Wanda Will Yara Yusuf Zoe Zack"
)
_LAST = each(
    "Abel Brandt Castro Dorn Ekman Faber Gallo Haas Ibsen Jansen Kaya Lindt Moreau Novak Okoro"
    " Pereira Quist Rossi Sato Tanaka Usman Vogel Weber Young Zeman Barlow Crane Drake Ellis Foster"
)
_CITIES = each(
    "Lagos Lima Oslo Porto Quito Riga Seoul Sofia Tampa Tunis Turin Utrecht Varna Vilnius Warsaw"
    " Zagreb Bergen Bilbao Boston Cairo Dakar Delhi Dublin Gdansk Geneva Havana Izmir Kyoto"
)
_LANDS = each(
    "Norway Peru Kenya Japan Chile Poland Turkey Ghana Canada Nepal Greece Ireland Cuba Egypt Laos"
)
_TONGUES = each("Finnish Hindi Italian Korean Swahili Czech Dutch Arabic Greek Thai")
_FIRMS = tuple(
    f"{one} {kind}"
    for one in each("Alder Bluff Corvus Delta Ember Fjord Granite Halcyon Iris Juniper Kestrel")
    for kind in ("Foods", "Motors", "Software", "Records", "Press")
)
_WORKS = tuple(
    f"The {one} {two}"
    for one in each("Silent Broken Golden Last Hidden Long Burning Empty")
    for two in each("River Door Winter Garden Letter Road Harbour Crown")
)
_TEAMS = each("the Falcons|the Harbour Lions|Rovers|the Red Stars|the Polar Bears|Wanderers", "|")
_JOBS = each("surgeon|novelist|judge|potter|physicist|baker|diplomat|goalkeeper|architect", "|")
_GAMES = each("handball|cricket|judo|rowing|fencing|ice hockey|water polo", "|")
_YEARS = tuple(str(year) for year in range(1890, 2020))
_PLAYED = each("goalkeeper|left back|striker|centre|point guard|catcher", "|")
_KEEN = each("violin|chess|gardening|sailing|astronomy|old maps|pottery|birds", "|")
_PRIZES = each("the Northern Prize|a Golden Quill|the Lumen Medal|the Harper Award", "|")
_EXCLUSIVE, _SEVERAL = True, False
_PERSON = (
    (_EXCLUSIVE, _CITIES, "{s} was born in {v}/the birthplace of {s} is {v}/{s} comes from {v}"),
    (_EXCLUSIVE, _YEARS, "{s} was born in {v}/{s} came into the world in {v}"),
    (_EXCLUSIVE, _CITIES, "{s} died in {v}/{v} is where {s} passed away/{s} met death in {v}"),
    (_EXCLUSIVE, _LANDS, "{s} holds a passport of {v}/{s}'s nationality is that of {v}"),
    (_EXCLUSIVE, _JOBS, "{s} is a {v}/{s} works as a {v}/by profession {s} is a {v}"),
    (_EXCLUSIVE, _FIRMS, "{s} works for {v}/{v} employs {s}/{s} has a job at {v}"),
    (_EXCLUSIVE, _TEAMS, "{s} plays for {v}/{s}'s club is {v}/{s} signed with {v}"),
    (_EXCLUSIVE, _PLAYED, "{s} plays as a {v}/on the field {s} is a {v}"),
    (_EXCLUSIVE, _GAMES, "{s}'s sport is {v}/{s} is a professional in {v}"),
    (_EXCLUSIVE, None, "{s} is the spouse of {v}/{s} and {v} are a married couple"),
    (_EXCLUSIVE, None, "{s}'s mother is {v}/{v} is the mother of {s}"),
    (_EXCLUSIVE, _CITIES, "{s} lives in {v}/{s}'s home is in {v}/{s} has settled in {v}"),
    (_SEVERAL, _TONGUES, "{s} can read {v}/{s} learned {v}/{s} talks to the family in {v}"),
    (_SEVERAL, _WORKS, "{s} appeared in {v}/{s} is known for {v}/{s} has a part in {v}"),
    (_SEVERAL, _PRIZES, "{s} won {v}/{s} received {v}/{v} went to {s}"),
    (_SEVERAL, _CITIES, "{s} has been to {v}/{s} gave a lecture in {v}/{s} owns a flat in {v}"),
    (_SEVERAL, _KEEN, "{s} is keen on {v}/{s} spends evenings with {v}/{s} loves {v}"),
    (_SEVERAL, None, "{s} is friends with {v}/{s} met {v} at school/{s} admires {v}"),
)  # fmt: skip
_FIRM = (
    (_EXCLUSIVE, _CITIES, "{s} has its head office in {v}/{s} is run from {v}"),
    (_EXCLUSIVE, None, "{s} was started by {v}/the founder of {s} is {v}"),
    (_EXCLUSIVE, None, "{v} is the chief executive of {s}/{s} is led by {v}"),
    (_EXCLUSIVE, _YEARS, "{s} was founded in {v}/{s} goes back to {v}"),
    (_SEVERAL, _CITIES, "{s} has a branch in {v}/{s} sells its goods in {v}"),
    (_SEVERAL, _FIRMS, "{s} buys parts from {v}/{s} is a partner of {v}"),
)
_WORK = (
    (_EXCLUSIVE, None, "{s} was written by {v}/{v} is the author of {s}"),
    (_EXCLUSIVE, _YEARS, "{s} came out in {v}/{s} was published in {v}"),
    (_EXCLUSIVE, _TONGUES, "the original language of {s} is {v}/{s} was first printed in {v}"),
    (_EXCLUSIVE, _FIRMS, "{s} was published by {v}/{v} brought out {s}"),
    (_EXCLUSIVE, _CITIES, "{s} is set in {v}/the story of {s} takes place in {v}"),
    (_SEVERAL, _TONGUES, "{s} has been translated into {v}/there is a version of {s} in {v}"),
    (_SEVERAL, _PRIZES, "{s} won {v}/{v} was given to {s}"),
)
_KINDS = (_PERSON, _PERSON, _FIRM, _WORK)


def _said(text: str, chance: Random) -> str:
    """Return a statement as people type it: mostly as a sentence, at times without a stop."""
    if chance.random() < 0.8:
        text = text[:1].upper() + text[1:]
    return text if chance.random() < 0.25 else text + "."


def _framed(text: str, chance: Random) -> str:
    shapes = [one for one in AMENDED if "{o}" not in one]
    return chance.choice(shapes).format(s=text)


class LifeMaker:
    """Makes pairs from the groups of everyday life and from facts."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        blocks = _GROUPS.read_text(encoding="utf-8").strip().split("\n\n")
        self.groups = [
            (
                [line[2:].split(" / ") for line in block.splitlines() if line.startswith("=")],
                [one for line in block.splitlines() if line.startswith("+")
                 for one in line[2:].split(" / ")],
            )
            for block in blocks
        ]  # fmt: skip

    def _pair(self, older: str, newer: str, label: str) -> ClaimPair:
        if self.chance.random() < 0.2:
            newer = _framed(newer, self.chance)
            label = AMENDS if label == CONTRADICTS else label
        return ClaimPair("lives", _said(older, self.chance), _said(newer, self.chance), label)

    def life(self) -> ClaimPair:
        """Two statements of one group about one person; or of two groups; or about two people."""
        draw = self.chance.choice
        sides, beside = draw(self.groups)
        one, other = self.chance.sample(range(len(sides)), 2)
        names = self.chance.sample(_FIRST, 4)
        who = {"p": names[0], "q": names[1]}
        kind = self.chance.random()
        older = draw(sides[one])
        if kind < 0.36:
            both = older.format(**who), draw(sides[other]).format(**who)
            return self._pair(*both, CONTRADICTS)
        if kind < 0.5:
            newer = draw([text for text in sides[one] if text != older])
        elif kind < 0.68:
            newer = draw(beside)
            older, newer = (newer, older) if kind < 0.59 else (older, newer)
        elif kind < 0.76:
            older, newer = self.chance.sample(beside, 2)
        elif kind < 0.88:
            another = draw([group for group in self.groups if group[0] is not sides])
            newer = draw(draw(another[0]))
        else:
            newer = draw(sides[draw([one, other])])
            if "{p}" in older and "{p}" in newer:
                others = {"p": names[2], "q": names[3]}
                return self._pair(older.format(**who), newer.format(**others), COMPATIBLE)
            newer = draw(beside)
        return self._pair(older.format(**who), newer.format(**who), COMPATIBLE)

    def _name(self) -> str:
        first = self.chance.choice(_FIRST)
        return f"{first} {self.chance.choice(_LAST)}" if self.chance.random() < 0.8 else first

    def _subject(self, kind: object) -> str:
        if kind is _PERSON:
            return self._name()
        return self.chance.choice(_FIRMS if kind is _FIRM else _WORKS)

    def fact(self) -> ClaimPair:
        """Two facts about one thing, one fact about two things, or two values of one fact."""
        draw = self.chance.choice
        kind = draw(_KINDS)
        relation, beside = self.chance.sample(kind, 2)
        subject, another = self._subject(kind), self._subject(kind)

        def told(about: str, what: tuple[bool, tuple[str, ...] | None, str],
                 value: str = "") -> str:  # fmt: skip
            shape = draw(what[2].split("/"))
            return shape.format(s=about, v=value or self._value(what[1]))

        chosen = self.chance.random()
        value = self._value(relation[1])
        older = told(subject, relation, value)
        if chosen < 0.4 or another == subject:
            return self._pair(older, told(subject, beside), COMPATIBLE)
        if chosen < 0.66:
            same = value if self.chance.random() < 0.2 else ""
            return self._pair(older, told(another, relation, same), COMPATIBLE)
        if chosen < 0.76:
            return self._pair(older, told(subject, relation, value), COMPATIBLE)
        other = self._value(relation[1])
        if other == value:
            return self._pair(older, told(subject, beside), COMPATIBLE)
        label = CONTRADICTS if relation[0] else COMPATIBLE
        return self._pair(older, told(subject, relation, other), label)

    def _value(self, values: tuple[str, ...] | None) -> str:
        return self.chance.choice(values) if values else self._name()


def life_pairs(chance: Random) -> Iterator[ClaimPair]:
    """Make pairs of both kinds."""
    maker = LifeMaker(chance)
    for _ in range(LIVES):
        yield maker.life()
    for _ in range(FACTS):
        yield maker.fact()
