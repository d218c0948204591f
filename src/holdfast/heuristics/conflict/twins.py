"""Compare two clauses that are equal word for word except in one place.

Such clauses say the same about the same topic, so small differences count that mean nothing
elsewhere: the unit after the same number, the case of a name, and the negation of a flag.

The units and the nouns were listed by hand; ``benchmarks/decision_pairs.jsonl`` has no such pairs.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from holdfast.domain.memory.statement import without_capital
from holdfast.domain.review.suspicion import Clash
from holdfast.domain.values import dataclass
from holdfast.heuristics.conflict.measures import UNITS
from holdfast.heuristics.same_start import word_set
from holdfast.heuristics.words import stem

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_WORDS = 40
_LONGEST_PLACE = 2
_AROUND_A_NAME = 4
_RATE = re.compile(r"/(?=(?:s|sec|second|min|minute|h|hr|hour|d|day|week|month|year)s?\b)")
_NUMBER = re.compile(r"[0-9]+(?:[.,][0-9]+)*")
_WRAPPED = re.compile(r"[`'\"“‘]")
_EDGES = "`'\"“”‘’()[]{}"
_ENDS = ".,;:!?"
_PER = word_set("per a an every each")
_OTHER_UNITS = word_set("""
    bit kbit mbit gbit bps kbps mbps gbps point metre meter centimetre centimeter millimetre
    millimeter kilometre kilometer m cm mm km foot feet ft inch mile yard gram kilogram milligram
    g kg mg pound lb ounce oz tonne ton litre liter ml gallon euro dollar cent yen eur usd gbp chf
    degree celsius fahrenheit kelvin °c °f c f hz khz mhz ghz watt w kw mw volt v rpm qps rps px em
    rem pt digit decimal character char word token line page kilobyte megabyte gigabyte terabyte
    microsecond nanosecond us µs ns quarter decade
""")
_SAME_UNIT = {
    "sec": "s", "second": "s", "minute": "min", "hr": "h", "hour": "h", "day": "d",
    "millisecond": "ms", "microsecond": "us", "µs": "us", "nanosecond": "ns", "percent": "%",
    "byte": "b", "kilobyte": "kb", "megabyte": "mb", "gigabyte": "gb", "terabyte": "tb",
    "metre": "m", "meter": "m", "centimetre": "cm", "centimeter": "cm", "millimetre": "mm",
    "millimeter": "mm", "kilometre": "km", "kilometer": "km", "foot": "ft", "feet": "ft",
    "gram": "g", "kilogram": "kg", "milligram": "mg", "pound": "lb", "ounce": "oz",
    "tonne": "ton", "liter": "litre", "euro": "eur", "dollar": "usd", "watt": "w", "volt": "v",
    "celsius": "°c", "fahrenheit": "°f", "c": "°c", "f": "°f", "char": "character",
    "€": "eur", "$": "usd",
}  # fmt: skip
_BITS_OR_BYTES = re.compile(r"[KMGTP]i?[bB](?:ps|/s)?")
_MILLI_OR_MEGA = re.compile(r"[mM][A-Z][A-Za-z]?")
_TIMES = frozenset({"s", "min", "h", "d", "week", "month", "quarter", "year", "ms", "decade"})
_NAMING = frozenset(map(stem, word_set("""
    alias argument attribute binary branch bucket class column command constant enum env
    event field file filename flag folder function group header identifier index key label
    level macro method mode module name named namespace option package parameter path prefix
    property queue role schema secret setting status suffix symbol table tag target topic
    username value variable called spelled written
