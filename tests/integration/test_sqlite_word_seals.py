"""The keyword index is sealed: damage to any part of it changes no answer, and stays nowhere."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import apsw
import pytest

from holdfast.adapters.sqlite.database import word_seals
from holdfast.adapters.sqlite.database.word_seals import WordSeals
from holdfast.adapters.sqlite.queries import SQL
from holdfast.adapters.sqlite.store import SqliteStore
from holdfast.domain.memory.memory import Memory, Standing, Tombstone
from holdfast.domain.memory.selection import Selection
from tests.builders import NOON
from tests.contract.steps import hits, keep, memory_id, numbered, said_nothing
from tests.requirements import requirement

MEMORIES = 120
WORDS = [f"{start}{end}" for start in ("walrus", "token", "clock", "cache") for end in "abcdefgh"]
QUESTIONS = [("walrusa", "tokenb"), ("clockc",), ("cached", "cachee", "rare7"), ("zebra",)]
PARTS = {"memory_fts_data": "block", "memory_fts_docsize": "sz"}
Row = tuple[int, bytes]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """A store whose index has several segments, because it was written in several commits."""
    opened = SqliteStore.open(tmp_path / "holdfast.db")
    for start in range(0, MEMORIES, 30):
        keep(opened, *(said(number) for number in range(start, start + 30)))
    yield opened
    opened.close()


def said(number: int) -> Memory:
    chance = random.Random(number)  # noqa: S311 - the same words in every run
    return numbered(number, claim=f"{' '.join(chance.choices(WORDS, k=9))} rare{number}")


def answers(store: SqliteStore) -> list[object]:
    found: list[object] = [hits(store, *question, limit=MEMORIES) for question in QUESTIONS]
    with store.reading() as tx:
        words = tx.finding.words
        found += words.search_each(QUESTIONS, Selection(), limit=MEMORIES)
        found.append(words.counts(WORDS))
        found.append(words.mentioning(["rare5", "walrusb"], Selection(), limit=20))
    return found


class Harm:
    """Changes rows of the index behind the back of the store."""

    def __init__(self, path: Path) -> None:
        self._connection = apsw.Connection(str(path))

    def rows(self, table: str) -> list[Row]:
        column = PARTS[table]
        found = self._connection.execute(f"SELECT id, {column} FROM {table}").fetchall()  # noqa: S608
        return cast("list[Row]", found)

    def put(self, table: str, key: int, content: bytes | None) -> None:
        column = PARTS[table]
        self._connection.execute(
            f"UPDATE {table} SET {column} = ? WHERE id = ?",  # noqa: S608
            (content, key),
        )

    def run(self, statement: str) -> None:
        self._connection.execute(statement)


@pytest.fixture
def harm(store: SqliteStore, tmp_path: Path) -> Harm:
    return Harm(tmp_path / "holdfast.db")


def flipped(content: bytes, place: int, bit: int) -> bytes:
    changed = bytearray(content)
    changed[place] ^= 1 << bit
    return bytes(changed)


def is_sealed(store: SqliteStore) -> bool:
    with store.reading() as tx:
        return WordSeals(tx.work.connection, SQL).all_hold()


@requirement("store.derived-damage-noticed")
@pytest.mark.parametrize("table", PARTS)
def test_a_flipped_bit_anywhere_in_the_index_changes_no_answer(
    store: SqliteStore, harm: Harm, table: str
) -> None:
    right = answers(store)
    places = [(*row, place) for row in harm.rows(table) for place in range(len(row[1]))]
    wrong: list[tuple[int, int]] = []
    for key, content, place in random.Random(3).sample(places, min(50, len(places))):  # noqa: S311 - repeatable
        harm.put(table, key, flipped(content, place, place % 8))
        if answers(store) != right:
            wrong.append((key, place))
        harm.put(table, key, content)

    assert wrong == []


@requirement("store.derived-damage-noticed")
@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM memory_fts_data WHERE id > 10",
        "DELETE FROM memory_fts_idx",
        "UPDATE memory_fts_idx SET pgno = pgno + 2",
        "UPDATE memory_fts_idx SET term = 'zzz' WHERE segid % 2",
        "DELETE FROM memory_fts_docsize WHERE id = 7",
        "UPDATE memory_fts_data SET id = id + 1 WHERE id = (SELECT max(id) FROM memory_fts_data)",
        "UPDATE memory_fts_data SET block = NULL WHERE id > 10",
        "DELETE FROM word_seal",
        "UPDATE word_seal SET seal = 1",
    ],
)
def test_lost_parts_and_lost_seals_change_no_answer_and_the_next_write_mends_them(
    store: SqliteStore, harm: Harm, statement: str
) -> None:
    right = answers(store)
    harm.run(statement)

    assert answers(store) == right
    assert any("word index" in warning for warning in store.warnings)
    keep(store, numbered(MEMORIES, claim="Another one."))
    assert is_sealed(store)


@requirement("store.derived-damage-noticed")
def test_a_write_does_not_carry_damage_into_a_sealed_part(store: SqliteStore, harm: Harm) -> None:
    right = [hits(store, *question, limit=MEMORIES) for question in QUESTIONS]
    key, content = max(harm.rows("memory_fts_data"), key=lambda row: len(row[1]))
    harm.put("memory_fts_data", key, content.replace(b"clockc", b"clockX"))

    # Nothing is asked meanwhile; the commits merge the damaged block with others.
    for number in range(MEMORIES, MEMORIES + 40):
        keep(store, numbered(number, claim=f"Unrelated {number}."))

    assert [hits(store, *question, limit=MEMORIES) for question in QUESTIONS] == right
    assert "clockX" not in str(harm.rows("memory_fts_data"))
    with store.reading() as tx:
        assert tx.finding.words.search(["clockx"], Selection(), limit=5) == ()


@requirement("store.derived-damage-noticed")
def test_a_search_inside_a_unit_of_work_notices_damage_too(store: SqliteStore, harm: Harm) -> None:
    right = hits(store, "clockc", limit=MEMORIES)
    for key, content in harm.rows("memory_fts_data"):
        harm.put("memory_fts_data", key, content.replace(b"clockc", b"clockX"))

    with store.writing(NOON) as tx:
        tx.memories.add(numbered(MEMORIES, claim="Another one."), Standing())
        found = tx.finding.words.search(["clockc"], Selection(), limit=MEMORIES)

    assert len(found) == len(right)
    assert is_sealed(store)
    assert hits(store, "another") == [memory_id(MEMORIES)]


@requirement("store.derived-damage-noticed")
@pytest.mark.parametrize("questions", [[("walrusa",)], [("walrusa",), ("clockc",)]])
def test_in_a_large_store_the_sizes_of_hits_are_compared(
    store: SqliteStore,
    harm: Harm,
    monkeypatch: pytest.MonkeyPatch,
    questions: list[tuple[str, ...]],
) -> None:
    monkeypatch.setattr(word_seals, "_ALL_SIZES_UP_TO", 0)

    def asked() -> object:
        with store.reading() as tx:
            return tx.finding.words.search_each(questions, Selection(), limit=MEMORIES)

    right = asked()
    for key, content in harm.rows("memory_fts_docsize"):
        harm.put("memory_fts_docsize", key, flipped(content, 0, 5))

    assert asked() == right


@requirement("store.derived-damage-noticed")
def test_doctor_compares_the_index_with_its_seals(store: SqliteStore, harm: Harm) -> None:
    harm.run("UPDATE word_seal SET seal = seal + 1 WHERE part = 2")

    found = [one for one in store.upkeep.check(said_nothing) if one.check == "words"]

    assert [one.message for one in found] == ["The word index does not match its seals."]
    store.upkeep.repair(said_nothing)
    assert is_sealed(store)


@requirement("store.derived-damage-noticed")
@pytest.mark.parametrize("seed", range(3))
def test_the_seals_follow_every_change_of_the_index(tmp_path: Path, seed: int) -> None:
    store = SqliteStore.open(tmp_path / "holdfast.db")
    chance, kept, last = random.Random(seed), list[int](), 0  # noqa: S311 - repeatable
    for _ in range(60):
        with store.writing(NOON) as tx:
            for _ in range(chance.choice((1, 1, 3, 40))):
                tx.memories.add(said(last), Standing())
                kept.append(last)
                last += 1
            for number in chance.sample(kept, min(len(kept), chance.choice((0, 1, 5)))):
                kept.remove(number)
                tx.memories.forget(
                    Tombstone(memory_id=memory_id(number), forgotten_at=NOON, forgotten_by="tester")
                )
        if chance.random() < 0.1:
            store.upkeep.scrub()
        assert is_sealed(store)

    assert store.warnings == ()
    store.close()
