"""Look up what the store already knows about a proposed claim."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import OVER, Scope, Status
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.identity import KnownClaim, rejected_before, says_the_same
from holdfast.domain.memory.memory import Memory, MemoryRecord, Standing
from holdfast.domain.memory.place import Place
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.review.conflicts import conflicts_of
from holdfast.usecases.review.recognise import recognise

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.domain.memory.evidence import Evidence
    from holdfast.domain.memory.selection import View
    from holdfast.ports.anchors.surroundings import Surroundings
    from holdfast.ports.heuristics import Heuristics
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.memory.preparing import Remember
    from holdfast.usecases.review.conflicts import Conflict

_ALIKE = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimContext:
    """What is known about a claim: the memory with the same claim, conflicts, and objections."""

    known: MemoryRecord | None = None
    conflicts: tuple[Conflict, ...] = ()
    reason: str = ""


def look_up(
    memory: Memory, *, now: datetime, tx: Transaction, view: View, heuristics: Heuristics
) -> ClaimContext:
    """Look up a proposed memory in the store.

    A reason against it is returned if the same place already supports the known memory, if the
    claim was rejected, or if people ended a memory with this claim from the same place.
    """
    match recognise(memory, tx=tx, view=view):
        case KnownClaim(record=record):
            is_cited = _cites(record, memory)
            reason = f"{record.memory.id} says it already, from here." if is_cited else ""
            return ClaimContext(known=record, reason=reason)
        case _:
            waiting = Standing(status=Status.CANDIDATE)
            imagined = MemoryRecord(sequence=-1, memory=memory, standing=waiting)
            found = conflicts_of(imagined, tx=tx, now=now, view=view, heuristics=heuristics)
            return ClaimContext(conflicts=tuple(found), reason=_closed(memory, tx=tx, view=view))


def _closed(memory: Memory, *, tx: Transaction, view: View) -> str:
    """Return how people decided about the same claim; empty if they did not."""
    for record in decided_before(memory, tx=tx, view=view):
        if record.standing.status is Status.REJECTED:
            return f"It {rejected_before(record)}."
        if _cites(record, memory):
            return f"{record.memory.id} said it from here, and is {record.standing.status.value}."
    return ""


def decided_before(memory: Memory, *, tx: Transaction, view: View) -> list[MemoryRecord]:
    """Return the memories with the same claim here that were rejected or ended."""
    around = Selection(
        place=Place(space=memory.space, workspace=memory.workspace, repo=memory.repo),
        scopes=frozenset({memory.scope}),
        statuses=OVER,
        view=view,
    )
    near = [
        *tx.memories.find(replace(around, near_claim=memory.claim), Page(limit=_ALIKE)),
        *tx.finding.words.alike(memory.claim, around, limit=_ALIKE),
    ]
    return [record for record in near if says_the_same(record.memory.claim, memory.claim)]


def rejection_of(memory: Memory, *, tx: Transaction, view: View) -> str:
    """Return under which id and why people rejected the same claim; empty if they did not."""
    for record in decided_before(memory, tx=tx, view=view):
        if record.standing.status is Status.REJECTED:
            return rejected_before(record)
    return ""


def imagined(
    wish: Remember, evidence: tuple[Evidence, ...], *, surroundings: Surroundings, now: datetime
) -> Memory:
    """Return the memory that a request would become here, for comparison with the store."""
    place = surroundings.place()
    scope = wish.scope or (Scope.REPO if place.repo else Scope.GLOBAL)
    is_here = scope is Scope.REPO
    return Memory(
        id=MemoryId("m_0"),
        claim=wish.claim.strip("\n"),
        kind=wish.kind,
        scope=scope,
        created_at=now,
        evidence=evidence,
        origin=wish.origin,
        trust=wish.origin,
        space=place.space,
        workspace=place.workspace,
        repo=place.repo if is_here else None,
        branch=place.branch if is_here else None,
        key=wish.key,
        branch_point=surroundings.branch_point() if is_here else None,
    )


def _cites(record: MemoryRecord, memory: Memory) -> bool:
    """Tell whether a record cites one of the places that a memory comes from."""
    here = {reason.reference for reason in memory.evidence}
    return any(reason.reference in here for reason in record.evidence)
