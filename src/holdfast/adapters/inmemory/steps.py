"""The steps of supervised runs in a dict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from holdfast.adapters.inmemory.state import InMemoryState
from holdfast.domain.errors import NoSuchError
from holdfast.domain.ids import RunId
from holdfast.domain.roles.step import RunStep


@dataclass(frozen=True, slots=True)
class InMemorySteps:
    """The queue of steps."""

    state: InMemoryState

    def put(self, step: RunStep) -> None:
        """Write a step, or replace it."""
        self.state.moment()
        if step.run_id not in self.state.runs:
            raise NoSuchError(noun="run", reference=step.run_id)
        self.state.steps[step.run_id, step.number] = step
        self.state.record("step.put", step.id, step)

    def get(self, run_id: RunId, number: int) -> RunStep:
        """Return a step."""
        try:
            return self.state.steps[run_id, number]
        except KeyError:
            raise NoSuchError(noun="step", reference=f"{run_id}/{number}") from None

    def of(self, run_id: RunId) -> Sequence[RunStep]:
        """Return the steps of a run by number."""
        return tuple(self.state.steps[key] for key in sorted(self.state.steps) if key[0] == run_id)

    def supervised(self, *, beyond: str | None, limit: int) -> Sequence[RunId]:
        """Return the runs that have steps, newest id first."""
        ids = sorted({key[0] for key in self.state.steps}, reverse=True)
        return tuple(one for one in ids if beyond is None or one < beyond)[:limit]
