"""Find the numbers of a clause that name a thing and are no value: node 3, version 2.1, a 429.

The position decides. A noun directly before a number names a thing if both open the clause, or if
they follow the preposition that opens it, or one in the subject. A number that is written with its
noun, as in web1, is read in the same way. The verbs were listed by hand.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.domain.text.words import STOP_WORDS
from holdfast.heuristics.conflict.measures import MOMENT_WORDS, NUMBER, differing, is_unit
from holdfast.heuristics.conflict.predicates import BEING, MODAL, acts, is_shared
from holdfast.heuristics.same_start import word_set
from holdfast.heuristics.words import says_nothing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.heuristics.conflict.measures import Measure

_LONGEST_NAME = 3
_VERSION = "version"
_ARTICLES = frozenset({"a", "an"})
_DETERMINERS = _ARTICLES | {"the", "our"}
_OPENING = word_set("in on at for with since until before after from under by during")
_ADVERBS = frozenset({"also", "still", "now", "fully", "already", "officially", "currently"})
_BELONGING = frozenset({"of", "in", "on", "for", "from"})
_OF_THE_SUBJECT = word_set("of on for from at in")
"""The prepositions that tie a numbered thing to the noun before it: ``backups of gate 1``."""
_LONGEST_HEAD = 2
_MEASURED = word_set("size length count number limit rate depth width height age level")
"""The nouns whose number is a value: ``a pool of size 4``."""
_TAKING = word_set("supports accepts handles reads covers includes understands recognises")
"""The verbs after which another object adds to the first and does not exclude it."""
_BOUNDING = word_set("only later newer higher above up older earlier below onwards upwards")
"""The words that make a numbered thing the only one, or the first or the last of a range."""
_PLURAL = re.compile(r"[a-z]{2,}(?<![siu])s\Z")
_ATTACHED = re.compile(r"(?!v[0-9])([a-z]+(?:[-_][a-z]+)*)[-_]?v?([0-9]+(?:\.[0-9]+)*)")


def numbers_apart(lows: Sequence[str]) -> tuple[str, ...]:
    """Return the words of a clause with each number apart from its noun: ``web1`` is ``web 1``."""
    apart: list[str] = []
    for low in lows:
        found = None if low.isalpha() else _ATTACHED.fullmatch(low)
        apart += [low] if found is None else found.groups()
    return tuple(apart)


def opening(lows: Sequence[str]) -> tuple[str, ...]:
    """Return the numbered thing with which a clause opens, such as ``node 3`` or ``retry 429``."""
    start = 1 if lows and lows[0] in _DETERMINERS else 0
    end = _end_of_name(lows, start)
    return tuple(lows[start:end])


def context_of(lows: Sequence[str]) -> tuple[str, ...]:
    """Return the preposition and the numbered thing with which a clause opens.

    ``In version 2.1 the timeout was short`` says nothing about version 2.2.
    """
    if not lows or lows[0] not in _OPENING:
        return ()
    end = _end_of_name(lows, 2 if lows[1:2] and lows[1] in _DETERMINERS else 1)
    return tuple(lows[:end])


def taken_thing(lows: Sequence[str]) -> tuple[str, ...]:
    """Return the numbered thing that a clause says its subject can take, with the clause before it.

    ``The app supports iOS 14`` leaves room for iOS 16; ``only iOS 14`` and ``iOS 14 or later`` do
    not.
    """
    at = next((n for n, low in enumerate(lows) if n and low in _TAKING), None)
    if at is None or not _BOUNDING.isdisjoint(lows):
        return ()
    start = at + 2 if lows[at + 1 : at + 2] and lows[at + 1] in _DETERMINERS else at + 1
    end = _end_of_name(lows, start)
    return tuple(lows[:end])


def numbered_subject(lows: Sequence[str]) -> tuple[str, ...]:
    """Return the subject of a clause that says what a numbered thing has, does or can do.

    ``Python 3.11 is supported`` and ``Port 8080 serves HTTP`` are such clauses: the same may be
    true of other versions and ports. ``Python 3.11 is required`` is not. Without such a subject the
    result is empty.
    """
    start = 1 if lows and lows[0] in _DETERMINERS else 0
    at = _number_after(lows, start)
    if at is None or not lows[at - 1].isalpha() or lows[at - 1] in STOP_WORDS:
        return ()
    rest = _predicate([low for low in lows[at + 1 :] if low not in _ADVERBS])
    verb, following = (*rest, "", "")[:2]
    return tuple(lows[start : at + 1]) if is_shared(verb, following) else ()


def _predicate(rest: list[str]) -> list[str]:
    """Return the words from the verb on, without the thing that the subject belongs to."""
    if not rest or rest[0] not in _BELONGING:
        return rest
    verbs = [at for at, low in enumerate(rest) if at > 1 and acts(low, "")]
    return rest[verbs[0] :] if verbs else rest


def subject_of_thing(lows: Sequence[str]) -> tuple[str, ...]:
    """Return the subject of a clause that says what something of a numbered thing does.

    ``Backups of gate 1 run on Sunday`` leaves it open when those of gate 2 run.
    """
    end = _end_of_subject(lows)
    rest = [low for low in lows[end:] if low not in _ADVERBS]
    verb, following = (*rest, "", "")[:2]
    is_predicate = is_shared(verb, following) or acts(f"{verb}s", following)
    return tuple(lows[:end]) if is_predicate else ()


def _end_of_subject(lows: Sequence[str]) -> int:
    """Return where a subject ends that has a numbered thing after a preposition, or 0."""
    start = 1 if lows and lows[0] in _DETERMINERS else 0
    places = range(start + 1, min(start + 1 + _LONGEST_HEAD, len(lows)))
    at = next((at for at in places if lows[at] in _OF_THE_SUBJECT), None)
    if at is None or not _is_head(lows[start:at], lows[at]):
        return 0
    thing = at + 1 if _DETERMINERS.isdisjoint(lows[at + 1 : at + 2]) else at + 2
    end = _end_of_name(lows, thing)
    is_subject = end and lows[end - 2] not in _MEASURED and _begins_predicate(lows[end:])
    return end if is_subject else 0


def _is_head(head: Sequence[str], preposition: str) -> bool:
    """Tell whether words are the noun before a preposition: ``the API listens on`` is a verb."""
    is_verb = preposition != "of" and len(head) > 1 and _PLURAL.match(head[-1])
    return not is_verb and all(map(_is_of_a_name, head))


def _begins_predicate(lows: Sequence[str]) -> bool:
    """Tell whether the words after a subject can begin with its verb."""
    after = next((low for low in lows if low not in _ADVERBS), "")
    if after in BEING or after in MODAL:
        return True
    return after.isalpha() and after not in STOP_WORDS and not after.endswith("ing")


def name_two_things(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Tell whether two clauses, as lower-case words, are each about another numbered thing."""
    return any(
        one and other and one != other
        for one, other in (
            (read(ours), read(theirs))
            for read in (numbered_subject, subject_of_thing, context_of, taken_thing)
        )
    )


