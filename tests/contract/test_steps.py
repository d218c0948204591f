"""The queue of supervised runs: read back exactly, replaced, and listed by run."""

from __future__ import annotations

from datetime import timedelta

import pytest

from holdfast.domain.errors import NoSuchError
from holdfast.domain.ids import RunId
from holdfast.domain.roles.step import Role, RunStep, StepAttempt, StepLease, StepStatus, StepWork
from holdfast.domain.values import replace
from holdfast.ports.store.store import Store
from tests.builders import NOON, a_run, a_step
from tests.requirements import requirement

FULL = a_step(
    number=2,
    role=Role.EXECUTOR,
    work=StepWork.COMMAND,
    subject="test",
    budget=12.5,
    status=StepStatus.RUNNING,
    specialist="rules",
    inputs={"name": "naïve", "tasks": [{"id": "t_1"}]},
    outputs={"exit_code": None},
    effects={"tasks": ["t_1"]},
    attempts=(
        StepAttempt(specialist="model", problem="it was slow"),
        StepAttempt(specialist="rules"),
    ),
    lease=StepLease(holder="ada 1", until=NOON + timedelta(minutes=1)),
    notes=("one", "two"),
    started_at=NOON,
    finished_at=NOON + timedelta(seconds=3),
)


@requirement("store.reads-back-exactly")
@pytest.mark.parametrize("step", [a_step(), FULL])
def test_a_step_reads_back_exactly(store: Store, step: RunStep) -> None:
    with store.writing(NOON) as tx:
        tx.diary.runs.put(a_run())
        tx.diary.runs.steps.put(step)

    with store.reading() as tx:
        assert tx.diary.runs.steps.get(step.run_id, step.number) == step
        assert [event.action for event in tx.diary.events.about(step.id)] == ["step.put"]
        assert tx.names.starting("r_", limit=9) == ("r_1",)


def test_a_step_replaces_its_earlier_state(store: Store) -> None:
    with store.writing(NOON) as tx:
        tx.diary.runs.put(a_run())
        tx.diary.runs.steps.put(a_step())
        tx.diary.runs.steps.put(a_step(status=StepStatus.DONE))

    with store.reading() as tx:
        assert tx.diary.runs.steps.of(RunId("r_1")) == (a_step(status=StepStatus.DONE),)


def test_steps_come_by_number_and_runs_newest_first(store: Store) -> None:
    with store.writing(NOON) as tx:
        for number in (1, 2, 3, 4):
            run = a_run(id=RunId(f"r_{number}"), label=f"run-2026-11-15-{number}")
            tx.diary.runs.put(run)
            for step in (2, 1) if number != 3 else ():
                tx.diary.runs.steps.put(a_step(run_id=run.id, number=step))

    with store.reading() as tx:
        steps = tx.diary.runs.steps
        assert steps.supervised(beyond=None, limit=2) == ("r_4", "r_2")
        assert steps.supervised(beyond="r_2", limit=2) == ("r_1",)
        assert [one.number for one in steps.of(RunId("r_2"))] == [1, 2]
        assert steps.of(RunId("r_3")) == ()


def test_a_step_belongs_to_a_run_that_exists(store: Store) -> None:
    with store.writing(NOON) as tx:
        tx.diary.runs.put(a_run())
        with pytest.raises(NoSuchError, match="No run has the id r_9"):
            tx.diary.runs.steps.put(replace(a_step(), run_id=RunId("r_9")))

    with store.reading() as tx, pytest.raises(NoSuchError, match="r_1/7"):
        tx.diary.runs.steps.get(RunId("r_1"), 7)
