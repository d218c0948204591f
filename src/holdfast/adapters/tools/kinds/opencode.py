"""OpenCode: no shell hooks, so a small plug-in calls Holdfast; settings in opencode.json(c)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.tools.json_writing import JsonEntries, JsonEntry
from holdfast.adapters.tools.kinds.servers import NAME
from holdfast.adapters.tools.values import ACTIVE, TOLD_BY_HOOK, Tool, ToolPart, ToolPiece, pointer
from holdfast.adapters.tools.writing import Whole
from holdfast.domain.text.managed import CommentStyle

if TYPE_CHECKING:
    from holdfast.adapters.tools.values import Offer, Places

_PLUG_IN = Path(__file__).with_suffix(".js")


def _settings(at: Places) -> Path:
    folder = at.config / "opencode" if at.is_user else at.root
    commented = folder / "opencode.jsonc"
    return commented if commented.is_file() else folder / "opencode.json"


def _hooks(at: Places) -> Offer:
    folder = at.config / "opencode" if at.is_user else at.root / ".opencode"
    script = _PLUG_IN.read_text(encoding="utf-8").replace("PROGRAM", json.dumps(at.runs()))
    writing = Whole(body=script, comment=CommentStyle.SLASHES)
    path = folder / "plugin" / "holdfast.js"
    return (ToolPiece(tool="opencode", part=ToolPart.HOOKS, path=path, writing=writing),)


def _mcp(at: Places) -> Offer:
    value = {"type": "local", "command": at.runs("mcp"), "enabled": True}
    writing = JsonEntries(entries=(JsonEntry(path=("mcp", NAME), value=value),))
    return (ToolPiece(tool="opencode", part=ToolPart.MCP, path=_settings(at), writing=writing),)


def _instructions(at: Places, by_hook: bool) -> Offer:  # noqa: FBT001 - one of Tool's callables
    if at.is_user:
        path = at.config / "opencode" / "AGENTS.md"
        writing = pointer(everywhere=True)
        return (ToolPiece(tool="opencode", part=ToolPart.INSTRUCTIONS, path=path, writing=writing),)
    if by_hook:
        return TOLD_BY_HOOK
    entry = JsonEntry(path=("instructions",), value=ACTIVE, is_element=True)
    listed = JsonEntries(entries=(entry,))
    return (
        ToolPiece(tool="opencode", part=ToolPart.INSTRUCTIONS, path=_settings(at), writing=listed),
    )


TOOL = Tool(
    name="opencode",
    title="OpenCode",
    programs=("opencode",),
    traces=("opencode.json", "opencode.jsonc", ".opencode", "~/.config/opencode"),
    hooks=_hooks,
    mcp=_mcp,
    instructions=_instructions,
)
