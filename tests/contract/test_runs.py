"""Runs: read back exactly."""

from __future__ import annotations

from datetime import timedelta

import pytest

from holdfast.domain.errors import AlreadyRememberedError, NoSuchError
from holdfast.domain.ids import RunId
from holdfast.domain.sessions.run import Note, RunStatus
from holdfast.domain.values import replace
from holdfast.ports.store.store import Store
from tests.builders import HERE, NOON, a_run
from tests.requirements import requirement

FULL = a_run(
    goal="naïve 'goal'?",
    status=RunStatus.FINISHED,
    head="1" * 40,
    end_head="2" * 40,
    finished_at=NOON + timedelta(hours=2),
    notes=(Note(at=NOON, text="one\ntwo"), Note(at=NOON, text="é")),
    summary="What changed.",
    is_drafted=True,
    commits=("222222222222 Say why",),
    files=("src/app.py",),
)


@requirement("store.reads-back-exactly")
@pytest.mark.parametrize("run", [a_run(), FULL, a_run(repo=None, branch=None)])
def test_a_run_reads_back_exactly(store: Store, run: object) -> None:
    assert isinstance(run, type(FULL))
    with store.writing(NOON) as tx:
        tx.diary.runs.put(run)

    with store.reading() as tx:
        assert tx.diary.runs.get(run.id) == run
        assert tx.diary.runs.labelled(run.repo, run.label) == run
        assert tx.names.starting("r_", limit=9) == ("r_1",)
        assert [event.action for event in tx.diary.events.about(run.id)] == ["run.put"]


@requirement("run.summary-kept")
def test_the_end_of_a_run_is_written_over_its_beginning(store: Store) -> None:
    with store.writing(NOON) as tx:
        tx.diary.runs.put(a_run())
    with store.writing(NOON) as tx:
        tx.diary.runs.put(FULL)

    with store.reading() as tx:
        assert tx.diary.runs.page(beyond=None, limit=9) == (FULL,)


def test_only_open_runs_of_that_repository_are_open_there(store: Store) -> None:
    first, second = a_run(), a_run(id=RunId("r_2"), label="run-2026-11-15-2")
    done = replace(FULL, id=RunId("r_3"), label="run-2026-11-15-3")
    elsewhere = a_run(id=RunId("r_4"), repo=None)
    with store.writing(NOON) as tx:
        for run in (first, second, done, elsewhere):
            tx.diary.runs.put(run)

    with store.reading() as tx:
        assert tx.diary.runs.open_in(HERE.repo) == (second, first)
        assert tx.diary.runs.open_in(None) == (elsewhere,)


def test_two_runs_of_a_repository_never_have_one_label(store: Store) -> None:
    with store.writing(NOON) as tx:
        tx.diary.runs.put(a_run())
    with store.writing(NOON) as tx:
        with pytest.raises(AlreadyRememberedError):
            tx.diary.runs.put(a_run(id=RunId("r_2")))
        tx.diary.runs.put(a_run(id=RunId("r_2"), repo="another"))


def test_an_unknown_run_is_named_in_the_refusal(store: Store) -> None:
    with store.reading() as tx:
        assert tx.diary.runs.labelled(HERE.repo, "run-1") is None
        with pytest.raises(NoSuchError, match="No run has the id r_9"):
            tx.diary.runs.get(RunId("r_9"))


@requirement("store.pages-never-overlap")
def test_runs_come_newest_id_first_a_page_at_a_time(store: Store) -> None:
    with store.writing(NOON) as tx:
        for number in (2, 5, 1, 4, 3):
            tx.diary.runs.put(a_run(id=RunId(f"r_{number}"), label=f"run-2026-11-15-{number}"))

    with store.reading() as tx:
        first = tx.diary.runs.page(beyond=None, limit=3)
        second = tx.diary.runs.page(beyond=first[-1].id, limit=3)

    assert [run.id for run in first] == ["r_5", "r_4", "r_3"]
    assert [run.id for run in second] == ["r_2", "r_1"]
