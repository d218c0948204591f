"""Removes the words of a forgotten memory from the indexes of code and commits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.code.index.database import remove_database
from holdfast.adapters.code.index.refresh_lock import RefreshLock
from holdfast.domain.review.traces import Reach, Trace

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from holdfast.domain.review.traces import GoneText

_PATIENCE_SECONDS = 10.0
_MADE_ANEW = "This index is made again when it is next used."


class IndexTraces:
    """The index files whose names match some patterns.

    An index holds words, not lines, and SQLite keeps the bytes of deleted rows. A search for the
    text therefore proves nothing, so the whole file is removed: it is derived.
    """

    def __init__(self, folder: Path, patterns: Collection[str]) -> None:
        self._folder = folder
        self._patterns = patterns

    def __str__(self) -> str:
        return str(self._folder)

    def remove(self, gone: GoneText) -> Sequence[Trace]:
        """Remove the indexes; return those that existed."""
        del gone
        paths = {path for pattern in self._patterns for path in self._folder.glob(pattern)}
        for path in paths:
            with RefreshLock(path).taken(within_seconds=_PATIENCE_SECONDS):
                remove_database(path)
        return [
            Trace(place=str(path), reach=Reach.REMOVED, advice=_MADE_ANEW) for path in sorted(paths)
        ]
