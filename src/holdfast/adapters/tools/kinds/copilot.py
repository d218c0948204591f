"""GitHub Copilot CLI: a separate hook file, and a server in the person's settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.tools.json_writing import JsonEntries, JsonEntry
from holdfast.adapters.tools.kinds.servers import ONLY_USER, json_server, server
from holdfast.adapters.tools.reading import AGENTS
from holdfast.adapters.tools.values import Tool, ToolPart, ToolPiece, copilot_instructions, pointer

if TYPE_CHECKING:
    from holdfast.adapters.tools.values import Offer, Places

_SECONDS = 5
_EVENTS = ("sessionStart", "userPromptSubmitted", "preToolUse", "agentStop", "sessionEnd")


def _hooks(at: Places) -> Offer:
    entries = tuple(
        JsonEntry(
            path=("hooks", event),
            value={
                "type": "command",
                "bash": at.line("hook", "copilot", event),
                "timeoutSec": _SECONDS,
            },
            is_element=True,
        )
        for event in _EVENTS
    )
    folder = at.home / ".copilot" if at.is_user else at.root / ".github"
    path = folder / "hooks" / "holdfast.json"
    writing = JsonEntries(entries=entries, companions=(("version", 1),))
    return (ToolPiece(tool="copilot", part=ToolPart.HOOKS, path=path, writing=writing),)


def _mcp(at: Places) -> Offer:
    if not at.is_user:
        return ONLY_USER
    value = {"type": "local", **server(at), "tools": ["*"]}
    return (json_server("copilot", at.home / ".copilot" / "mcp-config.json", value),)


def _instructions(at: Places, _by_hook: bool) -> Offer:  # noqa: FBT001 - one of Tool's callables
    if at.is_user:
        return "it is told by its hooks; your own instructions are left alone"
    shared = at.root / AGENTS
    if shared.is_file():
        return (
            ToolPiece(tool="copilot", part=ToolPart.INSTRUCTIONS, path=shared, writing=pointer()),
        )
    path = at.root / ".github" / "instructions" / "holdfast.instructions.md"
    writing = copilot_instructions()
    return (ToolPiece(tool="copilot", part=ToolPart.INSTRUCTIONS, path=path, writing=writing),)


TOOL = Tool(
    name="copilot",
    title="Copilot CLI",
    programs=("copilot",),
    traces=(".github/copilot-instructions.md", ".github/hooks", "~/.copilot"),
    hooks=_hooks,
    mcp=_mcp,
    instructions=_instructions,
)
