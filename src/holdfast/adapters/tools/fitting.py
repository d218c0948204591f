"""Plans which pieces go into which files, so that every tool gets memory through one channel."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.tools.disk import known_text, text_of
from holdfast.adapters.tools.kinds import (
    aider,
    claude,
    cline,
    codex,
    copilot,
    cursor,
    gemini,
    opencode,
    windsurf,
    zed,
)
from holdfast.adapters.tools.known_pieces import known_pieces, offered_by
from holdfast.adapters.tools.reading import AGENTS, CLAUDE, files_read
from holdfast.adapters.tools.values import (
    ACTIVE,
    FileChange,
    InstallScope,
    Tool,
    ToolPart,
    ToolPiece,
    pointer,
)
from holdfast.adapters.tools.writing import MisfitError, Placeholder
from holdfast.domain.errors import HoldfastError, UnknownChoiceError
from holdfast.domain.text.managed import find_block
from holdfast.domain.values import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from holdfast.adapters.tools.values import Places

_TOOLS = (
    *(claude.TOOL, codex.TOOL, copilot.TOOL, gemini.TOOL, opencode.TOOL),
    *(cursor.TOOL, cline.TOOL, windsurf.TOOL, zed.TOOL, aider.TOOL),
)
TOOLS: dict[str, Tool] = {tool.name: tool for tool in _TOOLS}
# These tools support no other way than these files; the others adapt to them.
_FIRST = ("codex", "zed")
_OWN_WAY = (*_FIRST, "opencode", "aider")


@dataclass(frozen=True, slots=True, kw_only=True)
class InstallPlan:
    """The pieces to install, those to remove as duplicates, and those left unchanged."""

    put: tuple[ToolPiece, ...]
    take: tuple[ToolPiece, ...] = ()
    left: tuple[FileChange, ...] = ()


def tools_named(names: Sequence[str]) -> tuple[Tool, ...]:
    """Return the tools with these names.

    Raises:
        UnknownChoiceError: There is no tool of that name.
    """
    for name in names:
        if name not in TOOLS:
            raise UnknownChoiceError(what="tool", value=name, choices=TOOLS)
    return tuple(TOOLS[name] for name in dict.fromkeys(names))


def is_found(tool: Tool, at: Places) -> str:
    """Return the sign that a tool is used: a file here, its program, or a file at home; or ''."""
    here = [name for name in tool.traces if not name.startswith("~/")]
    for name in here:
        if (at.root / name).exists():
            return name
    for program in tool.programs:
        if shutil.which(program):
            return program
    homely = [name for name in tool.traces if name not in here and (at.home / name[2:]).exists()]
    return homely[0] if homely else ""


def plan(tools: Iterable[Tool], parts: frozenset[ToolPart], at: Places) -> InstallPlan:
    """Plan the pieces for these tools; without parts, the best ones for each.

    The best is one channel for memory: hooks if a tool supports them, else a file.
    """
    put: list[ToolPiece] = []
    take: list[ToolPiece] = []
    left: list[FileChange] = []
    for tool in sorted(tools, key=lambda one: (one.name not in _FIRST, _TOOLS.index(one))):
        hooks = tool.hooks(at)
        is_hooked = ToolPart.HOOKS in parts or not parts
        by_hook = is_hooked and not isinstance(hooks, str)
        wanted = parts or frozenset(
            {ToolPart.HOOKS if by_hook else ToolPart.INSTRUCTIONS, ToolPart.MCP}
        )
        for part in (one for one in ToolPart if one in wanted):
            offer = offered_by(tool, part, at, by_hook=by_hook)
            if isinstance(offer, str):
                left.append(
                    FileChange(tool=tool.name, part=part, path=None, done="left", reason=offer)
                )
                continue
            if part is ToolPart.INSTRUCTIONS:
                offer, twice = _joined(tool, offer, put, at)
                take += twice
            put += offer
            take += _elsewhere(tool, part, offer, at, by_hook=by_hook)
    if _needs_active(put, at):
        put.append(_active(at))
    return InstallPlan(put=_once(put), take=tuple(take), left=tuple(left))


def removal(tools: Sequence[Tool], parts: frozenset[ToolPart], at: Places) -> InstallPlan:
    """Plan the removal of every piece that these tools may have, installed in any way."""
    scopes = (InstallScope.USER,) if at.is_user else (InstallScope.PRIVATE, InstallScope.PROJECT)
    take: list[ToolPiece] = []
    for tool in tools:
        for part in ToolPart:
            if parts and part not in parts:
                continue
            for scope in scopes:
                take += known_pieces(tool, part, replace(at, scope=scope))
    gone = frozenset(one.name for one in tools)
    if not at.is_user and _is_stub(at) and not _is_pointed_at(at, without=gone):
        take.append(_active(at))
    return InstallPlan(put=(), take=tuple(take))


def _is_pointed_at(at: Places, *, without: frozenset[str]) -> bool:
    """Return whether another tool has a pointer to the active context."""
    others = [tool for tool in _TOOLS if tool.name not in without]
    pieces = [one for tool in others for one in known_pieces(tool, ToolPart.INSTRUCTIONS, at)]
    return any(_stands(piece) for piece in pieces)


def _stands(piece: ToolPiece) -> bool:
    try:
        text = text_of(piece.path)
        seen = None if text is None else piece.writing.seen(text)
    except (HoldfastError, MisfitError):
        return False
    return seen is not None and (not seen.owners or piece.tool in seen.owners)


def _joined(
    tool: Tool, offer: tuple[ToolPiece, ...], put: Sequence[ToolPiece], at: Places
) -> tuple[tuple[ToolPiece, ...], list[ToolPiece]]:
    """Replace a tool's own pointer by a shared one in a file that it reads anyway."""
    if at.is_user or tool.name in _OWN_WAY:
        return offer, []
    planned = {os.path.realpath(one.path) for one in put if one.part is ToolPart.INSTRUCTIONS}
    for path in _may_read(tool, at.root, planned):
        if os.path.realpath(path) in planned or _points_others(path, tool):
            piece = ToolPiece(
                tool=tool.name, part=ToolPart.INSTRUCTIONS, path=path, writing=pointer()
            )
            return (piece,), [one for one in offer if one.path != path]
    return offer, []


