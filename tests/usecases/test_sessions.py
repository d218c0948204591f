from __future__ import annotations

from collections.abc import Sequence

import pytest

from holdfast.adapters.inmemory.diary import InMemorySessions
from holdfast.app import Holdfast
from holdfast.domain.choices import EvidenceType
from holdfast.domain.errors import EvidenceUnreadableError, NoSuchError, SessionEndedError
from holdfast.domain.ids import BundleId, SessionId
from holdfast.domain.memory.evidence import Evidence
from holdfast.domain.refusals import BadCursorError
from holdfast.domain.sessions.session import Session
from holdfast.domain.values import replace
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.browse import SessionPage
from holdfast.usecases.sessions.sessions import end_session
from tests.builders import HERE, NOON, FixedClock, a_turn
from tests.requirements import requirement
from tests.usecases.wishes import a_wish, bundle_about


def test_a_session_begins_here_and_now(holdfast: Holdfast) -> None:
    session = holdfast.sessions.start(tool="cli", user="ada")

    assert (session.tool, session.user) == ("cli", "ada")
    assert (session.repo, session.branch, session.started_at) == (HERE.repo, HERE.branch, NOON)
    assert session.finished_at is None


@requirement("session.turns-kept-in-order")
def test_turns_are_kept_in_order_with_what_answered_them(
    holdfast: Holdfast, clock: FixedClock
) -> None:
    session = holdfast.sessions.start(tool="cli", user="ada")
    bundle = bundle_about(holdfast)
    clock.advance(minutes=5)

    first = holdfast.sessions.add_turn(
        session.id, a_turn(query="one", bundle_id=BundleId(bundle[:-1]))
    )
    second = holdfast.sessions.add_turn(session.id[:-1], a_turn(query="two", notes="hm"))

    assert (first.bundle_id, first.at, first.session_id) == (bundle, clock.now(), session.id)
    assert (first.number, second.number) == (1, 2)
    stored = tuple(replace(turn, number=0) for turn in (first, second))
    assert holdfast.memories.show(session.id) == SessionPage(session=session, turns=stored)


@requirement("session.turns-kept-in-order")
def test_a_turn_that_brings_its_own_number_never_replaces_another(holdfast: Holdfast) -> None:
    session = holdfast.sessions.start(tool="cli", user="ada")
    first = holdfast.sessions.add_turn(session.id, a_turn(query="one"))

    second = holdfast.sessions.add_turn(session.id, a_turn(id=first.id, query="two"))

    assert second.id != first.id
    assert (first.number, second.number) == (1, 2)
    stored = tuple(replace(turn, number=0) for turn in (first, second))
    assert holdfast.memories.show(session.id) == SessionPage(session=session, turns=stored)


def test_a_session_that_ended_takes_no_more_turns(holdfast: Holdfast, clock: FixedClock) -> None:
    session = holdfast.sessions.start(tool="cli", user="ada")
    clock.advance(hours=1)
    ended = holdfast.sessions.end(session.id)

    with pytest.raises(SessionEndedError, match="start a new one"):
        holdfast.sessions.add_turn(session.id, a_turn())

    assert ended.finished_at == clock.now()
    assert holdfast.memories.show(session.id) == SessionPage(session=ended, turns=())


def test_ending_a_session_twice_keeps_the_first_end(holdfast: Holdfast, clock: FixedClock) -> None:
    session = holdfast.sessions.start(tool="cli", user="ada")
    ended = holdfast.sessions.end(session.id)
    clock.advance(hours=1)

    assert holdfast.sessions.end(session.id) == ended


@requirement("session.hooks-end-it")
def test_a_session_that_is_not_over_goes_on(holdfast: Holdfast, clock: FixedClock) -> None:
    session = holdfast.sessions.start(tool="cli", user="ada")

    kept = end_session(session.id, store=holdfast.store, clock=clock, is_over=lambda: False)

    assert kept.finished_at is None
    kept = end_session(session.id, store=holdfast.store, clock=clock, is_over=lambda: True)
    assert kept.finished_at == clock.now()


def test_sessions_are_listed_newest_first(holdfast: Holdfast, clock: FixedClock) -> None:
    started = []
    for _ in range(3):
        started.append(holdfast.sessions.start(tool="cli", user="ada"))
        clock.advance(minutes=1)

    assert list(holdfast.sessions.latest(limit=2)) == [started[2], started[1]]


@requirement("list.goes-on")
@pytest.mark.parametrize("everywhere", [True, False])
def test_a_list_of_sessions_goes_on_where_it_was_cut(
    holdfast: Holdfast, clock: FixedClock, *, everywhere: bool
) -> None:
    started = []
    for _ in range(5):
        started.append(holdfast.sessions.start(tool="cli", user="ada"))
        clock.advance(minutes=1)
    found: list[Session] = []
    beyond, parts = None, 0
    while parts == 0 or beyond is not None:
        part = holdfast.sessions.latest(limit=2, everywhere=everywhere, beyond=beyond)
        found += part
        beyond, parts = part.beyond, parts + 1

    assert (found, parts) == (started[::-1], 3)
    assert holdfast.sessions.latest(limit=5).beyond is None
    with pytest.raises(BadCursorError):
        holdfast.sessions.latest(limit=5, beyond="m_1")


