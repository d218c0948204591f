"""Zed: no hooks; it reads one instruction file, and servers from the person's settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.tools.kinds.servers import ONLY_USER, json_server, server
from holdfast.adapters.tools.reading import first_file
from holdfast.adapters.tools.values import Tool, ToolPart, ToolPiece, pointer

if TYPE_CHECKING:
    from holdfast.adapters.tools.values import Offer, Places


def _hooks(_at: Places) -> Offer:
    return "it has no hooks"


def _mcp(at: Places) -> Offer:
    if not at.is_user:
        return ONLY_USER
    path = at.config / "zed" / "settings.json"
    return (json_server("zed", path, server(at), under="context_servers"),)


def _instructions(at: Places, _by_hook: bool) -> Offer:  # noqa: FBT001 - one of Tool's callables
    path = at.config / "zed" / "AGENTS.md" if at.is_user else first_file(at.root)
    writing = pointer(everywhere=at.is_user)
    return (ToolPiece(tool="zed", part=ToolPart.INSTRUCTIONS, path=path, writing=writing),)


TOOL = Tool(
    name="zed",
    title="Zed",
    programs=("zed", "zeditor"),
    traces=(".zed", ".rules", "~/.config/zed"),
    hooks=_hooks,
    mcp=_mcp,
    instructions=_instructions,
)
