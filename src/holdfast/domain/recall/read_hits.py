"""The best memories after a model has read each of them together with the question.

A reading is a number on the scale of the model ``laver``: about 2 for a claim that answers a
question with words in common, about -3 for one that answers in other words, -5 for a near miss.
"""

from __future__ import annotations

from math import exp, sqrt
from typing import TYPE_CHECKING

from holdfast.domain.recall.bundle import Reason
from holdfast.domain.recall.certainty import SURE
from holdfast.domain.recall.question import looks_like_code
from holdfast.domain.text.languages import language_of
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.recall.ranking import Scored
    from holdfast.domain.recall.weighing import Weights

READ = 8
"""How many of the best memories are read."""
_EXACT = "exact"
# Fitted with the choosing half of ``benchmarks.other_words``, the first set of
# ``benchmarks.silence`` and half of the held-out written questions, by a grid (decision 207).
_MOST_WITHOUT = 1.2
_WORTH = 0.25
_NEUTRAL = -4.75
_UNREAD = 0.5


def are_claims(scored: Sequence[Scored], question: str) -> bool:
    """Tell whether the model may read the best hits: claims, and a question in English.

    It has read neither conversations nor code, and knows no other language.
    """
    head = scored[:READ]
    if not head or language_of(question) or any(item.turn is not None for item in head):
        return False
    return sum(looks_like_code(item.record.memory.claim) for item in head) * 3 <= len(head)


def read_hits(
    scored: Sequence[Scored],
    readings: Sequence[float | None],
    *,
    name: str,
    weights: Weights,
) -> tuple[Scored, ...]:
    """Add what a model read to the score and to the strength of the best hits; best first.

    A memory whose key, label or id the question contains still answers. If the first answers, it
    is as sure as the surest: its score has counted what it has in common with the question too. A
    memory that was not read is no surer than the surest that was.
    """
    fits = spread(readings)
    head = [
        _read(item, reading, fit, name=name, weights=weights)
        for item, reading, fit in zip(scored, readings, fits, strict=False)
    ]
    surest = max([item.strength for item in head], default=SURE)
    rest = [
        item if _is_exact(item) else replace(item, strength=min(item.strength, surest))
        for item in scored[len(head) :]
    ]
    head.sort(key=lambda item: (-item.score, item.record.sequence))
    best = [replace(item, strength=surest) for item in head[:1] if item.strength >= SURE]
    return (*(best or head[:1]), *head[1:], *rest)


def spread(scores: Sequence[float | None]) -> list[float]:
    """Return scores by their distance from the mean, between 0 and 1; one alone has 0.5."""
    told = [one for one in scores if one is not None]
    mean = sum(told) / max(1, len(told))
    deviation = sqrt(sum((one - mean) ** 2 for one in told) / max(1, len(told))) + 1e-6
    return [_UNREAD if one is None else 1 / (1 + exp((mean - one) / deviation)) for one in scores]


def _read(
    item: Scored, reading: float | None, fit: float, *, name: str, weights: Weights
) -> Scored:
    amount = weights.reranker * fit
    score = round(item.score + amount, 6)
    if reading is None or language_of(item.record.memory.claim):
        return replace(item, score=score)
    return replace(
        item,
        score=score,
        reasons=(*item.reasons, Reason(leg=name, amount=amount, note=f"read as {reading:.1f}")),
        strength=_strength(item, reading),
    )


def _strength(item: Scored, reading: float) -> float:
    """Return how certainly a memory answers, by what it has in common and by its reading.

    A memory that only words found keeps its strength, which has another scale.
    """
    if item.is_by_words:
        return item.strength
    told = max(0.0, min(item.strength, _MOST_WITHOUT) + _WORTH * (reading - _NEUTRAL))
    return max(told, SURE) if _is_exact(item) else told


def _is_exact(item: Scored) -> bool:
    """Tell whether the question contains the key, the label or the id of a memory."""
    return any(reason.leg == _EXACT and reason.amount > 0 for reason in item.reasons)
