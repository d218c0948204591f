"""Added evidence: removed piece by piece, and added again."""

from __future__ import annotations

import pytest

from holdfast.domain.choices import EvidenceType
from holdfast.domain.errors import NoSuchError
from holdfast.domain.ids import MemoryId
from holdfast.domain.review.curation import Severity
from holdfast.ports.store.store import Store
from tests.builders import NOON, a_memory, a_reason, a_span
from tests.contract.steps import keep, read, said_nothing
from tests.requirements import requirement

SPAN = a_reason(type=EvidenceType.SPAN, reference="src/app.py:10-30", span=a_span().id)
FIRST = a_reason(reference="first", facts={"by": "agent", "source": "bot"})
SECOND = a_reason(reference="second")
ID = a_memory().id


def strengthened(store: Store) -> None:
    keep(store, a_memory())
    with store.writing(NOON) as tx:
        tx.anchors.spans.put(a_span())
        for item in (FIRST, SPAN, SECOND):
            tx.anchors.reasons.add(ID, item)


def test_a_reason_is_taken_away_and_the_others_stay_in_order(store: Store) -> None:
    strengthened(store)

    with store.writing(NOON) as tx:
        was_there = tx.anchors.reasons.withdraw(ID, FIRST)
        again = tx.anchors.reasons.withdraw(ID, FIRST)

    assert (was_there, again) == (True, False)
    assert read(store, ID).added_evidence == (SPAN, SECOND)


def test_what_was_taken_away_can_be_put_back(store: Store) -> None:
    strengthened(store)

    with store.writing(NOON) as tx:
        tx.anchors.reasons.withdraw(ID, FIRST)
        tx.anchors.reasons.add(ID, FIRST)
        tx.anchors.reasons.add(ID, a_reason(reference="third"))

    assert read(store, ID).added_evidence == (SPAN, SECOND, FIRST, a_reason(reference="third"))


@requirement("memory.never-changes")
def test_what_a_memory_was_written_with_stays(store: Store) -> None:
    strengthened(store)

    with store.writing(NOON) as tx:
        assert not tx.anchors.reasons.withdraw(ID, a_reason())

    assert read(store, ID).memory.evidence == (a_reason(),)


def test_a_span_that_no_reason_names_any_more_is_not_cited(store: Store) -> None:
    strengthened(store)

    with store.writing(NOON) as tx:
        tx.anchors.reasons.withdraw(ID, SPAN)

    with store.reading() as tx:
        assert tx.anchors.spans.citing([a_span().id]).get(a_span().id, ()) == ()


def test_nothing_can_be_taken_from_a_memory_that_is_not_there(store: Store) -> None:
    with store.writing(NOON) as tx, pytest.raises(NoSuchError):
        tx.anchors.reasons.withdraw(MemoryId("m_9"), FIRST)


@requirement("store.damage-reported")
def test_a_store_is_sound_after_a_reason_was_taken_away(store: Store) -> None:
    strengthened(store)

    with store.writing(NOON) as tx:
        tx.anchors.reasons.withdraw(ID, FIRST)

    assert {one.severity for one in store.upkeep.check(said_nothing)} == {Severity.OK}
