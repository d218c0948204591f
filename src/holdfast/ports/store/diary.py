"""Ports for what happened: the event log, runs, and decisions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from holdfast.domain.ids import DecisionId, MemoryId, RunId
from holdfast.domain.memory.decision import Decision
from holdfast.domain.memory.entry import Event, Head
from holdfast.domain.sessions.run import Run
from holdfast.ports.store.agents import AgentRecords
from holdfast.ports.store.service import AccessTokens, Replies
from holdfast.ports.store.steps import Steps
from holdfast.ports.store.tasks import Tasks
from holdfast.ports.store.workspaces import WorkspaceRecords


class Events(Protocol):
    """The event log: every change of canonical data, as a chain of hashes."""

    def head(self) -> Head:
        """Return the number and hash of the newest event."""
        ...

    def since(self, sequence: int, *, limit: int) -> Sequence[Event]:
        """Return the events after a number, in order; each must hold the hash of the one before."""
        ...

    def about(self, subject: str) -> Sequence[Event]:
        """Return the events about one subject, in order."""
        ...


class Runs(Protocol):
    """The runs that one transaction sees."""

    def put(self, run: Run) -> None:
        """Write a run, with its notes and its end; it must read back exactly.

        Raises:
            AlreadyRememberedError: Another run of that repository has its label.
        """
        ...

    def get(self, run_id: RunId) -> Run:
        """Return a run.

        Raises:
            NoSuchError: No run has that id.
        """
        ...

    def labelled(self, repo: str | None, label: str) -> Run | None:
        """Return the run of a repository with that label."""
        ...

    def open_in(self, repo: str | None) -> Sequence[Run]:
        """Return the open runs of a repository, newest first."""
        ...

    def page(self, *, beyond: str | None, limit: int) -> Sequence[Run]:
        """Return runs, newest id first, starting after ``beyond``."""
        ...

    @property
    def steps(self) -> Steps:
        """The steps of supervised runs."""
        ...


class Decisions(Protocol):
    """People's decisions, in the order they were made."""

    def put(self, decision: Decision) -> None:
        """Write a decision, or mark it as undone; it must read back exactly."""
        ...

    def get(self, decision_id: DecisionId) -> Decision:
        """Return a decision.

        Raises:
            NoSuchError: No decision has that id.
        """
        ...

    def about(self, memory_id: MemoryId) -> Sequence[Decision]:
        """Return the decisions that changed a memory, newest first.

        A forgotten memory must be removed from all of them.
        """
        ...

    def page(self, *, beyond: str | None, limit: int) -> Sequence[Decision]:
        """Return decisions, newest first, starting after ``beyond``."""
        ...


class Diary(Protocol):
    """Everything that is stored in the order in which it happened."""

    @property
    def events(self) -> Events:
        """The event log."""
        ...

    @property
    def runs(self) -> Runs:
        """The runs."""
        ...

    @property
    def decisions(self) -> Decisions:
        """The decisions."""
        ...

    @property
    def tokens(self) -> AccessTokens:
        """The access tokens."""
        ...

    @property
    def replies(self) -> Replies:
        """The stored answers to requests that may be repeated."""
        ...

    @property
    def workspaces(self) -> WorkspaceRecords:
        """The workspaces, their files and their snapshots."""
        ...

    @property
    def tasks(self) -> Tasks:
        """The tasks."""
        ...

    @property
    def agents(self) -> AgentRecords:
        """The agents, their cycles and their namespaces."""
        ...
