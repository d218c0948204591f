"""Parse the numbers, versions, weekdays and dates in a claim into comparable units.

The words of each role were fitted with the rules of ``judging``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from holdfast.domain.text.words import STOP_WORDS
from holdfast.domain.values import dataclass
from holdfast.heuristics.words import looks_like_a_name, says_nothing, stem

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Role = Literal["exact", "most", "least", "usual", "seen", "only"]
WEEKDAY, WHICH_OF_MONTH, DATE, CLOCK = "weekday", "which of a month", "date", "clock"
_TIME, _SIZE, _PERCENT = "time", "size", "percent"
_BARE, _LABEL, _COUNT, _LETTER = "@", "@", "#", "&"
# fmt: off
NUMBER_WORDS = {
    "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6",
    "seven": "7", "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12",
    "thirteen": "13", "fourteen": "14", "fifteen": "15", "sixteen": "16", "seventeen": "17",
    "eighteen": "18", "nineteen": "19", "twenty": "20", "thirty": "30", "forty": "40",
    "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90",
    "once": "1", "twice": "2",
}
UNITS: dict[str, tuple[str, float]] = {
    "ms": (_TIME, 0.001), "millisecond": (_TIME, 0.001), "s": (_TIME, 1), "sec": (_TIME, 1),
    "second": (_TIME, 1), "min": (_TIME, 60), "minute": (_TIME, 60), "h": (_TIME, 3600),
    "hr": (_TIME, 3600), "hour": (_TIME, 3600), "d": (_TIME, 86_400), "day": (_TIME, 86_400),
    "week": (_TIME, 604_800), "month": (_TIME, 2_592_000), "year": (_TIME, 31_536_000),
    "b": (_SIZE, 1), "byte": (_SIZE, 1), "kb": (_SIZE, 1e3), "kib": (_SIZE, 1024),
    "mb": (_SIZE, 1e6), "mib": (_SIZE, 2**20), "gb": (_SIZE, 1e9), "gib": (_SIZE, 2**30),
    "tb": (_SIZE, 1e12), "%": (_PERCENT, 1), "percent": (_PERCENT, 1),
}
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WHICH = {
    "first": "1", "second": "2", "third": "3", "fourth": "4", "fifth": "5", "last": "last",
    "1st": "1", "2nd": "2", "3rd": "3", "4th": "4", "5th": "5",
}
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)
_NUMBERED_THINGS = frozenset(_LABEL + stem(word) for word in (
    "account", "batch", "block", "bug", "case", "chapter", "chunk", "claim", "cluster", "column",
    "customer", "disk", "epoch", "example", "fact", "figure", "host", "line", "rack", "row", "span",
    "instance", "issue", "item", "job", "level", "module", "option", "page", "part", "partition",
    "phase", "pod", "queue", "region", "replica", "room", "section", "server", "service", "shard",
    "sprint", "stage", "step", "task", "team", "tenant", "ticket", "tier", "user", "worker", "zone",
))
_ROLES: tuple[tuple[Role, re.Pattern[str]], ...] = (
    ("seen", re.compile(r"\b(?:about|around|roughly|approx\w*|takes?|took|on average|is at)\b")),
    ("usual", re.compile(r"\bdefaults?\b")),
    ("only", re.compile(r"\bonly\b")),
    ("most", re.compile(
        r"\b(?:at most|max(?:imum)?|limit(?:s|ed)?|up to|no more than|below|less than|under|may"
        r"|timeout)\b"
    )),
    ("least", re.compile(r"\b(?:at least|min(?:imum)?|above|more than|over|no less than)\b")),
)
# fmt: on
NUMBER = re.compile(r"v?([0-9]+(?:\.[0-9]+)*)", re.IGNORECASE)
_NUMBERED = re.compile(r"([A-Za-z]{2,}?)[-_]?v?([0-9]+(?:\.[0-9]+)*)")
_ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?")
_CLOCK = re.compile(r"([0-9]{1,2}):([0-9]{2})")
_MOMENT = re.compile(r"(?:19|20)[0-9]{2}(?:-[0-9]{2}){0,2}|[0-9]{1,2}:[0-9]{2}")
_ORDINAL = re.compile(r"([0-9]{1,2})(?:st|nd|rd|th)?")
MOMENT_WORDS = frozenset({*_DAYS, *_MONTHS})
_SPEAKING_OF_NUMBERS = frozenset(
    {*NUMBER_WORDS, *_DAYS, *(f"{day}s" for day in _DAYS), *_MONTHS, "every", "a", "an"}
)
"""The alphabetic words that can start a measure; most words cannot."""
_BEFORE_A_UNIT = frozenset(
    {"after", "for", "within", "every", "in", "is", "was", "take", "takes", "took", "last", "lasts"}
    | {"lasted", "need", "needs", "needed", "require", "requires", "wait", "waits"}
)
"""The prepositions and verbs of duration before ``an hour``; a noun makes it a rate."""
_BEFORE_AN_HOUR = frozenset({"at", "until", "till"})
_HOURS = 12
"""``at nine`` is a time of day, ``at thirty`` is none."""
_HALVES = {"am": 0, "pm": _HOURS}
"""The first hour of each half of a day."""
_HALF = "half"
_AND_A_HALF = ["and", "a", "half"]
_BOUNDS = frozenset({"most", "least"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """The kind of a measure, its values, and the words it was written in."""

    kind: str
    values: frozenset[str]
    phrase: str


def role_of(text: str) -> Role:
    """Return the role of a clause's numbers: a bound, a default, an observation, or exact."""
    return next((role for role, cue in _ROLES if cue.search(text)), "exact")


