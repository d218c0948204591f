"""Run a named command that a person allowed, and record it as a cycle of an agent.

The name comes from the person who started the run, and the text from the commands that a person
allowed on this machine. Nothing that a repository, a transcript or a specialist says is run.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from holdfast.domain.choices import EvidenceType
from holdfast.domain.errors import ConflictError, NotFoundError, StaleError
from holdfast.domain.memory.evidence import Evidence
from holdfast.domain.roles.recording import mark_of
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.agents.cycling import (
    FinishCycle,
    ProposeAction,
    begin_cycle,
    finish_cycle,
    propose_action,
)
from holdfast.usecases.agents.looking import resume_open
from holdfast.usecases.agents.opening import OpenAgent, close_agent, open_agent
from holdfast.usecases.screening import SecretPolicy, screened
from holdfast.usecases.tasks.working import claim_task, finish_task, release_task

if TYPE_CHECKING:
    from holdfast.domain.agents.cycle import AgentCycle
    from holdfast.domain.checks.change import CommandEnd
    from holdfast.domain.roles.step import RunStep
    from holdfast.usecases.agents.opening import AgentOpening
    from holdfast.usecases.roles.role_ports import RolePorts

EXECUTOR = "executor"
_SPARE = timedelta(minutes=1)
_NOT_A_PERSON = "only a person may have commands run; say which, and a person runs them"
_NOT_CONFIRMED = "nobody confirmed that it may run"
_INTERRUPTED = "the process ended before the command did"
_NO_TASK = "no task of the plan belongs to this command"
_LONGEST_OUTPUT = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class RanCommand:
    """What came of a command: its end, or why it did not run."""

    outputs: dict[str, object]
    effects: dict[str, object]


def command_inputs(name: str, *, ports: RolePorts) -> dict[str, object]:
    """Record which command would run: its name, and a hash of the text that is allowed now."""
    text = ports.sources.commands.allowed().get(name, "")
    return {"name": name, "mark": mark_of(text) if text else ""}


def run_command(
    step: RunStep, *, task: str | None, seconds: float, may_run: bool, ports: RolePorts
) -> RanCommand:
    """Run the command of a step, unless it ran before the run was interrupted."""
    name, commands = step.subject, ports.sources.commands
    why = commands.refusal(name) or ("" if ports.caller.runs else _NOT_A_PERSON)
    why = why or ("" if may_run else _NOT_CONFIRMED)
    recorded = str((step.inputs or {}).get("mark", ""))
    if not why and mark_of(commands.allowed().get(name, "")) != recorded:
        why = "another text was allowed since the run began"
    if why:
        return RanCommand(outputs={"ran": False, "why": why}, effects={})
    length = timedelta(seconds=seconds) + _SPARE
    # One agent per run: two runs at the same time do not wait for each other.
    agent = f"{EXECUTOR}-{step.run_id}"
    wish = OpenAgent(name=agent, holder=ports.workers.own_name(), lease=length, take_over=True)
    workers = ports.workers
    opening = open_agent(wish, store=ports.store, clock=ports.clock, lives=workers.lives)
    try:
        return _in_cycle(step, opening, task=task, seconds=seconds, ports=ports)
    finally:
        close_agent(opening, store=ports.store, clock=ports.clock)


def _in_cycle(
    step: RunStep, opening: AgentOpening, *, task: str | None, seconds: float, ports: RolePorts
) -> RanCommand:
    before = _earlier(step, opening, ports=ports)
    if before is not None:
        why = _claimed(task, opening, ports=ports)
        passed = before.outputs.get("exit_code") == 0
        settled = _settled(step, task, why, opening, passed=passed, ports=ports)
        return replace(before, effects={**before.effects, **settled})
    store, clock = ports.store, ports.clock
    text = ports.sources.commands.allowed()[step.subject]
    cycle = begin_cycle(opening, store=store, clock=clock)
    wish = ProposeAction(
        tool="command",
        args={"name": step.subject, "command": text, "step": step.id},
        reasoning="a person named it when the run began",
    )
    propose_action(opening, cycle.index, wish, store=store, clock=clock)
    why = _claimed(task, opening, ports=ports)
    end = ports.sources.commands.run(step.subject, seconds=seconds)
    outputs = _outputs(end)
    error = None if end.exit_code == 0 else {"exit_code": end.exit_code, "why": end.why}
    result = FinishCycle(summary=_summary(step.subject, end), output=outputs, error=error)
    finish_cycle(opening, cycle.index, result, store=store, clock=clock)
    settled = _settled(step, task, why, opening, passed=end.exit_code == 0, ports=ports)
    return RanCommand(
        outputs=outputs, effects={"agent": opening.agent.id, "cycle": cycle.index, **settled}
    )


def _earlier(step: RunStep, opening: AgentOpening, *, ports: RolePorts) -> RanCommand | None:
    """Return the result of this step, if it was recorded before the process ended.

    A cycle of this step without a result is finished as interrupted; the command runs again.
    """
    state = resume_open(opening, store=ports.store)
    for cycle in state.unfinished:
        if _is_of(cycle, step) and cycle.index == state.cycles:
            result = FinishCycle(summary=_INTERRUPTED, error={"why": _INTERRUPTED})
            finish_cycle(opening, cycle.index, result, store=ports.store, clock=ports.clock)
    last = state.last
    if last is None or last.result is None or not _is_of(last, step):
        return None
    output = last.result.output
    if not isinstance(output, dict):
        return None
    return RanCommand(outputs=output, effects={"agent": opening.agent.id, "cycle": last.index})


def _is_of(cycle: AgentCycle, step: RunStep) -> bool:
    return cycle.proposal is not None and cycle.proposal.args.get("step") == step.id


def _outputs(end: CommandEnd) -> dict[str, object]:
    shown = screened(end.output[-_LONGEST_OUTPUT:], what="output", secrets=SecretPolicy.REDACT)
    return {
        "ran": True,
        "exit_code": end.exit_code,
        "why": end.why,
        "output": shown,
        "offline": end.is_offline,
    }


def _summary(name: str, end: CommandEnd) -> str:
    if end.exit_code is None:
        return f"{name} was stopped: {end.why}"
    return f"{name} ended with exit code {end.exit_code}"


def _claimed(task: str | None, opening: AgentOpening, *, ports: RolePorts) -> str:
    """Claim the task that the command does; return why it cannot be claimed.

    Others may hold it, or it waits; then only the command runs.
    """
    if task is None:
        return _NO_TASK
    try:
        claim_task(task, lease=opening.lease, ports=ports.tasks(opening.agent.name))
    except (ConflictError, NotFoundError) as error:
        return _reason(error)
    return ""


def _settled(
    step: RunStep,
    task: str | None,
    why: str,
    opening: AgentOpening,
    *,
    passed: bool,
    ports: RolePorts,
) -> dict[str, object]:
    """Finish the task with the run as its evidence if the command passed, else give it back.

    Return the finished task, or why none was finished; ``why`` says that it was not claimed.
    """
    if task is None or why:
        return {"finished": [], "unfinished": why}
    asked = ports.tasks(opening.agent.name)
    try:
        if passed:
            finish_task(task, evidence=(_evidence(step),), ports=asked)
            return {"finished": [task], "unfinished": ""}
        release_task(task, ports=asked)
    except (ConflictError, NotFoundError, StaleError) as error:
        # A person changed the task while the command ran; what they decided stays.
        return {"finished": [], "unfinished": _reason(error)}
    return {"finished": [], "unfinished": ""}


def _evidence(step: RunStep) -> Evidence:
    reference = f"{step.subject} passed in {step.id}"
    return Evidence(type=EvidenceType.COMMAND, reference=reference, facts={"exit_code": "0"})


def _reason(error: Exception) -> str:
    return str(error).removesuffix("Nothing was changed.").strip().rstrip(".")
