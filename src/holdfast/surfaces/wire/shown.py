"""Anything with an id as JSON: a memory, a bundle, a span, a run or a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.exchange.checked_shape import checked_json
from holdfast.domain.exchange.shapes import record_json, session_json, span_json, turn_json
from holdfast.domain.memory.anchor import Checked
from holdfast.domain.sessions.run import run_json
from holdfast.surfaces.wire.recall import recalled_json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.domain.memory.anchor import Sighting
    from holdfast.domain.memory.evidence import Span
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.recall.rendering import Recalled
    from holdfast.domain.sessions.run import Run
    from holdfast.usecases.memory.browse import SessionPage

    Json = dict[str, object]


def shown_memory_json(record: MemoryRecord, checked: Iterable[Checked]) -> Json:
    """Return a memory with the verdicts on its evidence."""
    verdicts = [checked_json(one) for one in checked]
    return {"type": "memory", "data": record_json(record), "verdicts": verdicts}


def shown_bundle_json(recalled: Recalled) -> Json:
    """Return a bundle with its memories."""
    return {"type": "bundle", "data": recalled_json(recalled)}


def shown_span_json(span: Span, sighting: Sighting) -> Json:
    """Return a span with its current place."""
    seen = Checked(reference=span.reference, span=span.id, sighting=sighting)
    return {"type": "span", "data": span_json(span), "verdict": checked_json(seen)}


def shown_run_json(run: Run) -> Json:
    """Return a run."""
    return {"type": "run", "data": run_json(run)}


def shown_session_json(page: SessionPage) -> Json:
    """Return a session with its turns."""
    turns = [turn_json(turn) for turn in page.turns]
    return {"type": "session", "data": {**session_json(page.session), "turns": turns}}