@requirement("session.list-here")
def test_sessions_of_here_are_found_behind_those_of_other_repositories(holdfast: Holdfast) -> None:
    mine = holdfast.sessions.start(tool="cli", user="ada")
    with holdfast.store.writing(holdfast.now()) as tx:
        for number in range(3):
            name = SessionId(f"i_zzz{number}")
            tx.sessions.put(replace(mine, id=name, repo="repo_other"))

    assert list(holdfast.sessions.latest(limit=1, everywhere=False)) == [mine]
    assert list(holdfast.sessions.latest(limit=2, everywhere=False)) == [mine]
    assert len(holdfast.sessions.latest(limit=9)) == 4


@requirement("session.list-here")
def test_sessions_of_other_repositories_are_passed_over_many_at_once(
    holdfast: Holdfast, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = holdfast.sessions.start(tool="cli", user="ada")
    with holdfast.store.writing(holdfast.now()) as tx:
        for number in range(250):
            name = SessionId(f"i_zzz{number:03}")
            tx.sessions.put(replace(mine, id=name, repo="repo_other"))
    read, page = [], InMemorySessions.page

    def counted(one: InMemorySessions, *, beyond: str | None, limit: int) -> Sequence[Session]:
        read.append(limit)
        return page(one, beyond=beyond, limit=limit)

    monkeypatch.setattr(InMemorySessions, "page", counted)

    assert list(holdfast.sessions.latest(limit=1, everywhere=False)) == [mine]
    assert len(read) == 3  # two with sessions, and one that tells that nothing follows
    assert len(holdfast.sessions.latest(limit=1)) == 1
    assert read[3:] == [2]


@requirement("input.refused-with-advice")
def test_a_turn_of_no_session_or_with_no_bundle_is_refused(holdfast: Holdfast) -> None:
    session = holdfast.sessions.start(tool="cli", user="ada")

    with pytest.raises(NoSuchError, match="No session"):
        holdfast.sessions.add_turn("i_nothing", a_turn())
    with pytest.raises(NoSuchError, match="No bundle"):
        holdfast.sessions.add_turn(session.id, a_turn(bundle_id=BundleId("c_nothing")))

    assert holdfast.memories.show(session.id) == SessionPage(session=session, turns=())


def cited(holdfast: Holdfast, kind: EvidenceType, reference: str) -> Evidence:
    """Remember something with this evidence, and return the evidence as it was stored."""
    reason = Evidence(type=kind, reference=reference)
    wish = a_wish("Logins fail at midnight.", grounds=Grounds(given=(reason,)))
    return holdfast.memories.remember(wish).record.evidence[0]


@requirement("evidence.must-be-possible")
def test_a_turn_that_exists_is_evidence_under_its_whole_id(holdfast: Holdfast) -> None:
    session = holdfast.sessions.start(tool="cli", user="ada")
    holdfast.sessions.add_turn(session.id, a_turn(query="one"))

    kept = cited(holdfast, EvidenceType.TURN, f"{session.id[:-1]}/1")

    assert kept.reference == f"{session.id}/1"


@requirement("evidence.must-be-possible")
def test_a_turn_that_a_session_does_not_have_is_no_evidence(holdfast: Holdfast) -> None:
    session = holdfast.sessions.start(tool="cli", user="ada")
    with pytest.raises(EvidenceUnreadableError, match="has no turns yet"):
        cited(holdfast, EvidenceType.TURN, f"{session.id}/1")
    holdfast.sessions.add_turn(session.id, a_turn(query="one"))

    with pytest.raises(EvidenceUnreadableError, match="has turns 1 to 1"):
        cited(holdfast, EvidenceType.TURN, f"{session.id}/99")
    with pytest.raises(NoSuchError, match="session"):
        cited(holdfast, EvidenceType.TURN, "i_nope/1")
    with pytest.raises(NoSuchError, match="session"):
        cited(holdfast, EvidenceType.TURN, "i_nope#1")


@requirement("evidence.must-be-possible")
@pytest.mark.parametrize("reference", ["garbage", "7", "i_1", "i_1/x", "#3", "claude:5f1c", "a#b"])
def test_what_names_no_turn_is_no_evidence(holdfast: Holdfast, reference: str) -> None:
    with pytest.raises(EvidenceUnreadableError, match="named by its session and number"):
        cited(holdfast, EvidenceType.TURN, reference)


@requirement("evidence.must-be-possible")
@pytest.mark.parametrize(
    "reference", ["https://", "foo", "https:///page", "https://?q", "http:// x"]
)
def test_what_is_no_address_is_no_evidence(holdfast: Holdfast, reference: str) -> None:
    with pytest.raises(EvidenceUnreadableError, match="complete address"):
        cited(holdfast, EvidenceType.URL, reference)


@requirement("evidence.must-be-possible")
@pytest.mark.parametrize("reference", ["https://localhost:8080", "http://[::1]/a", "ssh://git@h/r"])
def test_every_complete_address_is_evidence(holdfast: Holdfast, reference: str) -> None:
    assert cited(holdfast, EvidenceType.URL, reference).reference == reference
