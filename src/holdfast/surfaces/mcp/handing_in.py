"""The tool by which an agent hands in what it did: a run, summed up, and candidates from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdfast.app import Holdfast
    from holdfast.domain.fields import Fields
    from holdfast.surfaces.mcp.protocol import Json


def finish_run(app: Holdfast, given: Fields, source: str) -> Json:
    """Keep a summary as a run, and propose what it decides; a person's open run stays open."""
    runs = app.runs
    name = given.maybe_text("run")
    if name is None:
        goal = given.maybe_text("goal") or ""
        name = runs.start(tool=source, user=source, goal=goal).id
    run = runs.finish(given.text("summary"), reference=name)
    runs.write_page(run)
    proposed = app.intake.propose_run(run)
    ids = [kept.record.memory.id for kept in proposed.added if kept.record is not None]
    many = "1 candidate waits" if len(ids) == 1 else f"{len(ids)} candidates wait"
    return {
        "run": run.label,
        "candidates": ids,
        "message": f"{run.label} is summed up; {many} for a person.",
    }
