"""Calls about the sessions of tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.sessions import SessionsPart
from holdfast.bootstrap.remote.asking import SESSION, given, masked, plain, quoted
from holdfast.domain.exchange.session_shapes import session_from_json, turn_from_json
from holdfast.domain.fields import Fields
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.bootstrap.remote.asking import Asking
    from holdfast.domain.sessions.session import Interaction, Session


def start(at: Asking, *, tool: str, user: str) -> Session:
    """Start a session."""
    body = {"tool": plain(tool, "tool"), "user": plain(user, "user")}
    return at.send("POST", "/v1/sessions", _session, body=given(**body))


def _session(answer: Fields) -> Session:
    return session_from_json(answer.raw("session"))


def add_turn(at: Asking, reference: str, turn: Interaction) -> Interaction:
    """Record a turn of a session."""
    body = given(
        q=masked(turn.query, "query"),
        bundle=turn.bundle_id,
        satisfied=turn.satisfied,
        notes=masked(turn.notes, "notes"),
    )
    return at.send(
        "POST",
        f"/v1/sessions/{quoted(reference, SESSION)}/turns",
        _turn,
        body=body,
        may_wait=True,
    )


def _turn(answer: Fields) -> Interaction:
    turn = Fields(answer.raw("turn"), noun="turn")
    # An older server does not send the number.
    number = 0 if turn.raw("turn") is None else turn.whole("turn")
    return replace(turn_from_json(answer.raw("turn")), number=number)


def end(at: Asking, reference: str) -> Session:
    """End a session."""
    path = f"/v1/sessions/{quoted(reference, SESSION)}/end"
    return at.send("POST", path, _session, body={}, may_wait=True)


def latest(at: Asking, *, limit: int = 20, everywhere: bool = True) -> Sequence[Session]:
    """List sessions, newest first."""
    return at.get(
        "/v1/sessions",
        lambda answer: [session_from_json(one) for one in answer.items("sessions")],
        limit=min(limit, 200),
        everywhere=everywhere or None,
    )


PARTS = {SessionsPart: (start, add_turn, end, latest)}
