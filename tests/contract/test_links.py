"""Links: unique by their ends and kind."""

from __future__ import annotations

from dataclasses import replace

import pytest

from holdfast.domain.errors import NotFoundError
from holdfast.domain.memory.link import Link
from holdfast.ports.store.store import Store
from tests.builders import NOON, a_tombstone
from tests.contract.steps import keep, memory_id, numbered
from tests.requirements import requirement

ONE_TWO = Link(src=memory_id(1), dst=memory_id(2), kind="about", score=0.5)


@pytest.fixture(autouse=True)
def _three_memories(store: Store) -> None:
    keep(store, numbered(1), numbered(2), numbered(3))


def put(store: Store, *links: Link) -> None:
    with store.writing(NOON) as tx:
        for link in links:
            tx.links.put(link)


@requirement("link.unique-by-ends-and-kind")
def test_the_same_ends_and_kind_again_replace_the_score(store: Store) -> None:
    again = replace(ONE_TWO, score=0.25)

    put(store, ONE_TWO, again)

    with store.reading() as tx:
        assert tx.links.touching(memory_id(1)) == (again,)


@requirement("link.unique-by-ends-and-kind")
def test_another_kind_or_the_other_way_round_is_another_link(store: Store) -> None:
    back = Link(src=memory_id(2), dst=memory_id(1), kind="about")
    other = Link(src=memory_id(1), dst=memory_id(2), kind="blocks")

    put(store, ONE_TWO, back, other)

    with store.reading() as tx:
        assert set(tx.links.touching(memory_id(1))) == {ONE_TWO, back, other}


def test_links_from_and_to_a_memory_come_strongest_first(store: Store) -> None:
    weak = Link(src=memory_id(1), dst=memory_id(2), kind="weak", score=0.1)
    strong = Link(src=memory_id(3), dst=memory_id(1), kind="strong", score=0.9)
    even = Link(src=memory_id(1), dst=memory_id(3), kind="about", score=0.5)
    elsewhere = Link(src=memory_id(2), dst=memory_id(3), kind="about")

    put(store, weak, even, strong, ONE_TWO, elsewhere)

    with store.reading() as tx:
        assert tx.links.touching(memory_id(1)) == (strong, ONE_TWO, even, weak)


@pytest.mark.parametrize(
    "link", [replace(ONE_TWO, src=memory_id(9)), replace(ONE_TWO, dst=memory_id(9))]
)
def test_a_link_needs_a_memory_at_both_ends(store: Store, link: Link) -> None:
    with store.writing(NOON) as tx, pytest.raises(NotFoundError, match="m_009"):
        tx.links.put(link)


def test_a_link_to_a_forgotten_memory_is_refused(store: Store) -> None:
    with store.writing(NOON) as tx:
        tx.memories.forget(a_tombstone(memory_id=memory_id(2)))

        with pytest.raises(NotFoundError, match="m_002"):
            tx.links.put(ONE_TWO)


def test_taking_a_link_away_tells_whether_it_was_there(store: Store) -> None:
    put(store, ONE_TWO)

    with store.writing(NOON) as tx:
        assert tx.links.remove(replace(ONE_TWO, score=0.9)) is True
        assert tx.links.remove(ONE_TWO) is False

    with store.reading() as tx:
        assert tx.links.touching(memory_id(1)) == ()


@requirement("store.pages-never-overlap")
@pytest.mark.parametrize("limit", [1, 2, 9])
def test_links_come_by_their_ends_and_kind_a_page_at_a_time(store: Store, limit: int) -> None:
    links = [
        Link(src=memory_id(src), dst=memory_id(dst), kind=kind)
        for src, dst, kind in [(1, 2, "a"), (1, 2, "b"), (1, 3, "a"), (2, 1, "a"), (3, 1, "z")]
    ]
    put(store, *reversed(links))

    seen: list[Link] = []
    with store.reading() as tx:
        while page := tx.links.page(beyond=seen[-1] if seen else None, limit=limit):
            seen += page

    assert seen == links


def test_a_page_after_a_link_that_is_gone_goes_on_where_it_was(store: Store) -> None:
    later = Link(src=memory_id(2), dst=memory_id(3), kind="about")
    put(store, later)

    with store.reading() as tx:
        assert tx.links.page(beyond=ONE_TWO, limit=9) == (later,)


def test_links_among_memories_are_those_that_touch_any_of_them_each_once(store: Store) -> None:
    weak = Link(src=memory_id(1), dst=memory_id(2), kind="weak", score=0.1)
    strong = Link(src=memory_id(3), dst=memory_id(1), kind="strong", score=0.9)
    elsewhere = Link(src=memory_id(2), dst=memory_id(3), kind="about", score=0.5)
    put(store, weak, ONE_TWO, elsewhere, strong)

    with store.reading() as tx:
        among = tx.links.among

        assert among([memory_id(1), memory_id(2)]) == (strong, ONE_TWO, elsewhere, weak)
        assert among([memory_id(1), memory_id(1)]) == (strong, ONE_TWO, weak)
        assert among([memory_id(3), memory_id(9)]) == (strong, elsewhere)
        assert among([memory_id(9)]) == among([]) == ()


def test_links_of_a_forgotten_memory_are_not_among_any(store: Store) -> None:
    put(store, ONE_TWO)

    with store.writing(NOON) as tx:
        tx.memories.forget(a_tombstone(memory_id=memory_id(2)))

        assert tx.links.among([memory_id(1), memory_id(2)]) == ()


@requirement("store.pages-never-overlap")
def test_contradictions_come_by_their_ends_a_page_at_a_time(store: Store) -> None:
    keep(store, numbered(4))
    pairs = [(2, 1), (3, 1), (3, 2), (4, 1)]
    found = [Link(src=memory_id(a), dst=memory_id(b), kind="contradicts") for a, b in pairs]
    with store.writing(NOON) as tx:
        for link in reversed(found):
            tx.links.put(link)
            tx.links.put(replace(link, kind="related"))

    seen: list[Link] = []
    with store.reading() as tx:
        while page := tx.links.contradictions(beyond=seen[-1] if seen else None, limit=3):
            seen += page

    assert seen == found
