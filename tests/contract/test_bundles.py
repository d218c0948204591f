"""Bundles: the answers to questions, read back exactly."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from holdfast.domain.choices import Kind, Scope
from holdfast.domain.errors import NoSuchError
from holdfast.domain.ids import BundleId
from holdfast.domain.memory.place import Place
from holdfast.domain.recall.bundle import Reason, Shortage
from holdfast.domain.recall.question import Question
from holdfast.ports.store.store import Store
from tests.builders import NOON, a_bundle, an_item, one_left_out
from tests.requirements import requirement

FULL = a_bundle(
    question=Question(
        text="naïve 'how'?\n",
        budget=17,
        include=("memory", "code"),
        limit=3,
        kinds=(Kind.RULE, Kind.FACT),
        scopes=(Scope.GLOBAL,),
        tags=("auth",),
    ),
    asked_at=NOON + timedelta(milliseconds=1),
    place=Place(repo=None, branch=None, workspace="w"),
    items=(
        an_item(score=1 / 3),
        an_item(reasons=(Reason(leg="age", amount=-0.1), Reason(leg="exact", amount=0.25))),
    ),
    left_out=(one_left_out(why="é"), one_left_out(reasons=())),
    tokens=12,
    notes=("one", "two"),
    shortage=Shortage(found=2, needs=90),
)


@requirement("store.reads-back-exactly")
@requirement("bundle.replayable")
@pytest.mark.parametrize("bundle", [a_bundle(), FULL], ids=["empty", "full"])
@pytest.mark.parametrize("good", [None, True, False])
def test_a_bundle_reads_back_exactly(store: Store, bundle: object, good: bool | None) -> None:  # noqa: FBT001
    assert isinstance(bundle, type(FULL))
    rated = replace(bundle, good=good)
    with store.writing(NOON) as tx:
        tx.bundles.put(rated)

    with store.reading() as tx:
        assert tx.bundles.get(bundle.id) == rated


@requirement("feedback.kept")
def test_a_rating_is_written_over_the_bundle(store: Store) -> None:
    with store.writing(NOON) as tx:
        tx.bundles.put(FULL)
    with store.writing(NOON) as tx:
        tx.bundles.put(replace(FULL, good=True))

    with store.reading() as tx:
        assert tx.bundles.page(beyond=None, limit=9) == (replace(FULL, good=True),)


def test_an_unknown_bundle_is_named_in_the_refusal(store: Store) -> None:
    with store.reading() as tx, pytest.raises(NoSuchError, match="No bundle has the id c_9"):
        tx.bundles.get(BundleId("c_9"))


@requirement("store.pages-never-overlap")
def test_bundles_come_newest_id_first_a_page_at_a_time(store: Store) -> None:
    with store.writing(NOON) as tx:
        for number in (2, 5, 1, 4, 3):
            tx.bundles.put(a_bundle(id=BundleId(f"c_{number}")))

    with store.reading() as tx:
        first = tx.bundles.page(beyond=None, limit=3)
        second = tx.bundles.page(beyond=first[-1].id, limit=3)

    assert [bundle.id for bundle in first] == ["c_5", "c_4", "c_3"]
    assert [bundle.id for bundle in second] == ["c_2", "c_1"]
