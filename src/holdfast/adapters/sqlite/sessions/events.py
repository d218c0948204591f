"""The event log as a chain of hashes."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.adapters.sqlite.database.rows import Row, as_hex
from holdfast.adapters.sqlite.database.work import Work, event_of
from holdfast.domain.errors import StoreDamagedError
from holdfast.domain.memory.event import Event, Head


class SqliteEvents:
    """The events that one transaction sees."""

    def __init__(self, work: Work) -> None:
        self.work = work

    def head(self) -> Head:
        """Return the number and hash of the newest event."""
        return self.work.head()

    def since(self, sequence: int, *, limit: int) -> Sequence[Event]:
        """Return the events after a number, in order."""
        return self._events(self.work.rows("events_since", (sequence, limit)))

    def about(self, subject: str) -> Sequence[Event]:
        """Return the events about one subject, in order."""
        return self._events(self.work.rows("events_about", (subject,)))

    def _events(self, rows: Sequence[Row]) -> tuple[Event, ...]:
        return tuple(self._event(row) for row in rows)

    def _event(self, row: Row) -> Event:
        event = event_of(row)
        if event.hash != as_hex(row[-1]):
            raise StoreDamagedError(self.work.path, f"event {row[0]} is not what was written.")
        return event
