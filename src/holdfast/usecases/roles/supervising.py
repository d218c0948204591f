"""Supervise: turn an intent into steps, hand each to its specialist, and write what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import BadFieldError
from holdfast.domain.ids import RunId
from holdfast.domain.refusals import RunIsOverError
from holdfast.domain.roles.checkout import (
    BranchChoice,
    CheckoutState,
    change_between,
    checkout_from_json,
    checkout_json,
    staleness,
)
from holdfast.domain.roles.commands import check_command_name
from holdfast.domain.roles.ending import has_failed
from holdfast.domain.roles.errors import (
    NotSupervisedError,
    RunCompleteError,
    StoppedAtBranchError,
)
from holdfast.domain.roles.precedence import NOTHING
from holdfast.domain.roles.step import (
    BUDGETS,
    LEAST_SECONDS,
    MOST_SECONDS,
    MOST_STEPS,
    RunStep,
    StepAttempt,
    StepStatus,
    StepWork,
)
from holdfast.domain.sessions.run import Run, RunStatus
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.naming import run_id
from holdfast.usecases.pages.runs import one_run, start_run
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.roles.queueing import RehearsedQueue, StoredQueue, planned_steps
from holdfast.usecases.roles.stepping import StepContext, advance
from holdfast.usecases.screening import SecretPolicy, screened

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from holdfast.usecases.roles.queueing import StepQueue
    from holdfast.usecases.roles.role_ports import RolePorts, SuperviseOptions

TOOL = "supervise"
LONGEST_INTENT = 8 * 1024
"""How many bytes of an intent are kept; the rest is cut, and a note says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SupervisedRun:
    """A run with its steps; ``run`` is None after a dry run."""

    steps: tuple[RunStep, ...]
    run: Run | None = None
    notes: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()

    @property
    def failed(self) -> tuple[RunStep, ...]:
        """The steps whose work was not done; a dry run does none, so none fails."""
        return () if self.run is None else tuple(one for one in self.steps if has_failed(one))


def supervise(intent: str, options: SuperviseOptions, *, ports: RolePorts) -> SupervisedRun:
    """Start a run for an intent, and do its steps.

    Raises:
        BadFieldError: The intent is blank, a budget is out of range, or there are too many
            commands.
        StoppedAtBranchError: The checkout is stale or changed, and nobody chose to go on.
    """
    words, notes = _intent(intent)
    commands = _commands(options)
    seconds = _seconds(options, ports)
    begun = ports.clock.now()
    before = ports.watch.look()
    if why := staleness(before):
        notes += _chosen(why, before, before, options, ports=ports)
    if options.dry_run:
        steps = planned_steps(RunId("r_"), seconds=seconds, commands=commands)
        queue: StepQueue = RehearsedQueue(_seeded(steps, words, before))
        _work(queue, options, begun=begun, before=before, label="", ports=ports)
        return SupervisedRun(steps=tuple(queue.steps()), notes=tuple(notes))
    run = start_run(tool=TOOL, user=ports.caller.name, goal=words, at=ports.runs)
    steps = planned_steps(run.id, seconds=seconds, commands=commands)
    _queued(_seeded(steps, words, before), ports=ports)
    queue = StoredQueue(run.id, label=run.label, ports=ports)
    notes += _work(queue, options, begun=begun, before=before, label=run.label, ports=ports)
    return SupervisedRun(
        steps=tuple(queue.steps()), run=one_run(run.id, at=ports.runs), notes=tuple(notes)
    )


def resume_supervised(
    reference: str, options: SuperviseOptions, *, ports: RolePorts
) -> SupervisedRun:
    """Go on with a run whose process ended: each step that is over stays, the others are done.

    Raises:
        NotSupervisedError: The run has no steps.
        RunCompleteError: Every step is over.
        StepHeldError: A process that still runs works on it.
        RunIsOverError: A person finished the run meanwhile.
    """
    _seconds(options, ports)
    run, steps = supervised_run(reference, ports=ports)
    if all(one.is_over for one in steps):
        raise RunCompleteError(run.label)
    if run.status is not RunStatus.OPEN and len(steps) - sum(one.is_over for one in steps) > 1:
        raise RunIsOverError(run.label)
    before = _recorded_checkout(steps)
    queue = StoredQueue(run.id, label=run.label, ports=ports)
    begun = ports.clock.now()
    notes = _work(queue, options, begun=begun, before=before, label=run.label, ports=ports)
    return SupervisedRun(
        steps=tuple(queue.steps()), run=one_run(run.id, at=ports.runs), notes=tuple(notes)
    )


def supervised_run(reference: str, *, ports: RolePorts) -> tuple[Run, tuple[RunStep, ...]]:
    """Return a run by its id or label, and its steps.

    Raises:
        NotSupervisedError: The run has no steps.
    """
    run = one_run(reference, at=ports.runs)
    with ports.store.reading() as tx:
        steps = tuple(tx.diary.runs.steps.of(run_id(tx, run.id)))
    if not steps:
        raise NotSupervisedError(run.label)
    return run, steps


def supervised_runs(*, limit: int, ports: RolePorts) -> tuple[SupervisedRun, ...]:
    """Return the latest supervised runs of this repository, newest first."""
    repo = ports.surroundings.place().repo
    found: list[SupervisedRun] = []
    beyond: str | None = None
    with ports.store.reading() as tx:
        diary = tx.diary.runs
        while names := diary.steps.supervised(beyond=beyond, limit=limit):
            runs = [diary.get(name) for name in names]
            found += [
                SupervisedRun(run=run, steps=tuple(diary.steps.of(run.id)))
                for run in runs
                if run.repo == repo
            ]
            if len(found) >= limit:
                break
            beyond = names[-1]
    return tuple(found[:limit])


