"""Search: nothing is syntax, common words never make it walk through everything."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.adapters.sqlite.database.terms import Term, tokens_of
from holdfast.adapters.sqlite.recall import word_queries
from holdfast.adapters.sqlite.store import SqliteStore
from holdfast.domain.memory.memory import Standing
from holdfast.domain.memory.selection import Selection
from holdfast.domain.recall.question import terms_of
from tests.builders import NOON
from tests.contract.steps import hits, keep, memory_id, numbered, records_of
from tests.requirements import requirement


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteStore]:
    opened = SqliteStore.open(tmp_path_factory.mktemp("words") / "holdfast.db")
    keep(
        opened,
        numbered(1, claim="Refresh tokens rotate in AuthService.refreshToken every hour."),
        numbered(2, claim="The port is 8080.", key="http-port", tags=("network",)),
        numbered(3, claim="Ein Café mit Überraschung."),
    )
    yield opened
    opened.close()


@requirement("recall.query-is-never-syntax")
@given(terms=st.lists(st.text(max_size=30), max_size=5))
def test_no_text_is_ever_query_syntax(store: SqliteStore, terms: list[str]) -> None:
    with store.reading() as tx:
        found = tx.finding.words.search(terms, Selection(), limit=5)
        tx.finding.words.alike(" ".join(terms), Selection(), limit=5)

    assert len(found) <= 3


@requirement("recall.query-is-never-syntax")
@pytest.mark.parametrize(
    "term",
    ['"', "'", "NEAR(", "a AND", "value:port", "-port", "port*", "^port", "{a b}", "\0", "\ud800"],
)
def test_what_would_be_syntax_is_only_looked_up(store: SqliteStore, term: str) -> None:
    assert set(hits(store, term)) <= {memory_id(2)}


@pytest.mark.parametrize(
    ("term", "number"),
    [
        ("rotation", 1),
        ("refresh", 1),
        ("AUTH", 1),
        ("service", 1),
        ("refreshtoken", 1),
        ("8080", 2),
        ("http", 2),
        ("networks", 2),
        ("cafe", 3),
        ("uberraschung", 3),
    ],
)
def test_words_are_found_by_stem_part_key_tag_and_without_accents(
    store: SqliteStore, term: str, number: int
) -> None:
    assert hits(store, term) == [memory_id(number)]


def test_a_memory_is_found_in_the_unit_of_work_that_adds_it(tmp_path: Path) -> None:
    store = SqliteStore.open(tmp_path / "holdfast.db")

    with store.writing(NOON) as tx:
        tx.memories.add(numbered(1, claim="A walrus."), Standing())
        found = tx.finding.words.search(["walrus"], Selection(), limit=5)

        assert [record.memory.id for record in records_of(tx, found)] == [memory_id(1)]
    store.close()


def test_in_a_small_store_a_word_of_every_memory_still_counts(tmp_path: Path) -> None:
    store = SqliteStore.open(tmp_path / "holdfast.db")
    keep(store, numbered(1, claim="Token one."), numbered(2, claim="Token two."))

    with store.reading() as tx:
        found = tx.finding.words.search(["token", "two"], Selection(), limit=5)

        records = records_of(tx, found)

    assert [record.memory.id for record in records] == [memory_id(2), memory_id(1)]
    assert found[1].score > 0.1 * found[0].score
    store.close()


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteStore]:
    """Two thousand memories: a few words everywhere, some often, one word once."""
    opened = SqliteStore.open(tmp_path_factory.mktemp("large") / "holdfast.db")
    chance = random.Random(5)  # noqa: S311 - the same words in every run
    often = [f"often{n}" for n in range(20)]
    for start in range(0, 2_000, 500):
        keep(
            opened,
            *(
                numbered(n, claim=f"the is of {' '.join(chance.sample(often, 4))} only{n} again")
                for n in range(start, start + 500)
            ),
        )
    yield opened
    opened.close()


def test_how_common_words_are_is_measured_as_the_store_grows(large: SqliteStore) -> None:
    with large.reading() as tx:
        shares = {
            str(term): float(str(share))
            for term, share in tx.work.connection.execute("SELECT term, share FROM common_term")
        }

    assert shares["the"] == 1.0
    assert 0.1 < shares["often3"] < 0.3
    assert "only7" not in shares


def test_a_rare_word_among_common_ones_finds_its_memory_first(large: SqliteStore) -> None:
    assert hits(large, "the", "is", "of", "often1", "only1234")[0] == memory_id(1234)


def test_common_words_alone_still_find_something(large: SqliteStore) -> None:
    assert len(hits(large, "the", "is", "of", limit=20)) == 20
    assert len(hits(large, "the", limit=20)) == 20


def test_a_selection_that_takes_few_looks_deeper(large: SqliteStore) -> None:
    with large.writing(NOON) as tx:
        tx.memories.set_standing(memory_id(3), Standing(label="DEC-003"))

    assert hits(large, "the", "again", within=Selection(labels=frozenset({"DEC-003"}))) == [
        memory_id(3)
    ]


@pytest.mark.parametrize(
    ("spread", "asked"),
    [
        ([0.0, 0.0], ["match"]),
        ([0.0001, 0.3], ["match"]),
        ([0.0001, 0.05], ["match_helped"]),
        ([0.5, 0.9], ["match_newest", "match_newest"]),
        ([0.012, 0.015], ["match", "match_newest"]),
    ],
)
def test_of_a_million_memories_none_is_asked_for_all(spread: list[float], asked: list[str]) -> None:
    terms = [Term(quoted=f'"{n}"', tokens=(str(n),), share=share) for n, share in enumerate(spread)]

    ways = word_queries.ways(terms, 1_000_000)

    assert [way.query for way in ways] == asked


def test_common_words_help_to_rank_the_memories_with_a_rare_word() -> None:
    terms = [Term(quoted=f'"{n}"', tokens=(str(n),), share=n / 20) for n in range(2)]

    (way,) = word_queries.ways(terms, 1_000_000)

    assert way == ('("0") AND ("1")', "match_helped", '"0"')


@requirement("recall.many-searches-cost-their-sum")
def test_many_searches_at_once_take_no_more_steps_than_one_by_one(tmp_path: Path) -> None:
    store = SqliteStore.open(tmp_path / "holdfast.db")
    chance = random.Random(5)  # noqa: S311 - the same words in every run
    keep(
        store,
        *(
            numbered(n, claim=f"tenth{n % 10} {' '.join(chance.sample(_THIRDS, 2))} only{n}")
            for n in range(2_000)
        ),
    )
    questions = [(f"tenth{n}", *_THIRDS) for n in range(5)]

    with store.reading() as tx:
        words, steps = tx.finding.words, _Steps(tx.work.connection)
        alone = [words.search(terms, Selection(), limit=5) for terms in questions]
        one_by_one = steps.taken()
        together = words.search_each(questions, Selection(), limit=5)
        at_once = steps.taken()

    assert list(together) == alone
    assert at_once < 2 * one_by_one
    store.close()


_THIRDS = [f"third{n}" for n in range(6)]


class _Steps:
    """Counts the steps of SQLite since it was last asked."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._count = 0
        connection.set_progress_handler(self._step, 1, id=self)

    def _step(self) -> bool:
        self._count += 1
        return False

    def taken(self) -> int:
        """Return the steps since the last call."""
        taken, self._count = self._count, 0
        return taken


def test_a_search_that_takes_too_long_ends(
    large: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as hurry:
        hurry.setattr(word_queries, "LONGEST_CPU_SECONDS", -1.0)
        hurry.setattr(word_queries, "STEPS_BETWEEN_LOOKS", 1)
        assert hits(large, "the", "often1", "often2") == []
        with large.reading() as tx:
            both = tx.finding.words.search_each([("the",), ("often1",)], Selection(), limit=3)
        assert [*map(len, both)] == [0, 0]

    assert hits(large, "only7") == [memory_id(7)]


def test_the_index_sees_words_as_we_do() -> None:
    connection = apsw.Connection(":memory:")

    seen = tokens_of(["Refresh-tokens, rotations!", "", "ÜBER"], connection)

    assert seen == [("refresh", "token", "rotat"), (), ("uber",)]
    assert terms_of("Refresh-tokens")
