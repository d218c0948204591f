"""The JSON of a decision, as stored, exported and shown by ``--json``."""

from __future__ import annotations

from holdfast.domain.choices import choose
from holdfast.domain.exchange.shapes import (
    link_from_json,
    link_json,
    standing_from_json,
    standing_json,
)
from holdfast.domain.fields import Fields, time_text
from holdfast.domain.ids import DecisionId, MemoryId
from holdfast.domain.memory.decision import Action, Decision, StandingChange, Withdrawn
from holdfast.domain.memory.evidence import evidence_from_json, evidence_json
from holdfast.domain.memory.memory import Standing


def decision_json(decision: Decision) -> dict[str, object]:
    """Return the JSON of a decision, with everything needed to undo it."""
    return {
        "id": decision.id,
        "at": time_text(decision.at),
        "by": decision.by,
        "action": decision.action.value,
        "changes": [
            {
                "memory_id": change.memory_id,
                "before": None if change.before is None else standing_json(change.before),
                "after": standing_json(change.after),
            }
            for change in decision.changes
        ],
        "linked": [link_json(link) for link in decision.linked],
        "unlinked": [link_json(link) for link in decision.unlinked],
        "withdrawn": [_withdrawn_json(one) for one in decision.withdrawn],
        "strengthened": [_withdrawn_json(one) for one in decision.strengthened],
        "undone_at": time_text(decision.undone_at),
    }


def decision_from_json(shape: object) -> Decision:
    """Read a decision."""
    fields = Fields(shape, noun="decision")
    return Decision(
        id=DecisionId(fields.text("id")),
        at=fields.moment("at"),
        by=fields.text("by"),
        action=choose(Action, fields.text("action"), what="decision"),
        changes=tuple(_change(item) for item in fields.items("changes")),
        linked=tuple(link_from_json(item) for item in fields.items("linked")),
        unlinked=tuple(link_from_json(item) for item in fields.items("unlinked")),
        withdrawn=tuple(_withdrawn(item) for item in fields.items("withdrawn")),
        strengthened=tuple(_withdrawn(item) for item in fields.items("strengthened")),
        undone_at=fields.maybe_moment("undone_at"),
    )


def _change(shape: object) -> StandingChange:
    fields = Fields(shape, noun="change")
    before = fields.raw("before")
    return StandingChange(
        memory_id=MemoryId(fields.text("memory_id")),
        before=None if before is None else _standing(before),
        after=_standing(fields.raw("after")),
    )


def _withdrawn_json(one: Withdrawn) -> dict[str, object]:
    return {"memory_id": one.memory_id, "evidence": evidence_json(one.evidence)}


def _withdrawn(shape: object) -> Withdrawn:
    fields = Fields(shape, noun="withdrawn reason")
    return Withdrawn(
        memory_id=MemoryId(fields.text("memory_id")),
        evidence=evidence_from_json(fields.raw("evidence")),
    )


def _standing(shape: object) -> Standing:
    return standing_from_json(Fields(shape, noun="standing"))
