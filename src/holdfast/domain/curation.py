"""What a curator finds in a memory, what to do about it, and how healthy the whole is."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.domain.health import Severity
from holdfast.domain.values import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from holdfast.domain.ids import MemoryId, SpanId

BEST = 100
_MOST_WORDS = 9
_SWEEPING = re.compile(
    r"\b(?:always|never|every(?:thing|body|one|where)|all|any(?:thing|where)?|nothing|careful"
    r"|properly|correctly|appropriate(?:ly)?|good|best|clean)\b",
    re.IGNORECASE,
)
_PARTICULAR = re.compile(r"[`/_:=()\d]|\w\.\w|\b[A-Z]{2,}\b|(?<=\s)[A-Z][a-z]|\w-\w|[^\x00-\x7f]")


class Trouble(StrEnum):
    """What can be wrong with memories, the worst first."""

    CONFLICT = "conflict"
    STALE = "stale"
    JUNK = "junk"
    DUPLICATE = "duplicate"
    OVER_GENERAL = "over-general"
    UNREVIEWED = "unreviewed"
    EXPIRED = "expired"
    MOVED_PIN = "moved-pin"
    UNCHECKED_RULE = "unchecked-rule"
    UNUSED = "unused"


class Step(StrEnum):
    """What may be done about a finding in one go, and be taken back."""

    DEPRECATE = "deprecate"
    CONSOLIDATE = "consolidate"
    UNPIN = "unpin"


class Remedy(StrEnum):
    """What a person can do about a finding; the memories or the span say with what."""

    KEEP_OLD = "keep-old"
    SUPERSEDE = "supersede"
    REJECT = "reject"
    DEPRECATE = "deprecate"
    REVIEW = "review"
    EXPLAIN = "explain"
    SHOW = "show"
    VERIFY = "verify"
    CONSOLIDATE = "consolidate"
    UNPIN = "unpin"


LOSSES: Mapping[Trouble, float] = {
    Trouble.CONFLICT: 1.0,
    Trouble.STALE: 1.0,
    Trouble.JUNK: 1.0,
    Trouble.DUPLICATE: 0.5,
    Trouble.OVER_GENERAL: 0.5,
    Trouble.UNREVIEWED: 0.5,
    Trouble.EXPIRED: 0.25,
}
"""How much of one memory's worth is lost by what is found about it; the rest loses nothing."""
UNPROVEN = 0.1
"""How much is lost where nothing behind a memory can be checked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Concern:
    """One thing a curator found: the memories, why in one sentence, and the remedy.

    The first memory of a duplicate is the one that should stay. ``step`` is what may be done
    in one go; none means that a person has to look.
    """

    trouble: Trouble
    why: str
    remedy: Remedy
    memories: tuple[MemoryId, ...] = ()
    span: SpanId | None = None
    severity: Severity = Severity.NOTE
    step: Step | None = None

    @property
    def losing(self) -> tuple[MemoryId, ...]:
        """The memories that are worth less for it."""
        return self.memories[1:] if self.trouble is Trouble.DUPLICATE else self.memories[:1]


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthPoint:
    """How healthy the memory of a place was at a moment: a score of 100, and what it is made of."""

    at: datetime
    place: str
    score: int
    live: int
    counts: Mapping[str, int] = field(default_factory=dict)


def in_order(concerns: Sequence[Concern]) -> tuple[Concern, ...]:
    """Return the concerns as they should be read: warnings first, then the worst trouble."""
    order = {trouble: place for place, trouble in enumerate(Trouble)}
    return tuple(
        sorted(
            concerns,
            key=lambda one: (one.severity is not Severity.WARNING, order[one.trouble]),
        )
    )


def health_score(concerns: Sequence[Concern], *, live: int, unproven: int) -> int:
    """Return a number from 0 to 100: what is left when every memory's loss is taken off.

    An empty memory is healthy. A memory that is named twice counts once for each.
    """
    if not live:
        return BEST
    lost = sum(LOSSES.get(one.trouble, 0.0) * len(one.losing) for one in concerns)
    return round(BEST * max(0.0, 1.0 - (lost + UNPROVEN * unproven) / live))


def counted(concerns: Sequence[Concern]) -> dict[str, int]:
    """Return how many concerns there are of each trouble that was found."""
    counts = {trouble.value: 0 for trouble in Trouble}
    for one in concerns:
        counts[one.trouble.value] += 1
    return {name: many for name, many in counts.items() if many}


def is_over_general(claim: str) -> bool:
    """Tell whether a claim sweeps over everything and names nothing in particular."""
    return (
        len(claim.split()) <= _MOST_WORDS
        and _SWEEPING.search(claim) is not None
        and _PARTICULAR.search(claim.strip()) is None
    )
