"""The steps of supervised runs, of one transaction."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.rows import Row, as_json, checked, sealed
from holdfast.domain.errors import NoSuchError
from holdfast.domain.ids import RunId
from holdfast.domain.roles.step import RunStep, step_from_json, step_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.adapters.sqlite.database.work import Work

STEP = "step"


class SqliteSteps:
    """The queue of steps."""

    def __init__(self, work: Work) -> None:
        self.work = work

    def put(self, step: RunStep) -> None:
        """Write a step, or replace it."""
        self.work.moment()
        if self.work.row("get_run", step.run_id) is None:
            raise NoSuchError(noun="run", reference=step.run_id)
        body = as_json(step_json(step))
        values = sealed(STEP, (step.id, step.run_id, step.number, step.status.value, body))
        self.work.run("put_step", *values)
        self.work.record("step.put", step.id, values[-1])

    def get(self, run_id: RunId, number: int) -> RunStep:
        """Return a step."""
        row = self.work.row("get_step", run_id, number)
        if row is None:
            raise NoSuchError(noun="step", reference=f"{run_id}/{number}")
        return self._step(row)

    def of(self, run_id: RunId) -> Sequence[RunStep]:
        """Return the steps of a run by number."""
        return tuple(self.work.sound(self.work.rows("steps_of", (run_id,)), self._step))

    def supervised(self, *, beyond: str | None, limit: int) -> Sequence[RunId]:
        """Return the runs that have steps, newest id first."""
        rows = self.work.rows("runs_supervised", {"beyond": beyond, "limit": limit})
        return tuple(RunId(row[0]) for row in rows)

    def _step(self, row: Row) -> RunStep:
        checked(STEP, row, path=self.work.path, name=str(row[0]))
        return step_from_json(json.loads(row[4]))
