"""The port for the queue of steps of supervised runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from holdfast.domain.ids import RunId
from holdfast.domain.roles.step import RunStep


class Steps(Protocol):
    """The steps of runs that one transaction sees."""

    def put(self, step: RunStep) -> None:
        """Write a step; it must read back exactly, and a second time must replace the first.

        Raises:
            NoSuchError: No run has that id.
        """
        ...

    def get(self, run_id: RunId, number: int) -> RunStep:
        """Return a step.

        Raises:
            NoSuchError: The run has no such step.
        """
        ...

    def of(self, run_id: RunId) -> Sequence[RunStep]:
        """Return the steps of a run by number; none if the run is not supervised."""
        ...

    def supervised(self, *, beyond: str | None, limit: int) -> Sequence[RunId]:
        """Return the runs that have steps, newest id first, starting after ``beyond``."""
        ...