def have_own_values(
    ours: Sequence[str],
    theirs: Sequence[str],
    measures: tuple[Sequence[Measure], Sequence[Measure]],
) -> bool:
    """Tell whether two clauses differ in a numbered thing and in another number as well.

    Then the first number names the thing, and each thing has its own value: ``Retry 429 after 10
    seconds``, ``Retry 503 after 60 seconds``.
    """
    mine, yours = _names(ours), _names(theirs)
    if not mine or not yours or mine & yours:
        return False
    rest = [
        [one for one in side if one.values.isdisjoint(names)]
        for side, names in zip(measures, (mine, yours), strict=True)
    ]
    return differing(*rest, topics=frozenset()) is not None


def _names(lows: Sequence[str]) -> frozenset[str]:
    """Return the numbers of a clause that may name a thing: where it opens, or after an article."""
    first = opening(lows)[-1:] or tuple(lows[: _end_of_subject(lows)])[-1:]
    single = [
        low
        for at, low in enumerate(lows)
        if at and lows[at - 1] in _ARTICLES and NUMBER.fullmatch(low) and _stands_alone(lows, at)
    ]
    return frozenset([*first, *single])


def _stands_alone(lows: Sequence[str], at: int) -> bool:
    after, second = (*lows[at + 1 :], "", "")[:2]
    return not after or after in STOP_WORDS or _is_verb(after, second)


def _is_verb(low: str, following: str) -> bool:
    """Tell whether a word in ``s`` is a verb: another number or an article begins its object."""
    has_object = following in _DETERMINERS or NUMBER.fullmatch(following) is not None
    return has_object and _PLURAL.match(low) is not None


def _number_after(lows: Sequence[str], start: int) -> int | None:
    ahead = range(start + 1, min(start + 1 + _LONGEST_NAME, len(lows)))
    return next((at for at in ahead if NUMBER.fullmatch(lows[at])), None)


def _end_of_name(lows: Sequence[str], start: int) -> int:
    """Return where the numbered thing ends that begins here, or 0."""
    at = _number_after(lows, start)
    if at is None:
        return 0
    before, (after, second) = lows[at - 1], (*lows[at + 1 :], "", "")[:2]
    if not all(map(_is_of_a_name, lows[start:at])):
        return 0
    if before == _VERSION:
        return at + 1
    if not before.isalpha() or is_unit(after):
        return 0
    # "Retry 3 times" counts, "Table 7 lists 20 codes" does not.
    counts = _PLURAL.match(after) and not _is_verb(after, second)
    return 0 if counts else at + 1


def _is_of_a_name(low: str) -> bool:
    """Tell whether a word can stand in the name of a numbered thing: it names something itself."""
    if low == _VERSION:
        return True
    is_moment = low.removesuffix("s") in MOMENT_WORDS
    return not (is_moment or low.endswith("ly") or says_nothing(low))
