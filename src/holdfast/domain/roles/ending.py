"""How a step ended: what came of its command, and whether its work was done."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.domain.roles.precedence import NOTHING
from holdfast.domain.roles.step import StepStatus, StepWork

if TYPE_CHECKING:
    from holdfast.domain.roles.step import RunStep

_NOT_FOUND, _NOT_EXECUTABLE = 127, 126
_SHELL_SAYS = {_NOT_FOUND: ": a program was not found", _NOT_EXECUTABLE: ": it may not be executed"}


class CommandOutcome(StrEnum):
    """What came of a command."""

    PASSED = "passed"
    FAILED = "failed"
    STOPPED = "stopped"
    NOT_RUN = "not run"


def command_outcome(outputs: Mapping[str, object]) -> CommandOutcome:
    """Return what came of a command, by the outputs of its step."""
    if outputs.get("ran") is not True:
        return CommandOutcome.NOT_RUN
    match outputs.get("exit_code"):
        case None:
            return CommandOutcome.STOPPED
        case 0:
            return CommandOutcome.PASSED
        case _:
            return CommandOutcome.FAILED


def told_command(outputs: Mapping[str, object], effects: Mapping[str, object]) -> str:
    """Return in words what came of a command, and of the task that it belongs to."""
    match command_outcome(outputs):
        case CommandOutcome.NOT_RUN:
            return f"not run: {outputs.get('why')}"
        case CommandOutcome.STOPPED:
            return f"did not finish: {outputs.get('why')}"
        case CommandOutcome.FAILED:
            code = outputs.get("exit_code")
            says = _SHELL_SAYS.get(code, "") if isinstance(code, int) else ""
            return f"failed with exit code {code}{says}"
        case _:
            return f"passed{_told_task(effects)}"


def _told_task(effects: Mapping[str, object]) -> str:
    finished = effects.get("finished")
    if isinstance(finished, list) and finished:
        return f"; finished {', '.join(map(str, finished))}"
    why = effects.get("unfinished")
    return f"; no task was finished: {why}" if why else ""


def told_step(step: RunStep) -> str:
    """Return in a few words how a step ended: what came of its command, or whose answer it has."""
    if step.status is StepStatus.SKIPPED:
        return f"skipped: {'; '.join(step.notes)}"
    if step.work is StepWork.COMMAND:
        return told_command(step.outputs or {}, step.effects)
    trouble = next((one.problem for one in step.attempts if one.problem), "")
    return f"{step.specialist}{f'; {trouble}' if trouble else ''}"


def has_failed(step: RunStep) -> bool:
    """Tell whether the work of a step that is over was not done.

    That is a command that did not pass, a step without time, or one whose specialists all failed.
    """
    if not step.is_over:
        return False
    if step.work is StepWork.COMMAND and step.status is StepStatus.DONE:
        return command_outcome(step.outputs or {}) is not CommandOutcome.PASSED
    return step.status is StepStatus.SKIPPED or step.specialist == NOTHING
