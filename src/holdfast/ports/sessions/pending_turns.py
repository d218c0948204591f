"""The port for turns of coding tools that are not stored yet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from holdfast.domain.sessions.pending import PendingTurn


class PendingTurns(Protocol):
    """Keeps the newest turns of each session of a tool, on this machine, until they are stored.

    What is written must survive a kill of the process, and must hold no secret. Writing must take
    little time; if it fails, nothing is kept.
    """

    def begin(self, turn: PendingTurn) -> None:
        """Add a turn."""
        ...

    def add(self, session: str, *, commands: Sequence[str], paths: Sequence[str]) -> None:
        """Add what the tool does to the newest turn; without a turn nothing is kept."""
        ...

    def ask(self, session: str, what: str) -> None:
        """Add that the tool asks a person to allow something; what follows answers it."""
        ...

    def end(self, session: str, *, transcript: str, reply: str = "") -> bool:
        """Mark the newest turn as finished; return whether there are turns to store."""
        ...

    def of(self, session: str) -> Sequence[PendingTurn]:
        """Return the turns of a session, oldest first; what cannot be read is left out."""
        ...

    def left_in(self, root: str, *, limit: int) -> Sequence[PendingTurn]:
        """Return the newest turns in a repository's folder, of every session."""
        ...

    def clear(self, session: str, *, stored: Sequence[PendingTurn]) -> None:
        """Remove the turns, if all of them were stored and none was added since."""
        ...
