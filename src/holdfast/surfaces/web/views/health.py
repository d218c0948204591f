"""Health: the score over time, and what is stale, duplicate, junk or never given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Status
from holdfast.domain.recall.question import DEFAULT_BUDGET
from holdfast.domain.review.curation import MemoryTrouble
from holdfast.surfaces.web.call import PageAnswer, PageRoute

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.review.curation import HealthPoint
    from holdfast.surfaces.web.call import PageCall

_MOST_SHOWN = 100
_POINTS = 60
_WIDTH, _HEIGHT = 200, 40
WORDS = {
    MemoryTrouble.CONFLICT: "contradict each other",
    MemoryTrouble.STALE: "evidence has changed",
    MemoryTrouble.JUNK: "junk",
    MemoryTrouble.DUPLICATE: "duplicates",
    MemoryTrouble.OVER_GENERAL: "too general",
    MemoryTrouble.UNREVIEWED: "never reviewed",
    MemoryTrouble.EXPIRED: "expired",
    MemoryTrouble.ADVICE: "may contradict, says a model",
    MemoryTrouble.MOVED_PIN: "pinned places that moved",
    MemoryTrouble.UNCHECKED_RULE: "rules without a check",
    MemoryTrouble.UNUSED: "never given",
}
"""The findings in words."""


def health(call: PageCall) -> PageAnswer:
    """Check everything, and show the findings."""
    found, history = call.app.care.survey()
    status = call.app.upkeep.status(everywhere=call.is_served)
    chosen = call.word("trouble")
    concerns = [one for one in found.concerns if chosen in {"", one.trouble.value}]
    counts = {trouble: 0 for trouble in MemoryTrouble}
    for one in found.concerns:
        counts[one.trouble] += 1
    tokens = sum(
        call.app.counter.count(one.memory.claim)
        for one in found.records.values()
        if one.standing.status is Status.ACCEPTED
    )
    return PageAnswer(
        template="health.html",
        values={
            "section": "health",
            "health": found.health,
            "concerns": concerns[:_MOST_SHOWN],
            "more": max(len(concerns) - _MOST_SHOWN, 0),
            "records": found.records,
            "notes": found.notes,
            "counts": {trouble: many for trouble, many in counts.items() if many},
            "trouble_words": WORDS,
            "chosen": chosen,
            "status": status,
            "never_given": counts[MemoryTrouble.UNUSED],
            "claim_tokens": tokens,
            "budget": DEFAULT_BUDGET,
            "budget_share": min(round(1_000 * tokens / DEFAULT_BUDGET), 1_000),
            "line": _line(history),
            "points": len(history),
        },
    )


def _line(history: Sequence[HealthPoint]) -> str:
    """Return the scores as the points of a line."""
    shown = history[-_POINTS:]
    step = _WIDTH / max(len(shown) - 1, 1)
    return " ".join(
        f"{place * step:.1f},{_HEIGHT - one.score * _HEIGHT / 100:.1f}"
        for place, one in enumerate(shown)
    )


ROUTES = (PageRoute(method="GET", path="/health", does=health),)
