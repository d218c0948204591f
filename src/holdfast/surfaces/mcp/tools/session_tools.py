"""The MCP tools about sessions, and about what they keep for the next one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import BadFieldError
from holdfast.domain.fields import Fields
from holdfast.domain.ids import BundleId, SessionId
from holdfast.domain.sessions.session import Interaction
from holdfast.surfaces.mcp.results import structured
from holdfast.surfaces.wire.agent_answers import (
    agent_session_json,
    agent_turn_json,
    resumed_json,
)
from holdfast.surfaces.wire.session_cache import (
    hydrated_json,
    one_note_json,
    read_hydrate,
    read_keep_note,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.surfaces.mcp.calling import ToolCall
    from holdfast.surfaces.mcp.protocol import Json

    Tool = Callable[[ToolCall], Json]

_TOLD = ("text", "tokens", "left_out", "note", "branch", "head", "happened")


def hydrate(call: ToolCall) -> Json:
    """Return where the work in this checkout stands."""
    wish = read_hydrate(call.given, noun="session.hydrate")
    found = hydrated_json(call.app.session_cache.hydrate(wish))
    return structured({name: found[name] for name in _TOLD})


def note(call: ToolCall) -> Json:
    """Keep a note for the next session."""
    wish = read_keep_note(call.given, noun="session.note")
    text = Fields(call.given, noun="session.note").maybe_text("text") or ""
    return structured(one_note_json(call.app.session_cache.note(wish), text=text))


def start(call: ToolCall) -> Json:
    """Start a session of the client."""
    client = call.source.removeprefix("mcp:")
    session = call.app.sessions.start(tool=client, user=call.source)
    return structured(agent_session_json(session))


def turn(call: ToolCall) -> Json:
    """Record a turn of a session."""
    fields = Fields(call.given, noun="session.turn")
    question, bundle = fields.text("q"), fields.maybe_text("bundle")
    if not question.strip():
        raise BadFieldError(field="question", problem="is blank.")
    name = fields.text("session")
    kept = Interaction(
        id=0,
        session_id=SessionId(name),
        at=call.app.now(),
        query=question,
        bundle_id=None if bundle is None else BundleId(bundle),
        satisfied=fields.maybe_bool("satisfied"),
        notes=fields.maybe_text("notes") or "",
    )
    done = call.app.sessions.add_turn(name, kept)
    return structured(agent_turn_json(done, texts=(kept.query, kept.notes)))


def end(call: ToolCall) -> Json:
    """End a session."""
    name = Fields(call.given, noun="session.end").text("session")
    return structured(agent_session_json(call.app.sessions.end(name)))


def resume(call: ToolCall) -> Json:
    """Open a session again, and return what it kept."""
    name = Fields(call.given, noun="session.resume").text("session")
    return structured(resumed_json(call.app.session_cache.resume(name)))


SESSION_TOOLS: dict[str, Tool] = {
    "session.start": start,
    "session.turn": turn,
    "session.end": end,
    "session.resume": resume,
    "session.hydrate": hydrate,
    "session.note": note,
}
"""The tools by name."""
