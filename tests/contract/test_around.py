"""The context of hits: the record, its thread, and memories by name."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from holdfast.domain.choices import EvidenceType, Kind, Origin, Status
from holdfast.domain.memory.memory import Memory, Standing
from holdfast.domain.memory.selection import Selection, View
from holdfast.domain.recall.finding import ThreadPosition
from holdfast.ports.store.store import Store
from tests.builders import NOON, a_reason, a_tombstone
from tests.contract.steps import keep, memory_id, numbered

ANYONE = Selection()


def said(number: int, place: str, **changes: object) -> Memory:
    """Return a memory whose evidence is a turn."""
    evidence = (a_reason(type=EvidenceType.TURN, reference=place),)
    return numbered(number, evidence=evidence, **changes)


def places(turns: Mapping[int, ThreadPosition]) -> dict[int, tuple[str, int, bool]]:
    return {number: (one.thread, one.number, one.is_agent) for number, one in turns.items()}


@pytest.fixture
def talk(store: Store) -> Store:
    """Five turns of one thread, the third missing; one turn of another; one without a thread."""
    keep(
        store,
        said(1, "talk#1"),
        said(2, "talk#2", kind=Kind.RULE),
        said(3, "talk#4"),
        said(4, "talk#5"),
        said(5, "other#2"),
        numbered(6),
    )
    return store


def test_records_come_in_the_order_asked_for_and_missing_ones_do_not(talk: Store) -> None:
    with talk.writing(NOON) as tx:
        tx.memories.set_standing(memory_id(3), Standing(label="DEC-003"))
        tx.anchors.reasons.add(memory_id(1), a_reason(reference="again"))
        tx.memories.forget(a_tombstone(memory_id=memory_id(2)))

    with talk.reading() as tx:
        records = tx.finding.around.read([3, 99, 2, 1])

        assert records == (tx.memories.get(memory_id(3)), tx.memories.get(memory_id(1)))
        assert tx.finding.around.read([]) == ()


def test_a_turn_says_where_in_its_thread_a_memory_stands(talk: Store) -> None:
    with talk.reading() as tx:
        turns = tx.finding.around.turns([3, 5, 6, 99])

    assert places(turns) == {3: ("talk", 4, False), 5: ("other", 2, False)}


def test_beside_are_those_within_reach_of_the_same_thread(talk: Store) -> None:
    with talk.reading() as tx:
        around = tx.finding.around

        assert set(around.beside([2], ANYONE, reach=1)) == {1}
        assert set(around.beside([2], ANYONE, reach=2)) == {1, 3}
        assert places(around.beside([3], ANYONE, reach=1)) == {4: ("talk", 5, False)}
        assert around.beside([6, 99], ANYONE, reach=9) == {}
        assert around.beside([], ANYONE, reach=9) == {}


def test_those_named_themselves_are_not_beside(talk: Store) -> None:
    with talk.reading() as tx:
        assert set(tx.finding.around.beside([2, 1, 3], ANYONE, reach=2)) == {4}


def test_beside_is_only_who_the_selection_takes(talk: Store) -> None:
    rules = Selection(kinds=frozenset({Kind.RULE}))

    with talk.reading() as tx:
        assert set(tx.finding.around.beside([1, 3], rules, reach=5)) == {2}


def test_the_closing_turns_are_the_last_of_a_short_thread(talk: Store) -> None:
    with talk.reading() as tx:
        around = tx.finding.around

        assert set(around.closing(["talk"], ANYONE, last=2, shorter=6)) == {3, 4}
        assert set(around.closing(["talk", "other"], ANYONE, last=1, shorter=9)) == {4, 5}
        assert around.closing(["talk", "unknown"], ANYONE, last=2, shorter=5) == {}
        assert around.closing([], ANYONE, last=2, shorter=5) == {}


def test_only_what_the_selection_takes_closes_a_thread(talk: Store) -> None:
    rules = Selection(kinds=frozenset({Kind.RULE}))

    with talk.reading() as tx:
        assert set(tx.finding.around.closing(["talk"], rules, last=2, shorter=9)) == {2}


def test_a_turn_says_whether_an_agent_said_it(store: Store) -> None:
    keep(store, said(1, "talk#1", origin=Origin.AGENT), said(2, "talk#2"))

    with store.reading() as tx:
        turns = tx.finding.around.turns([1, 2])

    assert [turns[1].is_agent, turns[2].is_agent] == [True, False]


@pytest.fixture
def named(store: Store) -> Store:
    keep(
        store,
        numbered(1, key="refresh-rotation"),
        numbered(2, claim="# Refresh Rotation\n\nTokens are rotated."),
        numbered(3, claim="Ada (pioneer)\nShe wrote the first program.", kind=Kind.RULE),
        numbered(4, claim="Ada (language)\nA language."),
        numbered(5, claim="Nothing here has a title."),
    )
    return store


def test_who_bears_a_name_is_found_in_whatever_form_it_is_written(named: Store) -> None:
    with named.reading() as tx:
        found = tx.finding.around.named(["Refresh-Rotation!", "ADA", "walrus", ""], ANYONE, limit=5)

    assert found == {"Refresh-Rotation!": (1, 2), "ADA": (3, 4)}


def test_a_name_that_too_many_bear_is_left_out(named: Store) -> None:
    with named.reading() as tx:
        assert tx.finding.around.named(["ada", "ada pioneer"], ANYONE, limit=1) == {
            "ada pioneer": (3,)
        }


def test_only_who_the_selection_takes_bears_a_name(named: Store) -> None:
    rules = Selection(kinds=frozenset({Kind.RULE}))

    with named.reading() as tx:
        assert tx.finding.around.named(["ada"], rules, limit=1) == {"ada": (3,)}


def test_a_forgotten_memory_has_no_turn_and_no_name(talk: Store) -> None:
    with talk.writing(NOON) as tx:
        tx.memories.add(said(50, "talk#3", key="a walrus"), Standing())
        tx.memories.forget(a_tombstone(memory_id=memory_id(50)))

        assert set(tx.finding.around.beside([2], ANYONE, reach=1)) == {1}
        assert tx.finding.around.named(["a walrus"], ANYONE, limit=9) == {}


def test_a_turn_the_selection_does_not_take_still_makes_a_thread_long(talk: Store) -> None:
    rules = Selection(kinds=frozenset({Kind.RULE}))

    with talk.reading() as tx:
        assert tx.finding.around.closing(["talk"], rules, last=2, shorter=5) == {}


def test_of_two_memories_of_one_turn_the_later_one_closes_the_thread(store: Store) -> None:
    keep(store, said(1, "talk#2"), said(2, "talk#2"), said(3, "talk#1"))

    with store.reading() as tx:
        around = tx.finding.around

        assert set(around.closing(["talk"], ANYONE, last=1, shorter=9)) == {2}
        assert set(around.closing(["talk"], ANYONE, last=2, shorter=9)) == {1, 2}


def test_closing_turns_say_where_they_stand_and_who_spoke(store: Store) -> None:
    keep(store, said(1, "talk#1"), said(2, "talk#2", origin=Origin.AGENT))

    with store.reading() as tx:
        found = tx.finding.around.closing(["talk"], ANYONE, last=1, shorter=9)

    assert places(found) == {2: ("talk", 2, True)}


def test_a_forgotten_turn_does_not_close_a_thread(talk: Store) -> None:
    with talk.writing(NOON) as tx:
        tx.memories.forget(a_tombstone(memory_id=memory_id(4)))

        assert set(tx.finding.around.closing(["talk"], ANYONE, last=1, shorter=5)) == {3}


@pytest.mark.parametrize(
    ("claim", "asks", "is_question"),
    [
        ("Where are the keys?", True, True),
        ("Where are the keys? In the drawer.", True, False),
        ("In the drawer.", False, False),
        ("\u9375\u306f\u3069\u3053\uff1f", True, True),
        ("\u0623\u064a\u0646\u061f", True, True),
        ("*[a]%_", False, False),
    ],
)
def test_a_turn_says_how_long_it_is_and_whether_it_asks(
    store: Store, claim: str, *, asks: bool, is_question: bool
) -> None:
    keep(store, said(1, "talk#1", claim=claim), said(2, "talk#2"))

    with store.reading() as tx:
        around = tx.finding.around
        every_way = (
            around.turns([1])[1],
            around.beside([2], ANYONE, reach=1)[1],
            around.closing(["talk"], ANYONE, last=2, shorter=9)[1],
        )

    for turn in every_way:
        assert (turn.length, turn.asks, turn.is_question) == (len(claim), asks, is_question)


def test_each_key_leads_to_its_newest_memories(store: Store) -> None:
    keep(
        store,
        *(numbered(n, key=f"key.{n % 2}") for n in range(1, 8)),
        numbered(8, key="key.2", kind=Kind.RULE),
        numbered(9),
    )
    facts = Selection(kinds=frozenset({Kind.FACT}))

    with store.reading() as tx:
        around = tx.finding.around
        found = around.keyed({"key.0", "key.1", "key.2", "key.3"}, facts, limit=2)

        assert around.keyed((), facts, limit=2) == {}
    assert {key: [one.memory.id for one in records] for key, records in found.items()} == {
        "key.1": [memory_id(7), memory_id(5)],
        "key.0": [memory_id(6), memory_id(4)],
    }


def test_a_memory_under_a_key_has_the_status_that_the_view_gives_it(store: Store) -> None:
    keep(store, numbered(1, key="one.key"))
    seen = View(replaced={memory_id(1): memory_id(2)})

    with store.reading() as tx:
        found = tx.finding.around.keyed({"one.key"}, Selection(view=seen), limit=5)

    assert [one.standing.status for one in found["one.key"]] == [Status.SUPERSEDED]
