"""The weights of the parts of a score: one set for all; a space may learn its own."""

from __future__ import annotations

from holdfast.domain.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """The weights of the ranking.

    They were fitted with MiniLM on the development halves of the public sets, with ``make eval``
    (docs/benchmarks.md, decisions 27 and 45); the values are round numbers near the fit.

    ``meaning`` is the share of meaning against words. It is higher for code, because questions
    about code name what it does and not its words.
    """

    meaning: float = 0.5
    meaning_of_code: float = 0.95
    named: float = 0.5
    hop: float = 0.5
    before: float = 0.1
    asked: float = 0.5
    after: float = 0.1
    answered: float = 0.5
    further: float = 0.05
    alone: float = 0.8
    thread: float = 0.8
    asks: float = 0.2
    brief: float = 0.3
    closing: float = 0.8
    told: float = 0.4
    agent: float = 0.4
    rest: float = 0.8
    exact: float = 0.35
    pinned: float = 0.07
    guiding: float = 0.04
    importance: float = 0.14
    weight: float = 0.07
    feedback: float = 0.07
    age: float = 0.04
    distrust: float = 0.03
    reranker: float = 0.7
    doubt: float = 0.4


LEARNABLE = (
    *("meaning", "named", "hop", "before", "asked", "after", "answered"),
    *("thread", "closing", "exact", "guiding"),
)
