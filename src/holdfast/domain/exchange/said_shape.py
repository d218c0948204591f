"""The JSON of what was said in a session, as stored and exported."""

from __future__ import annotations

from holdfast.domain.choices import choose
from holdfast.domain.fields import Fields, time_text
from holdfast.domain.ids import SessionId
from holdfast.domain.sessions.said import SaidBy, SaidTurn


def said_json(turn: SaidTurn) -> dict[str, object]:
    """Return the JSON of a said turn; its sequence belongs to its store."""
    return {
        "session_id": turn.session_id,
        "number": turn.number,
        "at": time_text(turn.at),
        "by": turn.by.value,
        "name": turn.name,
        "text": turn.text,
        "repo": turn.repo,
        "branch": turn.branch,
        "head": turn.head,
        "key": turn.key,
        "kept_at": time_text(turn.kept_at),
    }


def said_from_json(shape: object, *, sequence: int = 0) -> SaidTurn:
    """Read a said turn."""
    fields = Fields(shape, noun="turn")
    return SaidTurn(
        session_id=SessionId(fields.text("session_id")),
        number=fields.whole("number"),
        at=fields.moment("at"),
        by=choose(SaidBy, fields.text("by"), what="speaker"),
        name=fields.maybe_text("name") or "",
        text=fields.text("text"),
        repo=fields.maybe_text("repo"),
        branch=fields.maybe_text("branch"),
        head=fields.maybe_text("head"),
        key=fields.maybe_text("key") or "",
        kept_at=fields.maybe_moment("kept_at"),
        sequence=sequence,
    )
