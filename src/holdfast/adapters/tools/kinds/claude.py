"""Claude Code: hooks and the status line in its settings, servers in .mcp.json."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.tools.json_writing import JsonEntries, JsonEntry
from holdfast.adapters.tools.kinds.servers import json_server, server
from holdfast.adapters.tools.reading import AGENTS, CLAUDE, imports_agents
from holdfast.adapters.tools.values import (
    TOLD_BY_HOOK,
    InstallScope,
    Tool,
    ToolPart,
    ToolPiece,
    importing,
    own_rule,
    pointer,
)

if TYPE_CHECKING:
    from pathlib import Path

    from holdfast.adapters.tools.values import Offer, Places

_SECONDS = 5
_CHANGING = "Bash|Edit|MultiEdit|Write|NotebookEdit"
EVENTS = {
    "SessionStart": "startup|resume|clear|compact",
    "UserPromptSubmit": "",
    "PreToolUse": _CHANGING,
    "PermissionRequest": "",
    "PreCompact": "",
    "Stop": "",
    "SessionEnd": "",
}


def grouped(at: Places, dialect: str, events: dict[str, str], *, seconds: int) -> JsonEntries:
    """Return hooks in the format of Claude Code and compatible tools: groups with a matcher."""
    entries = []
    for event, matcher in events.items():
        handler = {
            "type": "command",
            "command": at.line("hook", dialect, event),
            "timeout": seconds,
        }
        group = {**({"matcher": matcher} if matcher else {}), "hooks": [handler]}
        entries.append(JsonEntry(path=("hooks", event), value=group, is_element=True))
    return JsonEntries(entries=tuple(entries))


def _settings(at: Places) -> Path:
    if at.is_user:
        return at.home / ".claude" / "settings.json"
    name = "settings.json" if at.scope is InstallScope.PROJECT else "settings.local.json"
    return at.root / ".claude" / name


def _hooks(at: Places) -> Offer:
    writing = grouped(at, "claude", EVENTS, seconds=_SECONDS)
    return (ToolPiece(tool="claude", part=ToolPart.HOOKS, path=_settings(at), writing=writing),)


def _mcp(at: Places) -> Offer:
    if at.is_user:
        return "it keeps them itself: 'claude mcp add -s user holdfast -- holdfast mcp' adds it"
    return (json_server("claude", at.root / ".mcp.json", server(at)),)


def _statusline(at: Places) -> Offer:
    line = {"type": "command", "command": at.line("status", "--badge")}
    writing = JsonEntries(entries=(JsonEntry(path=("statusLine",), value=line),))
    return (
        ToolPiece(tool="claude", part=ToolPart.STATUSLINE, path=_settings(at), writing=writing),
    )


def _instructions(at: Places, by_hook: bool) -> Offer:  # noqa: FBT001 - one of Tool's callables
    if at.is_user:
        path = at.home / ".claude" / CLAUDE
        return (
            ToolPiece(
                tool="claude",
                part=ToolPart.INSTRUCTIONS,
                path=path,
                writing=pointer(everywhere=True),
            ),
        )
    if by_hook:
        return TOLD_BY_HOOK
    own, shared = at.root / CLAUDE, at.root / AGENTS
    if own.is_file() and not (imports_agents(own) and shared.is_file()):
        return (
            ToolPiece(tool="claude", part=ToolPart.INSTRUCTIONS, path=own, writing=importing()),
        )
    if shared.is_file():
        return (
            ToolPiece(tool="claude", part=ToolPart.INSTRUCTIONS, path=shared, writing=pointer()),
        )
    path = at.root / ".claude" / "rules" / "holdfast.md"
    return (ToolPiece(tool="claude", part=ToolPart.INSTRUCTIONS, path=path, writing=own_rule()),)


TOOL = Tool(
    name="claude",
    title="Claude Code",
    programs=("claude",),
    traces=("CLAUDE.md", ".claude", "~/.claude"),
    hooks=_hooks,
    mcp=_mcp,
    instructions=_instructions,
    statusline=_statusline,
)
