"""What became of a request to remember a claim."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from holdfast.domain.memory.decision import Decision
    from holdfast.domain.memory.evidence import Evidence
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.usecases.review.conflicts import Conflict
    from holdfast.usecases.screening import Screened


class RememberOutcome(StrEnum):
    """What happened to the request."""

    ADDED = "added"
    EVIDENCE_ADDED = "evidence-added"
    EVIDENCE_OFFERED = "evidence-offered"
    KNOWN = "known"
    RENEWED = "renewed"
    SUPERSEDED = "superseded"


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """The memory that the request became, and what happened on the way.

    ``twin`` is a memory with the same claim under another kind or key; both are kept.
    ``known`` is the accepted memory with the same claim, if evidence for it was only offered.
    ``changed`` names the fields in which a new version of a known memory differs, ``not_applied``
    those that only a person may set, ``inherited`` those that it took over from what it replaces.
    ``rejected`` says how people rejected the same claim before.
    ``cited`` is the evidence of the request, as it was just read; a server does not return it.
    """

    record: MemoryRecord
    outcome: RememberOutcome
    screened: Screened
    replaced: MemoryRecord | None = None
    conflicts: tuple[Conflict, ...] = ()
    known: MemoryRecord | None = None
    twin: MemoryRecord | None = None
    changed: tuple[str, ...] = ()
    not_applied: tuple[str, ...] = ()
    inherited: tuple[str, ...] = ()
    decision: Decision | None = None
    rejected: str = ""
    cited: tuple[Evidence, ...] = ()
