"""Events, runs and decisions of one transaction."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.sessions.events import SqliteEvents

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.database.work import Work
    from holdfast.adapters.sqlite.memory.decisions import SqliteDecisions
    from holdfast.adapters.sqlite.sessions.runs import SqliteRuns


class SqliteDiary:
    """The event log, the runs and the decisions."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.events = SqliteEvents(work)

    @cached_property
    def runs(self) -> SqliteRuns:
        """The runs."""
        from holdfast.adapters.sqlite.sessions.runs import SqliteRuns

        return SqliteRuns(self.work)

    @cached_property
    def decisions(self) -> SqliteDecisions:
        """The decisions."""
        from holdfast.adapters.sqlite.memory.decisions import SqliteDecisions

        return SqliteDecisions(self.work)
