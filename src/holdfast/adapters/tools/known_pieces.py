"""The pieces that a tool may have, installed in any way."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.tools.disk import known_text
from holdfast.adapters.tools.reading import AGENTS, files_read
from holdfast.adapters.tools.values import (
    Tool,
    ToolPart,
    ToolPiece,
    pointer,
)
from holdfast.domain.text.managed import find_block

if TYPE_CHECKING:
    from holdfast.adapters.tools.values import Offer, Places


def known_pieces(tool: Tool, part: ToolPart, at: Places) -> list[ToolPiece]:
    """Return every piece a tool may have for a part, whatever the current files are."""
    offers = [offered_by(tool, part, at, by_hook=by_hook) for by_hook in (False, True)]
    found = [piece for offer in offers if not isinstance(offer, str) for piece in offer]
    if part is ToolPart.INSTRUCTIONS and not at.is_user:
        # A block may be in any file the tool reads, and in AGENTS.md, which tools may share.
        kind = find_instructions(tool, at)
        found += [one for one in kind if one.path not in {piece.path for piece in found}]
    unique: dict[tuple[Path, str], ToolPiece] = {}
    for piece in found:
        unique.setdefault((piece.path, piece.writing.words), piece)
    return list(unique.values())


def find_instructions(tool: Tool, at: Places) -> list[ToolPiece]:
    """Return a piece for each instruction file of the project with a Holdfast block."""
    paths = dict.fromkeys((*files_read(tool.name, at.root), at.root / AGENTS))
    return [
        ToolPiece(tool=tool.name, part=ToolPart.INSTRUCTIONS, path=path, writing=pointer())
        for path in paths
        if has_block(path)
    ]


def has_block(path: Path) -> bool:
    """Return whether a file has a Holdfast block."""
    return find_block(known_text(path)) is not None


def offered_by(tool: Tool, part: ToolPart, at: Places, *, by_hook: bool) -> Offer:
    """Return what a tool takes for a part."""
    match part:
        case ToolPart.HOOKS:
            return tool.hooks(at)
        case ToolPart.MCP:
            return tool.mcp(at)
        case ToolPart.INSTRUCTIONS:
            return tool.instructions(at, by_hook)
        case ToolPart.STATUSLINE:
            return tool.statusline(at)
