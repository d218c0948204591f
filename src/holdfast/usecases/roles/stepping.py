"""Do one step: read its inputs, record them, ask, check, apply, and record the end."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from holdfast.domain.roles.recording import recorded_answer
from holdfast.domain.roles.step import StepStatus, StepWork
from holdfast.domain.tasks.errors import TaskCycleError
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.roles.applying import fix_findings, propose_claims
from holdfast.usecases.roles.applying_plans import PlanOccasion, add_planned, done_before
from holdfast.usecases.roles.asking import Answered, answered
from holdfast.usecases.roles.consolidating import (
    consolidate_inputs,
    finish_supervised,
    settle_disagreements,
    title_of,
)
from holdfast.usecases.roles.earlier import earlier_plans
from holdfast.usecases.roles.executing import command_inputs, run_command
from holdfast.usecases.roles.reading import (
    ReadInputs,
    curate_inputs,
    given,
    history_inputs,
    mark_read,
    plan_inputs,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.domain.roles.step import RunStep
    from holdfast.usecases.roles.queueing import StepQueue
    from holdfast.usecases.roles.reading import GivenInputs
    from holdfast.usecases.roles.role_ports import RolePorts, SuperviseOptions

_WOULD = "a dry run runs nothing"
_APART = "edges to tasks that exist were left out, because they would close a circle"
_RECAP_SECONDS = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class StepContext:
    """The queue of a run, how it is supervised, and the seconds of the step."""

    queue: StepQueue
    options: SuperviseOptions
    seconds: float


def advance(step: RunStep, context: StepContext, *, ports: RolePorts) -> RunStep:
    """Do a step whose turn it is; return it as it ended."""
    begun, steps = ports.clock.now(), context.queue.steps()
    read = _read(step, steps, ports=ports)
    taken = context.queue.begin(step, read.recorded, seconds=context.seconds)
    if taken.is_over:
        return taken
    taken = replace(taken, notes=(*step.notes, *_notes(taken.inputs)))
    if step.work is StepWork.COMMAND:
        return _command(taken, context, ports=ports)
    whole = given(step.work, taken.inputs or {}, ports=ports)
    seconds = context.seconds
    if step.work in {StepWork.INTERPRET, StepWork.CONSOLIDATE}:
        # A run without an interpretation or a recap would be worth nothing.
        seconds = max(seconds, _RECAP_SECONDS)
    found = answered(
        step.work,
        whole.full,
        seconds=seconds,
        specialists=ports.specialists,
        clock=ports.clock,
    )
    ended = replace(
        taken,
        status=StepStatus.DONE,
        specialist=found.specialist,
        outputs=recorded_answer(step.work, found.outputs),
        attempts=found.attempts,
        notes=(*taken.notes, *whole.notes, *_notes(found.outputs)),
    )
    if context.queue.is_rehearsal:
        effects = _imagined(step.work, found.outputs, whole, ports=ports)
        shown = replace(ended, outputs=found.outputs, effects=effects)
        return context.queue.end(shown)
    left = context.seconds - (ports.clock.now() - begun).total_seconds()
    return _applied(ended, found, whole, read, replace(context, seconds=left), ports=ports)


def _read(step: RunStep, steps: Sequence[RunStep], *, ports: RolePorts) -> ReadInputs:
    """Read the inputs of a step; a curation is surveyed anew, for its findings are applied."""
    if step.work is StepWork.CURATE:
        return _surveyed(step, ports=ports)
    if step.inputs is not None:
        return ReadInputs(recorded=step.inputs)
    match step.work:
        case StepWork.HISTORY:
            return history_inputs(ports=ports)
        case StepWork.PLAN:
            meant = next(one.outputs for one in steps if one.work is StepWork.INTERPRET)
            earlier = earlier_plans(_intent(steps), besides=step.run_id, ports=ports)
            return plan_inputs(meant or {}, earlier, ports=ports)
        case StepWork.COMMAND:
            inputs = command_inputs(step.subject, ports=ports)
            return ReadInputs(recorded={**inputs, "task": _task_of(step, steps)})
        case _:
            title = title_of(steps)
            return ReadInputs(recorded=consolidate_inputs(steps, title=title, ports=ports))


def _surveyed(step: RunStep, *, ports: RolePorts) -> ReadInputs:
    """Read the findings; if others were recorded before the run was interrupted, none is fixed."""
    found = curate_inputs(ports=ports)
    if step.inputs is None:
        return found
    same = found.recorded["findings"] == step.inputs.get("findings")
    return ReadInputs(recorded=step.inputs, concerns=found.concerns if same else ())


def _intent(steps: Sequence[RunStep]) -> str:
    """Return the words with which a run was started."""
    return str((steps[0].inputs or {}).get("intent", ""))


def _task_of(step: RunStep, steps: Sequence[RunStep]) -> str | None:
    """Return the task of the plan that a command does."""
    plan = next((one for one in steps if one.work is StepWork.PLAN), None)
    commands = None if plan is None else plan.effects.get("commands")
    found = commands.get(step.subject) if isinstance(commands, dict) else None
    return None if found is None else str(found)


def _command(step: RunStep, context: StepContext, *, ports: RolePorts) -> RunStep:
    if context.queue.is_rehearsal:
        why = ports.sources.commands.refusal(step.subject) or _WOULD
        text = ports.sources.commands.allowed().get(step.subject, "")
        outputs: dict[str, object] = {"ran": False, "why": why, "would_run": text}
        return context.queue.end(replace(step, status=StepStatus.DONE, outputs=outputs))
    task = (step.inputs or {}).get("task")
    ran = run_command(
        step,
        task=None if task is None else str(task),
        seconds=context.seconds,
        may_run=context.options.may_run,
        ports=ports,
    )
    ended = replace(step, status=StepStatus.DONE, outputs=ran.outputs, effects=ran.effects)
    return context.queue.end(ended)


def _applied(
    step: RunStep,
    found: Answered,
    whole: GivenInputs,
    read: ReadInputs,
    context: StepContext,
    *,
    ports: RolePorts,
) -> RunStep:
    match step.work:
        case StepWork.PLAN:
            return _planned(step, found, whole, context, ports=ports)
        case StepWork.HISTORY:
            effects = propose_claims(found.outputs, whole, ports=ports, since=step.started_at)
            note = ports.sources.index(max(0.0, context.seconds))
            noted = (*step.notes, *([note] if note else ()))
            ended = context.queue.end(replace(step, effects=effects, notes=noted))
            mark_read(step.inputs or {}, ports=ports)
            return ended
        case StepWork.CURATE:
            effects = fix_findings(
                found.outputs, read.concerns, applies=context.options.applies, ports=ports
            )
            return context.queue.end(replace(step, effects=effects))
        case StepWork.CONSOLIDATE:
            inputs = step.inputs or {}
            effects = settle_disagreements(inputs, applies=context.options.applies, ports=ports)
            finish_supervised(step.run_id, str(found.outputs["text"]), ports=ports)
            return context.queue.end(replace(step, effects=effects))
        case _:
            return context.queue.end(step)


def _planned(
    step: RunStep,
    found: Answered,
    whole: GivenInputs,
    context: StepContext,
    *,
    ports: RolePorts,
) -> RunStep:
    """Write the tasks of a plan together with the end of its step."""
    when = PlanOccasion(
        run_id=step.run_id,
        intent=_intent(context.queue.steps()),
        at=ports.clock.now(),
        point=ports.surroundings.branch_point(),
    )
    add = partial(add_planned, found.outputs, whole.full, ports=ports)
    try:
        return context.queue.end(step, lambda tx: add(when, tx=tx))
    except TaskCycleError:
        apart, noted = replace(when, is_apart=True), replace(step, notes=(*step.notes, _APART))
        return context.queue.end(noted, lambda tx: add(apart, tx=tx))


def _imagined(
    work: StepWork, outputs: Mapping[str, object], given: GivenInputs, *, ports: RolePorts
) -> Mapping[str, object]:
    """Return what a dry run would write: the titles of new tasks, or the claims."""
    if work is StepWork.HISTORY:
        return {**propose_claims(outputs, given, ports=ports, dry_run=True), "is_dry": True}
    if work is StepWork.PLAN:
        tasks, done = _objects(outputs.get("tasks")), done_before(given.full)
        known = [one["reuse"] for one in tasks if one["reuse"] is not None]
        return {
            "added": [one["title"] for one in tasks if one["reuse"] is None],
            "reused": [one for one in known if one not in done],
            "done": [one for one in known if one in done],
            "is_dry": True,
        }
    return {}


def _objects(value: object) -> Sequence[Mapping[str, object]]:
    return value if isinstance(value, list) else ()


def _notes(shape: Mapping[str, object] | None) -> tuple[str, ...]:
    notes = (shape or {}).get("notes")
    return tuple(map(str, notes)) if isinstance(notes, list) else ()
