"""Gemini CLI: hooks and servers in settings.json; its timeouts are in milliseconds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.tools.json_writing import JsonEntries, JsonEntry
from holdfast.adapters.tools.kinds.servers import json_server, server
from holdfast.adapters.tools.reading import GEMINI
from holdfast.adapters.tools.values import (
    TOLD_BY_HOOK,
    Tool,
    ToolPart,
    ToolPiece,
    importing,
    pointer,
)

if TYPE_CHECKING:
    from pathlib import Path

    from holdfast.adapters.tools.values import Offer, Places

_MILLISECONDS = 5000
# Without PreCompress: Gemini calls it before every answer, even if nothing is compressed.
_EVENTS = {
    "SessionStart": "",
    "BeforeAgent": "",
    "BeforeTool": "run_shell_command|write_file|replace",
    "Notification": "ToolPermission",
    "AfterAgent": "",
    "SessionEnd": "",
}


def _settings(at: Places) -> Path:
    return (at.home if at.is_user else at.root) / ".gemini" / "settings.json"


def _hooks(at: Places) -> Offer:
    entries = []
    for event, matcher in _EVENTS.items():
        handler = {
            "type": "command",
            "name": "holdfast",
            "command": at.line("hook", "gemini", event),
            "timeout": _MILLISECONDS,
        }
        group = {**({"matcher": matcher} if matcher else {}), "hooks": [handler]}
        entries.append(JsonEntry(path=("hooks", event), value=group, is_element=True))
    writing = JsonEntries(entries=tuple(entries))
    return (ToolPiece(tool="gemini", part=ToolPart.HOOKS, path=_settings(at), writing=writing),)


def _mcp(at: Places) -> Offer:
    return (json_server("gemini", _settings(at), server(at)),)


def _instructions(at: Places, by_hook: bool) -> Offer:  # noqa: FBT001 - one of Tool's callables
    path = at.home / ".gemini" / GEMINI if at.is_user else at.root / GEMINI
    if not path.is_file():
        return f"it reads {GEMINI}, and there is none; its hooks tell it instead"
    if by_hook:
        return TOLD_BY_HOOK
    writing = pointer(everywhere=True) if at.is_user else importing()
    return (ToolPiece(tool="gemini", part=ToolPart.INSTRUCTIONS, path=path, writing=writing),)


TOOL = Tool(
    name="gemini",
    title="Gemini CLI",
    programs=("gemini",),
    traces=("GEMINI.md", ".gemini", "~/.gemini"),
    hooks=_hooks,
    mcp=_mcp,
    instructions=_instructions,
)
