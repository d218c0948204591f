"""The MCP tools about runs: pieces of work that an agent hands in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.fields import Fields
from holdfast.surfaces.mcp.results import structured
from holdfast.surfaces.wire.agent_answers import agent_run_json, agent_runs_json
from holdfast.surfaces.wire.memory import removed_json
from holdfast.surfaces.wire.sessions import handed_in_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.surfaces.mcp.calling import ToolCall
    from holdfast.surfaces.mcp.protocol import Json

    Tool = Callable[[ToolCall], Json]

_FEW = 20


def start_run(call: ToolCall) -> Json:
    """Start a run of the client."""
    goal = Fields(call.given, noun="run.start").maybe_text("goal") or ""
    run = call.app.runs.start(tool=call.source, user=call.source, goal=goal)
    return structured({"run": agent_run_json(run), "removed_characters": removed_json(goal)})


def note_run(call: ToolCall) -> Json:
    """Add a note to a run."""
    fields = Fields(call.given, noun="run.note")
    words = fields.text("text")
    run = call.app.runs.note(words, reference=fields.text("run"))
    return structured({"run": agent_run_json(run), "removed_characters": removed_json(words)})


def finish_run(call: ToolCall) -> Json:
    """Keep a summary as a run and propose candidates from it; a person's open run stays open."""
    app, runs = call.app, call.app.runs
    fields = Fields(call.given, noun="run.finish")
    name, summary = fields.maybe_text("run"), fields.text("summary")
    goal = "" if name is not None else fields.maybe_text("goal") or ""
    if name is None:
        name = runs.start(tool=call.source, user=call.source, goal=goal).id
    run = runs.finish(summary, reference=name)
    runs.write_page(run)
    # The run is kept by now; a client that cancels here loses only the proposals.
    call.progress(1, 2, f"{run.label} is kept; reading it for candidates")
    proposed = app.intake.propose_run(run)
    return structured(handed_in_json(run, texts=(goal, summary), proposed=proposed))


def list_runs(call: ToolCall) -> Json:
    """Return the newest runs, or one run with its notes and summary."""
    fields = Fields(call.given, noun="run.list")
    name = fields.maybe_text("id")
    if name is not None:
        return structured(agent_runs_json([call.app.runs.show(name)], is_whole=True))
    limit = _FEW if fields.raw("limit") is None else fields.whole("limit")
    return structured(agent_runs_json(call.app.runs.latest(limit=limit)))


RUN_TOOLS: dict[str, Tool] = {
    "run.start": start_run,
    "run.note": note_run,
    "run.finish": finish_run,
    "run.list": list_runs,
}
"""The tools by name."""
