"""Select the memories and passages that an answer contains, and give reasons for the others.

Rank hits as a set: hits that cover the rest of a question come before repetitions.

The rule was measured on ``musique300``, ``hotpot300`` and ``2wiki``.
"""

from __future__ import annotations

from math import floor, log
from typing import TYPE_CHECKING

from holdfast.domain.recall.bundle import Reason
from holdfast.domain.recall.certainty import RATHER_SURE, SURE, ComparedWords
from holdfast.domain.recall.hiding import without_sensitive
from holdfast.domain.recall.relevance import plain_subject
from holdfast.domain.text.words import STOP_WORDS, stem
from holdfast.domain.values import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.recall.bundle import Bundle, Passage
    from holdfast.domain.recall.ranking import Scored


TOO_LITTLE = "too little in common with the question"
NEARLY_ENOUGH = "nearly enough in common with the question"
FAR_BELOW = "far below the best answer"
ENOUGH_OTHERS = "no sure answer, and others come nearer"

# Fitted like the numbers of ``certainty``; those of passages on the code of four projects.
# Fitted with MiniLM: ``python -m benchmarks.silence``, first set of questions (decision 46).
_POSSIBLE = 0.5
_FAR = 0.3
_BESIDE = 0.45
_FEW = 5
_SHORT_QUESTION = 6
_ENOUGH_OF_PASSAGE = 0.34
_MANY_OF_PASSAGE = 4.0
_NEAR_ENOUGH = 0.3
_NAMED_NEAREST = 3  # among three is the right one for half of the silent questions (decision 160)


def nearest(bundle: Bundle) -> tuple[MemoryId, ...]:
    """Return the memories that came nearest to a silent answer, best first; few at most."""
    if bundle.items or bundle.passages:
        return ()
    near = [one.memory_id for one in bundle.left_out if one.why.startswith(NEARLY_ENOUGH)]
    return tuple(near[:_NAMED_NEAREST])


def sifted(
    scored: Sequence[Scored],
    newer: Mapping[MemoryId, MemoryId] | None = None,
    *,
    asks_for: int = 1,
) -> tuple[Scored, ...]:
    """Mark the memories that do not answer, each with the reason.

    At least one memory must answer by itself. Then the answer also contains memories that come
    near it, that a better hit leads to, or that belong to the same conversation. A pinned memory
    is always given, and so is a memory that amends a near one (``newer`` maps a memory to the one
    that amends it). A question with many content words (``asks_for``) may need several memories,
    so fewer are removed. A sensitive memory is never given, because its text is encrypted.
    """
    near = {item.record.memory.id for item in scored if item.strength >= _POSSIBLE}
    amending = {after for before, after in (newer or {}).items() if before in near}
    scored = [
        replace(item, is_vouched_for=True) if item.record.memory.id in amending else item
        for item in scored
    ]
    is_short = asks_for <= _SHORT_QUESTION
    bars = _bars(scored, is_short=is_short)
    kept = [_sifted(item, bars[item.is_by_words]) for item in scored]
    surest = max((bar.surest for bar in bars.values()), default=0.0)
    is_unsure = SURE <= surest < RATHER_SURE
    return without_sensitive(_strongest(kept) if is_unsure and is_short else kept)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Level:
    """The strength from which an answer is clear, and the shares that others then need."""

    clear: float
    beside_clear: float
    far_from_clear: float


_USUAL = _Level(clear=3.0, beside_clear=0.6, far_from_clear=0.3)
_SHORT = _Level(clear=1.8, beside_clear=0.7, far_from_clear=0.5)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bar:
    """The strength of the strongest memory, and what others need to be given beside it."""

    surest: float
    strength: float
    score: float


def _bars(scored: Sequence[Scored], *, is_short: bool) -> dict[bool, _Bar]:
    """Return the thresholds of memories that words alone found, and of those with a vector.

    Strengths of the two have different scales. Both occur if some memories have no vector yet; a
    sure answer among one of them is one for the other too.
    """
    groups = {
        by_words: [item for item in scored if item.is_by_words is by_words]
        for by_words in (False, True)
    }
    bars = {by_words: _bar(group, is_short=is_short) for by_words, group in groups.items() if group}
    surest = max((bar.surest for bar in bars.values()), default=0.0)
    return {by_words: replace(bar, surest=surest) for by_words, bar in bars.items()}


