"""Tunings: the ranking weights of a space, in every version."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from holdfast.domain.memory.place import DEFAULT_SPACE, SpaceId
from holdfast.domain.recall.learning import Tuning
from holdfast.ports.store.store import Store
from tests.builders import NOON, a_tuning
from tests.contract.conftest import Door
from tests.requirements import requirement

TEAM = SpaceId("team one")


def put(store: Store, *tunings: Tuning) -> None:
    with store.writing(NOON) as tx:
        for tuning in tunings:
            tx.finding.tunings.put(tuning)


@requirement("store.reads-back-exactly")
@pytest.mark.parametrize(
    "tuning",
    [
        a_tuning(),
        a_tuning(weights={}, learned_from=0, note=""),
        a_tuning(weights={"é": 1 / 3}, note="naïve\n", at=NOON + timedelta(milliseconds=1)),
    ],
)
def test_a_tuning_reads_back_exactly(store: Store, door: Door, tuning: Tuning) -> None:
    put(store, tuning)

    with store.reading() as tx:
        assert tx.finding.tunings.of(DEFAULT_SPACE) == tuning
    again = door()
    with again.reading() as tx:
        assert tx.finding.tunings.history(DEFAULT_SPACE) == (tuning,)
    again.close()


@requirement("learn.shown-and-undone")
def test_the_newest_version_counts_and_every_version_stays(store: Store) -> None:
    versions = [a_tuning(version=number, note=str(number)) for number in (2, 10, 1)]

    put(store, *versions)

    with store.reading() as tx:
        newest = tx.finding.tunings.of(DEFAULT_SPACE)
        history = tx.finding.tunings.history(DEFAULT_SPACE)
    assert newest == versions[1]
    assert [tuning.version for tuning in history] == [1, 2, 10]


def test_the_same_number_is_replaced(store: Store) -> None:
    put(store, a_tuning())
    put(store, a_tuning(note="again"))

    with store.reading() as tx:
        assert tx.finding.tunings.history(DEFAULT_SPACE) == (a_tuning(note="again"),)


def test_a_space_has_its_own_weights_and_another_none(store: Store) -> None:
    put(store, a_tuning(space=TEAM))

    with store.reading() as tx:
        assert tx.finding.tunings.of(TEAM) == replace(a_tuning(), space=TEAM)
        assert tx.finding.tunings.of(DEFAULT_SPACE) is None
        assert tx.finding.tunings.history(DEFAULT_SPACE) == ()


@requirement("event.never-holds-text")
def test_weights_are_an_event_that_names_the_space_and_the_version(store: Store) -> None:
    put(store, a_tuning(space=TEAM, version=3, note="secret"))

    with store.reading() as tx:
        (event,) = tx.diary.events.since(0, limit=9)
    assert (event.action, event.subject) == ("weights.put", "team one 3")
    assert len(event.digest) == 64


def test_who_only_reads_cannot_put_weights(store: Store) -> None:
    with store.reading() as tx, pytest.raises(RuntimeError):
        tx.finding.tunings.put(a_tuning())