def _may_read(tool: Tool, root: Path, planned: set[str]) -> list[Path]:
    """Return the files a tool reads, including an AGENTS.md that is planned."""
    read = list(files_read(tool.name, root))
    shared = root / AGENTS
    reads_agents = tool.name != "gemini" and not (
        tool.name == "claude" and (root / CLAUDE).is_file()
    )
    if reads_agents and os.path.realpath(shared) in planned and shared not in read:
        read.append(shared)
    return read


def _points_others(path: Path, tool: Tool) -> bool:
    """Return whether a file has a Holdfast block that is also for other tools."""
    block = find_block(known_text(path))
    return block is not None and bool(set(block.owners) - {tool.name})


def _elsewhere(
    tool: Tool, part: ToolPart, offer: tuple[ToolPiece, ...], at: Places, *, by_hook: bool
) -> list[ToolPiece]:
    """Return the pieces of the other way to install in a project: one way is enough."""
    if at.is_user:
        return []
    other = InstallScope.PRIVATE if at.scope is InstallScope.PROJECT else InstallScope.PROJECT
    found = offered_by(tool, part, replace(at, scope=other), by_hook=by_hook)
    taken = {piece.path for piece in offer}
    return [] if isinstance(found, str) else [one for one in found if one.path not in taken]


def _needs_active(put: Sequence[ToolPiece], at: Places) -> bool:
    """Return whether something points at the active context, which does not exist yet."""
    points = any(piece.part is ToolPart.INSTRUCTIONS for piece in put)
    return points and not at.is_user and not (at.root / ACTIVE).exists()


def _active(at: Places) -> ToolPiece:
    path, writing = at.root / ACTIVE, Placeholder(words=at.context)
    return ToolPiece(tool="holdfast", part=ToolPart.INSTRUCTIONS, path=path, writing=writing)


def _is_stub(at: Places) -> bool:
    try:
        return text_of(at.root / ACTIVE) == at.context
    except HoldfastError:
        return False


def _once(put: Sequence[ToolPiece]) -> tuple[ToolPiece, ...]:
    """Return the pieces; if two paths lead to one file, only the first is kept."""
    seen: dict[tuple[str, str, str], ToolPiece] = {}
    for piece in put:
        seen.setdefault((piece.tool, piece.part.value, os.path.realpath(piece.path)), piece)
    return tuple(seen.values())