@repeatable
def _queued(steps: Sequence[RunStep], *, ports: RolePorts) -> None:
    with ports.store.writing(ports.clock.now()) as tx:
        for step in steps:
            tx.diary.runs.steps.put(step)


def _seeded(steps: Sequence[RunStep], intent: str, checkout: CheckoutState) -> tuple[RunStep, ...]:
    """Return the steps with the inputs of the first: the intent, and the checkout it began in."""
    inputs = {"intent": intent, "checkout": checkout_json(checkout)}
    return (replace(steps[0], inputs=inputs), *steps[1:])


def _work(
    queue: StepQueue,
    options: SuperviseOptions,
    *,
    begun: datetime,
    before: CheckoutState,
    label: str,
    ports: RolePorts,
) -> list[str]:
    """Do the steps that are not over, one after the other; return notes about the checkout."""
    notes: list[str] = []
    for number in [one.number for one in queue.steps() if not one.is_over]:
        now = ports.watch.look(before)
        if why := change_between(before, now):
            notes += _chosen(why, before, now, options, ports=ports, run=label)
        before = now
        steps = queue.steps()
        step = next(one for one in steps if one.number == number)
        spent = (ports.clock.now() - begun).total_seconds()
        context = StepContext(
            queue=queue,
            options=options,
            seconds=_allowed(step, steps, _seconds(options, ports), spent),
        )
        if step.work is StepWork.CONSOLIDATE and notes:
            step = replace(step, notes=tuple(notes))
        ports.tell(_done(step, context, ports=ports))
    return notes


def _done(step: RunStep, context: StepContext, *, ports: RolePorts) -> RunStep:
    """Do a step; without time left it is skipped, but the recap is always written."""
    if context.seconds > 0 or step.work in {StepWork.INTERPRET, StepWork.CONSOLIDATE}:
        return advance(step, context, ports=ports)
    taken = context.queue.begin(step, {}, seconds=0.0)
    note = "the budget was used up before it began"
    ended = replace(
        taken,
        status=StepStatus.SKIPPED,
        specialist=NOTHING,
        attempts=(StepAttempt(specialist=NOTHING, problem=note),),
        notes=(note,),
    )
    return context.queue.end(ended)


def _allowed(step: RunStep, steps: Sequence[RunStep], seconds: float, spent: float) -> float:
    """Return the seconds of a step: its share, or for a command what the others leave."""
    left = seconds - spent
    if step.work is StepWork.COMMAND:
        later = sum(one.budget for one in steps if one.number > step.number and not one.is_over)
        return max(0.0, left - later)
    return max(0.0, min(step.budget, left))


def _chosen(
    why: str,
    before: CheckoutState,
    now: CheckoutState,
    options: SuperviseOptions,
    *,
    ports: RolePorts,
    run: str = "",
) -> list[str]:
    """Ask what to do about a stale or changed checkout, and do it.

    Raises:
        StoppedAtBranchError: Nobody chose to go on.
    """
    choice = ports.settings.branch if options.ask is None else options.ask(why)
    match choice:
        case BranchChoice.STOP:
            raise StoppedAtBranchError(why=why, run=run)
        case BranchChoice.FORK:
            done = ports.watch.fork(before, now)
            return [f"{why}; went on{f': {done}' if done else ''}"]
        case _:
            return [f"{why}; went on"]


def _recorded_checkout(steps: Sequence[RunStep]) -> CheckoutState:
    """Return the checkout in which a run began."""
    shape = (steps[0].inputs or {}).get("checkout")
    return checkout_from_json(shape) if isinstance(shape, dict) else CheckoutState()


def _intent(intent: str) -> tuple[str, list[str]]:
    """Return an intent without secrets, cut to what is kept, and notes about it.

    Raises:
        BadFieldError: It is blank.
    """
    plain = intent.strip()
    if not plain:
        raise BadFieldError(field="intent", problem="is blank; say what is to be reached.")
    size = len(plain.encode("utf-8", "replace"))
    notes: list[str] = []
    if size > LONGEST_INTENT:
        plain = plain.encode("utf-8", "replace")[:LONGEST_INTENT].decode("utf-8", "ignore")
        notes.append(f"the intent has {size:,} bytes; the first {LONGEST_INTENT:,} were read")
    return screened(plain, what="intent", secrets=SecretPolicy.REDACT), notes


def _commands(options: SuperviseOptions) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(options.run))
    if len(names) > MOST_STEPS // 2:
        raise BadFieldError(field="commands", problem=f"are over {MOST_STEPS // 2}.")
    for name in names:
        check_command_name(name)
    return names


def _seconds(options: SuperviseOptions, ports: RolePorts) -> float:
    """Return the budget of a run.

    Raises:
        BadFieldError: It is out of range.
    """
    seconds = ports.settings.seconds if options.seconds is None else options.seconds
    if not LEAST_SECONDS <= seconds <= MOST_SECONDS:
        problem = f"of {seconds:g} seconds is out of range: {BUDGETS}."
        raise BadFieldError(field="budget", problem=problem)
    return seconds
