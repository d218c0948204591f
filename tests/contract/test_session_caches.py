"""What sessions and repositories keep for the next session, on every store."""

from __future__ import annotations

import json

import pytest

from holdfast.domain.choices import Origin
from holdfast.domain.errors import NoSuchError
from holdfast.domain.exchange.cache_shape import session_turn_json
from holdfast.domain.ids import SessionId
from holdfast.domain.review.curation import Severity
from holdfast.domain.sessions.cache import CachedTurn, ProjectState, TurnQuestion
from holdfast.domain.values import replace
from holdfast.ports.store.store import Store
from holdfast.usecases.exchange.exchange import bring_in
from tests.builders import (
    HERE,
    NOON,
    FixedClock,
    a_cache_note,
    a_project,
    a_session,
    a_session_cache,
    a_session_turn,
)
from tests.requirements import requirement

REPO = HERE.repo or ""


def keep(store: Store, *turns: CachedTurn) -> None:
    with store.writing(NOON) as tx:
        tx.sessions.put(a_session())
        tx.sessions.put(a_session(id=SessionId("i_2")))
        for turn in turns:
            tx.sessions.caches.put_turn(turn)


def test_what_a_session_keeps_reads_back_exactly(store: Store) -> None:
    bare = a_session_cache(
        session_id=SessionId("i_2"), repo=None, branch=None, notes=(), rewinds=(), forked_from=None
    )
    keep(store)
    with store.writing(NOON) as tx:
        tx.sessions.caches.put(a_session_cache(last=0))
        tx.sessions.caches.put(a_session_cache())
        tx.sessions.caches.put(bare)

    with store.reading() as tx:
        assert tx.sessions.caches.get(SessionId("i_1")) == a_session_cache()
        assert tx.sessions.caches.get(SessionId("i_2")) == bare
        assert tx.sessions.caches.get(SessionId("i_3")) is None
        assert tx.sessions.caches.latest(REPO, limit=9) == (a_session_cache(),)
        assert tx.sessions.caches.latest("", limit=9) == (bare,)


def test_turns_read_back_in_order_and_are_written_over(store: Store) -> None:
    plain = a_session_turn(
        2, commands=(), paths=(), before=None, point=None, branch=None, origin=Origin.HUMAN
    )
    keep(store, a_session_turn(10), plain, a_session_turn(1))
    moved = replace(a_session_turn(10), was=("c" * 40,), hidden=1)
    with store.writing(NOON) as tx:
        tx.sessions.caches.put_turn(moved)

    with store.reading() as tx:
        found = tx.sessions.caches.turns(SessionId("i_1"))
        assert found == (a_session_turn(1), plain, moved)
        assert tx.sessions.caches.turns(SessionId("i_2")) == ()


@requirement("import.bad-line-named")
@pytest.mark.parametrize("number", [0, -1])
def test_an_imported_turn_replaces_nothing_else_of_its_session(store: Store, number: int) -> None:
    keep(store, a_session_turn(1))
    with store.writing(NOON) as tx:
        tx.sessions.caches.put(a_session_cache())
    turn = session_turn_json(a_session_turn(number))

    line = json.dumps({"type": "kept", "data": {"turn": turn}})
    brought = bring_in([line], store=store, clock=FixedClock())

    assert (brought.added, len(brought.refused)) == (0, 1)
    with store.reading() as tx:
        assert tx.sessions.caches.get(SessionId("i_1")) == a_session_cache()


def test_the_newest_turns_of_a_branch_and_of_the_others(store: Store) -> None:
    here = [a_session_turn(number) for number in (1, 2, 3)]
    other = a_session_turn(4, session_id=SessionId("i_2"), branch="other")
    loose = a_session_turn(5, session_id=SessionId("i_2"), branch=None)
    hidden = a_session_turn(6, hidden=2)
    abroad = a_session_turn(7, repo="elsewhere")
    keep(store, *here, other, loose, hidden, abroad)

    with store.reading() as tx:
        ask = tx.sessions.caches.latest_turns
        assert ask(TurnQuestion(repo=REPO, branch=HERE.branch, limit=2)) == (here[2], here[1])
        assert ask(TurnQuestion(repo=REPO, branch=None)) == (loose,)
        elsewhere = TurnQuestion(repo=REPO, branch=HERE.branch, elsewhere=True)
        assert ask(elsewhere) == (loose, other)
        assert ask(replace(elsewhere, branch=None)) == (other, *reversed(here))
        assert ask(TurnQuestion(repo="", branch=HERE.branch)) == ()


def test_what_a_repository_keeps_reads_back_exactly(store: Store) -> None:
    states = [ProjectState(repo=name, at=NOON) for name in ("a", "b", "c")]
    with store.writing(NOON) as tx:
        tx.sessions.caches.projects.put(a_project(notes=()))
        tx.sessions.caches.projects.put(a_project(notes=(a_cache_note(is_proposed=True),)))
        for state in states:
            tx.sessions.caches.projects.put(state)

    with store.reading() as tx:
        projects = tx.sessions.caches.projects
        assert projects.get(REPO) == a_project(notes=(a_cache_note(is_proposed=True),))
        assert projects.get("nowhere") is None
        assert projects.page(beyond="a", limit=2) == tuple(states[1:])
        assert len(projects.page(beyond="", limit=9)) == 4
        assert tx.sessions.caches.latest(REPO, limit=9) == ()


def test_a_session_that_does_not_exist_keeps_nothing(store: Store) -> None:
    with store.writing(NOON) as tx:
        with pytest.raises(NoSuchError):
            tx.sessions.caches.put(a_session_cache())
        with pytest.raises(NoSuchError):
            tx.sessions.caches.put_turn(a_session_turn())


def test_a_check_of_the_store_finds_nothing_wrong(store: Store) -> None:
    keep(store, a_session_turn(1), a_session_turn(2))
    with store.writing(NOON) as tx:
        tx.sessions.caches.put(a_session_cache())
        tx.sessions.caches.projects.put(a_project())

    findings = store.upkeep.check(lambda _done, _total: None)
    assert [one for one in findings if one.severity is not Severity.OK] == []
