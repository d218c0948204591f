"""What the reads of an open store have learned: later reads ask less, and never use what is old."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from holdfast.adapters.postgres.asking import numbered
from holdfast.adapters.postgres.database.learned import Learned
from holdfast.adapters.postgres.database.work import PostgresWork
from holdfast.adapters.postgres.store import PostgresOptions, PostgresStore
from holdfast.adapters.sqlite.database.rows import Row, as_json
from holdfast.adapters.sqlite.database.terms import measure
from holdfast.domain.memory.memory import Standing
from tests.builders import NOON, a_tombstone
from tests.contract import steps
from tests.contract.steps import memory_id
from tests.postgres_server import server
from tests.requirements import requirement

if TYPE_CHECKING:
    from holdfast.adapters.postgres.database.work import Values

MOST = 5
PLACE: Values = {"place_repo": "github.com/acme/app", "most": MOST}
WORDS: Values = (as_json(["harbour", "unheard", "walrus"]),)


@pytest.fixture
def stores() -> Iterator[tuple[PostgresStore, PostgresStore]]:
    """The same store, opened twice: what one of them learns, the other does not know."""
    options = PostgresOptions(tenant=uuid4())
    with (
        closing(PostgresStore.open(server().url(), options)) as one,
        closing(PostgresStore.open(server().url(), options)) as other,
    ):
        yield one, other


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of the statements that are sent."""
    names: list[str] = []
    asked = PostgresWork.asked

    def noting(self: PostgresWork, name: str, values: Values = None) -> list[Row]:
        names.append(name)
        return asked(self, name, values)

    monkeypatch.setattr(PostgresWork, "asked", noting)
    return names


def rows(store: PostgresStore, name: str, values: Values) -> list[Row]:
    """Ask inside a read that knows the counters of the store, as a recall does."""
    with store.reading() as tx:
        tx.work.rows("count_memories")
        return sorted(tx.work.rows(name, values))


def add(store: PostgresStore, first: int, last: int) -> None:
    with store.writing(NOON) as tx:
        for number in range(first, last + 1):
            claim = f"Walrus {number} swims in the harbour."
            tx.memories.add(steps.numbered(number, claim=claim), Standing())


def measure_words(store: PostgresStore) -> None:
    with store.writing(NOON) as tx:
        measure(tx.work, tx.work.last_sequence())


@requirement("postgres.learned-counts-while-true")
def test_a_crowded_place_is_counted_once(
    stores: tuple[PostgresStore, PostgresStore], sent: list[str]
) -> None:
    store, _ = stores
    add(store, 1, MOST + 1)

    found = [rows(store, "place_reach", PLACE)[0][0] for _ in range(3)]
    add(store, MOST + 2, MOST + 3)
    found.append(rows(store, "place_reach", PLACE)[0][0])

    assert min(found) >= MOST
    assert sent.count("place_reach") == 1


@requirement("postgres.learned-counts-while-true")
def test_a_place_is_counted_again_after_another_program_forgot_a_memory(
    stores: tuple[PostgresStore, PostgresStore],
) -> None:
    store, other = stores
    add(store, 1, MOST)
    assert rows(store, "place_reach", PLACE) == [(MOST,)]

    with other.writing(NOON) as tx:
        tx.memories.forget(a_tombstone(memory_id=memory_id(2)))

    assert rows(store, "place_reach", PLACE) == [(MOST - 1,)]


@requirement("postgres.learned-counts-while-true")
def test_words_are_read_once_for_each_measurement(
    stores: tuple[PostgresStore, PostgresStore], sent: list[str]
) -> None:
    store, other = stores
    add(other, 1, 4)
    measure_words(other)

    first = [rows(store, "shares_of", WORDS) for _ in range(4)]
    assert [name for name in sent if name.endswith("_shares") or name.startswith("shares_")] == [
        "shares_of",
        "all_shares",
    ]
    with other.writing(NOON) as tx:
        for number in range(5, 9):
            tx.memories.add(steps.numbered(number, claim=f"Seal {number}."), Standing())
    measure_words(other)
    later = [rows(store, "shares_of", WORDS) for _ in range(4)]

    assert first == [[("harbour", 1.0)]] * 4
    assert later == [[(term, share / 2) for term, share in first[0]]] * 4


def test_a_store_without_a_measurement_is_asked_each_time() -> None:
    learned = Learned()

    assert [learned.shares(["a"], None, list) for _ in range(2)] == [None, None]


def test_only_so_many_places_are_noted() -> None:
    learned = Learned()
    for number in range(2_500):
        learned.note_crowded((number, MOST), removed=0)

    assert learned.is_crowded((2_499, MOST), removed=0)
    assert not learned.is_crowded((2_499, MOST), removed=1)
    assert len(learned._crowded) <= 1_000


def test_a_missing_value_becomes_part_of_the_statement() -> None:
    text, names = numbered("bundles_before", frozenset({"beyond"}))

    assert names == ("limit",)
    assert b"NULL::text IS NULL OR id < NULL" in text
    assert text.rstrip().endswith(b"LIMIT $1;")
