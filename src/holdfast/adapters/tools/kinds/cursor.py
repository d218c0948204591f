"""Cursor: hooks.json, mcp.json, and a separate rule file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.tools.json_writing import JsonEntries, JsonEntry
from holdfast.adapters.tools.kinds.servers import json_server, server
from holdfast.adapters.tools.values import Tool, ToolPart, ToolPiece, cursor_rule

if TYPE_CHECKING:
    from pathlib import Path

    from holdfast.adapters.tools.values import Offer, Places

_SECONDS = 5
_EVENTS = (
    "sessionStart",
    "beforeSubmitPrompt",
    "preToolUse",
    "preCompact",
    "stop",
    "sessionEnd",
)


def _folder(at: Places) -> Path:
    return (at.home if at.is_user else at.root) / ".cursor"


def _hooks(at: Places) -> Offer:
    entries = tuple(
        JsonEntry(
            path=("hooks", event),
            value={"command": at.line("hook", "cursor", event), "timeout": _SECONDS},
            is_element=True,
        )
        for event in _EVENTS
    )
    writing = JsonEntries(entries=entries, companions=(("version", 1),))
    path = _folder(at) / "hooks.json"
    return (ToolPiece(tool="cursor", part=ToolPart.HOOKS, path=path, writing=writing),)


def _mcp(at: Places) -> Offer:
    return (json_server("cursor", _folder(at) / "mcp.json", server(at)),)


def _instructions(at: Places, _by_hook: bool) -> Offer:  # noqa: FBT001 - one of Tool's callables
    if at.is_user:
        return "its rules for all projects are kept in the program; add one there"
    path = _folder(at) / "rules" / "holdfast.mdc"
    return (ToolPiece(tool="cursor", part=ToolPart.INSTRUCTIONS, path=path, writing=cursor_rule()),)


TOOL = Tool(
    name="cursor",
    title="Cursor",
    programs=("cursor", "cursor-agent"),
    traces=(".cursor", ".cursorrules", "~/.cursor"),
    hooks=_hooks,
    mcp=_mcp,
    instructions=_instructions,
)
