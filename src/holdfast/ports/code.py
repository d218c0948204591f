"""The code of the repository we stand in, and its history: found, never remembered.

Both are derived from the checkout and can be made anew at any time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from holdfast.domain.code import CodeFound, Indexed, Neighbour, Symbol, SymbolPlace
from holdfast.domain.commits import CommitsRead
from holdfast.domain.passage import Passage
from holdfast.ports.upkeep import Progress


class CodeIndex(Protocol):
    """Finds code. What it answers must match the checkout at this moment."""

    def refresh(self, progress: Progress, *, anew: bool = False) -> Indexed:
        """Bring the index in line with the checkout; only what changed is read again.

        Raises:
            NoHistoryError: There is no repository.
        """
        ...

    def search(self, question: str, *, limit: int) -> CodeFound:
        """Return the passages that answer best, best first, and how much was searched.

        What changed is read before, for a short time only: an answer must not wait for the
        first reading of a large repository. The next search, or ``refresh``, reads on.
        """
        ...

    def named(self, reference: str, *, limit: int) -> Sequence[SymbolPlace]:
        """Return the symbols of that name, or those that hold ``path:line``, innermost first."""
        ...

    def around(self, place: SymbolPlace, *, hops: int, limit: int) -> Sequence[Neighbour]:
        """Return who calls a symbol and whom it calls, nearest first, at most so far away."""
        ...


class Outline(Protocol):
    """Reads the symbols of a file."""

    def symbols(self, path: str, text: str) -> Sequence[Symbol]:
        """Return the symbols in order; none where the language is not known."""
        ...


class HistoryIndex(Protocol):
    """Finds commits by what they say and touch: evidence, not memories."""

    def refresh(self, progress: Progress, *, since: str | None = None) -> CommitsRead:
        """Read the commits that came since; return how many are known, and how many are new.

        Raises:
            NoHistoryError: There is no repository.
        """
        ...

    def search(self, question: str, *, limit: int) -> Sequence[Passage] | None:
        """Return the commits that answer best, best first; None where none were read yet."""
        ...
