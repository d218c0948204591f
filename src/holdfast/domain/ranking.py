"""How well a memory answers: a sum of named parts, each of which can be shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.bundle import Reason
from holdfast.domain.choices import Kind, Origin
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from holdfast.domain.memory import MemoryRecord

_GUIDING = frozenset(
    {Kind.DECISION, Kind.RULE, Kind.GOTCHA, Kind.INVARIANT, Kind.FAILURE, Kind.ASSUMPTION}
)
_YEAR_SECONDS = 365 * 86_400
_FEW = 3
_DISTRUST = {origin: place for place, origin in enumerate(Origin)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How much each leg counts; per space, and learnable."""

    words: float = 0.60
    exact: float = 0.25
    pinned: float = 0.05
    guiding: float = 0.03
    importance: float = 0.10
    weight: float = 0.05
    feedback: float = 0.05
    age: float = 0.03
    distrust: float = 0.04
    weakest_words: float = 0.12


@dataclass(frozen=True, slots=True, kw_only=True)
class WordHit:
    """A memory that shares words with the question; a larger score is a better match."""

    record: MemoryRecord
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A memory with its score and the parts it is made of."""

    record: MemoryRecord
    score: float
    reasons: tuple[Reason, ...]
    answers: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What scoring needs to know of the question."""

    terms: tuple[str, ...]
    text: str
    at: datetime
    best_words: float


def rank(
    hits: Sequence[WordHit], standing_out: Sequence[MemoryRecord], *, asked: Asked, weights: Weights
) -> tuple[Scored, ...]:
    """Score the hits, and the pinned and exactly named ones beside them, best first.

    Ties go to the memory that came first, so the order never depends on chance.
    """
    words = {hit.record.memory.id: hit.score for hit in hits}
    records = {hit.record.memory.id: hit.record for hit in hits}
    records |= {record.memory.id: record for record in standing_out}
    scored = [
        _score(record, words.get(memory_id, 0.0), asked=asked, weights=weights)
        for memory_id, record in records.items()
    ]
    scored.sort(key=lambda item: (-item.score, item.record.sequence))
    return tuple(scored)


def _score(record: MemoryRecord, words: float, *, asked: Asked, weights: Weights) -> Scored:
    share = words / asked.best_words if asked.best_words > 0 else 0.0
    exact = _exact(record, asked)
    parts = (
        ("words", weights.words * share, ""),
        ("exact", weights.exact * bool(exact), exact),
        ("pinned", weights.pinned * record.standing.pinned, ""),
        *_priors(record, asked, weights),
    )
    return Scored(
        record=record,
        score=round(sum(amount for _, amount, _ in parts), 6),
        reasons=tuple(
            Reason(leg=leg, amount=amount, note=note)
            for leg, amount, note in parts
            if round(amount, 3)
        ),
        answers=bool(exact) or record.standing.pinned or share >= weights.weakest_words,
    )


def _exact(record: MemoryRecord, asked: Asked) -> str:
    question = asked.text.casefold()
    names = (record.memory.key, record.standing.label, record.memory.id)
    for name in names:
        if name and len(name) >= _FEW and name.casefold() in question:
            return name
    key = record.memory.key
    if key and (pieces := key.casefold().replace("-", " ").replace("_", " ").split()):
        return key if len(pieces) > 1 and set(pieces) <= set(asked.terms) else ""
    return ""


def _priors(
    record: MemoryRecord, asked: Asked, weights: Weights
) -> tuple[tuple[str, float, str], ...]:
    memory, usage = record.memory, record.usage
    age = min(1.0, max(0.0, (asked.at - memory.created_at).total_seconds() / _YEAR_SECONDS))
    rated = usage.good + usage.bad
    liking = (usage.good - usage.bad) / rated if rated else 0.0
    return (
        ("kind", weights.guiding * (memory.kind in _GUIDING), memory.kind.value),
        ("importance", weights.importance * (memory.importance - 0.5), ""),
        ("weight", weights.weight * (min(memory.weight, 2.0) - 1.0), ""),
        ("feedback", weights.feedback * liking, ""),
        ("age", -weights.age * age, ""),
        ("trust", -weights.distrust * _DISTRUST[memory.trust], memory.trust.value),
    )
