"""Search on a server: the scores of the embedded store, and an index that says what it is."""

from __future__ import annotations

import json
import random
import struct
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, cast
from uuid import uuid4

import psycopg
import pytest

from holdfast.adapters.postgres.database.work import PostgresWork
from holdfast.adapters.postgres.recall import meaning
from holdfast.adapters.postgres.store import PostgresOptions, PostgresStore
from holdfast.adapters.sqlite.store import SqliteStore
from holdfast.domain.choices import Kind, Origin
from holdfast.domain.errors import BadVectorError
from holdfast.domain.memory.selection import Selection
from holdfast.domain.recall.finding import EmbeddingModel, NearHits, Vector
from holdfast.ports.store.store import Store
from holdfast.usecases.memory.forget import Forget, forget
from tests.builders import NOON, FixedClock
from tests.contract.steps import keep, memory_id, numbered
from tests.postgres_server import server
from tests.requirements import requirement

if TYPE_CHECKING:
    from holdfast.adapters.postgres.database.work import Values
    from holdfast.adapters.sqlite.database.rows import Row

MODEL = EmbeddingModel(name="wide", dimension=256)
WORDS = [
    *("token", "rotate", "hourly", "deploy", "script", "worker", "health", "traffic", "cache"),
    *("port", "proxy", "queue", "retry", "index", "src/app.py", "max_line_length", "refreshToken"),
    *("Größe", "the", "a", "of", "commit", "branch", "merge", "server", "client"),
]


@pytest.fixture
def store() -> Iterator[PostgresStore]:
    with closing(PostgresStore.open(server().url(), PostgresOptions(tenant=uuid4()))) as one:
        yield one


def claims(many: int) -> list[str]:
    chance = random.Random(3)  # noqa: S311 - the same claims in every run
    # Few of the words are in most claims, as in real text.
    weights = [1 / (place + 1) for place in range(len(WORDS))]
    return [" ".join(chance.choices(WORDS, weights, k=chance.randint(4, 18))) for _ in range(many)]


def scores(store: Store, terms: list[str], *, limit: int = 10) -> list[tuple[int, float]]:
    with store.reading() as tx:
        hits = tx.finding.words.search(terms, Selection(), limit=limit)
    return [(hit.sequence, hit.score) for hit in hits]


@requirement("store.backends-agree")
@pytest.mark.parametrize("many", [40, 1_200], ids=["a small store", "a large store"])
def test_keyword_scores_are_those_of_the_embedded_store(
    store: PostgresStore, tmp_path: Path, many: int
) -> None:
    memories = [
        numbered(n, claim=claim, tags=("auth", "ops")[: n % 3], key=f"key-{n}" if n % 5 else None)
        for n, claim in enumerate(claims(many))
    ]
    with closing(SqliteStore.open(tmp_path / "holdfast.db")) as embedded:
        for one in (store, embedded):
            keep(one, *memories)

        for terms in (
            ["token"],
            ["rotate", "traffic"],
            ["src/app.py", "queue"],
            ["the", "of", "merge"],
            ["max_line_length", "refresh", "auth"],
            ["größe", "client", "nothing"],
            ["token", "rotate", "hourly", "deploy", "script", "worker"],
        ):
            ours, theirs = scores(store, terms), scores(embedded, terms)
            assert [sequence for sequence, _ in ours] == [sequence for sequence, _ in theirs], terms
            assert [score for _, score in ours] == pytest.approx([s for _, s in theirs], rel=1e-6)
            with store.reading() as tx, embedded.reading() as other:
                counted = tx.finding.words.counts(terms)
                expected = other.finding.words.counts(terms)
            assert counted == expected


@requirement("store.backends-agree")
def test_scores_stay_those_of_the_embedded_store_as_memories_come_and_go(
    store: PostgresStore, tmp_path: Path
) -> None:
    memories = [numbered(n, claim=claim) for n, claim in enumerate(claims(1_300))]
    with closing(SqliteStore.open(tmp_path / "holdfast.db")) as embedded:
        for one in (store, embedded):
            keep(one, *memories[:1_100])
            for number in (3, 500, 1_099):
                wish = Forget(reference=memory_id(number))
                forget(wish, origin=Origin.HUMAN, store=one, clock=FixedClock())
            keep(one, *memories[1_100:])

        for terms in (["cache", "port"], ["queue", "hourly"], ["merge", "deploy", "worker"]):
            ours, theirs = scores(store, terms), scores(embedded, terms)
            assert [sequence for sequence, _ in ours] == [sequence for sequence, _ in theirs], terms
            assert [score for _, score in ours] == pytest.approx([s for _, s in theirs], rel=1e-6)


