"""Find which later text amends an earlier one: same subject, later, and incompatible.

Two texts have the same subject if they share enough of their content words. A word that many texts
beside them contain counts less, and a name or a number counts more. They are incompatible if

- the later one gives up something that the earlier one says;
- one of its statements clashes with an earlier one by the rules of ``conflict.judging``; or
- both are conversations, and the later one says that it changes a rule.

The last statement that shows this counts, because a conversation ends with what was agreed. A
conversation that says nothing new restates the earlier one, and amends nothing.

The thresholds were fitted on the six amended conversations of ``sde_decisions``, as worded and
reworded, with ``python -m benchmarks.stale``.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from itertools import chain, pairwise, product
from typing import TYPE_CHECKING

from holdfast.domain.recall.amendment import Amendment, AmendmentKind
from holdfast.domain.review.suspicion import Clash
from holdfast.domain.text.words import STOP_WORDS
from holdfast.domain.values import dataclass
from holdfast.heuristics.change_words import (
    changed_things,
    changes_a_rule,
    holds_henceforth,
    is_asserted,
    may_change,
    says_of_itself,
    speaks_of_change,
)
from holdfast.heuristics.conflict.clauses import clauses_of
from holdfast.heuristics.conflict.judging import judged
from holdfast.heuristics.conflict.measures import NUMBER_WORDS, differing
from holdfast.heuristics.conflict.narrowing import is_of_another_part
from holdfast.heuristics.conflict.spelling import words_in
from holdfast.heuristics.words import says_nothing, stem

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence


_SAME_SUBJECT = 0.2
_MOST_KNOWN = 0.8
_HALF = 0.5
_FEWEST_RESTATED = 8
_FEWEST_SHARED = 6
_FEWEST_IN_TALK = 2
_MOST_SHORT = 3
"""The most statements of a short text, in which every clash counts that the judge suspects."""
_LONGEST_TEXT = 4_000
_MOST_STATEMENTS = 40
_LONGEST_STATEMENT = 400
_KNOWN_TEXTS = 512
_KNOWN_PARTS = 4_096
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+|\s[—–-]\s")
_PART = re.compile(r",\s+|[()]|:\s+")
_UNIT = re.compile(r"\b(\d+)(ms|s|sec|min|h|d|kb|mb|gb)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:[._'][^\W_]+)*")
_DIFFERENCES = {
    Clash.NUMBER: AmendmentKind.NUMBER,
    Clash.DATE: AmendmentKind.DATE,
    Clash.POLARITY: AmendmentKind.OPPOSITE,
    Clash.OPPOSITE: AmendmentKind.OPPOSITE,
    Clash.REPLACED: AmendmentKind.GIVEN_UP,
}

_NAMED_DIFFERENCES = frozenset({AmendmentKind.NUMBER, AmendmentKind.GIVEN_UP, AmendmentKind.RULE})
_ARTICLES = frozenset({"a", "an", "the", "our", "we"})
_PLACING = frozenset({"at", "by", "for", "from", "in", "of", "on", "under"})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Statement:
    """A sentence of the text at ``place``, its parts between commas, and its content stems."""

    text: str
    place: int
    parts: tuple[str, ...]
    stems: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """The places of the later and the earlier text, what differs, and whether that is said."""

    ours: int
    theirs: int
    differs: AmendmentKind
    is_said: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """What one memory or one conversation says.

    ``subject`` are its content stems without words about rules and changes, and ``texts`` those of
    each text.
    """

    said: tuple[str, ...]
    stems: frozenset[str]
    subject: frozenset[str]
    texts: tuple[frozenset[str], ...]

    @property
    def statements(self) -> tuple[_Statement, ...]:
        """Its statements, read on demand, because most sources share no subject."""
        return _statements(self.said)


def amendments(sources: Sequence[Sequence[str]], talks: Collection[int]) -> list[Amendment]:
    """Return which sources amend earlier ones; the sources are given oldest first.

    ``talks`` are the places of conversations, in which the later word counts. Between others, only
    an amendment counts that says that something changes.
    """
    amending = [n for n, texts in enumerate(sources) if n in talks or any(map(may_change, texts))]
    compared = _Compared(sources, talks) if amending else None
    return [one for newer in amending if compared for one in compared.amended_by(newer)]


class _Compared:
    """Sources that are compared with each other, oldest first."""

    def __init__(self, sources: Sequence[Sequence[str]], talks: Collection[int]) -> None:
        self.read = [_source(tuple(texts)) for texts in sources]
        self.talks = talks
        among = Counter(chain.from_iterable(source.subject for source in self.read))
        # Less if more than two sources contain a word, more for a name or a number.
        self.weights = {
            one: (1 if one.isalpha() else 2) * min(1.0, 2 / many) for one, many in among.items()
        }
        self.totals = [self._weight(source.subject) for source in self.read]

    def amended_by(self, newer: int) -> list[Amendment]:
        """Return what one source amends, and if it says so, also what it says again."""
        olders = [n for n in range(newer) if self._is_one_subject(newer, n)]
        again = [n for n in olders if _is_restated(self.read[newer], self.read[n])]
        found = [
            Amendment(older=(n, one.theirs), newer=(newer, one.ours), differs=one.differs,
                      is_said=one.is_said)
            for n in olders
            if n not in again and (one := self._difference(newer, n)) is not None
        ]  # fmt: skip
        said = [one.newer for one in found if one.is_said][:1]
        return found + [
            Amendment(older=(n, 0), newer=place, differs=None, is_said=True)
            for place in said
            for n in again
        ]

    def _is_one_subject(self, newer: int, older: int) -> bool:
        shared = self.read[newer].subject & self.read[older].subject
        least = _SAME_SUBJECT * min(self.totals[newer], self.totals[older])
        return bool(shared) and self._weight(shared) >= least

    def _weight(self, stems: frozenset[str]) -> float:
        return sum(map(self.weights.__getitem__, stems))

    def _difference(self, newer: int, older: int) -> _Found | None:
        ours, theirs = self.read[newer], self.read[older]
        if not theirs.statements:
            return None
        rules = [_ruled]
        if newer in self.talks or len(ours.statements) <= _MOST_SHORT:
            rules = [_given_up, _changed, _ruled]
        if newer in self.talks and older in self.talks:
            rules += [_clashing, _ruled_in_talk]
        found = next((seen for rule in rules if (seen := rule(ours, theirs)) is not None), None)
        return None if found is None or _is_about_another(ours, theirs, found) else found


def _is_about_another(newer: _Source, older: _Source, found: _Found) -> bool:
    """Tell whether two short sources say the same of two things, so that both are valid.

    "The staging database" and "the production database" differ beside a word that both contain, and
    so do "version 2" and "version 3" if something else is given up. Where another value was found,
    that may be the difference, and nothing is known about the rest.
    """
    if not _are_short(newer, older) or found.differs not in _NAMED_DIFFERENCES:
        return False
    with_numbers = found.differs == AmendmentKind.GIVEN_UP
    ours, theirs = (_beside(one, with_numbers=with_numbers) for one in (newer, older))
    return any(
        theirs[place] - newer.stems
        and ours[place] - older.stems
        and not theirs[place] & ours[place]
        for place in ours.keys() & theirs.keys()
    )


def _beside(source: _Source, *, with_numbers: bool) -> dict[tuple[str, str], set[str]]:
    """Return the words of the subject that stand before and after each other word."""
    told = {one for one in source.subject if one.isalpha()}
    after = source.subject if with_numbers else told
    found: dict[tuple[str, str], set[str]] = {}
    for text in source.said:
        words = [stem(word) for word in _WORD.findall(text.casefold()) if word not in _ARTICLES]
        for one, other in pairwise(words):
            if one in told and other in source.subject:
                found.setdefault(("before", other), set()).add(one)
            is_numbered = not other.isalpha() and one.isalpha() and one not in STOP_WORDS
            if other in after and (one in told or one in _PLACING or is_numbered):
                found.setdefault(("after", one), set()).add(other)
    return found


def _given_up(newer: _Source, older: _Source) -> _Found | None:
    """Find a statement that gives up or changes a thing of which the earlier source speaks."""
    for statement in reversed(newer.statements):
        if is_of_another_part(words_in(statement.text), older.stems):
            continue
        for thing in changed_things(statement.text):
            known = thing.stems & older.stems
            exact = (
                thing.stems if thing.is_whole else {one for one in thing.stems if not one.isalpha()}
            )
            if not exact <= known:
                continue
            is_meant = not thing.head or thing.head in known
            if (
                is_meant
                and len(known) >= _HALF * len(thing.stems)
                and not _tells(older, thing.stems)
            ):
                said = max(older.statements, key=lambda one: len(one.stems & known))
                differs = AmendmentKind.RULE if thing.is_rule else AmendmentKind.GIVEN_UP
                return _Found(
                    ours=statement.place, theirs=said.place, differs=differs, is_said=True
                )
    return None


def _tells(older: _Source, stems: frozenset[str]) -> bool:
    """Tell whether the earlier source speaks of the same change."""
    things = (thing for one in older.statements for thing in changed_things(one.text))
    return any(stems & thing.stems for thing in things)


def _changed(newer: _Source, older: _Source) -> _Found | None:
    """Find a statement with language of change that differs from an earlier statement."""
    changing = [one for one in reversed(newer.statements) if speaks_of_change(one.text)]
    is_short = _are_short(newer, older)
    for ours, theirs in product(changing, older.statements):
        if differs := _clash(ours.text, theirs.text, older, is_short=is_short):
            return _Found(ours=ours.place, theirs=theirs.place, differs=differs, is_said=True)
        if is_short and _gives_another_number(ours.text, theirs.text):
            return _Found(
                ours=ours.place, theirs=theirs.place, differs=AmendmentKind.NUMBER, is_said=True
            )
    return None


def _gives_another_number(ours: str, theirs: str) -> bool:
    """Tell whether two statements measure the same thing differently.

    This is less strict than the judge: each may name something that the other does not.
    """
    for one, other in product(clauses_of(ours), clauses_of(theirs)):
        shared = one.subject & other.subject
        fewest = min(len(one.subject), len(other.subject))
        if shared and len(shared) >= _HALF * fewest:
            topics = one.stems & other.stems
            if differing(one.measures, other.measures, topics=topics) is not None:
                return True
    return False


def _clashing(newer: _Source, older: _Source) -> _Found | None:
    """Find two statements that clash, whatever words they use about it."""
    is_short = _are_short(newer, older)
    least = 1 if is_short else _FEWEST_IN_TALK
    for ours, theirs in product(reversed(newer.statements), reversed(older.statements)):
        if ours.stems.isdisjoint(theirs.stems):
            continue
        for one, other in product(ours.parts, theirs.parts):
            if len(_stems(one) & _stems(other)) < least:
                continue
            if differs := _clash(one, other, older, is_short=is_short):
                return _Found(ours=ours.place, theirs=theirs.place, differs=differs, is_said=False)
    return None


def _ruled(newer: _Source, older: _Source) -> _Found | None:
    """Find a statement that it changes a rule, in texts that share much of what they say."""
    shared, least = newer.stems & older.stems, min(len(newer.stems), len(older.stems))
    if len(shared) < max(_FEWEST_IN_TALK, _HALF * least):
        return None
    return _says(newer, older, changes_a_rule)


def _ruled_in_talk(newer: _Source, older: _Source) -> _Found | None:
    """Find the same in talks that share many words, if the later one says anything new."""
    if len(newer.stems & older.stems) < _FEWEST_SHARED or newer.subject <= older.stems:
        return None
    return _says(newer, older, changes_a_rule) or _says(newer, older, holds_henceforth)


def _says(newer: _Source, older: _Source, rule: Callable[[str], bool]) -> _Found | None:
    said = next((one.place for one in reversed(newer.statements) if rule(one.text)), None)
    if said is None:
        return None
    return _Found(
        ours=said, theirs=older.statements[-1].place, differs=AmendmentKind.RULE, is_said=True
    )


def _clash(ours: str, theirs: str, older: _Source, *, is_short: bool) -> AmendmentKind | None:
    """Return how two statements differ by the rules of the judge, if they do.

    Long texts weigh many things. There a number must be new to all of the earlier source, and what
    one forbids and the other states must be the same in all its words.
    """
    seen = judged(ours, theirs, None)
    if seen is None:
        return None
    if is_short:
        counts = seen.clash != Clash.REPLACED or not changed_things(theirs)
    elif seen.clash == Clash.NUMBER:
        counts = any(map(_is_value, _stems(ours) - older.stems))
    else:
        counts = seen.clash == Clash.POLARITY and _stems(ours) == _stems(theirs)
    return _DIFFERENCES.get(seen.clash, AmendmentKind.VALUE) if counts else None


def _is_value(word: str) -> bool:
    """Tell whether a word is a number that says something; 0 and 1 are in every text."""
    return word.isdecimal() and int(word) > 1


def _are_short(newer: _Source, older: _Source) -> bool:
    return max(len(newer.statements), len(older.statements)) <= _MOST_SHORT


def _is_restated(newer: _Source, older: _Source) -> bool:
    """Tell whether some text of the newer source says what the older one says, and nothing new."""
    for text in newer.texts:
        fresh = text - older.stems
        is_known = len(text) - len(fresh) >= _MOST_KNOWN * len(text)
        if len(text) >= _FEWEST_RESTATED and is_known and not any(map(_is_value, fresh)):
            return True
    return False


@lru_cache(maxsize=_KNOWN_TEXTS)
def _source(texts: tuple[str, ...]) -> _Source:
    stems = [_stems(text) for text in texts]
    telling = [frozenset(one for one in own if not says_of_itself(one)) for own in stems]
    return _Source(
        said=texts,
        stems=frozenset().union(*stems),
        subject=frozenset().union(*telling),
        texts=tuple(telling),
    )


@lru_cache(maxsize=_KNOWN_TEXTS)
def _statements(texts: tuple[str, ...]) -> tuple[_Statement, ...]:
    return tuple(
        _Statement(
            text=whole,
            place=place,
            parts=tuple(dict.fromkeys([whole, *filter(None, map(str.strip, _PART.split(whole)))])),
            stems=_stems(whole),
        )
        for place, text in enumerate(texts)
        for sentence in _SENTENCE.split(text[:_LONGEST_TEXT])[:_MOST_STATEMENTS]
        if (whole := sentence.strip()[:_LONGEST_STATEMENT]) and is_asserted(whole)
    )


@lru_cache(maxsize=_KNOWN_PARTS)
def _stems(text: str) -> frozenset[str]:
    words = _WORD.findall(_UNIT.sub(r"\1 \2", text[:_LONGEST_TEXT]))
    return frozenset(
        NUMBER_WORDS.get(word.casefold()) or stem(word) for word in words if not says_nothing(word)
    )
