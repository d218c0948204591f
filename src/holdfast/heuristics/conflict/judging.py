"""Suspect that two claims cannot both be true: a suspicion with a reason, never a verdict.

Claims are compared clause by clause. Two clauses conflict if they have the same topic and differ
in one property that can have only one value. If each of them names something that the other does
not, they have different topics and do not conflict.

The thresholds and confidences were fitted on 180 pairs of ``benchmarks/decision_pairs.jsonl`` with
``python -m benchmarks.conflicts``; 80 pairs were held out.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from holdfast.domain.memory.identity import says_the_same
from holdfast.domain.review.suspicion import Clash, Suspicion
from holdfast.domain.values import replace
from holdfast.heuristics.conflict.clauses import Clause, GivenUp, clauses_of
from holdfast.heuristics.conflict.measures import (
    CLOCK,
    DATE,
    WEEKDAY,
    WHICH_OF_MONTH,
    are_of_different_things,
    differing,
    in_digits,
    only_one_is_a_moment,
    roles_clash,
)
from holdfast.heuristics.conflict.naming import have_own_values, name_two_things, numbers_apart
from holdfast.heuristics.conflict.narrowing import (
    is_of_another_part,
    is_over,
    is_past_beside,
    narrows,
)
from holdfast.heuristics.conflict.options import are_two_options
from holdfast.heuristics.conflict.slots import (
    ADDED_STEMS,
    BEING,
    MEANS,
    are_names,
    are_of_two_cases,
    same_slot,
)
from holdfast.heuristics.conflict.stances import Stance
from holdfast.heuristics.conflict.twins import one_difference
from holdfast.heuristics.same_start import is_same_slot, word_set
from holdfast.heuristics.words import are_opposite, stem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LEAST_SHARED = 0.34
_MOST_OPPOSED = 3
_SAME_CONTEXT = 0.5
"""The share of a clause's other words that the one which rejects something must contain."""
_LONGEST_END = 6
_MOMENTS = frozenset({WEEKDAY, WHICH_OF_MONTH, DATE, CLOCK})
_LESS_SURE = 0.1
_ADDING = frozenset({"also", "too", "additionally", "likewise"})
_USING = frozenset({"use", "uses", "run", "runs"})
_OF_SEVERAL = word_set("speak speaks know knows like likes play plays visit visits visited")
_EXCLUDING = frozenset(
    {
        frozenset({Stance.FORBIDS, Stance.REQUIRES}),
        frozenset({Stance.FORBIDS, Stance.DOES}),
        frozenset({Stance.FORBIDS, Stance.ALLOWS}),
        frozenset({Stance.LEAVES_OPEN, Stance.REQUIRES}),
    }
)
_SURE = {
    Clash.NUMBER: 0.9,
    Clash.DATE: 0.85,
    Clash.POLARITY: 0.85,
    Clash.REPLACED: 0.85,
    Clash.OPPOSITE: 0.8,
    Clash.NAME: 0.75,
}


def judged(newer: str, older: str, found: Suspicion | None) -> Suspicion | None:
    """Return why the newer claim seems to contradict the older one, or None.

    ``found`` is what is suspected already, such as ``SAME_KEY``. It stays, with the reason of the
    rules if they find one, unless both claims say the same.
    """
    seen: Suspicion | None = None
    theirs = clauses_of(older)
    for one in clauses_of(newer):
        for other in theirs:
            if _may_clash(one, other):
                for clash in _clashes(one, other):
                    if seen is None or clash.confidence > seen.confidence:
                        seen = clash
    # Most pairs have no conflict: only the others need the comparison of the whole claims.
    if (seen is None and found is None) or says_the_same(newer, older):
        return None
    if found is None or seen is None:
        return seen or found
    return replace(found, reason=seen.reason)


def _may_clash(one: Clause, other: Clause) -> bool:
    """Return False if no rule applies to two clauses, which most pairs show at once.

    The cheap questions come first. The newer claim is read once; what is asked only of the older
    one would be read again for each of them.
    """
    if one.first == other.first or one.start == other.start or one.given_up or other.given_up:
        return True
    if _is_one_of_two(one.topic, other.topic) and one.stance is not other.stance:
        return True
    if one.measures and other.measures:
        return True
    may_share = bool(other.label) or any(it - ADDED_STEMS <= other.topic for it in one.abouts)
    return may_share and not one.abouts.isdisjoint(other.abouts)


