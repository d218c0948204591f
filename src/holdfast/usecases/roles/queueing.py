"""The durable queue of a run: take a step, record its inputs, and end it once."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Protocol

from holdfast.domain.errors import BadFieldError
from holdfast.domain.memory.entry import canonical_json
from holdfast.domain.roles.errors import StepHeldError, StepTakenOverError
from holdfast.domain.roles.precedence import PLAYBOOK
from holdfast.domain.roles.step import (
    LARGEST_STEP,
    MOST_ATTEMPTS,
    RunStep,
    StepLease,
    StepStatus,
    StepWork,
)
from holdfast.domain.values import replace
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.screening import SecretPolicy, screened_values

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from holdfast.domain.ids import RunId
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.roles.role_ports import RolePorts

_SPARE = timedelta(seconds=30)


def planned_steps(run_id: RunId, *, seconds: float, commands: Sequence[str]) -> tuple[RunStep, ...]:
    """Return the steps of a new run, in the order of the playbook; one for each command."""
    found: list[RunStep] = []
    for line in PLAYBOOK:
        subjects = commands if line.work is StepWork.COMMAND else ("",)
        for subject in subjects:
            found.append(
                RunStep(
                    run_id=run_id,
                    number=len(found) + 1,
                    role=line.role,
                    work=line.work,
                    subject=subject,
                    budget=round(line.share * seconds, 3),
                )
            )
    return tuple(found)


class StepQueue(Protocol):
    """Where the steps of a run are; a rehearsal keeps them to itself."""

    is_rehearsal: bool

    def steps(self) -> Sequence[RunStep]:
        """Return the steps by number."""
        ...

    def begin(self, step: RunStep, inputs: Mapping[str, object], *, seconds: float) -> RunStep:
        """Take a step and record its inputs, before its specialist starts."""
        ...

    def end(
        self, step: RunStep, effects: Callable[[Transaction], Mapping[str, object]] | None = None
    ) -> RunStep:
        """Record the end of a step; ``effects`` writes in the same unit of work."""
        ...


class StoredQueue:
    """The steps of a run in the store, as one process takes them."""

    is_rehearsal = False

    def __init__(self, run_id: RunId, *, label: str, ports: RolePorts) -> None:
        self._run_id = run_id
        self._label = label
        self._ports = ports
        self._worker = ports.workers.own_name()

    def steps(self) -> Sequence[RunStep]:
        """Return the steps by number."""
        with self._ports.store.reading() as tx:
            return tx.diary.runs.steps.of(self._run_id)

    def begin(self, step: RunStep, inputs: Mapping[str, object], *, seconds: float) -> RunStep:
        """Take a step and record its inputs; recorded inputs stay as they are.

        Raises:
            StepHeldError: Another process that still runs works on it.
        """
        clean = bounded(inputs)
        return self._taken(step.number, clean, seconds)

    @repeatable
    def _taken(self, number: int, inputs: Mapping[str, object], seconds: float) -> RunStep:
        now = self._ports.clock.now()
        with self._ports.store.writing(now) as tx:
            step = tx.diary.runs.steps.get(self._run_id, number)
            if step.is_over:
                return step
            self._refuse_held(step)
            taken = replace(
                step,
                status=StepStatus.RUNNING,
                inputs=inputs if step.inputs is None else step.inputs,
                lease=StepLease(
                    holder=self._worker, until=now + timedelta(seconds=seconds) + _SPARE
                ),
                started_at=step.started_at or now,
                budget=round(seconds, 3),
            )
            tx.diary.runs.steps.put(taken)
        return taken

    def _refuse_held(self, step: RunStep) -> None:
        lease = step.lease
        if lease is None or lease.holder == self._worker:
            return
        if step.is_held_at(self._ports.clock.now()) and self._ports.workers.lives(lease.holder):
            raise StepHeldError(run=self._label, step=step.name, holder=lease.holder)

    @repeatable
    def end(
        self, step: RunStep, effects: Callable[[Transaction], Mapping[str, object]] | None = None
    ) -> RunStep:
        """Record the end of a step.

        Raises:
            StepTakenOverError: Another process took it over; nothing of this one is written.
        """
        now = self._ports.clock.now()
        with self._ports.store.writing(now) as tx:
            kept = tx.diary.runs.steps.get(self._run_id, step.number)
            if kept.is_over or kept.lease is None or kept.lease.holder != self._worker:
                raise StepTakenOverError(run=self._label, step=step.name)
            written = step.effects if effects is None else effects(tx)
            ended = replace(
                step,
                lease=None,
                finished_at=now,
                effects=written,
                attempts=(*kept.attempts, *step.attempts)[-MOST_ATTEMPTS:],
            )
            tx.diary.runs.steps.put(ended)
        return ended


class RehearsedQueue:
    """The steps of a dry run, which nobody records."""

    is_rehearsal = True

    def __init__(self, steps: Sequence[RunStep]) -> None:
        self._steps = {step.number: step for step in steps}

    def steps(self) -> Sequence[RunStep]:
        """Return the steps by number."""
        return tuple(self._steps.values())

    def begin(self, step: RunStep, inputs: Mapping[str, object], *, seconds: float) -> RunStep:
        """Remember the inputs of a step."""
        taken = replace(
            step, status=StepStatus.RUNNING, inputs=bounded(inputs), budget=round(seconds, 3)
        )
        self._steps[step.number] = taken
        return taken

    def end(
        self, step: RunStep, effects: Callable[[Transaction], Mapping[str, object]] | None = None
    ) -> RunStep:
        """Remember the end of a step; nothing is written."""
        del effects
        self._steps[step.number] = step
        return step


def bounded(inputs: Mapping[str, object]) -> Mapping[str, object]:
    """Return inputs without secrets.

    Raises:
        BadFieldError: They are larger than a step may be.
    """
    clean = screened_values(dict(inputs), what="inputs", secrets=SecretPolicy.REDACT)
    if (size := len(canonical_json(clean).encode())) > LARGEST_STEP:
        raise BadFieldError(field="inputs of a step", problem=f"have {size:,} bytes.")
    return clean if isinstance(clean, dict) else {}
