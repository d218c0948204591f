"""Calls about the sessions of tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.sessions import SessionsPart
from holdfast.bootstrap.remote.asking import SESSION, given, masked, plain, quoted
from holdfast.domain.exchange.session_shapes import session_from_json, turn_from_json
from holdfast.domain.fields import Fields
from holdfast.domain.memory.selection import Cursor, Slice
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from holdfast.bootstrap.remote.asking import Asking
    from holdfast.domain.sessions.session import Interaction, Session

_MOST_AT_ONCE = 200


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


def latest(
    at: Asking, *, limit: int = 20, everywhere: bool = True, beyond: str | None = None
) -> Slice[Session]:
    """List sessions, newest first; a long list is read part by part."""
    found: list[Session] = []
    while True:
        part = at.get(
            "/v1/sessions",
            _listed,
            limit=min(limit - len(found), _MOST_AT_ONCE),
            everywhere=everywhere or None,
            cursor=beyond,
        )
        found += part
        beyond = part.beyond
        if beyond is None or len(found) >= limit:
            return Slice(found, beyond=part.beyond)


def _listed(answer: Fields) -> Slice[Session]:
    following = answer.maybe_text("next")
    return Slice(
        [session_from_json(one) for one in answer.items("sessions")],
        beyond=None if following is None else Cursor(following),
    )


PARTS = {SessionsPart: (start, add_turn, end, latest)}
