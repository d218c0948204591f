"""The kinds of checks that a memory may carry."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from holdfast.domain.checks.paths import PathChoice
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternCheck:
    """A pattern that every file of the paths must contain, or none may."""

    text: str
    pattern: str
    paths: PathChoice
    is_wanted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportCheck:
    """Modules that no file of the paths may import.

    ``at_run_time`` leaves out imports under ``if TYPE_CHECKING``.
    """

    text: str
    paths: PathChoice
    modules: tuple[str, ...]
    at_run_time: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolCheck:
    """A symbol that one file of the paths must define, or none may."""

    text: str
    name: str
    paths: PathChoice
    is_wanted: bool

    @property
    def last(self) -> str:
        """The last name of the symbol, which the text of a file must contain to define it."""
        return re.split(r"\W+", self.name)[-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class DependencyCheck:
    """A package that a manifest of the paths must list, or none may."""

    text: str
    name: str
    paths: PathChoice
    is_wanted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FileCheck:
    """Files that must exist, or must not."""

    text: str
    paths: PathChoice
    is_wanted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandCheck:
    """A command that must end with exit code 0; it runs only if a person accepted its text."""

    text: str
    command: str
    paths: PathChoice

    @property
    def mark(self) -> str:
        """The hash of the exact command, to which an acceptance refers."""
        return command_mark(self.command)


Check = PatternCheck | ImportCheck | SymbolCheck | DependencyCheck | FileCheck | CommandCheck


def command_mark(command: str) -> str:
    """Return the hash of the exact bytes of a command."""
    return hashlib.sha256(command.encode("utf-8", "surrogatepass")).hexdigest()


def shown_mark(commands: Sequence[CommandCheck]) -> str:
    """Return the hash of the commands that a person is shown."""
    return hashlib.sha256(" ".join(one.mark for one in commands).encode()).hexdigest()
