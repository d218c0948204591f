"""How a tool is told to start our MCP server: the same words, in the shape each tool wants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.tools.json_writing import Entry, JsonEntries
from holdfast.adapters.tools.values import Part, Piece

if TYPE_CHECKING:
    from pathlib import Path

    from holdfast.adapters.tools.values import Places

NAME = "holdfast"
ONLY_USER = "its servers are in your own settings only; add --user"


def server(at: Places, **more: object) -> dict[str, object]:
    """Return the command and its words, as most tools want them."""
    command, *words = at.runs("mcp")
    return {"command": command, "args": words, **more}


def json_server(tool: str, path: Path, value: object, *, under: str = "mcpServers") -> Piece:
    """Return the piece that names our server in a JSON file."""
    entry = Entry(path=(under, NAME), value=value)
    return Piece(tool=tool, part=Part.MCP, path=path, writing=JsonEntries(entries=(entry,)))
