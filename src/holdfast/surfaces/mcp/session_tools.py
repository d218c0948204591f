"""The MCP tools about what sessions keep for the next one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import BadFieldError
from holdfast.domain.fields import Fields
from holdfast.domain.sessions.cache import NoteKind
from holdfast.domain.values import replace
from holdfast.surfaces.wire.session_cache import (
    hydrated_json,
    one_note_json,
    read_hydrate,
    read_keep_note,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.app import Holdfast
    from holdfast.surfaces.mcp.protocol import Json

    Tool = Callable[[Holdfast, Json, str], Json]

_TOLD = ("text", "tokens", "left_out", "note", "branch", "head", "happened")


def hydrate(app: Holdfast, given: Json, _source: str) -> Json:
    """Return where the work in this checkout stands."""
    found = hydrated_json(app.session_cache.hydrate(read_hydrate(given, noun="session.hydrate")))
    return {name: found[name] for name in _TOLD}


def note(app: Holdfast, given: Json, source: str) -> Json:
    """Keep a note for the next session."""
    wish = read_keep_note(given, noun="session.note")
    if Fields(given, noun="session.note").maybe_text("session") is None:
        if not wish.kind.is_of_project:
            wish = replace(wish, session=_latest(app, source))
    elif wish.kind in {NoteKind.GOAL, NoteKind.QUESTION, NoteKind.ARTEFACT}:
        raise BadFieldError(field="session", problem="has no goals; the repository has.")
    return one_note_json(app.session_cache.note(wish))


def _latest(app: Holdfast, source: str) -> str:
    """Return the session of this checkout that was changed last, or a new one."""
    found = app.session_cache.current()
    return found or app.sessions.start(tool=source, user=source).id


SESSION_TOOLS: dict[str, Tool] = {"session.hydrate": hydrate, "session.note": note}
"""The tools by name."""
