"""The words about connecting tools: what can be installed, where, and how it stands."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.domain.place import DEFAULT_SPACE, SpaceId
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from holdfast.adapters.tools.writing import Writing

ACTIVE = ".holdfast/context/active.md"


class Part(StrEnum):
    """What can be installed into a tool."""

    INSTRUCTIONS = "instructions"
    HOOKS = "hooks"
    MCP = "mcp"
    STATUSLINE = "statusline"


class Scope(StrEnum):
    """For whom: this person in this project, everybody in it, or this person everywhere."""

    PRIVATE = "private"
    PROJECT = "project"
    USER = "user"


class State(StrEnum):
    """What stands in the place of something of ours."""

    ABSENT = "absent"
    INSTALLED = "installed"
    OUTDATED = "outdated"
    EDITED = "edited"
    YOURS = "yours"


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One thing of ours for a tool, and the file it goes into."""

    tool: str
    part: Part
    path: Path
    writing: Writing


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A piece as it stands: its state, and the line it is at."""

    piece: Piece
    state: State
    line: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What was done to a file for a tool, or why nothing was."""

    tool: str
    part: Part
    path: Path | None
    done: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Connecting:
    """A wish to connect or disconnect: which tools (none: all that fit), which parts, for whom.

    No parts means what is best for each tool when connecting, and all of them when not.
    """

    tools: tuple[str, ...] = ()
    parts: frozenset[Part] = frozenset()
    scope: Scope = Scope.PRIVATE
    space: SpaceId = DEFAULT_SPACE
    is_dry: bool = False
    is_forced: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where things are: the project, the person's home and settings, and how we are started.

    ``context`` is what stands in the active context until somebody collects it.
    """

    root: Path
    home: Path
    config: Path
    codex: Path
    program: tuple[str, ...]
    store: tuple[str, ...] = ()
    context: str = ""
    scope: Scope = Scope.PRIVATE

    @property
    def is_user(self) -> bool:
        """Tell whether it is for all projects of a person."""
        return self.scope is Scope.USER

    def runs(self, *words: str) -> list[str]:
        """Return the words that start us; by name where others must be able to read them."""
        if self.scope is Scope.PROJECT:
            return ["holdfast", *words]
        return [*self.program, *self.store, *words]

    def line(self, *words: str) -> str:
        """Return a line for a shell; where others may lack the program, it says nothing then.

        It is the same in every version of ours: some tools ask people again when it changes.
        """
        line = shlex.join(self.runs(*words))
        if self.scope is not Scope.PROJECT:
            return line
        return f"command -v holdfast >/dev/null 2>&1 && {line} || true"


Offer = tuple[Piece, ...] | str
"""What a tool offers for a part, or the reason why it has nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A coding tool: how it is recognised, and what it takes in which way."""

    name: str
    title: str
    programs: tuple[str, ...]
    traces: tuple[str, ...]
    hooks: Callable[[Places], Offer]
    mcp: Callable[[Places], Offer]
    instructions: Callable[[Places, bool], Offer]
    statusline: Callable[[Places], Offer] = lambda _: "it has no status line to add to"
    advice: str = ""
