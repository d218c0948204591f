"""Notes and memories of other tools, which a person wants to import."""

from __future__ import annotations

from typing import Protocol

from holdfast.domain.exchange.foreign import FoundNotes


class ForeignNotes(Protocol):
    """Reads one format of notes; all their content is untrusted data."""

    def read(self) -> FoundNotes:
        """Return every claim with its place; a part that cannot be read must be returned as a flaw.

        Raises:
            NothingToImportError: There are no such notes in the expected place.
            UnreadableSourceError: They have another version, or cannot be opened at all.
        """
        ...
