"""What waits and what was decided, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.decision_shape import decision_json
from holdfast.domain.offer import offer_of
from holdfast.domain.quoting import quote_json
from holdfast.domain.shapes import record_json
from holdfast.domain.word_diff import plain_diff, word_diff

if TYPE_CHECKING:
    from holdfast.usecases.approve import Decided
    from holdfast.usecases.conflicts import Conflict
    from holdfast.usecases.review import Queue, Waiting


def queue_json(queue: Queue) -> dict[str, object]:
    """Return the queue; ``shown`` is the hash that 'approve --all' asks for."""
    return {
        "waiting": [waiting_json(item) for item in queue.items],
        "total": queue.total,
        "elsewhere": queue.elsewhere,
        "shown": queue.shown or None,
        "notes": list(queue.notes),
    }


def waiting_json(item: Waiting) -> dict[str, object]:
    """Return one candidate with all that speaks for it and against it."""
    from holdfast.domain.checked_shape import checked_json
    from holdfast.surfaces.cli.present.review import decisions

    memory = item.record.memory
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
        "instead_of": [
            {
                "id": old.memory.id,
                "value": old.memory.claim,
                "diff": plain_diff(word_diff(old.memory.claim, memory.claim)),
            }
            for old in item.against.rivals
        ],
        "known_as": None if item.known is None else item.known.memory.id,
        "offers": _offer_json(item),
        "marks": list(item.marks),
        "commands": decisions(item),
    }


def _offer_json(item: Waiting) -> dict[str, object] | None:
    """Return what a candidate offers about another memory, and what that says."""
    offer = offer_of(item.record.memory)
    if offer is None:
        return None
    claim = None if item.about is None else item.about.memory.claim
    return {"what": offer.what.value, "about": offer.about, "value": claim}


def conflict_json(conflict: Conflict) -> dict[str, object]:
    """Return a conflict with both of its ends."""
    return {
        "candidate": conflict.candidate.memory.id,
        "standing": conflict.standing.memory.id,
        "says": conflict.candidate.memory.claim,
        "stands": conflict.standing.memory.claim,
        "clash": conflict.suspicion.clash.value,
        "reason": conflict.suspicion.reason,
        "confidence": conflict.suspicion.confidence,
    }


def decided_json(decided: Decided) -> dict[str, object]:
    """Return what stands after a decision."""
    return {
        "decided": [record_json(record) for record in decided.records],
        "replaced": [record_json(record) for record in decided.replaced],
        "left": [conflict_json(conflict) for conflict in decided.left],
        "decision": None if decided.decision is None else decision_json(decided.decision),
    }
