"""The pages of a repository as git has them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from holdfast.domain.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Stages:
    """A file in an unfinished merge: the common ancestor, our side, and their side."""

    base: bytes = b""
    ours: bytes = b""
    theirs: bytes = b""


class Versions(Protocol):
    """The history of one working tree."""

    def state_folder(self) -> Path:
        """Return the folder for state of this working tree that is never committed."""
        ...

    def branch(self) -> str:
        """Return the checked out branch, or another key if a commit is checked out."""
        ...

    def committed(self, folder: str) -> Mapping[str, bytes]:
        """Return the files below a folder in the last commit, by path."""
        ...

    def unmerged(self, folder: str) -> Mapping[str, Stages]:
        """Return the files below a folder that git could not merge, by path."""
        ...