class _Collected:
    """The measures collected while a clause is parsed, and the words they use."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        self.lows = [word.casefold() for word in words]
        self.taken: set[int] = set()
        self.named: set[int] = set()
        self.found: dict[str, tuple[set[str], list[int]]] = {}

    def low(self, at: int) -> str:
        return self.lows[at] if 0 <= at < len(self.lows) else ""

    def add(self, kind: str, value: str, *at: int) -> None:
        values, places = self.found.setdefault(kind, (set(), []))
        values.add(value)
        places.extend(at)
        self.taken.update(at)

    def measures(self) -> tuple[Measure, ...]:
        return tuple(
            Measure(kind=kind, values=frozenset(values), phrase=self._phrase(places))
            for kind, (values, places) in self.found.items()
        )

    def _phrase(self, places: list[int]) -> str:
        return " ".join(self.words[min(places) : max(places) + 1])


def measures_in(words: Sequence[str]) -> tuple[tuple[Measure, ...], frozenset[int]]:
    """Return the measures of a clause, and the positions of their numbers and units."""
    seen = _Collected(words)
    for at, low in enumerate(seen.lows):
        if at and len(low) == 1 and _take_letter(seen, at):
            continue
        if low.isalpha() and low not in _SPEAKING_OF_NUMBERS:
            continue
        if at not in seen.taken and not _take_moment(seen, at):
            _take_number(seen, at)
    return seen.measures(), frozenset(seen.taken - seen.named)


def _take_letter(seen: _Collected, at: int) -> bool:
    """Parse the one letter that tells a thing apart, such as ``Customer B``."""
    word, thing = seen.words[at], seen.words[at - 1]
    if not word.isupper() or word == "I" or not thing.isalpha():
        return False
    if says_nothing(thing):
        return False
    seen.add(_LETTER + stem(thing), word, at - 1, at)
    seen.named.add(at - 1)
    return True


def _take_moment(seen: _Collected, at: int) -> bool:
    low = seen.low(at)
    day = low.removesuffix("s")
    if day in _DAYS:
        seen.add(WEEKDAY, day, at)
        _take_which(seen, at - 1)
    elif not low[0].isdigit():
        return low in _MONTHS and _take_day_of_month(seen, at)
    elif _ISO_DATE.fullmatch(low):
        seen.add(DATE, low, at)
    elif clock := _CLOCK.fullmatch(low):
        _take_clock(seen, at, int(clock[1]), clock[2])
    else:
        return _take_day_of_month(seen, at)
    return True


def _take_clock(seen: _Collected, at: int, hour: int, minutes: str) -> None:
    """Parse ``6:30 pm`` and ``18:30``."""
    half = _HALVES.get(seen.low(at + 1)) if 0 < hour <= _HOURS else None
    if half is None:
        seen.add(CLOCK, f"{hour:02}:{minutes}", at)
    else:
        seen.add(CLOCK, f"{hour % _HOURS + half:02}:{minutes}", at, at + 1)


def _take_which(seen: _Collected, at: int) -> None:
    """Parse the ordinals before a weekday: ``the first Tuesday``, ``second and fourth Friday``."""
    while seen.low(at) in _WHICH:
        seen.add(WHICH_OF_MONTH, _WHICH[seen.low(at)], at)
        at -= 2 if seen.low(at - 1) in {"and", "or"} else 1


def _take_day_of_month(seen: _Collected, at: int) -> bool:
    """Parse ``15 December`` and ``December 15``."""
    for day_at, month_at in ((at, at + 1), (at + 1, at)):
        month = seen.low(month_at)
        if month in _MONTHS and (day := _ORDINAL.fullmatch(seen.low(day_at))):
            seen.add(DATE, f"{_MONTHS.index(month) + 1:02}-{int(day[1]):02}", at, at + 1)
            return True
    return False


def _take_number(seen: _Collected, at: int) -> None:
    low = seen.low(at)
    number = _number(low)
    if number is None:
        numbered = _NUMBERED.fullmatch(seen.words[at])
        if numbered:
            seen.add(_LABEL + stem(numbered[1]), numbered[2], at)
        elif low == "every":
            _take_unit(seen, at, "1")
        elif low in {"a", "an"}:
            _take_one(seen, at)
        return
    if _take_unit(seen, at, number) or _take_next_of_list(seen, at, number):
        return
    if not _take_hour(seen, at, number):
        _take_labelled(seen, at, number)


def _take_hour(seen: _Collected, at: int, number: str) -> bool:
    """Parse ``6 pm``, and ``at six``, which may be in the morning or in the evening."""
    half = _HALVES.get(seen.low(at + 1))
    is_spoken = seen.low(at) in NUMBER_WORDS and seen.low(at - 1) in _BEFORE_AN_HOUR
    if (half is None and not is_spoken) or not number.isdigit() or not 0 < int(number) <= _HOURS:
        return False
    hour = int(number) % _HOURS
    if half is not None:
        _take_clock(seen, at, int(number), "00")
        return True
    for start in _HALVES.values():
        seen.add(CLOCK, f"{hour + start:02}:00", at)
    return True


def _take_one(seen: _Collected, at: int) -> None:
    """Parse ``takes an hour``, ``half an hour`` and ``an hour and a half``."""
    is_half = seen.low(at - 1) == _HALF
    if seen.low(at - 2 if is_half else at - 1) not in _BEFORE_A_UNIT:
        return
    after = seen.low(at + 2)
    if after and after not in STOP_WORDS and not says_nothing(after):
        return  # "a second look" and "a byte string" are no measures
    number = "0.5" if is_half else "1"
    _take_unit(seen, at, "1.5" if seen.lows[at + 2 : at + 5] == _AND_A_HALF else number)


def _number(low: str) -> str | None:
    if low in NUMBER_WORDS:
        return NUMBER_WORDS[low]
    found = NUMBER.fullmatch(low)
    return found[1] if found else None


def only_one_is_a_moment(ours: str, theirs: str, *, follows_is: bool) -> bool:
    """Tell whether two values can both be true: ``born in Vienna`` and ``born in 1991``.

    After ``is``, a single word is a name or a number: the contact is April, and the size is 2048.
    """
    if follows_is and " " not in ours.strip() + theirs.strip():
        return False
    return _has_moment(ours) != _has_moment(theirs)


def _has_moment(phrase: str) -> bool:
    """Tell whether a phrase names a weekday, a month, a year, a date or a time of day."""
    lows = phrase.casefold().split()
    return any(
        low in MOMENT_WORDS or low.removesuffix("s") in _DAYS or _MOMENT.fullmatch(low)
        for low in lows
    )


def in_digits(words: Iterable[str]) -> list[str]:
    """Return words with digits for the number words: ``two`` and ``twice`` become ``2``."""
    return [NUMBER_WORDS.get(word.casefold(), word) for word in words]


def _take_unit(seen: _Collected, at: int, number: str) -> bool:
    kind, factor = _unit(seen.low(at + 1))
    if not kind or number.count(".") > 1:
        return False
    seen.add(kind, _plain(float(number) * factor), at, at + 1)
    return True


def is_unit(low: str) -> bool:
    """Tell whether a lower-case word is a unit of time or size, or a percent sign."""
    return bool(_unit(low)[0])


def _unit(low: str) -> tuple[str, float]:
    return UNITS.get(low) or UNITS.get(low.removesuffix("s")) or ("", 0.0)


def _plain(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")


def _take_next_of_list(seen: _Collected, at: int, number: str) -> bool:
    """Parse the ``22`` in ``Node 20 and 22`` as another value of the first measure."""
    if seen.low(at - 1) not in {"and", "or"}:
        return False
    for kind, (_, places) in seen.found.items():
        if at - 2 in places:
            seen.add(kind, number, at)
            return True
    return False


def _take_labelled(seen: _Collected, at: int, number: str) -> None:
    before = seen.words[at - 1] if at else ""
    after = seen.words[at + 1] if at + 1 < len(seen.words) else ""
    is_label = before.isalpha() and not says_nothing(before) and seen.low(at) not in NUMBER_WORDS
    is_counted = after.replace("-", "").isalpha() and not says_nothing(after)
    is_thing = _LABEL + stem(before) in _NUMBERED_THINGS and not before.endswith("s")
    is_named = is_thing or looks_like_a_name(before, is_first=at == 1)
    if is_label and (not is_counted or is_named):
        seen.add(_LABEL + stem(before), number, at - 1, at)
        seen.named.add(at - 1)
    elif is_counted:
        seen.add(_COUNT + stem(after), number, at, at + 1)
        seen.named.add(at + 1)
    elif seen.low(at) not in NUMBER_WORDS:
        seen.add(_BARE, number, at)


def are_of_different_things(ours: Iterable[Measure], theirs: Iterable[Measure]) -> bool:
    """Tell whether numbers identify two different things, such as shard 1 and shard 2."""
    named = {one.kind: one.values for one in ours if _is_of_a_thing(one.kind)}
    return any(not named.get(one.kind, one.values) & one.values for one in theirs)


def _is_of_a_thing(kind: str) -> bool:
    """Tell whether a measure tells things apart, as in shard 1 and customer B."""
    return kind in _NUMBERED_THINGS or kind.startswith(_LETTER)


def differing(
    ours: Iterable[Measure], theirs: Iterable[Measure], *, topics: frozenset[str]
) -> tuple[Measure, Measure] | None:
    """Return two measures of the same thing with no common value; ``topics`` are shared words.

    If the two share a value for a kind, the other values count as more detail.
    """
    for mine in ours:
        for yours in theirs:
            if not _are_alike(mine.kind, yours.kind, topics):
                continue
            if any(_is_same(mine.kind, one, two) for one in mine.values for two in yours.values):
                continue
            return mine, yours
    return None


def _are_alike(one: str, other: str, topics: frozenset[str]) -> bool:
    """Tell whether two kinds measure the same; a bare number matches any shared topic."""
    if _is_of_a_thing(one) or _is_of_a_thing(other):
        return False
    if one == other:
        return True
    if _BARE not in {one, other}:
        return False
    named = other if one == _BARE else one
    return named.startswith(_COUNT) or named.removeprefix(_LABEL) in topics


def _is_same(kind: str, one: str, other: str) -> bool:
    """Tell whether two values agree; as versions, 3.12 and 3.12.4 do."""
    if one == other or not kind.startswith(_LABEL):
        return one == other
    return one.startswith(f"{other}.") or other.startswith(f"{one}.")


def roles_clash(ours: Role, theirs: Role, mine: Measure, yours: Measure) -> bool:
    """Tell whether two different values with these roles cannot both hold."""
    roles = {ours, theirs}
    if len(roles) == 1 or "only" in roles:
        return True
    if "seen" in roles:
        return False  # an observed value does not contradict a decided one
    if not roles & _BOUNDS:
        return True
    if "exact" not in roles:
        return False
    exact, bound = (mine, yours) if ours == "exact" else (yours, mine)
    values, ends = sorted(map(_ordered, exact.values)), sorted(map(_ordered, bound.values))
    return values[-1] < ends[0] if "least" in roles else values[0] > ends[-1]


def _ordered(value: str) -> tuple[int, ...]:
    """Return a sort key that puts 3.9 before 3.12."""
    return tuple(int(digits) for digits in re.findall(r"[0-9]+", value))
