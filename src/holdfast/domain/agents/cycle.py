"""A cycle: one iteration of an agent, with what it proposed to do and what came of it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from holdfast.domain.agents.agent import Agent, AgentLease
    from holdfast.domain.ids import AgentId


class CycleStatus(StrEnum):
    """What is known about the end of a cycle."""

    OPEN = "open"
    COMPLETE = "complete"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionProposal:
    """What an agent is about to do: a tool with its arguments, the reasoning and the plan.

    ``cues`` are what it goes by in its workspace, such as the files that it looked at.
    """

    at: datetime
    tool: str
    args: Mapping[str, object] = field(default_factory=dict)
    reasoning: str = ""
    plan: tuple[str, ...] = ()
    cues: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionResult:
    """What came of a proposal: a summary, structured output or error, and names of artifacts."""

    at: datetime
    summary: str
    output: object = None
    error: object = None
    artifacts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentCycle:
    """One iteration; ``index`` counts from 1 without gaps. A cycle is never changed, only added to.

    ``epoch`` is the opening of the agent that began the cycle.
    """

    agent_id: AgentId
    index: int
    started_at: datetime
    epoch: int
    proposal: ActionProposal | None = None
    result: ActionResult | None = None

    @property
    def is_complete(self) -> bool:
        """Whether the cycle has a result, good or bad."""
        return self.result is not None

    def status(self, lease: AgentLease | None, *, is_last: bool, at: datetime) -> CycleStatus:
        """Return the status at a moment: without a result, only a held last cycle is open."""
        if self.result is not None:
            return CycleStatus.COMPLETE if self.result.error is None else CycleStatus.FAILED
        is_held = lease is not None and lease.epoch == self.epoch and lease.is_held_at(at)
        return CycleStatus.OPEN if is_last and is_held else CycleStatus.INTERRUPTED


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentState:
    """An agent as it is now: its lease, its number of cycles, and its notes by namespace."""

    agent: Agent
    lease: AgentLease | None
    cycles: int
    namespaces: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumption:
    """Where an agent stands: its last complete cycle, and what it began and never finished.

    ``unfinished`` are the cycles without a result after the last complete one, oldest first; one
    whose process died before it proposed anything has no proposal.
    ``interrupted`` counts all cycles without a result.
    """

    agent: Agent
    last: AgentCycle | None
    unfinished: tuple[AgentCycle, ...] = ()
    interrupted: int = 0
    cycles: int = 0
