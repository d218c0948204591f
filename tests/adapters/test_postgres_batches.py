"""Many memories at once: few statements, and the same results as one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

import holdfast
from holdfast.adapters.postgres.database.work import PostgresWork
from holdfast.adapters.postgres.store import PostgresOptions, PostgresStore
from holdfast.domain.choices import Status
from holdfast.domain.errors import AlreadyRememberedError, ForgottenError, UnstorableTextError
from holdfast.domain.ids import BundleId
from holdfast.domain.memory.memory import Standing, Tombstone
from holdfast.domain.memory.selection import Selection
from holdfast.surfaces.python.api import MemoryStore
from tests.builders import NOON, a_bundle
from tests.contract.steps import found, hits, memory_id, numbered, read
from tests.postgres_server import server
from tests.requirements import requirement

if TYPE_CHECKING:
    from holdfast.adapters.postgres.database.work import Values
    from holdfast.adapters.sqlite.database.rows import Row

MOST_STATEMENTS = 30


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[MemoryStore]:
    monkeypatch.setenv("HOLDFAST_TENANT", uuid4().hex)
    with holdfast.open(home=tmp_path, folder=tmp_path, store=server().url()) as opened:
        yield opened


@pytest.fixture
def store() -> Iterator[PostgresStore]:
    with closing(PostgresStore.open(server().url(), PostgresOptions(tenant=uuid4()))) as opened:
        yield opened


def statements(memory: MemoryStore, claims: list[str], file: Path) -> int:
    """Return how many statements a batch sends, as the driver's own trace counts them."""
    store = memory.app.store
    assert isinstance(store, PostgresStore)
    (connection,) = store._engine._pool._idle
    with file.open("wb") as trace:
        connection.pgconn.trace(trace.fileno())
        memory.remember_all(claims, scope="global", because="we agreed")
        connection.pgconn.untrace()
    return len(re.findall(rb"\tExecute\t|\tQuery\t", file.read_bytes()))


@requirement("ingest.few-statements")
def test_a_batch_sends_as_many_statements_for_many_memories_as_for_few(
    memory: MemoryStore, tmp_path: Path
) -> None:
    memory.remember_all([f"The {word} begins." for word in "abc"], scope="global", because="so")
    few = [f"Service {number} listens on port {8_000 + 7 * number}." for number in range(10)]
    many = [f"Team {number} owns the queue named q{number * 31}x." for number in range(100)]

    counts = [statements(memory, claims, tmp_path / f"{len(claims)}.txt") for claims in (few, many)]

    assert max(counts) <= MOST_STATEMENTS, counts
    assert counts[1] <= counts[0] + 6, "only the measuring of common words is added"


@requirement("ingest.few-statements")
def test_a_claim_that_is_twice_in_a_batch_is_kept_once(memory: MemoryStore) -> None:
    memory.remember("Tokens rotate hourly.", scope="global", because="we agreed")

    kept = memory.remember_all(
        ["Port 8080 is taken.", "Tokens rotate hourly.", "Port 8080 is taken."],
        scope="global",
        because="they said so",
    )

    assert [one.outcome for one in kept] == ["added", "evidence-added", "known"]
    assert kept[0].id == kept[2].id


@requirement("ingest.few-statements")
def test_rows_that_wait_are_seen_by_the_next_question(store: PostgresStore) -> None:
    with store.writing(NOON) as tx:
        tx.finding.words.expect([numbered(1), numbered(2)])
        tx.memories.add(numbered(1, claim="A walrus."), Standing())
        assert tx.memories.get(memory_id(1)).memory.claim == "A walrus."
        with pytest.raises(AlreadyRememberedError):
            tx.memories.add(numbered(1), Standing())
        tx.memories.set_standing(memory_id(1), Standing(status=Status.REJECTED))
        tx.memories.set_standing(memory_id(1), Standing(status=Status.ACCEPTED, pinned=True))
        tx.memories.add(numbered(2, claim="A seal."), Standing())

    assert read(store, memory_id(1)).standing.pinned
    assert hits(store, "seal") == [memory_id(2)]


@requirement("ingest.few-statements")
def test_an_announced_memory_that_was_forgotten_does_not_come_back(store: PostgresStore) -> None:
    grave = Tombstone(memory_id=memory_id(1), forgotten_at=NOON, forgotten_by="ada", reason="")
    with store.writing(NOON) as tx:
        tx.memories.add(numbered(1), Standing())
        tx.memories.forget(grave)
    with store.writing(NOON) as tx:
        tx.finding.words.expect([numbered(1)])
        with pytest.raises(ForgottenError):
            tx.memories.add(numbered(1), Standing())


def test_a_text_that_cannot_be_stored_is_refused_at_once(store: PostgresStore) -> None:
    with store.writing(NOON) as tx:
        tx.memories.add(numbered(1), Standing())
        with pytest.raises(UnstorableTextError):
            tx.memories.add(numbered(2, claim="a\x00b"), Standing())

    assert found(store, Selection()) == [memory_id(1)]


def test_texts_with_quotes_and_backslashes_read_back_exactly(store: PostgresStore) -> None:
    odd = 'A "quoted" \\ path\n{with, commas} NULL é \U0001f600'
    with store.writing(NOON) as tx:
        tx.memories.add(numbered(1, claim=odd, tags=('a"b', "NULL", "c\\d")), Standing())

    kept = read(store, memory_id(1)).memory
    assert (kept.claim, kept.tags) == (odd, ('a"b', "NULL", "c\\d"))


@requirement("ingest.few-statements")
def test_many_bundles_of_a_unit_of_work_are_counted_with_one_question(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    asked = PostgresWork.asked

    def noting(self: PostgresWork, name: str, values: Values = None) -> list[Row]:
        sent.append(name)
        return asked(self, name, values)

    monkeypatch.setattr(PostgresWork, "asked", noting)
    with store.writing(NOON) as tx:
        tx.memories.add(numbered(1), Standing())
        tx.memories.add(numbered(2), Standing())
    sent.clear()

    with store.writing(NOON) as tx:
        for minute in range(5):
            at = NOON + timedelta(minutes=minute)
            tx.bundles.put(a_bundle(id=f"c_{minute}", asked_at=at))
            tx.memories.usage.count_given([memory_id(1), memory_id(1 + minute % 2)], at)
        tx.bundles.put(a_bundle(id="c_0", good=True))

    assert sent == ["usage_of"]
    kept = [read(store, memory_id(number)).usage for number in (1, 2)]
    assert [one.access_count for one in kept] == [5, 2]
    assert [one.last_accessed for one in kept] == [
        NOON + timedelta(minutes=4),
        NOON + timedelta(minutes=3),
    ]
    with store.reading() as tx:
        assert [tx.bundles.get(BundleId(f"c_{one}")).good for one in range(5)] == [
            True,
            *[None] * 4,
        ]


def test_what_was_given_is_counted_before_the_same_work_rates_or_reads_it(
    store: PostgresStore,
) -> None:
    with store.writing(NOON) as tx:
        tx.memories.add(numbered(1), Standing())
        tx.memories.usage.count_given([memory_id(1)], NOON)
        tx.memories.usage.rate([memory_id(1)], before=None, now=True)
        tx.memories.usage.count_given([memory_id(1)], NOON)
        seen = tx.memories.get(memory_id(1)).usage

    assert (seen.access_count, seen.good) == (2, 1)
