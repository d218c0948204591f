"""Makes facts about things whose names are alike, by rules: two models of one maker are two things.

A sentence about the one does not contradict the same sentence about the other, even if most of
their words are the same; another value for one of them does. Nothing here reads a benchmark set.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from training.claims import COMPATIBLE, CONTRADICTS, ClaimPair, each

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    Facts = Sequence[tuple[Sequence[str], str]]

KIN = 30_000
_PLACES = each(
    "Lagos Lima Oslo Porto Quito Riga Seoul Sofia Tampa Tunis Turin Utrecht Varna Vilnius Warsaw"
    " Zagreb Bergen Bilbao Boston Cairo Dakar Delhi Dublin Gdansk Geneva Havana Izmir Kyoto"
)
_MAKERS = each("Alder Corvus Delta Ember Fjord Juniper Kestrel Halcyon")
_MODELS = each("Comet Lynx Pilot Strada Vento Nova Mistral Tern Rally Onyx Sprint Marlin 300 GT")
_FIRMS = tuple(f"{one} {kind}" for one in _MAKERS for kind in ("Motors", "Works", "Group"))
_PEOPLE = tuple(
    f"{one} {two}"
    for one in each("Ada Boris Carla Diego Edith Farah Greta Hugo Ines Karim Lena Milo")
    for two in each("Brandt Castro Dorn Faber Gallo Jansen Kaya Novak Okoro Rossi Sato")
)
_YEARS = tuple(str(year) for year in range(1850, 2020))
_LANDS = each("Norway Peru Kenya Japan Chile Poland Turkey Ghana Canada Nepal Greece Cuba Egypt")
_TONGUES = each("Finnish Hindi Italian Korean Swahili Czech Dutch Arabic Greek Thai English")
_CHANNELS = each("Channel Nine|the Coastal Network|North Television|Radio Meridian|Orbit TV", "|")
_FAITHS = each("Buddhism|Islam|the Lutheran church|Hinduism|the Orthodox church|Judaism", "|")
_GAMES = each("handball|cricket|judo|rowing|fencing|ice hockey|water polo|baseball", "|")
_SERIES = each("The Night|Doctor|Captain|Little|My Uncle|House of", "|")
_SHOWN = each("Harbour|Lantern|Fox|Orchard|Winter|Marsh|Tower|Baker", "|")

_BUILT: Facts = (
    (_FIRMS, "the manufacturer of {s} is {v}/{s} is built by {v}/the firm behind {s} is {v}"),
    (_YEARS, "{s} was first sold in {v}/production of {s} began in {v}"),
    (_LANDS, "the country where {s} is assembled is {v}/{s} is put together in {v}"),
)
_TAUGHT: Facts = (
    (_PLACES, "the main campus of {s} is in {v}/the seat of {s} is in the town of {v}"),
    (_YEARS, "{s} was founded in {v}/the first year of {s} was {v}"),
    (_PEOPLE, "the rector of {s} is {v}/{s} is led by {v}"),
    (_TONGUES, "the language of teaching at {s} is {v}/at {s} everybody teaches in {v}"),
)
_RULED: Facts = (
    (_PLACES, "the capital of {s} is {v}/{s} is governed from {v}"),
    (_TONGUES, "the language of the state in {s} is {v}/{s} has {v} as its only state language"),
    (_FAITHS, "the state religion of {s} is {v}/{s} follows {v}"),
    (_PEOPLE, "the ruler of {s} is {v}/{s} is ruled by {v}"),
)
_AIRED: Facts = (
    (_CHANNELS, "the channel that first showed {s} is {v}/{s} was first shown on {v}"),
    (_PEOPLE, "the creator of {s} is {v}/{s} was created by {v}"),
    (_TONGUES, "the language in which {s} was filmed is {v}/{s} was filmed in {v}"),
)
_PLAYED: Facts = ((_GAMES, "{s} is a term from {v}/the game that has a {s} is {v}"),)
_NAMED = (
    (_BUILT, tuple(f"{one} {{}}" for one in _MAKERS), _MODELS),
    (_TAUGHT, ("University of {}", "{} University", "{} College", "{} School of Law"), _PLACES),
    (_RULED, ("Kingdom of {}", "Republic of {}", "Duchy of {}", "North {}"), _PLACES),
    (_AIRED, tuple(f"{one} {{}}" for one in _SERIES), _SHOWN),
    (_PLAYED, ("{} keeper", "{} back", "{} runner"), each("left right first second third")),
)  # fmt: skip


def kin_pair(chance: Random) -> ClaimPair:
    """Two things with like names in one relation, or one thing in one or two relations."""
    facts, shapes, parts = chance.choice(_NAMED)
    shape, (part, other) = chance.choice(shapes), chance.sample(parts, 2)
    values, sayings = chance.choice(facts)
    value, another = chance.sample(list(values), 2)
    says = sayings.split("/")
    said, same = chance.choice(says), chance.choice(says)
    older = said.format(s=shape.format(part), v=value)
    kind = chance.random()
    label, about, told = COMPATIBLE, shape.format(part), value
    if kind < 0.55:
        about = shape.format(other)
        same = said if chance.random() < 0.7 else same
        told = value if chance.random() < 0.5 else another
    elif kind < 0.85:
        label, told = CONTRADICTS, another
    elif kind < 0.93 and len(facts) > 1:
        values, sayings = chance.choice([fact for fact in facts if fact[1] != sayings])
        same, told = chance.choice(sayings.split("/")), chance.choice(list(values))
    newer = same.format(s=about, v=told)
    stop = "." if chance.random() < 0.8 else ""
    older, newer = (text[:1].upper() + text[1:] + stop for text in (older, newer))
    return ClaimPair("lives", older, newer, label)


def kin_pairs(chance: Random) -> Iterator[ClaimPair]:
    """Make pairs about things whose names are alike."""
    for _ in range(KIN):
        yield kin_pair(chance)
