"""The indexes of the current repository's code and commits.

Both are derived from the checkout and can be rebuilt at any time. Their results are passages, not
memories.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from holdfast.domain.code.code import CodeFound, Indexed, Neighbour, Symbol, SymbolPlace
from holdfast.domain.code.commits import CommitsFound, CommitsRead
from holdfast.ports.store.upkeep import Progress


class CodeIndex(Protocol):
    """Searches code. Its results must match the checkout at this moment."""

    def refresh(self, progress: Progress, *, anew: bool = False) -> Indexed:
        """Update the index to match the checkout; only changed files are read again.

        Raises:
            NoHistoryError: There is no repository.
        """
        ...

    def search(self, question: str, *, limit: int) -> CodeFound:
        """Return the best passages, best first, and how much was searched.

        Changed files are read first, but only for a short time: an answer must not wait until a
        large repository has been indexed for the first time. The next search, or ``refresh``,
        continues the reading.
        """
        ...

    def named(self, reference: str, *, limit: int) -> Sequence[SymbolPlace]:
        """Return the symbols with that name, or those enclosing ``path:line``, innermost first."""
        ...

    def around(self, place: SymbolPlace, *, hops: int, limit: int) -> Sequence[Neighbour]:
        """Return callers and callees of a symbol, nearest first, at most ``hops`` calls away."""
        ...

    def close(self) -> None:
        """Close the files; a later call opens them again."""
        ...


class Outline(Protocol):
    """Parses the symbols of a file."""

    def symbols(self, path: str, text: str) -> Sequence[Symbol]:
        """Return the symbols in order; none if the language is not supported."""
        ...


class HistoryIndex(Protocol):
    """Searches commits by their messages and changed files. They are evidence, not memories."""

    def refresh(self, progress: Progress, *, since: datetime | None = None) -> CommitsRead:
        """Index the new commits; return how many are known and how many are new.

        Commits before ``since`` are left out, by later refreshes too, until another is given.

        Raises:
            NoHistoryError: There is no repository.
        """
        ...

    def search(self, question: str, *, limit: int, at: str | None = None) -> CommitsFound | None:
        """Return the best commits, best first, and how many were searched.

        None if no commit was indexed yet. Only commits that lead to the commit ``at`` must be
        returned, by default to HEAD. If many commits are new, a search reads only the newest of
        them; the next search, or ``refresh``, continues the reading.
        """
        ...

    def close(self) -> None:
        """Close the files; a later call opens them again."""
        ...
