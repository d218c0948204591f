"""The event log as a chain of hashes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from holdfast.adapters.inmemory.state import InMemoryState
from holdfast.domain.memory.event import Event, Head


@dataclass(frozen=True, slots=True)
class InMemoryEvents:
    """The events that one transaction sees."""

    state: InMemoryState

    def head(self) -> Head:
        """Return the number and hash of the newest event."""
        return self.state.head()

    def since(self, sequence: int, *, limit: int) -> Sequence[Event]:
        """Return the events after a number, in order."""
        later = [event for event in self.state.events if event.sequence > sequence]
        return tuple(later[:limit])

    def about(self, subject: str) -> Sequence[Event]:
        """Return the events about one subject, in order."""
        return tuple(event for event in self.state.events if event.subject == subject)
