"""What a pruning did or would do, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.exchange.decision_shape import decision_json
from holdfast.surfaces.wire.memory import trace_json

if TYPE_CHECKING:
    from holdfast.usecases.care.prune import Pruned
    from holdfast.usecases.care.prune_request import PruneItem

    Json = dict[str, object]


def pruned_json(pruned: Pruned) -> Json:
    """Return the plan with a reason for each memory, and what was done of it."""
    plan = pruned.plan
    traces = dict.fromkeys(trace for one in pruned.forgotten for trace in one.traces)
    return {
        "dry_run": pruned.dry_run,
        "total": plan.total,
        "most": plan.most,
        "too_much": plan.is_too_much,
        "items": [_item(one, is_shown=pruned.dry_run) for one in plan.items],
        "kept": [{"id": one.record.memory.id, "why": one.why} for one in plan.held],
        "decisions": [decision_json(one) for one in pruned.decisions],
        "forgotten": [one.record.memory.id for one in pruned.forgotten],
        "skipped": pruned.skipped,
        "said": pruned.said,
        "not_yet": pruned.not_yet,
        "places": [trace_json(trace) for trace in traces],
    }


def _item(item: PruneItem, *, is_shown: bool) -> Json:
    """Return a memory that is due; its claim only while nothing was removed."""
    memory = item.record.memory
    return {
        "id": memory.id,
        "step": item.step.value,
        "cause": item.due.cause.value,
        "why": item.due.why,
        "kind": memory.kind.value,
        "status": item.record.standing.status.value,
        "claim": memory.claim if is_shown else None,
    }
