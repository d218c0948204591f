"""Runs by id and by label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from holdfast.adapters.inmemory.state import InMemoryState
from holdfast.domain.errors import AlreadyRememberedError, NoSuchError
from holdfast.domain.ids import RunId
from holdfast.domain.sessions.run import Run, RunStatus


@dataclass(frozen=True, slots=True)
class InMemoryRuns:
    """Runs, with their notes and results."""

    state: InMemoryState

    def put(self, run: Run) -> None:
        """Write a run, with its notes and its end."""
        self.state.moment()
        known = self.labelled(run.repo, run.label)
        if known is not None and known.id != run.id:
            raise AlreadyRememberedError(run.label)
        self.state.runs[run.id] = run
        self.state.record("run.put", run.id, run)

    def get(self, run_id: RunId) -> Run:
        """Return a run."""
        try:
            return self.state.runs[run_id]
        except KeyError:
            raise NoSuchError(noun="run", reference=run_id) from None

    def labelled(self, repo: str | None, label: str) -> Run | None:
        """Return the run of a repository with that label."""
        named = (run for run in self.state.runs.values() if (run.repo, run.label) == (repo, label))
        return next(named, None)

    def open_in(self, repo: str | None) -> Sequence[Run]:
        """Return the open runs of a repository, newest first."""
        ids = sorted(self.state.runs, reverse=True)
        runs = (self.state.runs[run_id] for run_id in ids)
        return tuple(run for run in runs if run.repo == repo and run.status is RunStatus.OPEN)

    def page(self, *, beyond: str | None, limit: int) -> Sequence[Run]:
        """Return runs, newest id first, starting after ``beyond``."""
        ids = sorted(self.state.runs, reverse=True)
        if beyond is not None:
            ids = [run_id for run_id in ids if run_id < beyond]
        return tuple(self.state.runs[run_id] for run_id in ids[:limit])
