"""Finds where the roles of a run disagree, and decides by the stated precedence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from holdfast.domain.roles.precedence import (
    PERSON,
    PRECEDENCE,
    Disagreement,
    RoleSide,
    Topic,
    deciding_side,
)
from holdfast.domain.roles.step import Role, StepWork
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from holdfast.domain.roles.step import RunStep

OPEN, DONE, NOT_DONE = "it is open", "it is done", "its command failed"
RELY, DOUBT = "the plan relies on it", "it should not be relied on"
_OUTCOMES = {
    OPEN: "the task stays open",
    DONE: "the task is finished",
    NOT_DONE: "the task stays open",
    RELY: "the plan keeps relying on it",
    DOUBT: "do not rely on it before it was reviewed",
}
_ASKED = {
    Topic.TASK_DONE: "is the task done?",
    Topic.CITED_MEMORY: "can the plan rely on it?",
}
_SHORT = 12


def disagreements(
    steps: Sequence[RunStep], precedence: Mapping[Topic, tuple[str, ...]]
) -> tuple[Disagreement, ...]:
    """Return the disagreements of a run's steps, each decided or left for a person."""
    by_work: dict[StepWork, RunStep] = {one.work: one for one in steps if one.outputs is not None}
    found = [*_about_tasks(steps, by_work), *_about_memories(by_work)]
    return tuple(_decided(one, precedence) for one in found)


def _decided(one: Disagreement, precedence: Mapping[Topic, tuple[str, ...]]) -> Disagreement:
    order = precedence.get(one.topic, PRECEDENCE[one.topic])
    side = deciding_side(one.sides, order)
    if side is None:
        return replace(one, decided_by=PERSON, outcome=_ASKED[one.topic])
    return replace(one, decided_by=side.role.value, outcome=_OUTCOMES[side.says])


def _about_tasks(
    steps: Sequence[RunStep], by_work: Mapping[StepWork, RunStep]
) -> Iterator[Disagreement]:
    """Yield the tasks that the plan keeps open and that a commit says are done."""
    history, plan = by_work.get(StepWork.HISTORY), by_work.get(StepWork.PLAN)
    if history is None:
        return
    reused = set(_texts(None if plan is None else plan.effects.get("reused")))
    failed = {
        task: one
        for one in steps
        if one.work is StepWork.COMMAND
        and (task := str((one.inputs or {}).get("task") or ""))
        and (one.outputs or {}).get("ran") is True
        and (one.outputs or {}).get("exit_code") != 0
    }
    for item in _objects((history.outputs or {}).get("done")):
        task, commit = str(item.get("task")), str(item.get("commit"))
        said = f"{commit[:_SHORT]} {item.get('says')}"
        sides = [RoleSide(role=Role.HISTORIAN, says=DONE, because=said)]
        if task in failed:
            step = failed[task]
            code = (step.outputs or {}).get("exit_code")
            because = f"{step.subject} ended with exit code {code}"
            sides.append(RoleSide(role=Role.EXECUTOR, says=NOT_DONE, because=because))
        because = "it is in the plan" if task in reused else "nobody finished it"
        sides.append(RoleSide(role=Role.PLANNER, says=OPEN, because=because))
        yield Disagreement(topic=Topic.TASK_DONE, subject=task, sides=tuple(sides))


def _about_memories(by_work: Mapping[StepWork, RunStep]) -> Iterator[Disagreement]:
    """Yield the memories that the plan cites and that the curator found fault with."""
    plan, curation = by_work.get(StepWork.PLAN), by_work.get(StepWork.CURATE)
    if plan is None or curation is None:
        return
    faults = {
        name: str(finding.get("trouble"))
        for finding in reversed(_objects((curation.inputs or {}).get("findings")))
        for name in _texts(finding.get("memories"))
    }
    for name in _texts((plan.outputs or {}).get("cites")):
        if name in faults:
            sides = (
                RoleSide(role=Role.CURATOR, says=DOUBT, because=faults[name]),
                RoleSide(role=Role.PLANNER, says=RELY, because="it governs the goal"),
            )
            yield Disagreement(topic=Topic.CITED_MEMORY, subject=name, sides=sides)


def _objects(value: object) -> list[Mapping[str, object]]:
    items = value if isinstance(value, list) else []
    return [item for item in items if isinstance(item, Mapping)]


def _texts(value: object) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else []
