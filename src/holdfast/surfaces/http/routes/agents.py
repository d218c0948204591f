"""Routes about agents: what they did, and their deletion."""

from __future__ import annotations

from typing import cast

from holdfast.domain.fields import Fields
from holdfast.surfaces.http.table import Result, Route, RouteCall
from holdfast.surfaces.wire.agents import (
    agents_json,
    cycles_json,
    deleted_agent_json,
    one_agent_json,
    resumption_json,
)
from holdfast.surfaces.wire.schema import service as shape
from holdfast.usecases.agents.deleting import DeleteAgent

_FEW = 20


def _limit(call: RouteCall) -> int:
    return int(cast("int", call.query.get("limit", _FEW)))


def list_agents(call: RouteCall) -> Result:
    """List agents, newest first."""
    found = call.app.agents.list(limit=_limit(call))
    return Result(body=agents_json(found, at=call.app.now()))


def show_agent(call: RouteCall) -> Result:
    """Show an agent."""
    return Result(body=one_agent_json(call.app.agents.show(call.path["id"]), at=call.app.now()))


def list_cycles(call: RouteCall) -> Result:
    """List the cycles of an agent, newest first."""
    return Result(body=cycles_json(call.app.agents.cycles(call.path["id"], limit=_limit(call))))


def resume_agent(call: RouteCall) -> Result:
    """Return the last complete cycle of an agent, and what it never finished."""
    return Result(body=resumption_json(call.app.agents.resume(call.path["id"])))


def export_agent(call: RouteCall) -> Result:
    """Return an agent as lines that can be imported."""
    return Result(body={}, lines=tuple(call.app.agents.export(call.path["id"])))


def delete_agent(call: RouteCall) -> Result:
    """Delete an agent with everything that only it had."""
    fields = Fields(call.body, noun="request")
    wish = DeleteAgent(
        reference=call.path["id"],
        by=call.by,
        reason=fields.maybe_text("reason") or "",
        dry_run=bool(fields.maybe_bool("dry_run")),
    )
    return Result(body=deleted_agent_json(call.app.agents.delete(wish)))


ROUTES = (
    Route(
        method="GET",
        path="/v1/agents",
        verb="agent list",
        summary="List agents, newest first",
        does=list_agents,
        answer="agent list",
        query=shape.LIMIT,
    ),
    Route(
        method="GET",
        path="/v1/agents/{id}",
        verb="agent show",
        summary="Show an agent",
        does=show_agent,
        answer="agent show",
    ),
    Route(
        method="GET",
        path="/v1/agents/{id}/cycles",
        verb="agent cycles",
        summary="List the cycles of an agent, newest first",
        does=list_cycles,
        answer="agent cycles",
        query=shape.LIMIT,
    ),
    Route(
        method="GET",
        path="/v1/agents/{id}/resume",
        verb="agent resume",
        summary="Show the last complete cycle of an agent, and what it never finished",
        does=resume_agent,
        answer="agent resume",
    ),
    Route(
        method="GET",
        path="/v1/agents/{id}/export",
        verb="agent export",
        summary="Export an agent as JSON lines",
        does=export_agent,
        answer=shape.LINES,
        is_lines=True,
    ),
    Route(
        method="POST",
        path="/v1/agents/{id}/delete",
        verb="agent delete",
        summary="Delete an agent with everything that only it had",
        does=delete_agent,
        answer="agent delete",
        writes=True,
        body=shape.NAMED_REASON,
    ),
)
