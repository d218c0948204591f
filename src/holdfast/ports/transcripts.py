"""The transcripts that coding tools keep of their conversations."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from holdfast.domain.bookmark import Bookmark
from holdfast.domain.entry import Flaw
from holdfast.domain.transcript import Transcript

Tell = Callable[[Flaw], None]


class TranscriptReader(Protocol):
    """Reads the transcripts of one tool; everything in them is untrusted data."""

    @property
    def tool(self) -> str:
        """The tool's name, as transcripts carry it."""
        ...

    def read(self, path: str) -> Transcript:
        """Return the newest conversation of a file; one that is still being written is no error.

        Raises:
            UnreadableSourceError: It cannot be opened, or is no transcript of this tool.
        """
        ...

    def conversations(self, path: str, *, tell: Tell) -> Iterable[Transcript]:
        """Return every conversation of a file; what cannot be read must be told, the rest goes on.

        Raises:
            UnreadableSourceError: It cannot be opened, or is no transcript of this tool.
        """
        ...


class Bookmarks(Protocol):
    """How far each transcript was read."""

    def of(self, path: str) -> Bookmark | None:
        """Return how far a file was read; none means never."""
        ...

    def is_unchanged(self, path: str) -> bool:
        """Tell whether nothing was added to a file since its bookmark, without reading it all."""
        ...

    def put(self, path: str, bookmark: Bookmark) -> None:
        """Keep how far a file was read; it must survive a crash whole or not at all."""
        ...
