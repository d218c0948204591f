"""Usage: the store adds to counts for every caller; no caller replaces a count."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest

from holdfast.domain.memory.memory import Usage
from holdfast.ports.store.store import Store
from tests.builders import NOON, a_tombstone
from tests.contract.steps import keep, memory_id, numbered, read
from tests.requirements import requirement

LATER = NOON + timedelta(hours=1)


def give(store: Store, *numbers: int) -> None:
    with store.writing(LATER) as tx:
        tx.memories.usage.count_given([memory_id(number) for number in numbers], LATER)


def test_what_was_given_is_counted_with_its_moment(store: Store) -> None:
    keep(store, numbered(1), numbered(2), numbered(3))

    give(store, 1, 2)
    give(store, 2)

    usages = [read(store, memory_id(number)).usage for number in (1, 2, 3)]
    assert usages == [
        Usage(access_count=1, last_accessed=LATER),
        Usage(access_count=2, last_accessed=LATER),
        Usage(),
    ]


def test_a_memory_named_twice_was_given_once(store: Store) -> None:
    keep(store, numbered(1))

    give(store, 1, 1)

    assert read(store, memory_id(1)).usage.access_count == 1


def test_what_is_not_here_is_passed_over(store: Store) -> None:
    keep(store, numbered(1), numbered(2))
    with store.writing(NOON) as tx:
        tx.memories.forget(a_tombstone(memory_id=memory_id(2)))

    give(store, 9, 2)
    give(store, 2, 1, 9)

    assert read(store, memory_id(1)).usage.access_count == 1


@requirement("store.usage-is-added")
@pytest.mark.parametrize(
    ("ratings", "good", "bad"),
    [
        ([(None, True)], 1, 0),
        ([(None, False)], 0, 1),
        ([(None, True), (True, False)], 0, 1),
        ([(None, True), (True, True)], 1, 0),
        ([(False, True)], 1, 0),
    ],
)
def test_a_changed_rating_moves_the_count(
    store: Store, ratings: list[tuple[bool | None, bool]], good: int, bad: int
) -> None:
    keep(store, numbered(1))
    give(store, 1)

    for before, now in ratings:
        with store.writing(NOON) as tx:
            tx.memories.usage.rate([memory_id(1), memory_id(9)], before=before, now=now)

    expected = Usage(access_count=1, last_accessed=LATER, good=good, bad=bad)
    assert read(store, memory_id(1)).usage == expected


@requirement("store.usage-is-added")
def test_two_who_count_at_once_are_both_counted(store: Store, beside: Store) -> None:
    keep(store, numbered(1))

    def count(counting: Store) -> None:
        for _ in range(10):
            give(counting, 1)

    threads = [threading.Thread(target=count, args=(each,)) for each in (store, beside, store)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert read(store, memory_id(1)).usage.access_count == 30


def test_counting_is_no_event(store: Store) -> None:
    keep(store, numbered(1))
    with store.reading() as tx:
        before = tx.diary.events.head()

    give(store, 1)

    with store.reading() as tx:
        assert tx.diary.events.head() == before
