"""Agents and their cycles as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.agents.shapes import agent_json, cycle_json
from holdfast.domain.fields import time_text

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from holdfast.domain.agents.cycle import AgentState, Resumption
    from holdfast.usecases.agents.deleting import DeletedAgent
    from holdfast.usecases.agents.looking import SeenCycle

    Json = dict[str, object]


def agent_state_json(state: AgentState, *, at: datetime) -> Json:
    """Return an agent with its lease, its number of cycles and its namespaces."""
    lease = state.lease
    return {
        **agent_json(state.agent),
        "cycles": state.cycles,
        "namespaces": dict(state.namespaces),
        "held": lease is not None and lease.is_held_at(at),
        "holder": "" if lease is None else lease.holder,
        "held_until": None if lease is None else time_text(lease.until),
        "openings": 0 if lease is None else lease.epoch,
    }


def one_agent_json(state: AgentState, *, at: datetime) -> Json:
    """Return an agent that was shown."""
    return {"agent": agent_state_json(state, at=at)}


def agents_json(found: Iterable[AgentState], *, at: datetime) -> Json:
    """Return a list of agents."""
    return {"agents": [agent_state_json(state, at=at) for state in found]}


def cycles_json(found: Iterable[SeenCycle]) -> Json:
    """Return a list of cycles, each with its status."""
    return {"cycles": [{**cycle_json(one.cycle), "status": one.status.value} for one in found]}


def resumption_json(found: Resumption) -> Json:
    """Return the last complete cycle of an agent, and what it never finished."""
    return {
        "agent": agent_json(found.agent),
        "last": None if found.last is None else cycle_json(found.last),
        "unfinished": [cycle_json(one) for one in found.unfinished],
        "interrupted": found.interrupted,
        "cycles": found.cycles,
    }


def deleted_agent_json(deleted: DeletedAgent) -> Json:
    """Return what was deleted with an agent, or would be."""
    return {
        "id": deleted.agent.id,
        "name": deleted.agent.name,
        "cycles": deleted.cycles,
        "notes": deleted.notes,
        "candidates": deleted.candidates,
        "kept": list(deleted.kept),
        "dry_run": deleted.dry_run,
        "not_yet": deleted.not_yet,
    }
