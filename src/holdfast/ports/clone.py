"""What a clone knows of its own commits and files; nothing that came with them can say it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol

from holdfast.domain.values import dataclass

Cited = tuple[str, str]
"""A commit, perhaps by the start of its name, and the path of a file in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileThen:
    """A file as a commit has it: the commit's whole id, the git name of the file, its lines."""

    commit: str
    blob: str
    lines: tuple[str, ...]


class Clone(Protocol):
    """One working tree and its history."""

    def is_made_here(self, since: str) -> bool:
        """Tell whether every commit since one that touched the pages was made in this clone.

        Where that cannot be told, it must say no.
        """
        ...

    def is_joining(self) -> bool:
        """Tell whether others' work is on its way in: a merge, a rebase, a pick not finished."""
        ...

    def unedited(self, pages: Collection[str]) -> frozenset[str]:
        """Return the pages that nobody here edited, or that git rewrites when it checks them out.

        Their text is the last commit's, however it reads. Where that cannot be told, it must be
        all of them.
        """
        ...

    def brought(self, lines: Collection[str]) -> frozenset[str]:
        """Return the lines that stand in pages of commits which were not made here.

        It must look at every branch, here and of others, and at what was checked out of late.
        Where that cannot be told, it must be all of them.
        """
        ...

    def files(self, cited: Collection[Cited]) -> Mapping[Cited, FileThen]:
        """Return files as commits have them; what is not there, or is no text, is left out.

        The number of git processes must not grow with the number of files.
        """
        ...
