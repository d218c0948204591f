"""The answers of specialists as JSON, with only the fields that their shapes have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.fields import Fields
from holdfast.domain.roles.step import StepWork

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
from holdfast.domain.roles.answers import (
    read_curation,
    read_history,
    read_interpretation,
    read_plan,
    read_recap,
)


def checked_answer(
    work: StepWork, outputs: object, inputs: Mapping[str, object]
) -> dict[str, object]:
    """Return an answer as JSON with only the fields that its shape has, each within its bounds.

    Raises:
        BadFieldError: It does not have the shape.
    """
    return _SHAPES[work](outputs, inputs)


def _titles(inputs: Mapping[str, object]) -> tuple[str, ...]:
    tasks = inputs.get("tasks")
    items = tasks if isinstance(tasks, list) else []
    return tuple(Fields(item, noun="task").text("id") for item in items)


def _plan_json(outputs: object, inputs: Mapping[str, object]) -> dict[str, object]:
    commands = Fields(inputs, noun="inputs").words("commands")
    plan = read_plan(outputs, known=_titles(inputs), commands=commands)
    return {
        "tasks": [
            {
                "key": one.key,
                "title": one.title,
                "reuse": one.reuse,
                "after": list(one.after),
                "command": one.command,
                "why": one.why,
            }
            for one in plan.tasks
        ],
        "cites": list(plan.cites),
        "notes": list(plan.notes),
    }


def _history_json(outputs: object, inputs: Mapping[str, object]) -> dict[str, object]:
    found = read_history(outputs, known=_titles(inputs))
    return {
        "summary": list(found.summary),
        "done": [{"task": one.task, "commit": one.commit, "says": one.says} for one in found.done],
        "claims": [
            {
                "claim": one.claim,
                "kind": one.kind.value,
                "quote": one.quote,
                "source": one.source,
                "turn": one.turn,
                "commit": one.commit,
                "rule": one.rule,
                "confidence": round(one.confidence, 2),
            }
            for one in found.claims
        ],
        "notes": list(found.notes),
    }


def _interpretation_json(outputs: object, _inputs: Mapping[str, object]) -> dict[str, object]:
    found = read_interpretation(outputs)
    return {
        "title": found.title,
        "sort": found.sort,
        "parts": list(found.parts),
        "in_order": found.in_order,
    }


def _curation_json(outputs: object, inputs: Mapping[str, object]) -> dict[str, object]:
    found = read_curation(outputs, findings=len(Fields(inputs, noun="inputs").items("findings")))
    return {"fix": list(found.fix), "notes": list(found.notes)}


def _recap_json(outputs: object, _inputs: Mapping[str, object]) -> dict[str, object]:
    return {"text": read_recap(outputs).text}


_SHAPES: Mapping[StepWork, Callable[[object, Mapping[str, object]], dict[str, object]]] = {
    StepWork.INTERPRET: _interpretation_json,
    StepWork.PLAN: _plan_json,
    StepWork.HISTORY: _history_json,
    StepWork.CURATE: _curation_json,
    StepWork.CONSOLIDATE: _recap_json,
}
