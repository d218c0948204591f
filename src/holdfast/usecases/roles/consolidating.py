"""Consolidate: decide disagreements, and write the summary and the recap of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import ConflictError, NotFoundError, StaleError
from holdfast.domain.fields import Fields
from holdfast.domain.refusals import RunIsOverError
from holdfast.domain.roles.disagreeing import disagreements
from holdfast.domain.roles.precedence import (
    Topic,
    disagreement_from_json,
    disagreement_json,
    precedence_json,
)
from holdfast.domain.roles.step import Role, StepWork
from holdfast.usecases.pages.runs import finish_run
from holdfast.usecases.tasks.working import finish_task

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.domain.ids import RunId
    from holdfast.domain.roles.step import RunStep
    from holdfast.usecases.roles.role_ports import RolePorts

_FREE = frozenset({"claims", "output"})


def consolidate_inputs(
    steps: Sequence[RunStep], *, title: str, ports: RolePorts
) -> dict[str, object]:
    """Record what the steps before this one said and did, and how disagreements are decided."""
    over = [one for one in steps if one.is_over]
    found = disagreements(over, ports.settings.precedence)
    return {
        "title": title,
        "steps": [_told(one) for one in over],
        "precedence": precedence_json(ports.settings.precedence),
        "disagreements": [disagreement_json(one) for one in found],
    }


def _told(step: RunStep) -> dict[str, object]:
    """Return a step as the recap names it: without texts that can be deleted elsewhere."""
    outputs = {name: value for name, value in (step.outputs or {}).items() if name not in _FREE}
    counts = {
        "findings": _count(step.inputs, "findings"),
        "transcripts": _count(step.inputs, "transcripts"),
    }
    return {
        "role": step.role.value,
        "work": step.work.value,
        "subject": step.subject,
        "status": step.status.value,
        "specialist": step.specialist,
        "attempts": [
            {"specialist": one.specialist, "problem": one.problem} for one in step.attempts
        ],
        "outputs": outputs,
        "effects": dict(step.effects),
        "counts": counts,
        "notes": list(step.notes),
    }


def _count(inputs: Mapping[str, object] | None, name: str) -> int:
    items = (inputs or {}).get(name)
    return len(items) if isinstance(items, list) else 0


def settle_disagreements(
    inputs: Mapping[str, object], *, applies: bool, ports: RolePorts
) -> dict[str, object]:
    """Finish the tasks that the historian was given the right to finish, if the caller lets it."""
    finished: list[str] = []
    for item in Fields(inputs, noun="inputs").items("disagreements"):
        one = disagreement_from_json(item)
        is_done = one.topic is Topic.TASK_DONE and one.decided_by == Role.HISTORIAN.value
        if not is_done or not applies or not ports.caller.decides:
            continue
        try:
            asked = ports.tasks(ports.caller.name, decides=True)
            finish_task(one.subject, ports=asked)
        except (ConflictError, NotFoundError, StaleError):
            # Somebody finished or deleted it while the run worked, or it waits for others.
            continue
        finished.append(one.subject)
    return {"finished": finished}


def finish_supervised(run_id: RunId, text: str, *, ports: RolePorts) -> None:
    """Finish the run with its recap as the summary; one that is over stays as it is."""
    try:
        finish_run(text, reference=run_id, at=ports.runs)
    except RunIsOverError:
        return


def title_of(steps: Sequence[RunStep]) -> str:
    """Return the title of a run's intent."""
    found = (one.outputs for one in steps if one.work is StepWork.INTERPRET and one.outputs)
    return str(next((one.get("title") for one in found), "work"))
