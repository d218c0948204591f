"""What a repository's history knows of its pages."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from holdfast.domain.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Stages:
    """A file as a merge that is not finished has it: before, on our side, and on theirs."""

    base: bytes = b""
    ours: bytes = b""
    theirs: bytes = b""


class Versions(Protocol):
    """The history of one working tree."""

    def state_folder(self) -> Path:
        """Return where things of this working tree are kept that are never committed."""
        ...

    def branch(self) -> str:
        """Return what is checked out: a branch, or another key where a commit is."""
        ...

    def committed(self, folder: str) -> Mapping[str, bytes]:
        """Return the files below a folder as the last commit has them, by path."""
        ...

    def unmerged(self, folder: str) -> Mapping[str, Stages]:
        """Return the files below a folder that a merge could not join, by path."""
        ...
