"""Decisions as JSON: the queue, conflicts, and decisions made or undone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.exchange.bundle_shape import checked_json, outcome_json
from holdfast.domain.exchange.decision_shape import decision_json
from holdfast.domain.exchange.shapes import record_json
from holdfast.domain.memory.decision import offer_of
from holdfast.domain.memory.evidence import evidence_json
from holdfast.domain.recall.rendering import quote_json
from holdfast.domain.review.differences import differing_fields
from holdfast.domain.text.word_diff import plain_diff, word_diff
from holdfast.surfaces.wire.memory import trace_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.anchor import Checked
    from holdfast.domain.memory.decision import Decision
    from holdfast.usecases.review.approve import Decided
    from holdfast.usecases.review.conflicts import Conflict
    from holdfast.usecases.review.queued import Queue, WaitingCandidate
    from holdfast.usecases.review.revert import Revert, Reverted

    Json = dict[str, object]
    Commands = Callable[[WaitingCandidate], list[str]]


def queue_json(queue: Queue, *, commands: Commands) -> Json:
    """Return the queue; ``shown`` is the hash with which all of it is approved.

    ``commands`` returns the door's commands that decide about one candidate.
    """
    return {
        "waiting": [waiting_json(item, commands=commands) for item in queue.items],
        "total": queue.total,
        "elsewhere": queue.elsewhere,
        "shown": queue.shown or None,
        "notes": list(queue.notes),
    }


def rehearsed_json(queue: Queue, *, commands: Commands) -> Json:
    """Return the queue that a decision would be about."""
    return {**queue_json(queue, commands=commands), "decided": [], "dry_run": True}


def waiting_json(item: WaitingCandidate, *, commands: Commands) -> Json:
    """Return one candidate with everything that supports and contradicts it."""
    claim = item.record.memory.claim
    return {
        "memory": record_json(item.record),
        "shown": item.shown,
        "risk": item.danger.risk.value,
        "risk_why": list(item.danger.why),
        "worth": item.worth.score,
        "worth_parts": dict(item.worth.parts),
        "evidence": [checked_json(one) for one in item.checked],
        "quotes": [quote_json(one) for one in item.quotes],
        "conflicts": [conflict_json(one) for one in item.against.conflicts],
        "advice": [conflict_json(one) for one in item.advice],
        "instead_of": [
            {
                "id": old.memory.id,
                "claim": old.memory.claim,
                "diff": plain_diff(word_diff(old.memory.claim, claim)),
            }
            for old in item.against.rivals
        ],
        "known_as": None if item.known is None else item.known.memory.id,
        "offers": _offer_json(item),
        "marks": list(item.marks),
        **({"checks": [outcome_json(one) for one in item.outcomes]} if item.outcomes else {}),
        "commands": commands(item),
    }


def _offer_json(item: WaitingCandidate) -> Json | None:
    """Return what a candidate offers about another memory, and that memory's claim."""
    offer = offer_of(item.record.memory)
    if offer is None:
        return None
    claim = None if item.about is None else item.about.memory.claim
    return {"what": offer.what.value, "about": offer.about, "claim": claim}


def conflict_json(conflict: Conflict) -> Json:
    """Return a conflict with both memories."""
    return {
        "candidate": conflict.candidate.memory.id,
        "standing": conflict.standing.memory.id,
        "candidate_claim": conflict.candidate.memory.claim,
        "standing_claim": conflict.standing.memory.claim,
        "clash": conflict.suspicion.clash.value,
        "reason": conflict.suspicion.reason,
        "confidence": conflict.suspicion.confidence,
        "advice": conflict.suspicion.is_advice,
        "fields": [
            {"name": one.name, "candidate": one.newer, "standing": one.older}
            for one in differing_fields(conflict.candidate, conflict.standing)
        ],
    }


def conflicts_json(
    found: Iterable[Conflict],
    checked: Mapping[MemoryId, Sequence[Checked]],
    *,
    notes: Sequence[str] = (),
) -> Json:
    """Return open conflicts, both memories with the verdicts on their evidence."""
    return {"conflicts": [_whole_conflict(one, checked) for one in found], "notes": list(notes)}


def _whole_conflict(conflict: Conflict, checked: Mapping[MemoryId, Sequence[Checked]]) -> Json:
    sides = {"candidate": conflict.candidate, "standing": conflict.standing}
    return {
        **conflict_json(conflict),
        **{f"{side}_memory": record_json(record) for side, record in sides.items()},
        **{
            f"{side}_evidence": [checked_json(one) for one in checked.get(record.memory.id, ())]
            for side, record in sides.items()
        },
    }


def decided_json(decided: Decided) -> Json:
    """Return the memories after a decision."""
    return {
        "decided": [record_json(record) for record in decided.records],
        "replaced": [record_json(record) for record in decided.replaced],
        "left": [conflict_json(conflict) for conflict in decided.left],
        "decision": None if decided.decision is None else decision_json(decided.decision),
    }


def edited_json(old: str, new: str) -> Json:
    """Return the difference that an edit would make."""
    return {"diff": plain_diff(word_diff(old, new)), "dry_run": True}


def decisions_json(found: Iterable[Decision]) -> Json:
    """Return the decisions that were made."""
    return {"decisions": [decision_json(one) for one in found]}


def undone_json(taken: Iterable[Decision], *, is_dry: bool) -> Json:
    """Return the decisions that were undone, or would be."""
    return {"undone": [decision_json(one) for one in taken], "dry_run": is_dry}


def reverted_json(reverted: Reverted, wish: Revert) -> Json:
    """Return what a revert of one source undid."""
    decision = reverted.decision
    return {
        "source": wish.source,
        "contributed": [record_json(one) for one in reverted.contributed],
        "derived": [record_json(one) for one in reverted.derived],
        "restored": [record_json(one) for one in reverted.restored],
        "strengthened": [
            {"id": record.memory.id, "evidence": [evidence_json(item) for item in evidence]}
            for record, evidence in reverted.strengthened
        ],
        "forgotten": wish.forgets,
        "dry_run": wish.dry_run,
        "decision": None if decision is None else decision_json(decision),
        "not_yet": reverted.not_yet,
        "places": [trace_json(trace) for trace in reverted.traces],
    }
