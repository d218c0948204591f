"""Record the cycles of an agent: begin, propose, finish; each is durable when it returns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.agent_errors import CyclePassedError, ValuesTooLargeError
from holdfast.domain.agents.agent import (
    LARGEST_OUTPUT,
    LONGEST_ARTIFACT,
    MOST_ARTIFACTS,
    MOST_STEPS,
)
from holdfast.domain.agents.cycle import ActionProposal, ActionResult, AgentCycle
from holdfast.domain.errors import BadFieldError, TooLargeError
from holdfast.domain.memory.entry import canonical_json
from holdfast.domain.values import dataclass, field, replace
from holdfast.usecases.agents.opening import hold
from holdfast.usecases.encryption.agents import cipher_for
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.screening import SecretPolicy, screened, screened_values

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from holdfast.ports.clock import Clock
    from holdfast.ports.encryption.ciphering import KeyRing
    from holdfast.ports.store.store import Store, Transaction
    from holdfast.usecases.agents.opening import AgentOpening

_REDACT = SecretPolicy.REDACT


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposeAction:
    """What an agent is about to do."""

    tool: str
    args: Mapping[str, object] = field(default_factory=dict)
    reasoning: str = ""
    plan: Sequence[str] = ()
    cues: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishCycle:
    """What came of it; an error makes the cycle a failed one."""

    summary: str
    output: object = None
    error: object = None
    artifacts: Sequence[str] = ()


@repeatable
def begin_cycle(
    opening: AgentOpening,
    *,
    store: Store,
    clock: Clock,
    unfinished: bool = False,
    keys: KeyRing | None = None,
) -> AgentCycle:
    """Begin the next cycle; with ``unfinished``, go on with a last cycle that has no result.

    Raises:
        AgentTakenOverError: Another process has opened the agent since.
    """
    now = clock.now()
    with store.writing(now) as tx:
        lease = hold(opening, now, tx=tx)
        cycles, agent_id = tx.diary.agents.cycles, opening.agent.id
        last = cycles.last_index(agent_id)
        if unfinished and last and not (open_one := cycles.get(agent_id, last)).is_complete:
            texts = cipher_for(opening.agent, keys)
            return texts.read_cycle(open_one, opening.agent, tx=tx)
        cycle = AgentCycle(agent_id=agent_id, index=last + 1, started_at=now, epoch=lease.epoch)
        cycles.add(cycle)
        return cycle


@repeatable
def propose_action(
    opening: AgentOpening,
    index: int,
    wish: ProposeAction,
    *,
    store: Store,
    clock: Clock,
    keys: KeyRing | None = None,
) -> AgentCycle:
    """Record what the agent is about to do, before it does it.

    Secrets in it are replaced with a note.

    Raises:
        AgentTakenOverError: Another process has opened the agent since.
        ProposedAlreadyError: The cycle has a proposal.
        CyclePassedError: A later cycle has begun.
        BadFieldError: The tool has no name, or there are too many steps.
    """
    now = clock.now()
    proposal, texts = _proposal(wish, now), cipher_for(opening.agent, keys)
    with store.writing(now) as tx:
        hold(opening, now, tx=tx)
        _refuse_passed(opening, index, tx=tx)
        texts.propose(opening.agent, index, proposal, tx=tx)
        cycle = tx.diary.agents.cycles.get(opening.agent.id, index)
        return replace(cycle, proposal=proposal)


@repeatable
def finish_cycle(
    opening: AgentOpening,
    index: int,
    wish: FinishCycle,
    *,
    store: Store,
    clock: Clock,
    keys: KeyRing | None = None,
) -> AgentCycle:
    """Record the result of a cycle; secrets in it are replaced with a note.

    Raises:
        AgentTakenOverError: Another process has opened the agent since.
        CycleFinishedError: The cycle has a result.
        NoProposalError: The cycle has no proposal.
        CyclePassedError: A later cycle has begun.
        ValuesTooLargeError: The output is too large; keep it in a file, an artifact.
    """
    now = clock.now()
    result, texts = _result(wish, now), cipher_for(opening.agent, keys)
    with store.writing(now) as tx:
        hold(opening, now, tx=tx)
        cycle = tx.diary.agents.cycles.get(opening.agent.id, index)
        if not cycle.is_complete:
            _refuse_passed(opening, index, tx=tx)
        texts.finish(opening.agent, index, result, tx=tx)
        return replace(texts.read_cycle(cycle, opening.agent, tx=tx), result=result)


def _refuse_passed(opening: AgentOpening, index: int, *, tx: Transaction) -> None:
    last = tx.diary.agents.cycles.last_index(opening.agent.id)
    if index < last:
        raise CyclePassedError(index, last=last)


def _proposal(wish: ProposeAction, now: datetime) -> ActionProposal:
    tool = screened(wish.tool, what="tool", secrets=_REDACT).strip()
    if not tool:
        raise BadFieldError(field="tool", problem="is blank; name what the agent will do.")
    if len(wish.plan) > MOST_STEPS:
        raise BadFieldError(field="plan", problem=f"is too long; at most {MOST_STEPS} steps.")
    _refuse_long(wish.cues, "cues")
    args = _values(dict(wish.args), what="args")
    return ActionProposal(
        at=now,
        tool=tool,
        args=args if isinstance(args, dict) else {},
        reasoning=screened(wish.reasoning, what="reasoning", secrets=_REDACT),
        plan=tuple(screened(step, what="plan", secrets=_REDACT) for step in wish.plan),
        cues=tuple(screened(cue, what="cue", secrets=_REDACT) for cue in wish.cues),
    )


def _refuse_long(names: Sequence[str], what: str) -> None:
    """Refuse a list of names that is too long, or one of its names."""
    if len(names) > MOST_ARTIFACTS:
        raise BadFieldError(field=what, problem=f"are too many; at most {MOST_ARTIFACTS}.")
    if any(len(name) > LONGEST_ARTIFACT for name in names):
        problem = f"has a name of over {LONGEST_ARTIFACT:,} characters."
        raise BadFieldError(field=what, problem=problem)


def _result(wish: FinishCycle, now: datetime) -> ActionResult:
    summary = screened(wish.summary, what="summary", secrets=_REDACT)
    if not summary.strip():
        raise BadFieldError(field="summary", problem="is blank; say what came of the action.")
    _refuse_long(wish.artifacts, "artifacts")
    return ActionResult(
        at=now,
        summary=summary,
        output=_values(wish.output, what="output"),
        error=_values(wish.error, what="error"),
        artifacts=tuple(screened(one, what="artifact", secrets=_REDACT) for one in wish.artifacts),
    )


def _values(value: object, *, what: str) -> object:
    """Return free-form values, screened; refuse what is no JSON or too large.

    Raises:
        ValuesTooLargeError: It is over 256 KiB as JSON.
    """
    try:
        clean = screened_values(value, what=what, secrets=_REDACT, cap=LARGEST_OUTPUT)
    except TooLargeError as error:
        raise ValuesTooLargeError(what=what, size=error.size, cap=LARGEST_OUTPUT) from None
    if (size := len(canonical_json(clean).encode())) > LARGEST_OUTPUT:
        raise ValuesTooLargeError(what=what, size=size, cap=LARGEST_OUTPUT)
    return clean
