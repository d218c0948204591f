"""RunReplay: ask the specialists of a recorded run again, and show every difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import InvalidError
from holdfast.domain.roles.checked_answers import checked_answer
from holdfast.domain.roles.differences import Difference, differences
from holdfast.domain.roles.precedence import NOTHING
from holdfast.domain.roles.recording import recorded_answer
from holdfast.domain.roles.step import StepStatus, StepWork
from holdfast.domain.values import dataclass
from holdfast.usecases.roles.reading import given
from holdfast.usecases.roles.supervising import supervised_run
from holdfast.usecases.screening import SecretPolicy, screened_values

if TYPE_CHECKING:
    from holdfast.domain.roles.step import RunStep
    from holdfast.domain.sessions.run import Run
    from holdfast.usecases.roles.role_ports import RolePorts

NOT_AGAIN = "a command is not run again; its end is kept as it was recorded"
NOBODY = "no specialist answered then"
_LEAST_SECONDS = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayedStep:
    """A step that was done again: what differs, or why it was not done again."""

    step: RunStep
    differences: tuple[Difference, ...] = ()
    not_replayed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReplay:
    """A run that was replayed; nothing of it was written."""

    run: Run
    steps: tuple[ReplayedStep, ...]

    @property
    def is_same(self) -> bool:
        """Whether no step differs."""
        return not any(one.differences for one in self.steps)


def replay(reference: str, *, ports: RolePorts) -> RunReplay:
    """Ask again, with the recorded inputs, the specialists whose answers were used.

    Raises:
        NotSupervisedError: The run has no steps.
    """
    run, steps = supervised_run(reference, ports=ports)
    return RunReplay(run=run, steps=tuple(_replayed(one, ports=ports) for one in steps))


def _replayed(step: RunStep, *, ports: RolePorts) -> ReplayedStep:
    if step.work is StepWork.COMMAND:
        return ReplayedStep(step=step, not_replayed=NOT_AGAIN)
    if step.status is not StepStatus.DONE or step.specialist == NOTHING:
        why = NOBODY if step.is_over else f"it is {step.status.value}"
        return ReplayedStep(step=step, not_replayed=why)
    whole = given(step.work, step.inputs or {}, ports=ports)
    changed = tuple(
        Difference(where="inputs", recorded="as it was read", now=words) for words in whole.changed
    )
    end = ports.specialists.ask(
        step.specialist, step.work, whole.full, seconds=max(step.budget, _LEAST_SECONDS)
    )
    problem, now = end.problem, None
    if not problem:
        try:
            clean = screened_values(end.outputs, what="answer", secrets=SecretPolicy.REDACT)
            now = recorded_answer(step.work, checked_answer(step.work, clean, whole.full))
        except InvalidError as error:
            problem = f"its answer is not usable: {str(error).rstrip('.')}"
    if now is None:
        gone = Difference(where="outputs", recorded=f"the answer of {step.specialist}", now=problem)
        return ReplayedStep(step=step, differences=(*changed, gone))
    return ReplayedStep(
        step=step, differences=(*changed, *differences(step.outputs, now, where="outputs"))
    )