@requirement("store.backends-agree")
def test_common_words_help_to_rank_what_a_rare_word_finds(
    store: PostgresStore, tmp_path: Path
) -> None:
    rare = ["walrus", "walrus script worker", "walrus health", "walrus of the sea", "walrus"]
    made = [claim for n, claim in enumerate(claims(1_200)) for claim in (claim, *rare[n:][:1])]
    memories = [numbered(n, claim=claim) for n, claim in enumerate(made)]
    asked = [["walrus", "script", "worker", "health"], ["walrus", "worker"], ["walrus"], ["queue"]]
    with closing(SqliteStore.open(tmp_path / "holdfast.db")) as embedded:
        for one in (store, embedded):
            keep(one, *memories)

        for terms in asked:
            ours, theirs = dict(scores(store, terms)), dict(scores(embedded, terms))
            assert list(ours) == list(theirs), terms
            assert ours == pytest.approx(theirs, rel=1e-6), terms
        with store.reading() as tx, embedded.reading() as other:
            each, expected = (
                it.finding.words.search_each(asked, Selection(), limit=10) for it in (tx, other)
            )
    assert [[hit.sequence for hit in some] for some in each] == [
        [hit.sequence for hit in some] for some in expected
    ]
    found = [made[hit.sequence - 1] for hit in each[0]]
    assert sorted(found) == sorted(rare)
    assert found.index("walrus health") < found.index("walrus of the sea")


def direction(chance: random.Random) -> Vector:
    values = [chance.gauss(0, 1) for _ in range(MODEL.dimension)]
    return Vector(model=MODEL, values=struct.pack(f"<{MODEL.dimension}f", *values))


@pytest.fixture
def embedded(store: PostgresStore) -> PostgresStore:
    chance = random.Random(5)  # noqa: S311 - the same vectors in every run
    keep(store, *(numbered(n, kind=Kind.RULE if n == 7 else Kind.FACT) for n in range(150)))
    with store.writing(NOON) as tx:
        tx.finding.meaning.put(
            MODEL, {memory_id(n): [direction(chance)] * (1 + n % 2) for n in range(150)}
        )
    return store


def near(store: Store, question: Vector, within: Selection, *, limit: int = 10) -> NearHits:
    with store.reading() as tx:
        return tx.finding.meaning.search(question, within, limit=limit)


def use_index(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this small store search as a large one does."""
    monkeypatch.setattr(meaning, "FEWEST_INDEXED", 1)
    monkeypatch.setattr(meaning, "LEAST_SHARE", 0.0)
    monkeypatch.setattr("holdfast.adapters.sqlite.memory.memories._FEW", 0)


@requirement("meaning.says-whether-exact")
def test_a_large_store_uses_the_index_and_says_so(
    embedded: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(9)  # noqa: S311 - the same questions in every run
    questions = [direction(chance) for _ in range(5)]
    exact = [near(embedded, question, Selection()) for question in questions]
    use_index(monkeypatch)

    found = [near(embedded, question, Selection()) for question in questions]

    assert {one.is_exact for one in exact} == {True}
    assert {one.is_exact for one in found} == {False}
    assert all(one.looked_at > 0 for one in found)
    same = sum(len(set(one.hits) & set(two.hits)) for one, two in zip(exact, found, strict=True))
    assert same >= 0.98 * sum(len(one.hits) for one in exact)


@requirement("meaning.says-whether-exact")
def test_the_index_gives_way_to_a_scan_where_too_few_come_back(
    embedded: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(9)  # noqa: S311 - the same question in every run
    use_index(monkeypatch)
    question = direction(chance)

    rule = near(embedded, question, Selection(kinds=frozenset({Kind.RULE})))
    everything = near(embedded, question, Selection(), limit=150)

    assert [hit.sequence for hit in rule.hits] == [8]
    assert rule.is_exact
    assert len(everything.hits) == 150


def test_a_search_asks_little_and_reads_the_vectors_that_can_be_among_the_best(
    embedded: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(9)  # noqa: S311 - the same question in every run
    question = direction(chance)
    use_index(monkeypatch)
    near(embedded, question, Selection())
    asked: dict[str, Values] = {}
    ask = PostgresWork.asked

    def noting(work: PostgresWork, name: str, values: Values = None) -> list[Row]:
        asked[name] = values
        return ask(work, name, values)

    monkeypatch.setattr(PostgresWork, "asked", noting)
    found = near(embedded, question, Selection())

    # The number of vectors in the partition was asked before.
    assert list(asked) == ["model_named", "nearest_by_index", "embeddings_of"]
    _, read = cast("tuple[int, str]", asked["embeddings_of"])
    assert len(found.hits) == 10
    assert 10 <= len(json.loads(read)) <= 16


def test_a_vector_that_is_too_large_for_the_server_is_refused(store: PostgresStore) -> None:
    huge = EmbeddingModel(name="huge", dimension=20_000)
    keep(store, numbered(1))
    given = Vector(model=huge, values=struct.pack("<20000f", *([1.0] * 20_000)))

    def work() -> None:
        with store.writing(NOON) as tx:
            tx.finding.meaning.put(huge, {memory_id(1): [given]})

    with pytest.raises(BadVectorError, match="16,000"):
        work()


@pytest.mark.parametrize("dimension", sorted(meaning.INDEXED_DIMENSIONS))
def test_every_indexed_size_has_an_index_that_searches_use(dimension: int) -> None:
    asked = f"[{','.join(['1'] * dimension)}]"
    with psycopg.connect(server().url()) as connection:
        found = connection.execute(
            "SELECT count(*) FROM pg_indexes WHERE indexname = %s", (f"near_{dimension}",)
        ).fetchall()
        connection.execute("SET search_path = holdfast, public")
        connection.cursor().execute(
            "SELECT * FROM nearest_by_index(1, %s, %s::halfvec, 1)", (dimension, asked)
        )

    assert found == [(1,)]