def _clashes(one: Clause, other: Clause) -> Iterator[Suspicion]:
    twin = one_difference(one.text, other.text)
    if twin is not None:
        yield _suspect(twin.clash, _both(twin.ours, twin.theirs))
        return
    if _are_apart(one, other):
        return
    if one.given_up:
        yield from _replaced(one, other)
    if other.given_up:
        yield from _replaced(other, one)
    both_measure = one.measures and other.measures
    if both_measure and _is_one_of_two(one.subject, other.subject) and not narrows(one, other):
        yield from _measured(one, other)
    if one.stance is not other.stance and _is_one_of_two(one.topic, other.topic):
        yield from _turned(one, other)
    if one.first == other.first:
        yield from _opposed(one, other)
    yield from _filled(one, other)


def _are_apart(one: Clause, other: Clause) -> bool:
    """Tell whether two clauses are about two things, two cases, or the past and the present."""
    if one.measures and other.measures and _are_of_different_things(one, other):
        return True
    if are_of_two_cases(one.slots, other.slots):
        return True
    return is_past_beside(one, other) or is_past_beside(other, one)


def _are_of_different_things(one: Clause, other: Clause) -> bool:
    """Tell whether numbers in both clauses identify the things that the clauses are about."""
    if are_of_different_things(one.measures, other.measures):
        return True
    ours, theirs = numbers_apart(one.lows), numbers_apart(other.lows)
    if name_two_things(ours, theirs):
        return True
    return have_own_values(ours, theirs, (one.measures, other.measures))


def _is_one_of_two(ours: frozenset[str], theirs: frozenset[str]) -> bool:
    """Tell whether one topic contains the other, and not much more."""
    if not ours or not theirs or not (ours <= theirs or theirs <= ours):
        return False
    return min(len(ours), len(theirs)) >= _LEAST_SHARED * max(len(ours), len(theirs))


def _measured(one: Clause, other: Clause) -> Iterator[Suspicion]:
    shared = one.stems & other.stems
    pair = differing(one.measures, other.measures, topics=shared)
    if pair is None or one.stance is Stance.FORBIDS or other.stance is Stance.FORBIDS:
        return
    mine, yours = pair
    if _is_exception(one, other) or _is_exception(other, one) or _adds(one) or _adds(other):
        return
    if roles_clash(one.role, other.role, mine, yours):
        clash = Clash.DATE if mine.kind in _MOMENTS else Clash.NUMBER
        yield _suspect(clash, _both(mine.phrase, yours.phrase), alike=one.subject == other.subject)


def _adds(clause: Clause) -> bool:
    """Tell whether a clause adds a value and replaces none: ``CI also runs on macOS``."""
    return not _ADDING.isdisjoint(clause.lows)


def _is_exception(one: Clause, other: Clause) -> bool:
    """Tell whether a clause gives a value to one thing, and the other one the default value."""
    return other.role == "usual" != one.role and other.subject < one.subject


def _turned(one: Clause, other: Clause) -> Iterator[Suspicion]:
    if frozenset({one.stance, other.stance}) not in _EXCLUDING:
        return
    if one.given_up or other.given_up or _adds_a_ban(one, other) or _adds_a_ban(other, one):
        return
    reason = f"one {_stands(one)}, the other {_stands(other)}"
    yield _suspect(Clash.POLARITY, reason, alike=one.topic == other.topic)


def _adds_a_ban(one: Clause, other: Clause) -> bool:
    """Tell whether a clause forbids something that the other one does not mention."""
    if one.stance is not Stance.FORBIDS or not one.negated:
        return False
    return one.negated.isdisjoint(other.topic)


def _opposed(one: Clause, other: Clause) -> Iterator[Suspicion]:
    """Suspect two clauses that begin with the same word and contain opposite words.

    Labels do not count: ``Local: start it`` and ``Remote: start it`` are about two things.
    """
    mine, yours = one.topic - other.topic, other.topic - one.topic
    if Stance.FORBIDS in {one.stance, other.stance} or max(len(mine), len(yours)) > _MOST_OPPOSED:
        return
    if _are_two_moments(one, other) or _takes_several(one, other):
        return
    for ours in mine - one.label:
        for theirs in yours - other.label:
            if are_opposite(ours, theirs):
                yield _suspect(Clash.OPPOSITE, _both(one.said(ours), other.said(theirs)))


def _are_two_moments(one: Clause, other: Clause) -> bool:
    """Tell whether each clause has a moment of its own: a shop opens at nine and closes at six."""
    ours, theirs = (
        {value for it in clause.measures if it.kind in _MOMENTS for value in it.values}
        for clause in (one, other)
    )
    return bool(ours and theirs) and ours != theirs


