"""Runs by id and by label."""

from __future__ import annotations

import json
from collections.abc import Sequence

from holdfast.adapters.sqlite.database.rows import Row, as_json, checked, millis, sealed
from holdfast.adapters.sqlite.database.work import Work
from holdfast.domain.errors import AlreadyRememberedError, NoSuchError
from holdfast.domain.ids import RunId
from holdfast.domain.sessions.run import Run, run_from_json, run_json

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

    def _run(self, row: Row) -> Run:
        checked(RUN, row, path=self.work.path, name=str(row[0]))
        return run_from_json(json.loads(row[5]))
