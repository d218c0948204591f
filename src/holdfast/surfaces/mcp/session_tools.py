"""The MCP tools about what sessions keep for the next one."""

from __future__ import annotations

from typing import TYPE_CHECKING

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


def note(app: Holdfast, given: Json, _source: str) -> Json:
    """Keep a note for the next session."""
    wish = read_keep_note(given, noun="session.note")
    return one_note_json(app.session_cache.note(wish))


SESSION_TOOLS: dict[str, Tool] = {"session.hydrate": hydrate, "session.note": note}
"""The tools by name."""