def _takes_several(one: Clause, other: Clause) -> bool:
    """Tell whether both clauses have a verb that takes several values: ``Ana speaks French``."""
    shared = set(one.lows) & set(other.lows)
    return not shared.isdisjoint(_OF_SEVERAL) and "only" not in {*one.lows, *other.lows}


def _filled(one: Clause, other: Clause) -> Iterator[Suspicion]:
    if Stance.FORBIDS in {one.stance, other.stance} or (one.measures and other.measures):
        return
    if _adds(one) or _adds(other):
        return
    is_mirrored = _name_each_other(one, other)
    for ours in one.slots:
        for theirs in other.slots:
            if same_slot(ours, theirs) and not (is_mirrored and not are_names(ours, theirs)):
                yield _suspect(Clash.NAME, _both(ours.phrase, theirs.phrase))
    if not is_mirrored and one.start == other.start:
        yield from _ended(one, other)


def _ended(one: Clause, other: Clause) -> Iterator[Suspicion]:
    """Suspect two clauses with the same beginning and different short ends."""
    if not is_same_slot(in_digits(one.lows), in_digits(other.lows)):
        return
    ends = _ends(one, other)
    # If one claim only continues where the other ends, it adds detail and does not conflict.
    mine, yours = map(" ".join, ends)
    is_short = all(ends) and max(map(len, ends)) <= _LONGEST_END
    shared = one.lows[: len(one.lows) - len(ends[0])]
    is_moment = only_one_is_a_moment(mine, yours, follows_is=not BEING.isdisjoint(shared[-1:]))
    if is_short and not is_moment and not are_two_options(mine, yours):
        yield _suspect(Clash.NAME, _both(mine, yours))


def _name_each_other(one: Clause, other: Clause) -> bool:
    """Tell whether each clause has the label of the other one among its words.

    ``Queue: RabbitMQ is used for jobs`` and ``RabbitMQ: is the queue with durable messages`` say
    one thing from both ends, and the rest of each is a detail.
    """
    if not one.label or not other.label or not one.label.isdisjoint(other.label):
        return False
    return one.label <= other.topic and other.label <= one.topic


def _ends(one: Clause, other: Clause) -> tuple[Sequence[str], Sequence[str]]:
    start = 0
    while one.lows[start : start + 1] == other.lows[start : start + 1]:
        start += 1
    return one.words[start:], other.words[start:]


def _replaced(one: Clause, other: Clause) -> Iterator[Suspicion]:
    """Suspect a clause that rejects something the other clause relies on."""
    if (
        other.stance is Stance.FORBIDS
        or is_over(other)
        or is_of_another_part(one.words, other.topic)
    ):
        return
    for gone in one.given_up:
        if not gone.stems <= other.topic or any(gone.stems <= it.stems for it in other.given_up):
            continue
        around = other.topic - gone.stems
        shared = len(around & one.topic)
        is_meant = shared >= _SAME_CONTEXT * len(around) if around else gone.is_for_good
        is_named = gone.is_name and (shared or gone.is_for_good)
        if is_meant or is_named or _is_long(gone) or _is_means(gone, other):
            reason = f'one rejects "{gone.phrase}", the other relies on it'
            yield _suspect(Clash.REPLACED, reason)


def _is_long(gone: GivenUp) -> bool:
    return gone.is_for_good and len(gone.stems) > 1


def _is_means(gone: GivenUp, other: Clause) -> bool:
    """Tell whether a clause says that something is done with the thing: ``checked with mypy``.

    Many tools are spelled like ordinary words, so their place shows that they are meant.
    """
    if not gone.is_for_good or len(gone.stems) != 1:
        return False
    return any(
        (low in MEANS or low in _USING) and stem(word) in gone.stems
        for low, word in pairwise((*other.lows, ""))
    )


def _stands(clause: Clause) -> str:
    if clause.has_ended:
        return f'says that it ended ("{clause.cue}")'
    return f'{clause.stance.value} ("{clause.cue}")' if clause.cue else clause.stance.value


def _both(ours: str, theirs: str) -> str:
    return f'one says "{ours}", the other "{theirs}"'


def _suspect(clash: Clash, reason: str, *, alike: bool = True) -> Suspicion:
    """Return the suspicion, with lower confidence if one clause says more than the other."""
    less = 0.0 if alike else _LESS_SURE
    return Suspicion(clash=clash, reason=reason, confidence=round(_SURE[clash] - less, 2))
