"""Routes about sessions and runs."""

from __future__ import annotations

from datetime import date
from typing import cast

from holdfast.domain.errors import BadFieldError, NoSuchError
from holdfast.domain.fields import Fields
from holdfast.domain.ids import BundleId, SessionId
from holdfast.domain.sessions.session import Interaction
from holdfast.surfaces.http.cursors import public_cursor, read_cursor
from holdfast.surfaces.http.table import Result, Route, RouteCall
from holdfast.surfaces.wire.intake import proposed_json
from holdfast.surfaces.wire.recall import shown_session_json
from holdfast.surfaces.wire.schema import service as shape
from holdfast.surfaces.wire.sessions import (
    context_json,
    finished_run_json,
    journal_json,
    noted_run_json,
    one_run_json,
    one_session_json,
    one_turn_json,
    runs_json,
    sessions_json,
    started_run_json,
)
from holdfast.usecases.memory.browse import SessionPage

_FEW = 20
_NO_DAY = "must be a day such as 2026-01-27."


def _limit(call: RouteCall) -> int:
    return int(cast("int", call.query.get("limit", _FEW)))


def _who(call: RouteCall) -> tuple[str, str]:
    """Return the tool and the user of a session or run."""
    fields = Fields(call.body, noun="request")
    return fields.maybe_text("tool") or call.source(), fields.maybe_text("user") or call.by


def start_session(call: RouteCall) -> Result:
    """Start a session."""
    tool, user = _who(call)
    return Result(body=one_session_json(call.app.sessions.start(tool=tool, user=user)))


def add_turn(call: RouteCall) -> Result:
    """Record a turn of a session."""
    fields = Fields(call.body, noun="request")
    question, bundle = fields.text("q"), fields.maybe_text("bundle")
    if not question.strip():
        raise BadFieldError(field="question", problem="is blank.")
    turn = Interaction(
        id=0,
        session_id=SessionId(call.path["id"]),
        at=call.app.now(),
        query=question,
        bundle_id=None if bundle is None else BundleId(bundle),
        satisfied=fields.maybe_bool("satisfied"),
        notes=fields.maybe_text("notes") or "",
    )
    kept = call.app.sessions.add_turn(call.path["id"], turn)
    return Result(body=one_turn_json(kept, texts=(turn.query, turn.notes)))


def end_session(call: RouteCall) -> Result:
    """End a session."""
    return Result(body=one_session_json(call.app.sessions.end(call.path["id"])))


def list_sessions(call: RouteCall) -> Result:
    """List sessions, newest first."""
    everywhere, cursor = bool(call.query.get("everywhere")), call.query.get("cursor")
    beyond = read_cursor(cursor, call) if isinstance(cursor, str) else None
    found = call.app.sessions.latest(limit=_limit(call), everywhere=everywhere, beyond=beyond)
    following = None if found.beyond is None else public_cursor(found.beyond, call)
    return Result(body={**sessions_json(found), "next": following})


def show_session(call: RouteCall) -> Result:
    """Show a session with its turns."""
    found = call.app.memories.show(call.path["id"])
    if not isinstance(found, SessionPage):
        raise NoSuchError(noun="session", reference=call.path["id"])
    return Result(body=shown_session_json(found))


def start_run(call: RouteCall) -> Result:
    """Start a run."""
    tool, user = _who(call)
    goal = Fields(call.body, noun="request").maybe_text("goal") or ""
    run = call.app.runs.start(tool=tool, user=user, goal=goal)
    return Result(body=started_run_json(run, goal=goal, context=None))


def note_run(call: RouteCall) -> Result:
    """Add a note to a run."""
    words = Fields(call.body, noun="request").text("text")
    run = call.app.runs.note(words, reference=call.path["id"])
    return Result(body=noted_run_json(run, text=words))


def finish_run(call: RouteCall) -> Result:
    """Finish a run, and propose candidates from its summary."""
    fields = Fields(call.body, noun="request")
    abandon = bool(fields.maybe_bool("abandon"))
    summary = fields.maybe_text("summary") or ""
    run = call.app.runs.finish(summary, reference=call.path["id"], abandon=abandon)
    proposes = not abandon and fields.maybe_bool("propose") is not False
    proposed = call.app.intake.propose_run(run) if proposes else None
    return Result(body=finished_run_json(run, summary=summary, page=None, proposed=proposed))


