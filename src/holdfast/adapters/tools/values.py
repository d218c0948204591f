"""Value types for connecting tools: what can be installed, where, and its state.

The text for instruction files: a pointer for every tool, an import for some.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.tools.writing import MarkedBlock, Whole
from holdfast.domain.memory.place import DEFAULT_SPACE, SpaceId
from holdfast.domain.text.managed import CommentStyle
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


# A tool whose hook already gave memory does not need it twice: the pointer checks that first.
POINTER = f"""\
## Project memory

Decisions, rules and known traps of this project are kept by Holdfast.
Unless a `<holdfast-context>` was given to you already, read `{ACTIVE}` before you start.
Ask for more with the tool `context.assemble`, or run `holdfast recall "your question"`.
Propose what you learned with `memory.create`; a person approves it.
"""
POINTER_EVERYWHERE = f"""\
## Project memory

Projects with a folder `.holdfast` keep their decisions, rules and known traps there.
In such a project, unless a `<holdfast-context>` was given to you already, read `{ACTIVE}` first.
Ask for more with the tool `context.assemble`, or run `holdfast recall "your question"`.
Propose what you learned with `memory.create`; a person approves it.
"""
IMPORT = f"""\
Project memory, kept by Holdfast:

@{ACTIVE}
"""
TOLD_BY_HOOK = "its hooks tell it already; a file would tell it twice"
ACTIVE_BEFORE_A_RUN = """\
# Project memory

Nothing was collected for this session yet.
Ask for what is known about your task: `holdfast recall "your question"`.
`holdfast run start` collects it into this file.
"""
_RULE = """\
---
description: Project memory kept by Holdfast
alwaysApply: true
---
"""
_TRIGGER = """\
---
trigger: always_on
---
"""
_APPLIES = """\
---
applyTo: "**"
---
"""


def pointer(*, everywhere: bool = False) -> MarkedBlock:
    """Return the block that points to memory, in this project or in every one."""
    return MarkedBlock(body=POINTER_EVERYWHERE if everywhere else POINTER)


def importing() -> MarkedBlock:
    """Return the block that imports memory into the file."""
    return MarkedBlock(body=IMPORT)


def cursor_rule() -> Whole:
    """Return a rule that Cursor always applies."""
    return Whole(head=_RULE, body=POINTER, comment=CommentStyle.MARKUP)


def windsurf_rule() -> Whole:
    """Return a rule that Windsurf always applies."""
    return Whole(head=_TRIGGER, body=POINTER, comment=CommentStyle.MARKUP)


def copilot_instructions() -> Whole:
    """Return instructions that Copilot applies to every file."""
    return Whole(head=_APPLIES, body=POINTER, comment=CommentStyle.MARKUP)


def own_rule(*, everywhere: bool = False) -> Whole:
    """Return a separate rules file, for tools that read every file of a folder."""
    return Whole(body=POINTER_EVERYWHERE if everywhere else POINTER, comment=CommentStyle.MARKUP)