def _bar(scored: Sequence[Scored], *, is_short: bool) -> _Bar:
    """Return the thresholds; they are higher beside a clear answer, most if meaning confirms it."""
    surest = max(scored, key=lambda item: item.strength)
    level = _SHORT if is_short and not surest.is_by_words else _USUAL
    is_clear = surest.strength >= level.clear
    best = max([item.score for item in scored if item.strength >= _POSSIBLE], default=0.0)
    return _Bar(
        surest=surest.strength,
        strength=surest.strength * (level.beside_clear if is_clear else _BESIDE),
        score=best * (level.far_from_clear if is_clear else _FAR),
    )


def _sifted(item: Scored, bar: _Bar) -> Scored:
    if bar.surest < SURE:
        why = TOO_LITTLE if item.strength < _POSSIBLE else NEARLY_ENOUGH
        return _left(item, why, _of(item.strength, SURE))
    if item.strength < _POSSIBLE and not item.is_vouched_for:
        return _left(item, TOO_LITTLE, f"{_of(item.strength, _POSSIBLE)} beside a sure answer")
    if item.score <= 0:
        return _left(item, TOO_LITTLE, f"its score is {item.score:.2f}")
    if _stands_alone(item) and item.strength < bar.strength:
        return _left(item, FAR_BELOW, _of(item.strength, bar.strength))
    if _stands_alone(item) and item.score < bar.score:
        return _left(item, FAR_BELOW, _of(item.score, bar.score, "score"))
    return item


def _stands_alone(item: Scored) -> bool:
    """Tell whether a memory has no support but its own strength.

    The turns of a conversation complete each other, so a weak turn belongs to a strong one.
    """
    return item.turn is None and not item.is_named and not item.is_vouched_for


def _strongest(scored: Sequence[Scored]) -> list[Scored]:
    """Keep only the few strongest, in their order, if no memory is rather sure."""
    alone = [item for item in scored if item.answers and _stands_alone(item)]
    weakest = sorted(alone, key=lambda item: -item.strength)[_FEW:]
    beyond = {item.record.memory.id for item in weakest}
    return [
        _left(item, ENOUGH_OTHERS, f"the {_FEW} strongest are given")
        if item.record.memory.id in beyond
        else item
        for item in scored
    ]


def _left(item: Scored, why: str, more: str) -> Scored:
    """Mark a memory as no answer; a pinned one is given all the same."""
    return replace(
        item, answers=False, why_not="" if item.record.standing.pinned else f"{why}: {more}"
    )


def _of(amount: float, needed: float, what: str = "strength") -> str:
    """Return the amount and what is needed, rounded down so that it never looks sufficient.

    The score beside it has another scale, so the text says which of the two it is about.
    """
    return f"{what} {floor(amount * 100) / 100:.2f} of the {needed:.2f} needed"


def sifted_passages(passages: Sequence[Passage], question: str) -> list[Passage]:
    """Mark the passages of code or history that do not answer, each with the reason.

    Passages are found by words alone, and a large repository contains every word somewhere. At
    least one passage must contain a good part of the question, or many of its words, or be named
    by its path.
    """
    subject = ComparedWords(plain_subject(question))
    strengths = [_passage_strength(passage, subject, question) for passage in passages]
    needed = _POSSIBLE if max(strengths, default=0.0) >= SURE else SURE
    return [
        passage
        if strength >= needed
        else replace(passage, why_not=f"{TOO_LITTLE}: {_of(strength, needed)}")
        for passage, strength in zip(passages, strengths, strict=True)
    ]


def _passage_strength(passage: Passage, subject: ComparedWords, question: str) -> float:
    path = passage.reference.partition(":")[0]
    names = [path.rpartition("/")[2], *[one.rpartition("/")[2] for one in passage.beside]]
    if any("." in name and name in question for name in names):
        return SURE
    text = " ".join((passage.reference, passage.title, passage.text, *passage.beside))
    held = subject.held_by(text)
    return max(
        subject.share(held) / _ENOUGH_OF_PASSAGE,
        held / _MANY_OF_PASSAGE,
        passage.likeness / _NEAR_ENOUGH,
    )


