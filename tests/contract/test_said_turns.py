"""What was said in sessions, on every store: kept, searched, removed, and never a memory."""

from __future__ import annotations

import struct
from datetime import timedelta

import pytest

from holdfast.domain.errors import BadVectorError, NoSuchError
from holdfast.domain.ids import SessionId
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.recall.finding import EmbeddingModel, Hit, Vector
from holdfast.domain.review.curation import Severity
from holdfast.domain.sessions.said import SaidBy, SaidTurn, WordUse, first_sequence
from holdfast.domain.values import replace
from holdfast.ports.store.store import Store
from tests.builders import HERE, NOON, a_said_turn, a_session
from tests.requirements import requirement

REPO = HERE.repo or ""
FIRST, SECOND = SessionId("i_1"), SessionId("i_2")
MODEL = EmbeddingModel(name="small@1", dimension=2)


def vector(*numbers: float, model: EmbeddingModel = MODEL) -> Vector:
    return Vector(model=model, values=struct.pack(f"<{len(numbers)}f", *numbers))


def keep(store: Store, *turns: SaidTurn) -> list[SaidTurn]:
    with store.writing(NOON) as tx:
        tx.sessions.put(a_session())
        tx.sessions.put(a_session(id=SECOND))
        return [tx.sessions.caches.said.put(turn) for turn in turns]


def bare(turn: SaidTurn) -> SaidTurn:
    return replace(turn, sequence=0)


@requirement("said.kept")
def test_what_was_said_reads_back_exactly_and_in_order(store: Store) -> None:
    named = a_said_turn(2, name="Ada", repo=None, branch=None, head=None, key="")
    kept = keep(store, a_said_turn(10), named, a_said_turn(1), a_said_turn(1, session_id=SECOND))

    with store.reading() as tx:
        said = tx.sessions.caches.said
        assert said.of(FIRST) == (kept[2], kept[1], kept[0])
        assert [bare(turn) for turn in said.of(FIRST)] == [a_said_turn(1), named, a_said_turn(10)]
        assert said.page(beyond=("", 0), limit=3) == (kept[2], kept[1], kept[0])
        assert said.page(beyond=("i_1", 10), limit=3) == (kept[3],)
        assert tx.finding.said.read([kept[0].sequence, 7, kept[1].sequence]) == (kept[0], kept[1])


def test_a_later_turn_has_a_larger_sequence_and_no_two_share_one(store: Store) -> None:
    same = a_said_turn(1)
    twin = replace(same, session_id=SECOND, at=same.at)
    kept = keep(store, a_said_turn(5), same, twin, a_said_turn(9))

    assert kept[1].sequence < kept[0].sequence < kept[3].sequence
    assert first_sequence(a_said_turn(8, at=NOON)) < first_sequence(a_said_turn(9, at=NOON))
    assert len({turn.sequence for turn in kept}) == 4
    assert kept[1].sequence == first_sequence(same)


def test_a_taken_sequence_is_given_to_nobody_else(store: Store) -> None:
    """Turns 1 and 1,025 of a session get the same sequence, if they are said at the same time."""
    kept = keep(store, a_said_turn(1), a_said_turn(1_025, at=a_said_turn(1).at))

    assert first_sequence(kept[0]) == first_sequence(kept[1])
    assert kept[1].sequence == kept[0].sequence + 1


def test_a_turn_is_written_over_with_its_words_and_without_its_vectors(store: Store) -> None:
    first = keep(store, a_said_turn(1, text="Owls hunt at night."))[0]
    with store.writing(NOON) as tx:
        tx.finding.said.vectors.put(MODEL, {first.sequence: [vector(1.0, 0.0)]})
    again = keep(store, a_said_turn(1, text="Rooks sleep."))[0]

    assert again.sequence == first.sequence
    with store.reading() as tx:
        search = tx.finding.said
        assert search.uses({"owl", "rook"}, REPO) == (
            WordUse(sequence=first.sequence, word="rook", times=1, words=2),
        )
        assert search.extent(REPO) == (1, 2)
        assert search.vectors.lacking(MODEL.name, REPO, limit=9) == (again,)


def test_words_are_found_in_the_repository_that_they_were_said_in(store: Store) -> None:
    here, abroad, loose = keep(
        store,
        a_said_turn(1, text="The feed, the FEED and loadFeed."),
        a_said_turn(2, text="The feed.", repo="elsewhere"),
        a_said_turn(3, text="The feed.", repo=None, name="Ada"),
    )

    with store.reading() as tx:
        search = tx.finding.said
        assert search.uses({"feed"}, REPO) == (
            WordUse(sequence=here.sequence, word="feed", times=3, words=5),
        )
        assert [use.sequence for use in search.uses({"feed", "x"}, "elsewhere")] == [
            abroad.sequence
        ]
        assert [use.sequence for use in search.uses({"ada"}, "")] == [loose.sequence]
        assert search.uses({"feed"}, "nowhere") == ()
        assert search.uses((), REPO) == ()
        assert search.extent("nowhere") == (0, 0)


def test_the_place_of_a_turn_in_its_session(store: Store) -> None:
    turns = keep(
        store,
        a_said_turn(1, text="Why? Tell me."),
        a_said_turn(2, text="Is it so?"),
        a_said_turn(4),
        a_said_turn(1, session_id=SECOND),
    )

    with store.reading() as tx:
        search = tx.finding.said
        assert search.places([turns[0].sequence, turns[1].sequence, 7]) == {
            turns[0].sequence: turns[0].position,
            turns[1].sequence: turns[1].position,
        }
        asked = search.places([turn.sequence for turn in turns])
        assert (asked[turns[0].sequence].asks, asked[turns[0].sequence].is_question) == (
            True,
            False,
        )
        assert asked[turns[1].sequence].is_question
        assert asked[turns[1].sequence].is_agent
        assert set(search.at([("i_1", 1), ("i_1", 3), ("i_1", 4), ("i_3", 1)])) == {
            turns[0].sequence,
            turns[2].sequence,
        }
        assert search.ends(["i_1", "i_2", "i_3"]) == {"i_1": 4, "i_2": 1}


