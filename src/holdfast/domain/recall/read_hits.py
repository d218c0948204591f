"""The best memories after a model has read each of them together with the question.

A reading is a number on the scale of the model ``laver``: about 2 for a claim that answers a
question with words in common, about -3 for one that answers in other words, -5 for a near miss.
"""

from __future__ import annotations

from math import exp, sqrt
from typing import TYPE_CHECKING

from holdfast.domain.recall.bundle import Reason
from holdfast.domain.recall.certainty import RATHER_SURE, SURE
from holdfast.domain.recall.question import looks_like_code, terms_of
from holdfast.domain.recall.relevance import content_words
from holdfast.domain.text.languages import language_of
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.recall.ranking import Scored
    from holdfast.domain.recall.weighing import Weights

READ = 8
"""How many of the best memories are read."""
LONGEST_KNOWN = 400
"""The length of a claim, in characters, that the model can judge: it was trained up to 370."""
LEAST_AFTER_SILENCE = 1.1
"""The strength that a reading must give if nothing would answer without it.

Fitted with the choosing half of ``benchmarks.other_words`` and the first set of
``benchmarks.silence``, among five values (decision 206).
"""
_EXACT = "exact"
_NOT_READ = "not read"
# Fitted with the choosing half of ``benchmarks.other_words``, the first set of
# ``benchmarks.silence`` and half of the held-out written questions, by a grid (decision 206).
_MOST_WITHOUT = 1.2
_WORTH = 0.25
_NEUTRAL = -4.75
_UNREAD = 0.5


def are_claims(scored: Sequence[Scored], question: str) -> bool:
    """Tell whether the model may read the best hits: claims, and a question in English.

    It was trained with neither conversations, code nor passages of documents, and knows no other
    language. At most a third of the hits may be code or long texts. A question without a content
    word, such as "why?", asks for nothing that a claim could answer.
    """
    head = scored[:READ]
    if not head or not _may_be_read(question) or any(item.turn is not None for item in head):
        return False
    return sum(_is_unknown(item.record.memory.claim) for item in head) * 3 <= len(head)


def _may_be_read(question: str) -> bool:
    """Tell whether a question may be English: unknown languages mostly have other letters too."""
    is_foreign = any(letter.isalpha() and not letter.isascii() for letter in question)
    return not is_foreign and not language_of(question) and bool(content_words(terms_of(question)))


def _is_unknown(claim: str) -> bool:
    """Tell whether a text is of a kind that the model was not trained with."""
    return len(claim) > LONGEST_KNOWN or looks_like_code(claim)


def is_beyond_doubt(scored: Sequence[Scored]) -> bool:
    """Tell whether a hit answers without a reading.

    A hit that the question names, or that only words found, keeps its strength after a reading.
    """
    return any(
        item.strength >= (SURE if item.is_by_words or _is_exact(item) else RATHER_SURE)
        for item in scored
    )


def read_hits(
    scored: Sequence[Scored],
    readings: Sequence[float | None],
    *,
    name: str,
    weights: Weights,
) -> tuple[Scored, ...]:
    """Add each reading to the score and the strength of its hit, and sort these hits by score.

    A memory whose key, label or id the question contains remains an answer. If the first hit
    answers, it gets the highest strength of them, because its score also counts the words that it
    shares with the question. The strength of a hit that was not read has another scale, so it is
    limited to the highest strength of those that were read.
    """
    known = [
        None if language_of(item.record.memory.claim) else reading
        for item, reading in zip(scored, readings, strict=False)
    ]
    head = [
        _read(item, reading, weights.reranker * fit, name=name)
        for item, reading, fit in zip(scored, known, spread(known), strict=False)
    ]
    read = [
        item.strength
        for item, reading in zip(head, known, strict=True)
        if reading is not None and not item.is_by_words
    ]
    if read:
        head = [
            _capped(item, max(SURE, *read)) if reading is None else item
            for item, reading in zip(head, known, strict=True)
        ]
    surest = max([item.strength for item in head], default=SURE)
    rest = [_capped(item, surest) for item in scored[len(head) :]]
    head.sort(key=lambda item: (-item.score, item.record.sequence))
    best = [replace(item, strength=surest) for item in head[:1] if item.strength >= SURE]
    return (*(best or head[:1]), *head[1:], *rest)


def spread(scores: Sequence[float | None]) -> list[float]:
    """Return scores by their distance from the mean, between 0 and 1; one alone has 0.5."""
    told = [one for one in scores if one is not None]
    mean = sum(told) / max(1, len(told))
    deviation = sqrt(sum((one - mean) ** 2 for one in told) / max(1, len(told))) + 1e-6
    return [_UNREAD if one is None else 1 / (1 + exp((mean - one) / deviation)) for one in scores]


def _read(item: Scored, reading: float | None, amount: float, *, name: str) -> Scored:
    note = _NOT_READ if reading is None else f"read as {reading:.1f}"
    return replace(
        item,
        score=round(item.score + amount, 6),
        reasons=(*item.reasons, Reason(leg=name, amount=amount, note=note)),
        strength=item.strength if reading is None else _strength(item, reading),
    )


def _capped(item: Scored, most: float) -> Scored:
    """Return a hit with at most this strength.

    A hit that the question names remains an answer, and a hit that only words found has a scale of
    its own, so both are returned unchanged.
    """
    if item.is_by_words or _is_exact(item):
        return item
    return replace(item, strength=min(item.strength, most))


def _strength(item: Scored, reading: float) -> float:
    """Return the strength of a hit after its reading.

    A hit that only words found keeps its strength, which has another scale.
    """
    if item.is_by_words:
        return item.strength
    told = max(0.0, min(item.strength, _MOST_WITHOUT) + _WORTH * (reading - _NEUTRAL))
    return max(told, SURE) if _is_exact(item) else told


def _is_exact(item: Scored) -> bool:
    """Tell whether the question contains the key, the label or the id of a memory."""
    return any(reason.leg == _EXACT and reason.amount > 0 for reason in item.reasons)
