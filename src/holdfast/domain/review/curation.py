"""Findings of ``curate``, the steps to fix them, and the health score of a place.

The results of checks and repairs of the store.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.domain.text.words import STOP_WORDS
from holdfast.domain.values import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from holdfast.domain.ids import MemoryId, SpanId


class Severity(StrEnum):
    """How bad a finding is, least first."""

    OK = "ok"
    NOTE = "note"
    WARNING = "warning"
    DAMAGE = "damage"


class Ability(StrEnum):
    """Upkeep that only some stores can do from here; a server leaves it to its operator."""

    REPAIR = "repair"
    REBUILD = "rebuild"
    SCRUB = "scrub"
    COPY = "copy"


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthFinding:
    """One finding of a check: the problem, its severity, and what to do about it."""

    check: str
    severity: Severity
    message: str
    advice: str = ""


_WITHOUT = {
    Ability.REPAIR: "This store cannot be repaired from here; its administrator can restore a"
    " backup.",
    Ability.REBUILD: "This store updates its derived data by itself; nothing was rebuilt.",
    Ability.SCRUB: "This store keeps its files elsewhere: what was forgotten is gone from every"
    " answer, but its bytes may stay in those files until its administrator cleans them.",
    Ability.COPY: "This store has no stored rows that could be copied exactly; an export can be.",
}


def not_offered(abilities: Collection[Ability]) -> tuple[HealthFinding, ...]:
    """Return a note about each sort of upkeep that a store cannot do."""
    return tuple(
        HealthFinding(check=one.value, severity=Severity.NOTE, message=_WITHOUT[one])
        for one in Ability
        if one not in abilities
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreFacts:
    """Facts that the store reports about itself."""

    location: str
    backend: str
    schema: int
    engine: str
    bytes_on_disk: int
    events: int
    head: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """The result of a repair.

    ``missing`` is the number of memories that had been written and could not be rescued;
    ``changes_missing`` is the number of recent changes that are no longer in the log.
    """

    actions: tuple[str, ...]
    kept_damaged_file: str | None = None
    rescued: int = 0
    lost: tuple[str, ...] = ()
    missing: int = 0
    changes_missing: int = 0

    @property
    def is_complete(self) -> bool:
        """Tell whether everything that had been written was restored."""
        return not (self.lost or self.missing or self.changes_missing)


BEST = 100
_MOST_WORDS = 9
_SWEEPING = re.compile(
    r"\b(?:always|never|every(?:thing|body|one|where)|all|any(?:thing|where)?|nothing|careful"
    r"|properly|correctly|appropriate(?:ly)?|good|best|clean)\b",
    re.IGNORECASE,
)
_GENERAL = STOP_WORDS | {
    "always", "anything", "anywhere", "appropriate", "appropriately", "best", "break", "careful",
    "change", "changes", "check", "checks", "clean", "code", "correct", "correctly", "develop",
    "document", "documented", "error", "errors", "everybody", "everyone", "everything",
    "everywhere", "fail", "fails", "fine", "first", "good", "handle", "handled", "important", "job",
    "keep", "make", "mind", "mistakes", "need", "needs", "never", "nice", "nothing", "pass",
    "people", "practice", "practices", "problems", "project", "proper", "properly", "quality",
    "quickly", "readable", "ready", "right", "rules", "safe", "simple", "software", "stay", "sure",
    "test", "tested", "tests", "thing", "things", "think", "time", "well", "work", "working",
    "works", "write", "written",
}  # fmt: skip
"""Words that any project could say of itself, chosen by hand; every other word is about one."""
_WORD = re.compile(r"[^\W\d_]+")
_PARTICULAR = re.compile(r"[`/_:=()\d]|\w\.\w|\b[A-Z]{2,}\b|(?<=\s)[A-Z][a-z]|\w-\w|[^\x00-\x7f]")


class MemoryTrouble(StrEnum):
    """The problems that memories can have, the worst first."""

    CONFLICT = "conflict"
    STALE = "stale"
    JUNK = "junk"
    DUPLICATE = "duplicate"
    OVER_GENERAL = "over-general"
    UNREVIEWED = "unreviewed"
    EXPIRED = "expired"
    ADVICE = "advice"
    MOVED_PIN = "moved-pin"
    UNCHECKED_RULE = "unchecked-rule"
    UNUSED = "unused"


class TidyStep(StrEnum):
    """The automatic fixes for a finding, all of which can be undone."""

    DEPRECATE = "deprecate"
    CONSOLIDATE = "consolidate"
    UNPIN = "unpin"


class Remedy(StrEnum):
    """What a person can do about a finding; the memories or the span say with what."""

    RESOLVE = "resolve"
    REJECT = "reject"
    DEPRECATE = "deprecate"
    REVIEW = "review"
    EXPLAIN = "explain"
    SHOW = "show"
    VERIFY = "verify"
    CONSOLIDATE = "consolidate"
    UNPIN = "unpin"


LOSSES: Mapping[MemoryTrouble, float] = {
    MemoryTrouble.CONFLICT: 1.0,
    MemoryTrouble.STALE: 1.0,
    MemoryTrouble.JUNK: 1.0,
    MemoryTrouble.DUPLICATE: 0.5,
    MemoryTrouble.OVER_GENERAL: 0.5,
    MemoryTrouble.UNREVIEWED: 0.5,
    MemoryTrouble.EXPIRED: 0.25,
}
"""The share of a memory's worth that each finding costs; other findings cost nothing."""
UNPROVEN = 0.1
"""The share that is lost if none of a memory's evidence can be checked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Concern:
    """One finding: the memories, a reason in one sentence, and the remedy.

    The first memory of a duplicate is the one to keep. ``step`` is the automatic fix; None means
    that a person has to decide. ``places`` are the current places of changed evidence.
    """

    trouble: MemoryTrouble
    why: str
    remedy: Remedy
    memories: tuple[MemoryId, ...] = ()
    span: SpanId | None = None
    severity: Severity = Severity.NOTE
    step: TidyStep | None = None
    places: tuple[str, ...] = ()

    @property
    def losing(self) -> tuple[MemoryId, ...]:
        """The memories that lose worth because of the finding."""
        return self.memories[1:] if self.trouble is MemoryTrouble.DUPLICATE else self.memories[:1]


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthPoint:
    """The health of a place at a moment: a score out of 100, and the counts it is based on."""

    at: datetime
    place: str
    score: int
    live: int
    counts: Mapping[str, int] = field(default_factory=dict)


def in_order(concerns: Sequence[Concern]) -> tuple[Concern, ...]:
    """Return the findings in reading order: warnings first, then by the severity of the problem."""
    order = {trouble: place for place, trouble in enumerate(MemoryTrouble)}
    return tuple(
        sorted(
            concerns,
            key=lambda one: (one.severity is not Severity.WARNING, order[one.trouble]),
        )
    )


def health_score(concerns: Sequence[Concern], *, live: int, unproven: int) -> int:
    """Return the health score from 0 to 100: 100 minus the losses of all memories.

    A place without memories scores 100. A memory with two findings loses for each.
    """
    if not live:
        return BEST
    lost = sum(LOSSES.get(one.trouble, 0.0) * len(one.losing) for one in concerns)
    return round(BEST * max(0.0, 1.0 - (lost + UNPROVEN * unproven) / live))


def counted(concerns: Sequence[Concern]) -> dict[str, int]:
    """Return the number of findings for each problem that was found."""
    counts = {trouble.value: 0 for trouble in MemoryTrouble}
    for one in concerns:
        counts[one.trouble.value] += 1
    return {name: many for name, many in counts.items() if many}


def is_over_general(claim: str) -> bool:
    """Tell whether a claim is a generality: a rule with a subject, such as a branch, is none."""
    return (
        len(claim.split()) <= _MOST_WORDS
        and _SWEEPING.search(claim) is not None
        and _PARTICULAR.search(claim.strip()) is None
        and _GENERAL.issuperset(_WORD.findall(claim.lower()))
    )
