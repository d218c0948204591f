"""Reports the state of each tool: what is installed, trusted, or installed twice."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from holdfast.adapters.tools.disk import text_of
from holdfast.adapters.tools.fitting import is_found
from holdfast.adapters.tools.json_text import NotJsonError, read_json
from holdfast.adapters.tools.known_pieces import known_pieces
from holdfast.adapters.tools.stores import store_of
from holdfast.adapters.tools.toml_block import read_toml
from holdfast.adapters.tools.values import FileState, InstallScope, ToolPart
from holdfast.adapters.tools.writing import MarkedBlock, MisfitError
from holdfast.domain.errors import HoldfastError
from holdfast.domain.text.managed import find_block
from holdfast.domain.values import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from pathlib import Path

    from holdfast.adapters.tools.installer import ToolInstaller
    from holdfast.adapters.tools.values import PieceState, Places, Tool

_WORST = (FileState.EDITED, FileState.OUTDATED, FileState.YOURS, FileState.INSTALLED)


@dataclass(frozen=True, slots=True, kw_only=True)
class PartStatus:
    """One part of a tool: its state, its install scope, and its files."""

    part: ToolPart
    state: FileState
    scopes: tuple[InstallScope, ...] = ()
    paths: tuple[Path, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolStatus:
    """A tool: the sign that it is in use, its parts, and notes for the person.

    ``seen_at`` is when one of its hooks last called Holdfast, ``failed`` the last error of a hook.
    """

    tool: str
    title: str
    found: str
    parts: tuple[PartStatus, ...]
    notes: tuple[str, ...] = ()
    seen_at: datetime | None = None
    failed: str = ""


def look_at(tools: Sequence[Tool], at: Places, workshop: ToolInstaller) -> tuple[ToolStatus, ...]:
    """Return the state of these tools."""
    return tuple(_look(tool, at, workshop) for tool in tools)


def _look(tool: Tool, at: Places, workshop: ToolInstaller) -> ToolStatus:
    stores = _stores(tool, at)
    parts = tuple(_part(tool, part, at, stores, workshop) for part in ToolPart)
    notes = [*_twice(tool, parts, at), *(_codex_notes(parts, at) if tool.name == "codex" else ())]
    notes += [_served(tool, store) for store in stores if store]
    return ToolStatus(
        tool=tool.name,
        title=tool.title,
        found=is_found(tool, at),
        parts=parts,
        notes=tuple(notes),
    )


def _stores(tool: Tool, at: Places) -> tuple[tuple[str, ...], ...]:
    """Return the other stores that the installed commands of a tool use."""
    pieces = [
        piece
        for part in ToolPart
        for scope in InstallScope
        for piece in known_pieces(tool, part, replace(at, scope=scope))
    ]
    found = dict.fromkeys(store for piece in pieces if (store := store_of(piece)) is not None)
    return tuple(store for store in found if store != at.store)


def _served(tool: Tool, store: Sequence[str]) -> str:
    options = shlex.join(store)
    return f"it serves another store: {options}; 'holdfast adapters remove {tool.name}' ends that"


def _part(
    tool: Tool,
    part: ToolPart,
    at: Places,
    stores: Sequence[tuple[str, ...]],
    workshop: ToolInstaller,
) -> PartStatus:
    states: set[FileState] = set()
    scopes: list[InstallScope] = []
    paths: list[Path] = []
    for scope in InstallScope:
        pieces = [
            piece
            for store in (at.store, *stores)
            for piece in known_pieces(tool, part, replace(at, scope=scope, store=store))
        ]
        there = [one for one in workshop.look(pieces) if _is_for(one, tool)]
        for path in dict.fromkeys(one.piece.path for one in there):
            # Another form of the piece in the same file is not a fault: one that fits is enough.
            here = [one.state for one in there if one.piece.path == path]
            best = FileState.INSTALLED if FileState.INSTALLED in here else here[0]
            if path not in paths:
                states.add(best)
                paths.append(path)
                scopes.append(scope)
    state = next((one for one in _WORST if one in states), FileState.ABSENT)
    return PartStatus(
        part=part, state=state, scopes=tuple(dict.fromkeys(scopes)), paths=tuple(paths)
    )


def _is_for(standing: PieceState, tool: Tool) -> bool:
    """Return whether a piece is installed, and for this tool if several share it."""
    if standing.state is FileState.ABSENT:
        return False
    if not isinstance(standing.piece.writing, MarkedBlock):
        return True
    block = find_block(text_of(standing.piece.path) or "")
    return block is None or not block.owners or tool.name in block.owners


def _twice(tool: Tool, parts: Sequence[PartStatus], at: Places) -> list[str]:
    """Return the warnings that memory would reach a tool in more than one way."""
    ways = [f"hooks in {path}" for one in parts if one.part is ToolPart.HOOKS for path in one.paths]
    if tool.name == "cline":
        ways = list(
            dict.fromkeys(f"hooks in {path.parent}" for path in _paths(parts, ToolPart.HOOKS))
        )
    if tool.name == "claude" and _has_plugin(at):
        ways.append("the plug-in")
    for path in _paths(parts, ToolPart.INSTRUCTIONS):
        if carries_memory(tool, path):
            ways.append(str(path))
    notes = []
    if len(ways) > 1:
        notes.append(f"told in {len(ways)} ways: {'; '.join(ways)}; remove one of them")
    if tool.name == "cursor" and any(path.exists() for path in _claude_settings(at)):
        notes.append("Cursor may run Claude Code's hooks as well; each prompt is answered once")
    return notes


def carries_memory(tool: Tool, path: Path) -> bool:
    """Return whether a file contains memory itself for a tool, rather than only a pointer."""
    if path.suffix in {".json", ".jsonc", ".yml"}:
        return True
    block = find_block(text_of(path) or "")
    return block is not None and "\n@" in f"\n{block.body}" and tool.name in {"claude", "gemini"}


def _paths(parts: Sequence[PartStatus], part: ToolPart) -> list[Path]:
    return [path for one in parts if one.part is part for path in one.paths]


def _claude_settings(at: Places) -> tuple[Path, ...]:
    folder = at.root / ".claude"
    return (folder / "settings.json", folder / "settings.local.json")


def _has_plugin(at: Places) -> bool:
    for path in (*_claude_settings(at), at.home / ".claude" / "settings.json"):
        try:
            held = read_json(text_of(path) or "{}").value
        except (NotJsonError, HoldfastError):
            continue
        enabled = held.get("enabledPlugins") if isinstance(held, dict) else None
        if isinstance(enabled, dict) and any(
            name.startswith("holdfast@") and is_on for name, is_on in enabled.items()
        ):
            return True
    return False


def _codex_notes(parts: Sequence[PartStatus], at: Places) -> list[str]:
    """Return what a person must confirm in Codex before it runs Holdfast's hooks."""
    hooks = _paths(parts, ToolPart.HOOKS)
    if not hooks:
        return []
    try:
        held = read_toml(text_of(at.codex / "config.toml") or "").get("hooks")
    except (MisfitError, HoldfastError):
        return ["its config.toml cannot be read, so nobody knows whether the hooks are trusted"]
    state = held.get("state") if isinstance(held, dict) else None
    names = list(state) if isinstance(state, dict) else []
    # Codex names a hook by its file, event and place: ~/.codex/hooks.json:session_start:0:0.
    trusted = [name for name in names for path in hooks if name.startswith(f"{path}:")]
    if trusted:
        return [f"{len(trusted)} hooks were trusted; after a change type /hooks in codex again"]
    return ["hooks are not trusted yet: start codex, type /hooks, and trust those of holdfast"]
