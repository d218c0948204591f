"""Sessions and their turns, in order."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from holdfast.domain.errors import NoSuchError
from holdfast.domain.ids import BundleId, SessionId
from holdfast.ports.store.store import Store
from tests.builders import NOON, a_bundle, a_session, a_turn
from tests.requirements import requirement


@requirement("store.reads-back-exactly")
@pytest.mark.parametrize(
    "session", [a_session(), a_session(repo=None, branch=None, tool="é", finished_at=NOON)]
)
def test_a_session_reads_back_exactly(store: Store, session: object) -> None:
    assert isinstance(session, type(a_session()))
    with store.writing(NOON) as tx:
        tx.sessions.put(session)

    with store.reading() as tx:
        assert tx.sessions.get(session.id) == session


def test_the_end_of_a_session_is_written_over_it(store: Store) -> None:
    ended = a_session(finished_at=NOON + timedelta(hours=1))
    with store.writing(NOON) as tx:
        tx.sessions.put(a_session())
        tx.sessions.put(ended)

    with store.reading() as tx:
        assert tx.sessions.get(SessionId("i_1")) == ended
        assert tx.sessions.page(beyond=None, limit=9) == (ended,)


def test_an_unknown_session_is_named_in_the_refusal(store: Store) -> None:
    with store.reading() as tx, pytest.raises(NoSuchError, match="No session has the id i_9"):
        tx.sessions.get(SessionId("i_9"))


@requirement("store.pages-never-overlap")
def test_sessions_come_newest_id_first_a_page_at_a_time(store: Store) -> None:
    with store.writing(NOON) as tx:
        for number in (2, 5, 1, 4, 3):
            tx.sessions.put(a_session(id=SessionId(f"i_{number}")))

    with store.reading() as tx:
        first = tx.sessions.page(beyond=None, limit=3)
        second = tx.sessions.page(beyond=first[-1].id, limit=3)

    assert [session.id for session in first] == ["i_5", "i_4", "i_3"]
    assert [session.id for session in second] == ["i_2", "i_1"]


@requirement("session.turns-kept-in-order")
def test_a_turn_gets_a_number_and_turns_come_in_order(store: Store) -> None:
    with store.writing(NOON) as tx:
        tx.sessions.put(a_session())
        tx.sessions.put(a_session(id=SessionId("i_2")))
        first = tx.sessions.add_turn(a_turn(query="First?"))
        other = tx.sessions.add_turn(a_turn(session_id=SessionId("i_2")))
        second = tx.sessions.add_turn(a_turn(query="Second?", at=NOON - timedelta(hours=1)))

    assert 0 < first.id < other.id < second.id
    assert first == a_turn(id=first.id, query="First?")
    with store.reading() as tx:
        assert tx.sessions.turns(SessionId("i_1")) == (first, second)
        assert tx.sessions.turns(SessionId("i_2")) == (other,)
        assert tx.sessions.turns(SessionId("i_3")) == ()


def test_a_turn_that_has_a_number_keeps_it(store: Store) -> None:
    with store.writing(NOON) as tx:
        tx.sessions.put(a_session())

        assert tx.sessions.add_turn(a_turn(id=7)).id == 7
        assert tx.sessions.add_turn(a_turn()).id > 7


@requirement("store.reads-back-exactly")
@pytest.mark.parametrize("satisfied", [None, True, False])
def test_a_turn_reads_back_exactly(store: Store, satisfied: bool | None) -> None:  # noqa: FBT001
    turn = a_turn(
        at=NOON + timedelta(milliseconds=3),
        query="naïve?\nyes",
        bundle_id=a_bundle().id,
        satisfied=satisfied,
        notes="é",
    )
    with store.writing(NOON) as tx:
        tx.sessions.put(a_session())
        kept = tx.sessions.add_turn(turn)

    with store.reading() as tx:
        assert tx.sessions.turns(SessionId("i_1")) == (replace(turn, id=kept.id),)


def test_a_turn_needs_its_session(store: Store) -> None:
    with store.writing(NOON) as tx, pytest.raises(NoSuchError, match="i_1"):
        tx.sessions.add_turn(a_turn())


@requirement("feedback.kept")
def test_a_verdict_changes_nothing_of_a_turn_but_the_verdict_and_notes(store: Store) -> None:
    with store.writing(NOON) as tx:
        tx.sessions.put(a_session())
        kept = tx.sessions.add_turn(a_turn(bundle_id=BundleId("c_1")))

        tx.sessions.set_turn(replace(kept, satisfied=True, notes="It helped."))

        assert tx.sessions.turns(SessionId("i_1")) == (
            replace(kept, satisfied=True, notes="It helped."),
        )


def test_an_unknown_turn_cannot_be_judged(store: Store) -> None:
    with store.writing(NOON) as tx, pytest.raises(NoSuchError, match="9"):
        tx.sessions.set_turn(a_turn(id=9))


def test_the_turns_a_bundle_answered_are_found(store: Store) -> None:
    with store.writing(NOON) as tx:
        tx.sessions.put(a_session())
        tx.sessions.put(a_session(id=SessionId("i_2")))
        first = tx.sessions.add_turn(a_turn(bundle_id=BundleId("c_1")))
        tx.sessions.add_turn(a_turn(bundle_id=BundleId("c_2")))
        tx.sessions.add_turn(a_turn())
        last = tx.sessions.add_turn(a_turn(session_id=SessionId("i_2"), bundle_id=BundleId("c_1")))

        assert tx.sessions.turns_with(BundleId("c_1")) == (first, last)
        assert tx.sessions.turns_with(BundleId("c_9")) == ()
