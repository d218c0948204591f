"""Notes and memories of others, which a person wants to bring in."""

from __future__ import annotations

from typing import Protocol

from holdfast.domain.foreign import Found


class ForeignNotes(Protocol):
    """Reads one sort of notes; everything in them is untrusted data."""

    def read(self) -> Found:
        """Return every claim with its place; what cannot be read must come back as a flaw.

        Raises:
            NothingToImportError: There are no such notes where they were looked for.
            UnreadableSourceError: They are of another version, or cannot be opened at all.
        """
        ...
