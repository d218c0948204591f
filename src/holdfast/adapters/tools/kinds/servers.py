"""The MCP server settings for each tool: the same command in the tool's own format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.tools.json_writing import JsonEntries, JsonEntry
from holdfast.adapters.tools.values import ToolPart, ToolPiece

if TYPE_CHECKING:
    from pathlib import Path

    from holdfast.adapters.tools.values import Places

NAME = "holdfast"
ONLY_USER = "its servers are in your own settings only; add --user"


def server(at: Places, **more: object) -> dict[str, object]:
    """Return the command and its arguments in the format of most tools."""
    command, *words = at.runs("mcp")
    return {"command": command, "args": words, **more}


def json_server(tool: str, path: Path, value: object, *, under: str = "mcpServers") -> ToolPiece:
    """Return the piece that adds Holdfast's server to a JSON file."""
    entry = JsonEntry(path=(under, NAME), value=value)
    return ToolPiece(tool=tool, part=ToolPart.MCP, path=path, writing=JsonEntries(entries=(entry,)))
