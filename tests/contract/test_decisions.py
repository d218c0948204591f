"""Decisions: read back exactly, and removed with a forgotten memory."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from holdfast.domain.choices import LinkKind, Status
from holdfast.domain.errors import NoSuchError
from holdfast.domain.ids import DecisionId
from holdfast.domain.memory.decision import Action, Decision, StandingChange, Withdrawn
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import Standing
from holdfast.ports.store.store import Store
from tests.builders import NOON, a_reason, a_tombstone
from tests.contract.steps import keep, memory_id, numbered
from tests.requirements import requirement

SUPERSEDES = Link(src=memory_id(2), dst=memory_id(1), kind=LinkKind.SUPERSEDES)
CONTRADICTS = Link(src=memory_id(2), dst=memory_id(1), kind=LinkKind.CONTRADICTS, score=0.7)
FULL = Decision(
    id=DecisionId("d_1"),
    at=NOON + timedelta(milliseconds=1),
    by="ada",
    action=Action.RESOLVE,
    changes=(
        StandingChange(
            memory_id=memory_id(2), before=None, after=Standing(reason="é 'quoted' \"twice\"")
        ),
        StandingChange(
            memory_id=memory_id(1),
            before=Standing(pinned=True, label="DEC-001"),
            after=Standing(
                status=Status.SUPERSEDED,
                pinned=True,
                label="DEC-001",
                superseded_by=memory_id(2),
                decided_by="ada",
                decided_at=NOON,
            ),
        ),
    ),
    linked=(SUPERSEDES,),
    unlinked=(CONTRADICTS,),
    withdrawn=(Withdrawn(memory_id=memory_id(3), evidence=a_reason(facts={"by": "agent"})),),
)
PLAIN = Decision(
    id=DecisionId("d_2"),
    at=NOON,
    by="ada",
    action=Action.REJECT,
    changes=(
        StandingChange(
            memory_id=memory_id(3),
            before=Standing(status=Status.CANDIDATE),
            after=Standing(status=Status.REJECTED, reason="no"),
        ),
    ),
)


def put(store: Store, *decisions: Decision) -> None:
    with store.writing(NOON) as tx:
        for decision in decisions:
            tx.diary.decisions.put(decision)


@requirement("store.reads-back-exactly")
@pytest.mark.parametrize("decision", [FULL, PLAIN], ids=["full", "plain"])
def test_a_decision_reads_back_exactly(store: Store, decision: Decision) -> None:
    put(store, decision)

    with store.reading() as tx:
        assert tx.diary.decisions.get(decision.id) == decision


def test_that_a_decision_was_undone_is_written_over_it_and_leaves_its_place(store: Store) -> None:
    put(store, FULL, PLAIN)
    undone = replace(FULL, undone_at=NOON + timedelta(days=1))

    put(store, undone)

    with store.reading() as tx:
        assert tx.diary.decisions.page(beyond=None, limit=9) == (PLAIN, undone)
        events = tx.diary.events.about(FULL.id)
    assert [event.action for event in events] == ["decision.put", "decision.put"]


def test_an_unknown_decision_is_named_in_the_refusal(store: Store) -> None:
    with store.reading() as tx, pytest.raises(NoSuchError, match="No decision has the id d_9"):
        tx.diary.decisions.get(DecisionId("d_9"))


@requirement("store.pages-never-overlap")
def test_decisions_come_the_newest_first_whatever_their_ids(store: Store) -> None:
    put(store, *(replace(PLAIN, id=DecisionId(f"d_{number}")) for number in (2, 5, 1, 4, 3)))

    with store.reading() as tx:
        first = tx.diary.decisions.page(beyond=None, limit=3)
        second = tx.diary.decisions.page(beyond=first[-1].id, limit=3)
        nowhere = tx.diary.decisions.page(beyond="d_9", limit=3)

    assert [decision.id for decision in first] == ["d_3", "d_4", "d_1"]
    assert [decision.id for decision in second] == ["d_5", "d_2"]
    assert nowhere == ()


def test_the_decisions_about_a_memory_are_those_that_touched_it(store: Store) -> None:
    put(store, FULL, PLAIN)

    with store.reading() as tx:
        about = tx.diary.decisions.about
        assert about(memory_id(1)) == (FULL,)
        assert about(memory_id(3)) == (PLAIN, FULL)
        assert about(memory_id(4)) == ()


@requirement("forget.leaves-tombstone")
def test_a_forgotten_memory_is_gone_from_every_decision(store: Store) -> None:
    keep(store, numbered(1), numbered(2), numbered(3))
    put(store, FULL, PLAIN)

    with store.writing(NOON) as tx:
        tx.memories.forget(a_tombstone(memory_id=memory_id(1)))
        tx.memories.forget(a_tombstone(memory_id=memory_id(3)))

    with store.reading() as tx:
        assert tx.diary.decisions.about(memory_id(1)) == ()
        assert tx.diary.decisions.about(memory_id(3)) == ()
        left = tx.diary.decisions.get(FULL.id)
        assert left.memories == (memory_id(2),)
        assert tx.diary.decisions.get(PLAIN.id) == replace(PLAIN, changes=())


def test_the_start_of_a_decisions_id_names_it(store: Store) -> None:
    put(store, FULL)

    with store.reading() as tx:
        assert tx.names.starting("d_", limit=9) == ("d_1",)
