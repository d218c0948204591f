"""The chain of everything that happened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from holdfast.adapters.inmemory.state import State
from holdfast.domain.event import Event, Head


@dataclass(frozen=True, slots=True)
class InMemoryEvents:
    """The events seen by one transaction."""

    state: State

    def head(self) -> Head:
        """Return the newest event's number and hash."""
        return self.state.head()

    def since(self, sequence: int, *, limit: int) -> Sequence[Event]:
        """Return the events after a number, in order."""
        later = [event for event in self.state.events if event.sequence > sequence]
        return tuple(later[:limit])

    def about(self, subject: str) -> Sequence[Event]:
        """Return the events about one thing, in order."""
        return tuple(event for event in self.state.events if event.subject == subject)
