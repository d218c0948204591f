"""The JSON of sessions and turns, as stores and exports hold it."""

from __future__ import annotations

from holdfast.domain.exchange.anchor_shape import (
    branch_point_from_json,
    branch_point_json,
)
from holdfast.domain.fields import Fields, time_text
from holdfast.domain.ids import BundleId, SessionId
from holdfast.domain.sessions.session import Interaction, Session


def session_json(session: Session) -> dict[str, object]:
    """Return the JSON of a session."""
    return {
        "id": session.id,
        "tool": session.tool,
        "user": session.user,
        "repo": session.repo,
        "branch": session.branch,
        "started_at": time_text(session.started_at),
        "finished_at": time_text(session.finished_at),
        "standpoint": branch_point_json(session.branch_point),
    }


def session_from_json(shape: object) -> Session:
    """Read a session."""
    fields = Fields(shape, noun="session")
    return Session(
        id=SessionId(fields.text("id")),
        tool=fields.text("tool"),
        user=fields.text("user"),
        repo=fields.maybe_text("repo"),
        branch=fields.maybe_text("branch"),
        started_at=fields.moment("started_at"),
        finished_at=fields.maybe_moment("finished_at"),
        branch_point=branch_point_from_json(fields.raw("standpoint")),
    )


def turn_json(turn: Interaction) -> dict[str, object]:
    """Return the JSON of a turn."""
    return {
        "id": turn.id,
        "session_id": turn.session_id,
        "at": time_text(turn.at),
        "query": turn.query,
        "bundle_id": turn.bundle_id,
        "satisfied": turn.satisfied,
        "notes": turn.notes,
    }


def turn_from_json(shape: object) -> Interaction:
    """Read a turn."""
    fields = Fields(shape, noun="turn")
    bundle = fields.maybe_text("bundle_id")
    return Interaction(
        id=fields.whole("id"),
        session_id=SessionId(fields.text("session_id")),
        at=fields.moment("at" if fields.raw("ts") is None else "ts"),
        query=fields.text("query"),
        bundle_id=None if bundle is None else BundleId(bundle),
        satisfied=fields.maybe_bool("satisfied"),
        notes=fields.text("notes"),
    )
