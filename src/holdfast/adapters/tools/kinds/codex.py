"""Codex: hooks in hooks.json, which a person trusts once, and a server in config.toml."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from holdfast.adapters.tools.json_writing import JsonEntries
from holdfast.adapters.tools.kinds.claude import grouped
from holdfast.adapters.tools.kinds.servers import NAME
from holdfast.adapters.tools.reading import agents_file
from holdfast.adapters.tools.toml_block import TomlBlock
from holdfast.adapters.tools.values import Tool, ToolPart, ToolPiece, pointer

if TYPE_CHECKING:
    from pathlib import Path

    from holdfast.adapters.tools.values import Offer, Places

_SECONDS = 5
# Codex stops a session-end hook after three seconds, and reports it each time.
_SECONDS_AT_END = 3
_STARTUP_SECONDS = 10
_EVENTS = {
    "SessionStart": "startup|resume|clear|compact",
    "UserPromptSubmit": "",
    "PreToolUse": "Bash|apply_patch|Edit|Write",
    "PermissionRequest": "",
    "PreCompact": "",
    "Stop": "",
}


def _folder(at: Places) -> Path:
    return at.codex if at.is_user else at.root / ".codex"


def _hooks(at: Places) -> Offer:
    usual = grouped(at, "codex", _EVENTS, seconds=_SECONDS)
    ending = grouped(at, "codex", {"SessionEnd": ""}, seconds=_SECONDS_AT_END)
    writing = JsonEntries(entries=(*usual.entries, *ending.entries))
    path = _folder(at) / "hooks.json"
    return (ToolPiece(tool="codex", part=ToolPart.HOOKS, path=path, writing=writing),)


def _mcp(at: Places) -> Offer:
    command, *words = at.runs("mcp")
    # Never "required": Codex does not start if a required server fails, for example after holdfast
    # was moved or removed. Without it, the first turn may begin before Holdfast's tools are listed.
    body = (
        f"[mcp_servers.{NAME}]\n"
        f"command = {json.dumps(command)}\n"
        f"args = {json.dumps(words)}\n"
        f"startup_timeout_sec = {_STARTUP_SECONDS}\n"
    )
    writing = TomlBlock(body=body, path=("mcp_servers", NAME))
    path = _folder(at) / "config.toml"
    return (ToolPiece(tool="codex", part=ToolPart.MCP, path=path, writing=writing),)


def _instructions(at: Places, _by_hook: bool) -> Offer:  # noqa: FBT001 - one of Tool's callables
    path = at.codex / "AGENTS.md" if at.is_user else agents_file("codex", at.root)
    if isinstance(path, str):
        return path
    writing = pointer(everywhere=at.is_user)
    return (ToolPiece(tool="codex", part=ToolPart.INSTRUCTIONS, path=path, writing=writing),)


TOOL = Tool(
    name="codex",
    title="Codex",
    programs=("codex",),
    traces=(".codex", "~/.codex"),
    hooks=_hooks,
    mcp=_mcp,
    instructions=_instructions,
    advice="Codex runs hooks only after you trusted them: start codex, type /hooks, and trust"
    " those of holdfast. In a project it must trust the project, too.",
)