def test_the_nearest_turns_by_meaning(store: Store) -> None:
    far, near, abroad, without = keep(
        store,
        a_said_turn(1),
        a_said_turn(2),
        a_said_turn(3, repo="elsewhere"),
        a_said_turn(4),
    )
    with store.writing(NOON) as tx:
        tx.finding.said.vectors.put(
            MODEL,
            {
                far.sequence: [vector(0.0, 1.0)],
                near.sequence: [vector(-1.0, 0.0), vector(1.0, 0.0)],
                abroad.sequence: [vector(1.0, 0.0)],
                99: [vector(1.0, 0.0)],
            },
        )
        tx.finding.said.vectors.put(MODEL, {far.sequence: [vector(0.0, 2.0)]})

    with store.reading() as tx:
        vectors = tx.finding.said.vectors
        east = vector(3.0, 0.0)
        assert vectors.nearest(east, REPO, limit=9) == (
            Hit(sequence=near.sequence, score=1.0),
            Hit(sequence=far.sequence, score=0.0),
        )
        assert [hit.sequence for hit in vectors.nearest(east, REPO, limit=1)] == [near.sequence]
        assert vectors.nearest(east, REPO, limit=0) == ()
        assert vectors.likeness(east, [far.sequence, without.sequence, 99]) == {far.sequence: 0.0}
        assert vectors.lacking(MODEL.name, REPO, limit=9) == (without,)
        assert vectors.lacking("other", REPO, limit=2) == (without, near)
        other = EmbeddingModel(name="other", dimension=2)
        assert vectors.nearest(vector(1.0, 0.0, model=other), REPO, limit=9) == ()


def test_a_vector_without_a_direction_is_refused(store: Store) -> None:
    (turn,) = keep(store, a_said_turn(1))
    with store.writing(NOON) as tx, pytest.raises(BadVectorError):
        tx.finding.said.vectors.put(MODEL, {turn.sequence: [vector(0.0, 0.0)]})


@requirement("said.gone")
def test_a_removed_turn_leaves_nothing(store: Store) -> None:
    old, young = keep(store, a_said_turn(1, text="Owls."), a_said_turn(2, text="Rooks."))
    with store.writing(NOON) as tx:
        tx.finding.said.vectors.put(MODEL, {old.sequence: [vector(1.0, 0.0)]})
    with store.reading() as tx:
        assert tx.sessions.caches.said.before(young.at, limit=9) == (old,)
        assert tx.sessions.caches.said.before(young.at, limit=0) == ()
    with store.writing(NOON) as tx:
        tx.sessions.caches.said.drop([old, a_said_turn(7)])

    with store.reading() as tx:
        search = tx.finding.said
        assert tx.sessions.caches.said.of(FIRST) == (young,)
        assert search.uses({"owl"}, REPO) == ()
        assert search.extent(REPO)[0] == 1
        assert search.vectors.nearest(vector(1.0, 0.0), REPO, limit=9) == ()
        assert search.ends(["i_1"]) == {"i_1": 2}


def test_a_session_that_does_not_exist_said_nothing(store: Store) -> None:
    with store.writing(NOON) as tx, pytest.raises(NoSuchError):
        tx.sessions.caches.said.put(a_said_turn())


@requirement("said.no-memory")
def test_what_was_said_is_no_memory_and_no_event(store: Store) -> None:
    with store.writing(NOON) as tx:
        tx.sessions.put(a_session())
        before = tx.diary.events.head()
        tx.sessions.caches.said.put(a_said_turn())
        assert tx.diary.events.head() == before

    with store.reading() as tx:
        assert list(tx.memories.find(Selection(), Page(limit=9))) == []
        assert tx.finding.words.search(["feed"], Selection(), limit=9) == ()
        assert tx.finding.words.counts(["feed"]).holding == {"feed": 0.0}
        assert tx.sessions.caches.turns(FIRST) == ()


def test_a_check_finds_nothing_wrong_and_a_rebuild_changes_nothing(store: Store) -> None:
    kept = keep(store, a_said_turn(1), a_said_turn(2, by=SaidBy.AGENT))
    with store.writing(NOON) as tx:
        tx.finding.said.vectors.put(MODEL, {kept[0].sequence: [vector(1.0, 0.0)]})

    def told() -> object:
        with store.reading() as tx:
            search = tx.finding.said
            uses = sorted(
                search.uses({"feed", "turn"}, REPO), key=lambda one: (one.sequence, one.word)
            )
            near = search.vectors.nearest(vector(1.0, 0.0), REPO, limit=9)
            return uses, near, search.extent(REPO), search.ends(["i_1"])

    before = told()
    findings = store.upkeep.check(lambda _done, _total: None)
    assert [one for one in findings if one.severity is not Severity.OK] == []
    store.upkeep.rebuild(lambda _done, _total: None)
    assert told() == before


def test_turns_before_1970_have_a_sequence_too(store: Store) -> None:
    (old,) = keep(store, a_said_turn(1, at=NOON - timedelta(days=70 * 365)))
    with store.reading() as tx:
        assert tx.finding.said.read([old.sequence]) == (old,)