_FIRST = 3
_LOOKED_AT = 30
_LEAST_OPEN = 0.25
_MOST_NAMED = 3
_JUST_BELOW = 1e-6
_BREAKS = frozenset(" \n\t\"'([{</-_`*")


def covering(scored: Sequence[Scored], terms: Iterable[str], *, weight: float) -> list[Scored]:
    """Boost hits that contain question terms not covered by higher-ranked hits; best first.

    The first three hits are chosen one after another, each by the terms that are uncovered at that
    point. No hit rises above those chosen before it. Turns are not boosted, because their
    neighbours in the thread complete them.
    """
    head, rest = list(scored[:_LOOKED_AT]), scored[_LOOKED_AT:]
    stems = {term: stem(term) for term in terms if term not in STOP_WORDS}
    held = [_held(item.record.memory.claim, stems) for item in head]
    tells = _telling(stems, held)
    least = _LEAST_OPEN * sum(tells.values())
    chosen: list[Scored] = []
    while head and len(chosen) < _FIRST:
        gains = _gains(head, held, tells, least=least, below=chosen, weight=weight)
        scores = [
            round(item.score + gain, 6) if gain else item.score
            for item, gain in zip(head, gains, strict=True)
        ]
        best = min(range(len(head)), key=lambda n: (-scores[n], head[n].record.sequence))
        chosen.append(_lifted(head[best], held[best], tells, gains[best]))
        tells = {term: amount for term, amount in tells.items() if term not in held[best]}
        del head[best], held[best]
    gains = _gains(head, held, tells, least=least, below=chosen, weight=weight)
    others = [
        _lifted(item, own, tells, gain) for item, own, gain in zip(head, held, gains, strict=True)
    ]
    others.sort(key=lambda item: (-item.score, item.record.sequence))
    return [*chosen, *others, *rest]


def _held(claim: str, stems: Mapping[str, str]) -> list[str]:
    text = claim.casefold()
    return [term for term, start in stems.items() if _has_start(text, start)]


def _has_start(text: str, start: str) -> bool:
    """Tell whether a word of a text starts so; a term of several words is in its parts only."""
    place = text.find(start)
    while place >= 0:
        if (not place or text[place - 1] in _BREAKS) and _BREAKS.isdisjoint(start):
            return True
        place = text.find(start, place + 1)
    return False


def _telling(terms: Collection[str], held: Sequence[Collection[str]]) -> dict[str, float]:
    """Return the weight of each term; a term that every hit contains has none."""
    counts = dict.fromkeys(terms, 1)
    for own in held:
        for term in own:
            counts[term] += 1
    return {term: log((1 + len(held)) / count) for term, count in counts.items()}


def _gains(
    head: Sequence[Scored],
    held: Sequence[Collection[str]],
    tells: Mapping[str, float],
    *,
    least: float,
    below: Sequence[Scored],
    weight: float,
) -> list[float]:
    """Return the boost of each hit, none above the last chosen; the first gets no boost."""
    still_open = max(sum(tells.values()), least)
    if not below or still_open <= 0:
        return [0.0] * len(head)
    worth, most = weight / still_open, below[-1].score - _JUST_BELOW
    return [
        0.0 if item.turn is not None else _gain(item, own, tells, worth, most)
        for item, own in zip(head, held, strict=True)
    ]


def _gain(
    item: Scored, held: Collection[str], tells: Mapping[str, float], worth: float, most: float
) -> float:
    gain = worth * sum([tells[term] for term in held if term in tells])
    return max(0.0, round(min(gain, most - item.score), 6))


def _lifted(
    item: Scored, held: Collection[str], tells: Mapping[str, float], amount: float
) -> Scored:
    if not amount:
        return item
    adds = [term for term in held if term in tells]
    named = sorted(adds, key=lambda term: (-tells[term], term))[:_MOST_NAMED]
    added = Reason(leg="new terms", amount=amount, note=f"adds {', '.join(named)}")
    return replace(item, score=round(item.score + amount, 6), reasons=(*item.reasons, added))
