"""Transactions: atomic, a snapshot of one moment, one writer at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

import pytest

from holdfast.domain.errors import NoSuchError
from holdfast.domain.ids import BundleId, SessionId, SpanId
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import Standing, Usage
from holdfast.domain.memory.selection import Page, Selection
from holdfast.ports.store.store import Store, Transaction
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
from tests.contract.conftest import Door
from tests.contract.steps import found, hits, in_another_thread, keep, memory_id, numbered, read
from tests.requirements import requirement

ONE_TWO = Link(src=memory_id(1), dst=memory_id(2), kind="about")


def a_little_of_everything(tx: Transaction) -> None:
    tx.memories.add(numbered(3, claim="A walrus."), Standing())
    tx.memories.set_standing(memory_id(1), Standing(pinned=True))
    tx.memories.usage.put(memory_id(1), Usage(good=1))
    tx.anchors.reasons.add(memory_id(1), a_reason(reference="More."))
    tx.links.put(Link(src=memory_id(1), dst=memory_id(3), kind="about"))
    tx.links.remove(ONE_TWO)
    tx.memories.forget(a_tombstone(memory_id=memory_id(2)))
    tx.names.bury(a_tombstone(memory_id=memory_id(9)))
    tx.sessions.put(a_session(id=SessionId("i_2")))
    tx.sessions.add_turn(a_turn())
    tx.bundles.put(a_bundle(id=BundleId("c_2")))
    tx.anchors.spans.put(a_span(id=SpanId("s_2")))


def write_then_raise(store: Store, error: BaseException) -> None:
    with store.writing(NOON) as tx:
        a_little_of_everything(tx)
        raise error


def everything_in(store: Store) -> tuple[object, ...]:
    with store.reading() as tx:
        return (
            tx.memories.find(Selection(), Page(oldest_first=True)),
            tx.memories.count(Selection()),
            tx.names.starting("", limit=99),
            tx.names.tombstones(beyond="", limit=99),
            tx.links.page(beyond=None, limit=99),
            tx.sessions.page(beyond=None, limit=99),
            tx.sessions.turns(SessionId("i_1")),
            tx.bundles.page(beyond=None, limit=99),
            tx.anchors.spans.page(beyond=None, limit=99),
            tx.diary.events.since(0, limit=99),
            tx.diary.events.head(),
            tx.finding.words.search(["claim", "walrus"], Selection(), limit=9),
        )


@pytest.fixture
def lived_in(store: Store) -> Store:
    keep(store, numbered(1), numbered(2))
    with store.writing(NOON) as tx:
        tx.links.put(ONE_TWO)
        tx.sessions.put(a_session())
        tx.bundles.put(a_bundle())
        tx.anchors.spans.put(a_span())
    return store


@requirement("store.all-or-nothing")
@pytest.mark.parametrize(
    "error",
    [ZeroDivisionError(), KeyboardInterrupt(), NoSuchError(noun="memory", reference="m_9")],
    ids=lambda error: type(error).__name__,
)
def test_leaving_by_an_exception_undoes_everything(lived_in: Store, error: BaseException) -> None:
    before = everything_in(lived_in)

    with pytest.raises(type(error)):
        write_then_raise(lived_in, error)

    assert everything_in(lived_in) == before


@requirement("store.all-or-nothing")
def test_leaving_well_keeps_everything(lived_in: Store) -> None:
    with lived_in.writing(NOON) as tx:
        a_little_of_everything(tx)

    assert found(lived_in, Selection()) == [memory_id(1), memory_id(3)]
    record = read(lived_in, memory_id(1))
    assert record.standing.pinned
    assert record.usage == Usage(good=1)
    assert record.added_evidence == (a_reason(reference="More."),)
    assert hits(lived_in, "walrus") == [memory_id(3)]
    with lived_in.reading() as tx:
        assert [link.dst for link in tx.links.page(beyond=None, limit=9)] == [memory_id(3)]
        assert len(tx.names.tombstones(beyond="", limit=9)) == 2
        assert len(tx.sessions.turns(SessionId("i_1"))) == 1
        assert len(tx.bundles.page(beyond=None, limit=9)) == 2
        assert len(tx.anchors.spans.page(beyond=None, limit=9)) == 2


@requirement("store.all-or-nothing")
def test_work_after_work_that_failed_succeeds(store: Store) -> None:
    keep(store, numbered(1), numbered(2))
    with store.writing(NOON) as tx:
        tx.sessions.put(a_session())
        tx.links.put(ONE_TWO)
    with pytest.raises(ZeroDivisionError):
        write_then_raise(store, ZeroDivisionError())

    keep(store, numbered(3, claim="Written after all."))

    assert read(store, memory_id(3)).memory.claim == "Written after all."
    with store.reading() as tx:
        assert [event.sequence for event in tx.diary.events.since(0, limit=9)] == [1, 2, 3, 4, 5]


def test_a_unit_of_work_sees_what_it_wrote(store: Store) -> None:
    with store.writing(NOON) as tx:
        record = tx.memories.add(a_memory(), Standing())

        assert tx.memories.get(record.memory.id) == record
        assert tx.memories.find(Selection(), Page()) == (record,)
        assert tx.memories.count(Selection()) == 1
        assert tx.names.starting("m_", limit=9) == ("m_1",)


@requirement("store.one-moment-read")
def test_a_reader_sees_one_moment_whatever_is_written_meanwhile(
    store: Store, beside: Store
) -> None:
    keep(store, numbered(1))

    with store.reading() as tx:
        before = tx.memories.count(Selection())
        in_another_thread(lambda: keep(beside, numbered(2)))

        assert tx.memories.count(Selection()) == before == 1
        assert len(tx.finding.words.search(["claim"], Selection(), limit=9)) == 1
        assert tx.diary.events.head().sequence == 1
        with pytest.raises(NoSuchError):
            tx.memories.get(memory_id(2))

    assert found(store, Selection()) == [memory_id(1), memory_id(2)]


@requirement("store.one-moment-read")
def test_nobody_sees_work_that_is_not_finished(store: Store, beside: Store) -> None:
    seen: list[int] = []

    with store.writing(NOON) as tx:
        tx.memories.add(numbered(1), Standing())
        in_another_thread(lambda: seen.append(len(found(beside, Selection()))))

    assert seen == [0]
    assert found(beside, Selection()) == [memory_id(1)]


def test_reading_inside_a_unit_of_work_sees_that_work(store: Store) -> None:
    with store.writing(NOON) as tx:
        tx.memories.add(numbered(1), Standing())

        assert found(store, Selection()) == [memory_id(1)]


def test_reading_inside_reading_sees_the_same_moment(store: Store, beside: Store) -> None:
    with store.reading() as tx:
        assert tx.memories.count(Selection()) == 0
        in_another_thread(lambda: keep(beside, numbered(1)))

        assert found(store, Selection()) == []


def test_a_unit_of_work_inside_another_is_a_mistake_that_shows(store: Store) -> None:
    with store.writing(NOON), pytest.raises(RuntimeError):
        keep(store, numbered(1))
    with store.reading(), pytest.raises(RuntimeError):
        keep(store, numbered(1))

    keep(store, numbered(2))

    assert found(store, Selection()) == [memory_id(2)]


def test_many_threads_write_without_losing_anything(store: Store) -> None:
    def write(thread: int) -> None:
        for number in range(5):
            keep(store, numbered(10 * thread + number))

    threads = [threading.Thread(target=write, args=(thread,)) for thread in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    expected = {memory_id(10 * thread + number) for thread in range(4) for number in range(5)}
    assert set(found(store, Selection())) == expected


@pytest.mark.parametrize(
    "write",
    [
        lambda tx: tx.memories.add(numbered(3), Standing()),
        lambda tx: tx.memories.set_standing(memory_id(1), Standing()),
        lambda tx: tx.memories.usage.put(memory_id(1), Usage()),
        lambda tx: tx.anchors.reasons.add(memory_id(1), a_reason(reference="More.")),
        lambda tx: tx.memories.forget(a_tombstone(memory_id=memory_id(1))),
        lambda tx: tx.names.bury(a_tombstone(memory_id=memory_id(9))),
        lambda tx: tx.links.put(replace(ONE_TWO, score=0.1)),
        lambda tx: tx.links.remove(ONE_TWO),
        lambda tx: tx.sessions.put(a_session()),
        lambda tx: tx.sessions.add_turn(a_turn()),
        lambda tx: tx.sessions.set_turn(a_turn(id=1)),
        lambda tx: tx.bundles.put(a_bundle()),
        lambda tx: tx.anchors.spans.put(a_span()),
    ],
)
def test_a_transaction_that_only_reads_cannot_write(
    lived_in: Store, write: Callable[[Transaction], object]
) -> None:
    before = everything_in(lived_in)

    with lived_in.reading() as tx, pytest.raises(RuntimeError):
        write(tx)

    assert everything_in(lived_in) == before


@requirement("store.nothing-acknowledged-is-lost")
def test_what_was_written_is_there_when_the_store_is_opened_again(store: Store, door: Door) -> None:
    keep(store, numbered(1), numbered(2))
    with store.writing(NOON) as tx:
        tx.sessions.put(a_session())
        tx.links.put(ONE_TWO)
        a_little_of_everything(tx)
    before = everything_in(store)
    store.close()

    again = door()

    assert everything_in(again) == before
    again.close()


def test_a_store_may_be_closed_twice(store: Store) -> None:
    keep(store, a_memory())

    store.close()
    store.close()
