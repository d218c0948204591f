"""Cline: a small program for each event, and a server in the person's settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.tools.kinds.servers import ONLY_USER, json_server, server
from holdfast.adapters.tools.reading import AGENTS
from holdfast.adapters.tools.values import Tool, ToolPart, ToolPiece, own_rule, pointer
from holdfast.adapters.tools.writing import Whole
from holdfast.domain.text.managed import CommentStyle

if TYPE_CHECKING:
    from holdfast.adapters.tools.values import Offer, Places

_EVENTS = (
    "TaskStart",
    "TaskResume",
    "UserPromptSubmit",
    "PreToolUse",
    "TaskComplete",
    "SessionShutdown",
)


def _hooks(at: Places) -> Offer:
    folder = (at.home if at.is_user else at.root) / ".cline" / "hooks"
    return tuple(
        ToolPiece(
            tool="cline",
            part=ToolPart.HOOKS,
            path=folder / event,
            writing=Whole(
                head="#!/bin/sh\n",
                body=at.line("hook", "cline", event),
                comment=CommentStyle.HASH,
                is_program=True,
            ),
        )
        for event in _EVENTS
    )


def _mcp(at: Places) -> Offer:
    if not at.is_user:
        return ONLY_USER
    path = at.home / ".cline" / "data" / "settings" / "cline_mcp_settings.json"
    return (json_server("cline", path, server(at)),)


def _instructions(at: Places, _by_hook: bool) -> Offer:  # noqa: FBT001 - one of Tool's callables
    folder = at.home / ".cline" / "rules" if at.is_user else at.root / ".cline" / "rules"
    if not at.is_user:
        if (at.root / ".clinerules").is_dir():
            folder = at.root / ".clinerules"
        elif (at.root / AGENTS).is_file():
            path = at.root / AGENTS
            return (
                ToolPiece(tool="cline", part=ToolPart.INSTRUCTIONS, path=path, writing=pointer()),
            )
    path = folder / "holdfast.md"
    writing = own_rule(everywhere=at.is_user)
    return (ToolPiece(tool="cline", part=ToolPart.INSTRUCTIONS, path=path, writing=writing),)


TOOL = Tool(
    name="cline",
    title="Cline",
    programs=("cline",),
    traces=(".clinerules", ".cline", "~/.cline"),
    hooks=_hooks,
    mcp=_mcp,
    instructions=_instructions,
)