""")))  # fmt: skip
_NEGATED_FLAGS = (
    ("no-", ""), ("no", ""), ("without-", "with-"), ("disable-", "enable-"), ("disable-", ""),
    ("skip-", ""), ("Wno-", "W"), ("fno-", "f"),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class OneDifference:
    """The only place in which two clauses differ, and why both cannot be true."""

    clash: Clash
    ours: str
    theirs: str


def one_difference(ours: str, theirs: str) -> OneDifference | None:
    """Return the one contradicting difference of two clauses, or None."""
    mine, yours = _tokens(ours), _tokens(theirs)
    if max(len(mine), len(yours)) > _MOST_WORDS or mine == yours:
        return None
    start, end = _common(mine, yours)
    here, there = mine[start : len(mine) - end], yours[start : len(yours) - end]
    if not (0 < len(here) <= _LONGEST_PLACE and 0 < len(there) <= _LONGEST_PLACE):
        return None
    clash = _clash(mine, start, here, there)
    if clash is None:
        return None
    number = [mine[start - 1]] if start and _NUMBER.fullmatch(mine[start - 1]) else []
    words = (" ".join([*number, *place]) for place in (here, there))
    return OneDifference(clash=clash, ours=next(words), theirs=next(words))


def _clash(
    mine: Sequence[str], start: int, here: Sequence[str], there: Sequence[str]
) -> Clash | None:
    if _are_other_units(mine[:start], here, there):
        return Clash.NUMBER
    if len(here) != 1 or len(there) != 1:
        return None
    one, other = _bare(here[0]), _bare(there[0])
    if _is_negation(one, other) or _is_negation(other, one):
        return Clash.OPPOSITE
    if one.casefold() == other.casefold() and one != other:
        around = {_bare(word) for word in mine[max(0, start - _AROUND_A_NAME) : start + 2]}
        return Clash.NAME if _is_spelled_exactly(here[0], there[0], around) else None
    return None


@lru_cache(maxsize=8192)
def _tokens(text: str) -> tuple[str, ...]:
    """Return the words of a clause; only the capital of an ordinary first word is dropped."""
    words = [word.rstrip(_ENDS) for word in _RATE.sub(" per ", text).split()]
    words = [word for word in words if word]
    return (without_capital(words[0]), *words[1:]) if words else ()


def _common(mine: Sequence[str], yours: Sequence[str]) -> tuple[int, int]:
    """Return how many words both clauses share at the start and at the end."""
    shorter = min(len(mine), len(yours))
    start = next((n for n in range(shorter) if mine[n] != yours[n]), shorter)
    rest = shorter - start
    end = next((n for n in range(rest) if mine[-1 - n] != yours[-1 - n]), rest)
    return start, end


def _are_other_units(before: Sequence[str], here: Sequence[str], there: Sequence[str]) -> bool:
    """Tell whether the same number has two units, as 10 MB and 10 GB, or two rates."""
    last = before[-1] if before else ""
    if _NUMBER.fullmatch(last):
        if here[0] in _PER and there[0] in _PER:
            return _are_other_rates(here[1:], there[1:])
        return len(here) == len(there) == 1 and _are_units(here[0], there[0])
    if last in _PER and any(map(_NUMBER.fullmatch, before[-_AROUND_A_NAME:])):
        return _are_other_rates(here, there)
    return False


def _are_other_rates(here: Sequence[str], there: Sequence[str]) -> bool:
    """Tell whether two rates differ: both by time, or both by something that is counted."""
    if len(here) != 1 or len(there) != 1:
        return False
    one, other = _unit(here[0]), _unit(there[0])
    return one != other and (one in _TIMES) == (other in _TIMES)


def _are_units(here: str, there: str) -> bool:
    one, other = _unit(here), _unit(there)
    if one == other:
        mixed = here.casefold() == there.casefold()
        return (
            mixed
            and here != there
            and any(
                pattern.fullmatch(here) and pattern.fullmatch(there)
                for pattern in (_BITS_OR_BYTES, _MILLI_OR_MEGA)
            )
        )
    return _is_unit(one) and _is_unit(other)


def _unit(word: str) -> str:
    """Return a unit in one spelling: ``seconds`` and ``sec`` are ``s``."""
    low = _bare(word).casefold()
    single = low if low in _SAME_UNIT or low in UNITS else low.removesuffix("s")
    single = "inch" if low == "inches" else single
    return _SAME_UNIT.get(single, single)


def _is_unit(unit: str) -> bool:
    return unit in UNITS or unit in _OTHER_UNITS


def _is_negation(one: str, other: str) -> bool:
    """Tell whether the first flag negates the second: ``--no-cache`` and ``--cache``."""
    mine, yours = one.lstrip("-"), other.lstrip("-")
    if not one.startswith("-") or len(one) - len(mine) != len(other) - len(yours):
        return False
    return any(
        mine.startswith(negated) and yours == plain + mine.removeprefix(negated)
        for negated, plain in _NEGATED_FLAGS
    )


def _is_spelled_exactly(here: str, there: str, around: set[str]) -> bool:
    """Tell whether the case of a word matters: it is code, a flag, or the name of something.

    ``GitHub`` and ``Github`` are one product, but two branches and two fields.
    """
    if all(map(_WRAPPED.match, (here, there))) or here.startswith("-"):
        return True
    one, other = _bare(here), _bare(there)
    if not (one.replace("'", "").isalpha() and other.isalpha()):
        return True
    is_camel = any(word[0].islower() and word != word.lower() for word in (one, other))
    return is_camel or not _NAMING.isdisjoint(map(stem, around - {one, other}))


def _bare(word: str) -> str:
    return word.strip(_EDGES)
