"""Aider: no hooks and no servers; it reads the files its settings name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.tools.values import ACTIVE, Tool, ToolPart, ToolPiece
from holdfast.adapters.tools.yaml_writing import YamlItem

if TYPE_CHECKING:
    from holdfast.adapters.tools.values import Offer, Places


def _hooks(_at: Places) -> Offer:
    return "it has no hooks"


def _mcp(_at: Places) -> Offer:
    return "it starts no servers"


def _instructions(at: Places, _by_hook: bool) -> Offer:  # noqa: FBT001 - one of Tool's callables
    if at.is_user:
        return "what it reads is different in every project; leave --user out"
    path = at.root / ".aider.conf.yml"
    writing = YamlItem(name="read", item=ACTIVE)
    return (ToolPiece(tool="aider", part=ToolPart.INSTRUCTIONS, path=path, writing=writing),)


TOOL = Tool(
    name="aider",
    title="Aider",
    programs=("aider",),
    traces=(".aider.conf.yml", ".aider.chat.history.md", "~/.aider.conf.yml"),
    hooks=_hooks,
    mcp=_mcp,
    instructions=_instructions,
)
