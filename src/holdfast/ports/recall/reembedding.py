"""The port that records how far a new embedding of all memories has come."""

from __future__ import annotations

from typing import Protocol

from holdfast.domain.memory.selection import Cursor


class ReembeddingMark(Protocol):
    """The position of one model's re-embedding in one store; it must survive a crash."""

    def read(self) -> Cursor | None:
        """Return the cursor of the last slice that is done; None at the beginning."""
        ...

    def write(self, beyond: Cursor | None) -> None:
        """Record that a slice is done; None means that all are done, and removes the mark."""
        ...
