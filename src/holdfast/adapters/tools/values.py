"""Value types for connecting tools: what can be installed, where, and its state."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.domain.memory.place import DEFAULT_SPACE, SpaceId
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from holdfast.adapters.tools.writing import Writing

ACTIVE = ".holdfast/context/active.md"


class ToolPart(StrEnum):
    """A part that can be installed into a tool."""

    INSTRUCTIONS = "instructions"
    HOOKS = "hooks"
    MCP = "mcp"
    STATUSLINE = "statusline"


class InstallScope(StrEnum):
    """The install scope: this person here, everybody in the project, or this person everywhere."""

    PRIVATE = "private"
    PROJECT = "project"
    USER = "user"


class FileState(StrEnum):
    """The state of an installed piece."""

    ABSENT = "absent"
    INSTALLED = "installed"
    OUTDATED = "outdated"
    EDITED = "edited"
    YOURS = "yours"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolPiece:
    """One thing that Holdfast installs for a tool, and its file."""

    tool: str
    part: ToolPart
    path: Path
    writing: Writing


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceState:
    """A piece with its state and its line."""

    piece: ToolPiece
    state: FileState
    line: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """What was done to a file for a tool, or why nothing was done."""

    tool: str
    part: ToolPart
    path: Path | None
    done: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Connecting:
    """A request to connect or disconnect tools (none given: all that fit), with parts and scope.

    Without parts, connecting installs the best ones for each tool, and disconnecting removes all.
    """

    tools: tuple[str, ...] = ()
    parts: frozenset[ToolPart] = frozenset()
    scope: InstallScope = InstallScope.PRIVATE
    space: SpaceId = DEFAULT_SPACE
    is_dry: bool = False
    is_forced: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """The paths: the project, the person's home and settings, and how Holdfast is started.

    ``context`` is the content of the active context until it is first generated.
    """

    root: Path
    home: Path
    config: Path
    codex: Path
    program: tuple[str, ...]
    store: tuple[str, ...] = ()
    context: str = ""
    scope: InstallScope = InstallScope.PRIVATE

    @property
    def is_user(self) -> bool:
        """Return whether it applies to all projects of a person."""
        return self.scope is InstallScope.USER

    def runs(self, *words: str) -> list[str]:
        """Return the command that starts Holdfast; by name in files that are shared."""
        if self.scope is InstallScope.PROJECT:
            return ["holdfast", *words]
        return [*self.program, *self.store, *words]

    def line(self, *words: str) -> str:
        """Return a shell command line; in shared files, it is silent if Holdfast is missing.

        It is the same in every version of Holdfast: some tools ask people again when it changes.
        """
        line = shlex.join(self.runs(*words))
        if self.scope is not InstallScope.PROJECT:
            return line
        return f"command -v holdfast >/dev/null 2>&1 && {line} || true"


Offer = tuple[ToolPiece, ...] | str
"""What a tool offers for a part, or the reason why it offers nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A coding tool: how it is recognised, and what can be installed into it."""

    name: str
    title: str
    programs: tuple[str, ...]
    traces: tuple[str, ...]
    hooks: Callable[[Places], Offer]
    mcp: Callable[[Places], Offer]
    instructions: Callable[[Places, bool], Offer]
    statusline: Callable[[Places], Offer] = lambda _: "it has no status line to add to"
    advice: str = ""
