"""The transcripts that coding tools write of their conversations."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from holdfast.domain.memory.entry import Flaw
from holdfast.domain.sessions.transcript import Bookmark, Transcript

Tell = Callable[[Flaw], None]


class TranscriptReader(Protocol):
    """Reads the transcripts of one tool; all their content is untrusted data."""

    @property
    def tool(self) -> str:
        """The tool's name as it appears in transcripts."""
        ...

    def read(self, path: str) -> Transcript:
        """Return the newest conversation of a file; an unfinished transcript is not an error.

        Raises:
            UnreadableSourceError: It cannot be opened, or is not a transcript of this tool.
        """
        ...

    def conversations(self, path: str, *, tell: Tell) -> Iterable[Transcript]:
        """Return every conversation of a file; unreadable parts must be passed to ``tell``.

        Reading continues after an unreadable part.

        Raises:
            UnreadableSourceError: It cannot be opened, or is not a transcript of this tool.
        """
        ...


class Bookmarks(Protocol):
    """The position up to which each transcript was read."""

    def of(self, path: str) -> Bookmark | None:
        """Return the read position of a file; None if it was never read."""
        ...

    def is_unchanged(self, path: str) -> bool:
        """Return whether a file has no new content since its bookmark, reading only a part."""
        ...

    def put(self, path: str, bookmark: Bookmark) -> None:
        """Store the read position of a file; after a crash it must be complete or unchanged."""
        ...
