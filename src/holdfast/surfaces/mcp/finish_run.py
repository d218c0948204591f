"""The tool with which an agent hands in a finished run; candidates are proposed from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.fields import Fields
from holdfast.surfaces.wire.sessions import handed_in_json

if TYPE_CHECKING:
    from holdfast.app import Holdfast
    from holdfast.surfaces.mcp.protocol import Json


def finish_run(app: Holdfast, given: Json, source: str) -> Json:
    """Keep a summary as a run and propose candidates from it; a person's open run stays open."""
    runs = app.runs
    fields = Fields(given, noun="run.finish")
    name = fields.maybe_text("run")
    if name is None:
        goal = fields.maybe_text("goal") or ""
        name = runs.start(tool=source, user=source, goal=goal).id
    run = runs.finish(fields.text("summary"), reference=name)
    runs.write_page(run)
    proposed = app.intake.propose_run(run)
    ids = [kept.record.memory.id for kept in proposed.added if kept.record is not None]
    return handed_in_json(run, candidates=ids)
