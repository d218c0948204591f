"""Rank hits as a set: hits that cover the rest of a question come before repetitions.

The rule was measured on ``musique300``, ``hotpot300`` and ``2wiki``.
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

from holdfast.domain.recall.bundle import Reason
from holdfast.domain.text.words import STOP_WORDS, stem
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from holdfast.domain.recall.ranking import Scored

_FIRST = 3
_LOOKED_AT = 30
_LEAST_OPEN = 0.25
_MOST_NAMED = 3
_JUST_BELOW = 1e-6
_BREAKS = str.maketrans(dict.fromkeys("\n\t\"'([{</-_`*", " "))


def covering(scored: Sequence[Scored], terms: Iterable[str], *, weight: float) -> list[Scored]:
    """Boost hits that contain question terms not covered by higher-ranked hits; best first.

    The first three hits are chosen one after another, each by the terms that are uncovered at that
    point. No hit rises above those chosen before it. Turns are not boosted, because their
    neighbours in the thread complete them.
    """
    head, rest = list(scored[:_LOOKED_AT]), scored[_LOOKED_AT:]
    stems = {term: f" {stem(term)}" for term in terms if term not in STOP_WORDS}
    held = [_held(item.record.memory.claim, stems) for item in head]
    tells = _telling(stems, held)
    least = _LEAST_OPEN * sum(tells.values())
    chosen: list[Scored] = []
    while head and len(chosen) < _FIRST:
        lifted = _lifted(head, held, tells, least=least, below=chosen, weight=weight)
        best = min(range(len(head)), key=lambda n: (-lifted[n].score, head[n].record.sequence))
        chosen.append(lifted[best])
        tells = {term: amount for term, amount in tells.items() if term not in held[best]}
        del head[best], held[best]
    others = _lifted(head, held, tells, least=least, below=chosen, weight=weight)
    others.sort(key=lambda item: (-item.score, item.record.sequence))
    return [*chosen, *others, *rest]


def _held(claim: str, stems: Mapping[str, str]) -> list[str]:
    text = f" {claim.casefold().translate(_BREAKS)}"
    return [term for term, start in stems.items() if start in text]


def _telling(terms: Collection[str], held: Sequence[Collection[str]]) -> dict[str, float]:
    """Return the weight of each term; a term that every hit contains has none."""
    counts = dict.fromkeys(terms, 1)
    for own in held:
        for term in own:
            counts[term] += 1
    return {term: log((1 + len(held)) / count) for term, count in counts.items()}


def _lifted(
    head: Sequence[Scored],
    held: Sequence[Collection[str]],
    tells: Mapping[str, float],
    *,
    least: float,
    below: Sequence[Scored],
    weight: float,
) -> list[Scored]:
    """Return the hits with their boosts, none above the last chosen; the first gets no boost."""
    still_open = max(sum(tells.values()), least)
    if not below or still_open <= 0:
        return list(head)
    return [
        _lift(item, [term for term in own if term in tells], tells, weight / still_open, below[-1])
        for item, own in zip(head, held, strict=True)
    ]


def _lift(
    item: Scored, adds: Sequence[str], tells: Mapping[str, float], worth: float, above: Scored
) -> Scored:
    gain = worth * sum([tells[term] for term in adds])
    amount = round(min(gain, above.score - _JUST_BELOW - item.score), 6)
    if amount <= 0 or item.turn is not None:
        return item
    named = sorted(adds, key=lambda term: (-tells[term], term))[:_MOST_NAMED]
    rest = Reason(leg="rest", amount=amount, note=f"adds {', '.join(named)}")
    return replace(item, score=round(item.score + amount, 6), reasons=(*item.reasons, rest))
