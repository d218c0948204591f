"""Events, runs and decisions of one transaction."""

from __future__ import annotations

from holdfast.adapters.inmemory.decisions import InMemoryDecisions
from holdfast.adapters.inmemory.events import InMemoryEvents
from holdfast.adapters.inmemory.runs import InMemoryRuns
from holdfast.adapters.inmemory.state import InMemoryState


class InMemoryDiary:
    """The event log, the runs and the decisions."""

    def __init__(self, state: InMemoryState) -> None:
        self.events = InMemoryEvents(state)
        self.runs = InMemoryRuns(state)
        self.decisions = InMemoryDecisions(state)
