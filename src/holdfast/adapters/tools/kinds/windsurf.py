"""Windsurf: its hooks cannot pass text to the model, so a separate rule file does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.tools.kinds.servers import ONLY_USER, json_server, server
from holdfast.adapters.tools.values import Tool, ToolPart, ToolPiece, windsurf_rule

if TYPE_CHECKING:
    from holdfast.adapters.tools.values import Offer, Places


def _hooks(_at: Places) -> Offer:
    return "its hooks cannot tell the model anything; the rule does"


def _mcp(at: Places) -> Offer:
    if not at.is_user:
        return ONLY_USER
    path = at.home / ".codeium" / "windsurf" / "mcp_config.json"
    return (json_server("windsurf", path, server(at)),)


def _instructions(at: Places, _by_hook: bool) -> Offer:  # noqa: FBT001 - one of Tool's callables
    if at.is_user:
        return "its rules for all projects are kept in the program; add one there"
    path = at.root / ".windsurf" / "rules" / "holdfast.md"
    return (
        ToolPiece(tool="windsurf", part=ToolPart.INSTRUCTIONS, path=path, writing=windsurf_rule()),
    )


TOOL = Tool(
    name="windsurf",
    title="Windsurf",
    programs=("windsurf",),
    traces=(".windsurf", ".windsurfrules", "~/.codeium/windsurf"),
    hooks=_hooks,
    mcp=_mcp,
    instructions=_instructions,
)
