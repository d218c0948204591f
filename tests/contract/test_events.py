"""Events: a hash chain of every change, without any text of a memory."""

from __future__ import annotations

import itertools
from dataclasses import replace
from datetime import timedelta

import pytest

from holdfast.domain.choices import EvidenceType
from holdfast.domain.ids import MemoryId, SessionId, SpanId
from holdfast.domain.memory.entry import GENESIS, Head
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import Standing, Usage
from holdfast.ports.store.store import Store
from tests.builders import (
    NOON,
    a_bundle,
    a_memory,
    a_reason,
    a_session,
    a_span,
    a_tombstone,
    a_turn,
)
from tests.contract.steps import keep, memory_id, numbered
from tests.requirements import requirement

LATER = NOON + timedelta(milliseconds=1)
SAID = "walrus"


@pytest.fixture
def eventful(store: Store) -> Store:
    """A store in which every kind of event happened once."""
    link = Link(src=memory_id(1), dst=memory_id(2), kind="about")
    span = a_span(path=f"{SAID}.py")
    evidence = (a_reason(type=EvidenceType.SPAN, reference=span.reference, span=span.id),)
    with store.writing(NOON) as tx:
        tx.anchors.spans.put(span)
        tx.memories.add(numbered(1, claim=f"A {SAID}.", evidence=evidence), Standing())
        tx.memories.add(numbered(2), Standing())
    with store.writing(LATER) as tx:
        tx.memories.set_standing(memory_id(1), Standing(pinned=True, label=SAID))
        tx.memories.usage.put(memory_id(1), Usage(good=1))
        tx.anchors.reasons.add(memory_id(1), a_reason(reference=SAID))
        tx.anchors.reasons.add(memory_id(1), a_reason(reference=SAID))
        tx.links.put(link)
        tx.links.put(replace(link, score=0.5))
        tx.links.remove(link)
        tx.links.remove(link)
        tx.sessions.put(a_session(tool=SAID))
        turn = tx.sessions.add_turn(a_turn(query=SAID))
        tx.sessions.set_turn(replace(turn, notes=SAID))
        tx.bundles.put(a_bundle(notes=(SAID,)))
        tx.memories.forget(a_tombstone(memory_id=memory_id(1), reason=SAID))
        tx.names.bury(a_tombstone(memory_id=memory_id(9), reason=SAID))
    return store


def test_a_fresh_store_has_an_empty_chain(store: Store) -> None:
    with store.reading() as tx:
        assert tx.diary.events.head() == Head(sequence=0, hash=GENESIS)
        assert tx.diary.events.since(0, limit=9) == ()


@requirement("event.chain-shows-tampering")
def test_each_event_names_the_hash_before_it(eventful: Store) -> None:
    with eventful.reading() as tx:
        events = tx.diary.events.since(0, limit=99)
        head = tx.diary.events.head()

    assert [event.sequence for event in events] == list(range(1, len(events) + 1))
    assert events[0].previous == GENESIS
    assert all(later.previous == earlier.hash for earlier, later in itertools.pairwise(events))
    assert head == Head(sequence=events[-1].sequence, hash=events[-1].hash)


def test_everything_that_changes_the_truth_is_an_event(eventful: Store) -> None:
    with eventful.reading() as tx:
        actions = [event.action for event in tx.diary.events.since(0, limit=99)]

    assert actions == [
        "span.put",
        "memory.added",
        "memory.added",
        "memory.standing",
        "memory.evidence",
        "link.put",
        "link.put",
        "link.removed",
        "session.put",
        "turn.added",
        "turn.set",
        "bundle.put",
        "span.forgotten",
        "memory.forgotten",
        "tombstone.buried",
    ]


def test_an_event_says_when_it_happened_to_the_millisecond(eventful: Store) -> None:
    with eventful.reading() as tx:
        first, *_, last = tx.diary.events.since(0, limit=99)

    assert first.at_millis == NOON.timestamp() * 1000
    assert last.at_millis == first.at_millis + 1


def test_an_event_carries_the_hash_of_the_row_as_it_was_left(eventful: Store) -> None:
    gone = {"link.removed", "memory.forgotten", "span.forgotten"}

    with eventful.reading() as tx:
        events = tx.diary.events.since(0, limit=99)

    assert {event.action for event in events if not event.digest} == gone


@requirement("event.never-holds-text")
def test_no_event_holds_a_word_of_what_was_said(eventful: Store) -> None:
    with eventful.reading() as tx:
        assert all(SAID not in repr(event) for event in tx.diary.events.since(0, limit=99))


def test_the_events_about_one_thing_come_in_order(eventful: Store) -> None:
    with eventful.reading() as tx:
        assert [event.action for event in tx.diary.events.about(memory_id(1))] == [
            "memory.added",
            "memory.standing",
            "memory.evidence",
            "memory.forgotten",
        ]
        assert [event.action for event in tx.diary.events.about(SpanId("s_1"))] == [
            "span.put",
            "span.forgotten",
        ]
        assert [event.action for event in tx.diary.events.about(SessionId("i_1"))] == [
            "session.put"
        ]
        assert tx.diary.events.about("nobody") == ()


@requirement("store.pages-never-overlap")
def test_events_come_a_page_at_a_time(eventful: Store) -> None:
    with eventful.reading() as tx:
        everything = tx.diary.events.since(0, limit=99)
        first = tx.diary.events.since(0, limit=4)
        rest = tx.diary.events.since(first[-1].sequence, limit=99)

    assert (*first, *rest) == tuple(everything)
    assert len(first) == 4


def test_two_stores_with_the_same_memory_do_not_share_its_events(store: Store) -> None:
    keep(store, a_memory())

    with store.reading() as tx:
        event = tx.diary.events.about(MemoryId("m_1"))[0]

    assert event.sequence == 1
    assert event.subject == "m_1"