def propose_run(call: RouteCall) -> Result:
    """Propose candidates from the notes and the summary of a run."""
    proposed = call.app.intake.propose_run(call.app.runs.show(call.path["id"]))
    return Result(body=proposed_json(proposed, is_dry=False))


def list_runs(call: RouteCall) -> Result:
    """List runs, newest first."""
    everywhere = bool(call.query.get("everywhere"))
    return Result(body=runs_json(call.app.runs.latest(limit=_limit(call), everywhere=everywhere)))


def show_run(call: RouteCall) -> Result:
    """Show a run."""
    return Result(body=one_run_json(call.app.runs.show(call.path["id"])))


def context(call: RouteCall) -> Result:
    """Show the context pack of a goal."""
    goal = str(call.query.get("goal", ""))
    return Result(body=context_json(call.app.runs.context(goal), goal=goal, path=None))


def journal(call: RouteCall) -> Result:
    """Show a day as a page."""
    try:
        day = date.fromisoformat(call.path["day"])
    except ValueError as error:
        raise BadFieldError(field="day", problem=_NO_DAY) from error
    return Result(body=journal_json(day, text=call.app.runs.journal(day), path=None))


ROUTES = (
    Route(
        method="POST",
        path="/v1/sessions",
        verb="session start",
        summary="Start a session with a tool",
        does=start_session,
        answer="session start",
        writes=True,
        status=201,
        body=shape.SESSION,
    ),
    Route(
        method="POST",
        path="/v1/sessions/{id}/turns",
        verb="session turn",
        summary="Record a turn of a session",
        does=add_turn,
        answer="session turn",
        writes=True,
        status=201,
        body=shape.TURN,
    ),
    Route(
        method="POST",
        path="/v1/sessions/{id}/end",
        verb="session end",
        summary="End a session",
        does=end_session,
        answer="session end",
        writes=True,
        body=shape.NOTHING,
    ),
    Route(
        method="GET",
        path="/v1/sessions",
        verb="session list",
        summary="List sessions, newest first",
        does=list_sessions,
        answer=shape.SESSIONS,
        query=shape.SESSION_LISTING,
    ),
    Route(
        method="GET",
        path="/v1/sessions/{id}",
        verb="show",
        summary="Show a session with its turns",
        does=show_session,
        answer="show",
    ),
    Route(
        method="POST",
        path="/v1/runs",
        verb="run start",
        summary="Start a run: a piece of work",
        does=start_run,
        answer="run start",
        writes=True,
        status=201,
        body=shape.RUN,
    ),
    Route(
        method="POST",
        path="/v1/runs/{id}/notes",
        verb="run note",
        summary="Add a note to a run",
        does=note_run,
        answer="run note",
        writes=True,
        status=201,
        body=shape.NOTE,
    ),
    Route(
        method="POST",
        path="/v1/runs/{id}/propose",
        verb="run finish",
        summary="Propose candidates from the notes and the summary of a run",
        does=propose_run,
        answer="propose",
        writes=True,
        body=shape.NOTHING,
    ),
    Route(
        method="POST",
        path="/v1/runs/{id}/finish",
        verb="run finish",
        summary="Finish a run, and propose candidates from its summary",
        does=finish_run,
        answer="run finish",
        writes=True,
        body=shape.FINISH,
    ),
    Route(
        method="GET",
        path="/v1/runs",
        verb="run list",
        summary="List runs, newest first",
        does=list_runs,
        answer="run list",
        query=shape.LATEST,
    ),
    Route(
        method="GET",
        path="/v1/runs/{id}",
        verb="run show",
        summary="Show a run with its summary",
        does=show_run,
        answer="run show",
    ),
    Route(
        method="GET",
        path="/v1/context",
        verb="run context",
        summary="Show the context pack of a goal",
        does=context,
        answer="run context",
        query={"goal": shape.text(2_000, 0)},
    ),
    Route(
        method="GET",
        path="/v1/journal/{day}",
        verb="journal",
        summary="Show a day as a page",
        does=journal,
        answer="journal",
    ),
)
