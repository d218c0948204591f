"""Events, runs and decisions of one transaction.

The event log as a chain of hashes.

Runs by id and by label.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.rows import Row, as_hex, as_json, checked, millis, sealed
from holdfast.adapters.sqlite.database.work import Work, event_of
from holdfast.domain.errors import AlreadyRememberedError, NoSuchError, StoreDamagedError
from holdfast.domain.ids import RunId
from holdfast.domain.memory.entry import Event, Head
from holdfast.domain.sessions.run import Run, run_from_json, run_json

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.agents.agents import SqliteAgentRecords
    from holdfast.adapters.sqlite.memory.decisions import SqliteDecisions
    from holdfast.adapters.sqlite.roles.steps import SqliteSteps
    from holdfast.adapters.sqlite.sessions.service import SqliteReplies, SqliteTokens
    from holdfast.adapters.sqlite.sessions.workspaces import SqliteWorkspaces
    from holdfast.adapters.sqlite.tasks.tasks import SqliteTasks


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


class SqliteDiary:
    """The event log, the runs and the decisions."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.events = SqliteEvents(work)

    @cached_property
    def runs(self) -> SqliteRuns:
        """The runs."""
        return SqliteRuns(self.work)

    @cached_property
    def decisions(self) -> SqliteDecisions:
        """The decisions."""
        from holdfast.adapters.sqlite.memory.decisions import SqliteDecisions

        return SqliteDecisions(self.work)

    @cached_property
    def tokens(self) -> SqliteTokens:
        """The access tokens."""
        from holdfast.adapters.sqlite.sessions.service import SqliteTokens

        return SqliteTokens(self.work)

    @cached_property
    def replies(self) -> SqliteReplies:
        """The stored answers to requests that may be repeated."""
        from holdfast.adapters.sqlite.sessions.service import SqliteReplies

        return SqliteReplies(self.work)

    @cached_property
    def workspaces(self) -> SqliteWorkspaces:
        """The workspaces."""
        from holdfast.adapters.sqlite.sessions.workspaces import SqliteWorkspaces

        return SqliteWorkspaces(self.work)

    @cached_property
    def tasks(self) -> SqliteTasks:
        """The tasks."""
        from holdfast.adapters.sqlite.tasks.tasks import SqliteTasks

        return SqliteTasks(self.work)

    @cached_property
    def agents(self) -> SqliteAgentRecords:
        """The agents, their cycles and their namespaces."""
        from holdfast.adapters.sqlite.agents.agents import SqliteAgentRecords

        return SqliteAgentRecords(self.work)


RUN = "run"


class SqliteRuns:
    """Runs, with their notes and results."""

    def __init__(self, work: Work) -> None:
        self.work = work

    def put(self, run: Run) -> None:
        """Write a run, with its notes and its end."""
        self.work.moment()
        known = self.labelled(run.repo, run.label)
        if known is not None and known.id != run.id:
            raise AlreadyRememberedError(run.label)
        body = as_json(run_json(run))
        repo = run.repo or ""
        values = sealed(
            RUN, (run.id, run.label, repo, run.status.value, millis(run.started_at), body)
        )
        self.work.run("put_run", *values)
        self.work.record("run.put", run.id, values[-1])

    def get(self, run_id: RunId) -> Run:
        """Return a run."""
        row = self.work.row("get_run", run_id)
        if row is None:
            raise NoSuchError(noun="run", reference=run_id)
        return self._run(row)

    def labelled(self, repo: str | None, label: str) -> Run | None:
        """Return the run of a repository with that label."""
        row = self.work.row("run_labelled", repo or "", label)
        return None if row is None else self._run(row)

    def open_in(self, repo: str | None) -> Sequence[Run]:
        """Return the open runs of a repository, newest first."""
        return tuple(self.work.sound(self.work.rows("runs_open", (repo or "",)), self._run))

    def page(self, *, beyond: str | None, limit: int) -> Sequence[Run]:
        """Return runs, newest id first, starting after ``beyond``."""
        rows = self.work.rows("runs_before", {"beyond": beyond, "limit": limit})
        return tuple(self.work.sound(rows, self._run))

    @cached_property
    def steps(self) -> SqliteSteps:
        """The steps of supervised runs."""
        from holdfast.adapters.sqlite.roles.steps import SqliteSteps

        return SqliteSteps(self.work)

    def _run(self, row: Row) -> Run:
        checked(RUN, row, path=self.work.path, name=str(row[0]))
        return run_from_json(json.loads(row[5]))
