"""Tell whether a clause says the same about a smaller thing, or about what is over.

``The admin server listens on port 9000`` says nothing about the other servers, so it leaves ``The
server listens on port 8080`` as it is. Only clauses count that are equal word for word beside
their values: where two clauses are worded differently, further words may be a matter of style.

The words were listed by hand.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from holdfast.heuristics.conflict.measures import DATE, MOMENT_WORDS
from holdfast.heuristics.same_start import word_set
from holdfast.heuristics.words import says_nothing, stem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.heuristics.conflict.clauses import Clause

_LONGEST_INSERT = 4
_FEWEST_SHARED = 2
_NOT_NARROWING = word_set(
    "now currently still always never already finally officially again default usual usually normal"
    " normally standard current present new old exact exactly actual actually total maximum max"
    " minimum min only whole entire every all each own half quarter about around roughly nearly"
    " almost approximately"
    " today nowadays presently lately recently meanwhile moment day days week month year time early"
    " earlier late later"
    " real really true truly fact indeed correct right apparently clearly certainly definitely"
    " generally overall everywhere globally simply just instead note remember"
    " updated changed corrected revised adjusted raised lowered increased decreased reduced"
    " extended shortened moved bumped set configured"
)
"""The words that may be added to a clause and leave it about the same thing.

They say how much, when, how surely or how widely it is true, or that it changed.
"""
_BEGINNING = word_set("from since starting beginning effective until as after before once because")
"""The words that say from when a clause is true, how long, or why."""
_ALL = word_set("all any each every")
_PAST = frozenset({"was", "were", "had"})
_BEGUN = word_set(
    "since adopted introduced installed chosen picked selected decided agreed told moved migrated"
    " switched started launched begun set made became"
)
"""The words for an event after which something is so, perhaps to this day."""
_OF_A_PART = word_set("for in on at of within under from between inside among")
_AFTER_A_PART = _OF_A_PART | word_set("with by to as because since until when while and")
_ONLY, _NOT = "only", "not"
_TIMES = word_set("last next this week month quarter year yesterday today end beginning start")
"""The words for a time, beside weekdays, months and years: ``only at the end of the year``."""
_ENDING = word_set("until till before")
_USED_TO = ("used", "to")
_BEING = frozenset({"be", "have"})
_BEFORE_NO_VERB = word_set("the a an our to that which who")
"""The words before a noun, an infinitive or a clause that says which thing is meant."""
_NO_MORE = frozenset({"formerly", "previously"})
_PRESENT = word_set("is are am stays stay remains remain keeps keep")
_TO_THIS_DAY = word_set("further notice now today")
"""The words after ``until`` that name no end."""
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")


def narrows(one: Clause, other: Clause) -> bool:
    """Tell whether one of two clauses is the other one about a part of its subject."""
    ours, theirs = one.lows_beside_values, other.lows_beside_values
    if len(ours) < len(theirs):
        ours, theirs = theirs, ours
    more = _inserted(ours, theirs)
    if not (_BEGINNING.isdisjoint(more) and _ALL.isdisjoint(more[1:])):  # "in all regions"
        return False
    return any(not says_nothing(low) and low not in _NOT_NARROWING for low in more)


def _inserted(longer: Sequence[str], shorter: Sequence[str]) -> Sequence[str]:
    """Return the words that stand together in the longer clause and are its only difference."""
    extra = len(longer) - len(shorter)
    if not 0 < extra <= _LONGEST_INSERT or len(shorter) < _FEWEST_SHARED:
        return ()
    at = 0
    while at < len(shorter) and longer[at] == shorter[at]:
        at += 1
    return longer[at : at + extra] if longer[at + extra :] == shorter[at:] else ()


def is_over(clause: Clause) -> bool:
    """Tell whether a clause reports what happened at a date: ``The jobs were archived in 2021``."""
    if _PAST.isdisjoint(clause.lows) or not _BEGUN.isdisjoint(clause.lows):
        return False
    return any(map(_YEAR.fullmatch, clause.lows)) or any(it.kind == DATE for it in clause.measures)


def is_of_another_part(words: Sequence[str], topic: frozenset[str]) -> bool:
    """Tell whether a clause is limited to a part that is no part of a topic.

    ``Replace Jenkins with Buildkite for mobile builds only`` leaves the other builds as they are.
    """
    part = _part_of(words)
    return part is not None and not part <= topic


def _part_of(words: Sequence[str]) -> frozenset[str] | None:
    """Return the stems in ``for mobile builds only`` or ``only for mobile builds``, or None.

    A time is no part, and ``not only for mobile builds`` names none.
    """
    lows = [*map(str.casefold, words), ""]
    for at, (low, after) in enumerate(pairwise(lows)):
        if low != _ONLY or (after and after not in _OF_A_PART) or lows[at - 1] == _NOT:
            continue
        if after:
            start = at + 2
            end = next((n for n in range(start, len(words)) if lows[n] in _AFTER_A_PART), None)
        else:
            start = next((n + 1 for n in range(at, 0, -1) if lows[n] in _OF_A_PART), at)
            end = at
        named = [word for word in words[start:end] if not says_nothing(word)]
        if not all(map(_is_a_time, named)):
            return frozenset(map(stem, named))
    return None


def _is_a_time(word: str) -> bool:
    low = word.casefold()
    return low in MOMENT_WORDS or low in _TIMES or _YEAR.fullmatch(low) is not None


def is_past_beside(one: Clause, other: Clause) -> bool:
    """Tell whether a clause says what was so until some day, and the other one what is so.

    ``The limit was 3 until May`` and ``The limit is 5`` are both true.
    """
    return _has_ended(one, other) and _PAST.isdisjoint(other.lows) and not _has_ended(other, one)


def _has_ended(one: Clause, other: Clause) -> bool:
    lows = one.lows
    if not _PRESENT.isdisjoint(lows) or not _BEGUN.isdisjoint(lows):
        return False
    if _used_to(one, other):
        return True
    if not _NO_MORE.isdisjoint(lows):
        return _is_in_the_past(one, other)
    ends = any(low in _ENDING and _is_an_end(low, lows[at + 1 :]) for at, low in enumerate(lows))
    return ends and _is_in_the_past(one, other)


def _used_to(one: Clause, other: Clause) -> bool:
    """Tell whether a clause says what used to be, and the other one says it with the same verb.

    ``The key used to sign tokens`` says what the key is for, and nothing about the past.
    """
    threes = zip(one.lows, one.lows[1:], one.lows[2:], strict=False)
    verb = next((verb for used, to, verb in threes if (used, to) == _USED_TO), "")
    if not verb or verb in _BEING:
        return bool(verb)
    return any(
        stem(low) == stem(verb) and before not in _BEFORE_NO_VERB and not low.endswith("ing")
        for before, low in pairwise(("", *other.lows))
    )


def _is_an_end(low: str, after: Sequence[str]) -> bool:
    """Tell whether the words after ``until`` name an end; after ``before`` only a date does."""
    if not after or not _TO_THIS_DAY.isdisjoint(after[:2]):
        return False
    first = after[0]
    return low != "before" or first in MOMENT_WORDS or _YEAR.fullmatch(first) is not None


def _is_in_the_past(one: Clause, other: Clause) -> bool:
    """Tell whether the verb of a clause is in the past: ``was``, or ``ended`` beside ``ends``."""
    if not _PAST.isdisjoint(one.lows):
        return True
    past = [low for low in one.lows if low.endswith("ed") and low not in other.lows]
    return not other.stems.isdisjoint(map(stem, past))
