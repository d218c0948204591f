"""The short steps that tests of curation are made of."""

from __future__ import annotations

from typing import Any

from holdfast.app import Holdfast
from holdfast.app.curation import Curation
from holdfast.domain.choices import EvidenceType, Kind, Status
from holdfast.domain.memory.evidence import Evidence
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.review.approve import Approve, Decided
from holdfast.usecases.review.queued import Queue, Review
from holdfast.usecases.review.resolve import ResolutionWay, Resolve
from tests.usecases.wishes import now, proposed, said

HOURLY, DAILY = "Tokens rotate every hour.", "Tokens rotate every day."
TRAP = "Replaying a token revokes the whole family of tokens."
PLACE = Grounds(places=("src/app.py:1-2",))


def curation(holdfast: Holdfast) -> Curation:
    return Curation(holdfast)


def queue(holdfast: Holdfast, **changes: Any) -> Queue:
    return curation(holdfast).review(Review(**changes))


def approved(
    holdfast: Holdfast, *records: MemoryRecord, by: str = "ada", **changes: Any
) -> Decided:
    names = tuple(record.memory.id for record in records)
    return curation(holdfast).approve(Approve(references=names, by=by, **changes))


def resolved(
    holdfast: Holdfast, record: MemoryRecord, way: ResolutionWay, **changes: Any
) -> Decided:
    fields: dict[str, Any] = {"reference": record.memory.id, "by": "ada", "way": way}
    return curation(holdfast).resolve(Resolve(**(fields | changes)))


def torn(holdfast: Holdfast, **changes: Any) -> tuple[MemoryRecord, MemoryRecord]:
    """What stands, and a candidate that contradicts it under the same key."""
    old = said(holdfast, HOURLY, key="rotation")
    new = proposed(holdfast, DAILY, key="rotation", **({"source": "bot:1"} | changes))
    return old, new


def trap(holdfast: Holdfast, claim: str = TRAP, **changes: Any) -> MemoryRecord:
    """A candidate of low risk: a gotcha about code that stands there as it was read."""
    fields: dict[str, Any] = {"kind": Kind.GOTCHA, "grounds": PLACE, "source": "bot:1"}
    return proposed(holdfast, claim, **(fields | changes))


def a_turn_of(source: str) -> Evidence:
    return Evidence(type=EvidenceType.TURN, reference=f"{source}#3")


def status(holdfast: Holdfast, record: MemoryRecord) -> Status:
    return now(holdfast, record).standing.status
