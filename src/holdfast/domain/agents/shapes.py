"""The JSON of agents, cycles and namespaces, as shown, stored and exported."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from holdfast.domain.agents.agent import Agent, MemoryIndexEntry, check_name
from holdfast.domain.agents.cycle import ActionProposal, ActionResult, AgentCycle
from holdfast.domain.errors import BadFieldError
from holdfast.domain.fields import Fields, Shape, time_text
from holdfast.domain.ids import AgentId, MemoryId


def agent_json(agent: Agent) -> dict[str, object]:
    """Return the JSON of an agent."""
    return {
        "id": agent.id,
        "name": agent.name,
        "created_at": time_text(agent.created_at),
        "directives": agent.directives,
        "config": dict(agent.config),
    }


def agent_from_json(shape: object) -> Agent:
    """Read an agent."""
    fields = Fields(shape, noun="agent")
    return Agent(
        id=AgentId(fields.text("id")),
        name=check_name(fields.text("name"), what="name"),
        created_at=fields.moment("created_at"),
        directives=fields.text("directives"),
        config=_object(fields, "config"),
    )


def cycle_json(cycle: AgentCycle) -> dict[str, object]:
    """Return the JSON of a cycle with its proposal and its result."""
    return {
        "agent_id": cycle.agent_id,
        "index": cycle.index,
        "started_at": time_text(cycle.started_at),
        "epoch": cycle.epoch,
        "proposal": None if cycle.proposal is None else proposal_json(cycle.proposal),
        "result": None if cycle.result is None else result_json(cycle.result),
    }


def cycle_from_json(shape: object) -> AgentCycle:
    """Read a cycle."""
    fields = Fields(shape, noun="cycle")
    proposal, result = fields.raw("proposal"), fields.raw("result")
    if proposal is None and result is not None:
        raise BadFieldError(field="cycle's result", problem="has no proposal.")
    if fields.whole("index") < 1:
        raise BadFieldError(field="cycle's index", problem="must be 1 or more.")
    return AgentCycle(
        agent_id=AgentId(fields.text("agent_id")),
        index=fields.whole("index"),
        started_at=fields.moment("started_at"),
        epoch=fields.whole("epoch"),
        proposal=None if proposal is None else proposal_from_json(proposal),
        result=None if result is None else result_from_json(result),
    )


def proposal_json(proposal: ActionProposal) -> dict[str, object]:
    """Return the JSON of a proposal."""
    return {
        "at": time_text(proposal.at),
        "tool": proposal.tool,
        "args": dict(proposal.args),
        "reasoning": proposal.reasoning,
        "plan": list(proposal.plan),
        "cues": list(proposal.cues),
    }


def proposal_from_json(shape: object) -> ActionProposal:
    """Read a proposal."""
    fields = Fields(shape, noun="proposal")
    return ActionProposal(
        at=fields.moment("at"),
        tool=fields.text("tool"),
        args=_object(fields, "args"),
        reasoning=fields.text("reasoning"),
        plan=fields.words("plan"),
        # Proposals of earlier versions have none.
        cues=() if fields.raw("cues") is None else fields.words("cues"),
    )


def result_json(result: ActionResult) -> dict[str, object]:
    """Return the JSON of a result."""
    return {
        "at": time_text(result.at),
        "summary": result.summary,
        "output": result.output,
        "error": result.error,
        "artifacts": list(result.artifacts),
    }


def result_from_json(shape: object) -> ActionResult:
    """Read a result."""
    fields = Fields(shape, noun="result")
    return ActionResult(
        at=fields.moment("at"),
        summary=fields.text("summary"),
        output=fields.raw("output"),
        error=fields.raw("error"),
        artifacts=fields.words("artifacts"),
    )


def index_json(entry: MemoryIndexEntry) -> dict[str, object]:
    """Return the JSON of a memory in a namespace."""
    return {
        "agent_id": entry.agent_id,
        "memory_id": entry.memory_id,
        "namespace": entry.namespace,
        "at": time_text(entry.at),
        "cycle": entry.cycle,
    }


def index_from_json(shape: object) -> MemoryIndexEntry:
    """Read a memory in a namespace."""
    fields = Fields(shape, noun="memory index")
    return MemoryIndexEntry(
        agent_id=AgentId(fields.text("agent_id")),
        memory_id=MemoryId(fields.text("memory_id")),
        namespace=check_name(fields.text("namespace"), what="namespace"),
        at=fields.moment("at"),
        cycle=None if fields.raw("cycle") is None else fields.whole("cycle"),
    )


def _object(fields: Fields, name: str) -> Shape:
    value = fields.raw(name)
    if not isinstance(value, Mapping):
        raise BadFieldError(field=name, problem="must be an object.")
    return cast("Shape", value)
