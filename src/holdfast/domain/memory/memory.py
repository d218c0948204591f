"""A memory: one claim, its evidence, where it applies, and until when.

Lifetimes of claims: parsing them, and the rules of expiry.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from holdfast.domain.choices import Kind, Origin, Scope, Status
from holdfast.domain.errors import (
    BadFieldError,
    BlankClaimError,
    NoEvidenceError,
    TooLargeError,
)
from holdfast.domain.memory.lifetime import has_expired
from holdfast.domain.memory.place import DEFAULT_SPACE, DEFAULT_WORKSPACE
from holdfast.domain.values import dataclass, field, replace

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.anchor import BranchPoint
    from holdfast.domain.memory.evidence import Evidence
    from holdfast.domain.memory.place import SpaceId


LONGEST_CLAIM = 64 * 1024
LONGEST_KEY = 200
LONGEST_TAG = 64
MOST_TAGS = 32
MOST_EVIDENCE = 64
HEAVIEST = 10.0
_ODD = r"\x00-\x1f\x7f-\x9f\u2028\u2029"
_KEY = re.compile(rf"[^\s{_ODD}](?:[^{_ODD}]*[^\s{_ODD}])?")
_TAG = re.compile(rf"[^\s,{_ODD}]+")


def content_hash(claim: str) -> str:
    """Return the hash that an approval refers to: of the exact bytes of the claim."""
    return hashlib.sha256(claim.encode("utf-8")).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One durable claim.

    A memory never changes. A correction is a new memory that supersedes it, so every answer ever
    given can be traced to the claim that caused it. ``origin`` is who said it; ``trust`` is the
    least trusted origin of everything it was derived from, and neither ever rises.
    """

    id: MemoryId
    claim: str
    kind: Kind
    scope: Scope
    created_at: datetime
    evidence: tuple[Evidence, ...]
    origin: Origin
    trust: Origin
    source: str = ""
    space: SpaceId = DEFAULT_SPACE
    workspace: str = DEFAULT_WORKSPACE
    repo: str | None = None
    branch: str | None = None
    key: str | None = None
    weight: float = 1.0
    importance: float = 0.5
    tags: tuple[str, ...] = ()
    expires_at: datetime | None = None
    metadata: Mapping[str, object] = field(default_factory=dict)
    branch_point: BranchPoint | None = None

    def __post_init__(self) -> None:
        """Refuse a memory without a claim or evidence, or with a field out of bounds."""
        if not self.claim.strip():
            raise BlankClaimError
        if (size := len(self.claim.encode("utf-8"))) > LONGEST_CLAIM:
            raise TooLargeError(what="claim", size=size, cap=LONGEST_CLAIM)
        if not self.evidence:
            raise NoEvidenceError
        if len(self.evidence) > MOST_EVIDENCE:
            raise BadFieldError(field="evidence", problem=f"is too much; at most {MOST_EVIDENCE}.")
        _check_names(self.key, self.tags)
        _check_numbers(self.weight, self.importance)

    @property
    def content_hash(self) -> str:
        """The hash of the claim's exact bytes."""
        return content_hash(self.claim)

    def is_live_at(self, moment: datetime) -> bool:
        """Tell whether the claim is valid at a moment; the expiry instant itself is not."""
        return not has_expired(self.expires_at, at=moment)


def _check_names(key: str | None, tags: tuple[str, ...]) -> None:
    if key is not None and (len(key) > LONGEST_KEY or not _KEY.fullmatch(key)):
        raise BadFieldError(
            field="key", problem=f"must be one line of 1 to {LONGEST_KEY} characters."
        )
    if len(tags) > MOST_TAGS:
        raise BadFieldError(field="tags", problem=f"are too many; at most {MOST_TAGS} are kept.")
    for tag in tags:
        if len(tag) > LONGEST_TAG or not _TAG.fullmatch(tag):
            raise BadFieldError(
                field="tag", problem=f"'{tag[:LONGEST_TAG]}' must be one short word."
            )


def _check_numbers(weight: float, importance: float) -> None:
    if not 0.0 <= weight <= HEAVIEST:
        raise BadFieldError(field="weight", problem=f"must be between 0 and {HEAVIEST:g}.")
    if not 0.0 <= importance <= 1.0:
        raise BadFieldError(field="importance", problem="must be between 0 and 1.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What people decided about a memory; stored beside it, never in it."""

    status: Status = Status.ACCEPTED
    pinned: bool = False
    label: str | None = None
    superseded_by: MemoryId | None = None
    decided_by: str | None = None
    decided_at: datetime | None = None
    reason: str | None = None

    def renamed(self, names: Mapping[MemoryId, MemoryId], *, wordless: bool) -> Standing:
        """Return the standing if memories have other ids now; ``wordless``, without its reason."""
        later = self.superseded_by
        return replace(
            self,
            superseded_by=None if later is None else names.get(later, later),
            reason=None if wordless else self.reason,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """How often a memory was given in answers, and whether it helped."""

    access_count: int = 0
    last_accessed: datetime | None = None
    good: int = 0
    bad: int = 0

    def given_at(self, moment: datetime) -> Usage:
        """Return the counts after the memory was given once more."""
        return replace(self, access_count=self.access_count + 1, last_accessed=moment)

    def rated(self, *, before: bool | None, now: bool) -> Usage:
        """Return the counts after a bundle was rated; a changed rating moves the count."""
        good = self.good - (before is True) + now
        bad = self.bad - (before is False) + (not now)
        return replace(self, good=max(good, 0), bad=max(bad, 0))


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRecord:
    """A memory with everything stored beside it; ``sequence`` is the order of arrival."""

    sequence: int
    memory: Memory
    standing: Standing = Standing()
    usage: Usage = Usage()
    added_evidence: tuple[Evidence, ...] = ()

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """All evidence: the original pieces and those added later."""
        return self.memory.evidence + self.added_evidence

    def with_standing(self, standing: Standing) -> MemoryRecord:
        """Return the same memory with another standing."""
        return replace(self, standing=standing)

    def may_be_recalled_at(self, moment: datetime) -> bool:
        """Tell whether a memory may be given as knowledge: accepted, and pinned or not expired."""
        if self.standing.status is not Status.ACCEPTED:
            return False
        return self.standing.pinned or self.memory.is_live_at(moment)

    def was_accepted_at(self, moment: datetime) -> bool:
        """Tell whether the memory was accepted at a moment, as far as the record shows."""
        if not self.memory.is_live_at(moment):
            return False
        if self.standing.status is Status.ACCEPTED:
            return True
        ended = self.standing.decided_at
        return self.standing.status is Status.SUPERSEDED and ended is not None and ended > moment


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone:
    """What is left of a forgotten memory: its id, when, by whom and why, and no text."""

    memory_id: MemoryId
    forgotten_at: datetime
    forgotten_by: str
    reason: str = ""
