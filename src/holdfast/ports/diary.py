"""What happened: every change of the truth, and the pieces of work people did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from holdfast.domain.decision import Decision
from holdfast.domain.event import Event, Head
from holdfast.domain.ids import DecisionId, MemoryId, RunId
from holdfast.domain.run import Run


class Events(Protocol):
    """The chain of everything that happened."""

    def head(self) -> Head:
        """Return the newest event's number and hash."""
        ...

    def since(self, sequence: int, *, limit: int) -> Sequence[Event]:
        """Return the events after a number, in order; each must name the hash before it."""
        ...

    def about(self, subject: str) -> Sequence[Event]:
        """Return the events about one thing, in order."""
        ...


class Runs(Protocol):
    """The runs seen by one transaction."""

    def put(self, run: Run) -> None:
        """Write a run, a note of it, or its end; it must read back exactly.

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
        """Return the run of a repository that people call so."""
        ...

    def open_in(self, repo: str | None) -> Sequence[Run]:
        """Return the open runs of a repository, newest first."""
        ...

    def page(self, *, beyond: str | None, limit: int) -> Sequence[Run]:
        """Return runs, newest id first, after the one named."""
        ...


class Decisions(Protocol):
    """What people decided, in the order in which they did."""

    def put(self, decision: Decision) -> None:
        """Write a decision, or that it was undone; it must read back exactly."""
        ...

    def get(self, decision_id: DecisionId) -> Decision:
        """Return a decision.

        Raises:
            NoSuchError: No decision has that id.
        """
        ...

    def about(self, memory_id: MemoryId) -> Sequence[Decision]:
        """Return the decisions that touched a memory, the newest first.

        A memory that was forgotten must have gone from all of them.
        """
        ...

    def page(self, *, beyond: str | None, limit: int) -> Sequence[Decision]:
        """Return decisions, the newest first, after the one named."""
        ...


class Diary(Protocol):
    """All that is kept in the order in which it happened."""

    @property
    def events(self) -> Events:
        """The log."""
        ...

    @property
    def runs(self) -> Runs:
        """The runs."""
        ...

    @property
    def decisions(self) -> Decisions:
        """The decisions."""
        ...
