"""The first questions of a process: scanned without numpy, with the same answers."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from holdfast.adapters.sqlite.store import SqliteStore
from holdfast.adapters.vectors import first_scan, likeness, scanning, sidecar
from holdfast.adapters.vectors.first_scan import FirstScan, numkong_alone
from holdfast.adapters.vectors.sidecar import Sidecar
from holdfast.domain.choices import Kind
from holdfast.domain.selection import Selection
from tests.contract.steps import keep, numbered
from tests.integration.test_vector_sidecar import answers, forget, opened, put, truth

numkong = pytest.importorskip("numkong")
COUNT = 300

FRESH = """
import sys
sys.path[:0] = sys.argv[2:]
from pathlib import Path
from holdfast.adapters.sqlite.store import SqliteStore
from holdfast.adapters.vectors.sidecar import Sidecar
from holdfast.domain.finding import EmbeddingModel, Vector
from holdfast.domain.selection import Selection

store = SqliteStore.open(Path(sys.argv[1]), index=Sidecar)
model = EmbeddingModel(name="tiny@1", dimension=24)
question = Vector(model=model, values=bytes([0, 0, 128, 63]) * 24)
with store.reading() as tx:
    assert len(tx.finding.meaning.search(question, Selection(), limit=12).hits) == 12
print("numpy" in sys.modules)
import numpy
import numkong
assert numkong.dot(numpy.ones(3), numpy.ones(3)) == 3
"""


@pytest.fixture
def without_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the index believe that numpy is not loaded, though the tests have loaded it."""
    monkeypatch.setattr(sidecar, "numpy_is_loaded", lambda: False)
    monkeypatch.setattr(likeness, "numpy_is_loaded", lambda: False)
    monkeypatch.setattr(first_scan, "numkong_alone", lambda: numkong)
    monkeypatch.setattr(sidecar, "_FEW_SCANS", 1_000)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """A store with an index that has followed it."""
    store = opened(tmp_path)
    kinds = [Kind.RULE if number % 9 == 0 else Kind.FACT for number in range(COUNT)]
    keep(store, *(numbered(number, kind=kinds[number]) for number in range(COUNT)))
    put(store, {number: number for number in range(COUNT)})
    answers(store)
    yield store
    store.close()


@pytest.mark.usefixtures("without_numpy")
def test_the_first_scan_finds_what_a_full_one_finds(tmp_path: Path, store: SqliteStore) -> None:
    assert answers(store) == truth(tmp_path / "holdfast.db")


@pytest.mark.usefixtures("without_numpy")
def test_it_passes_over_what_was_removed(tmp_path: Path, store: SqliteStore) -> None:
    for number in range(0, COUNT, 2):
        forget(store, number)

    assert answers(store) == truth(tmp_path / "holdfast.db")


@pytest.mark.usefixtures("without_numpy")
def test_it_passes_over_what_changed_since(tmp_path: Path, store: SqliteStore) -> None:
    put(store, {number: 1_000 + number for number in range(5)})

    assert answers(store) == truth(tmp_path / "holdfast.db")


@pytest.mark.usefixtures("without_numpy")
def test_few_memories_are_weighed_one_by_one(tmp_path: Path, store: SqliteStore) -> None:
    rules = Selection(kinds=frozenset({Kind.RULE}))

    assert answers(store, rules) == truth(tmp_path / "holdfast.db", rules)


@pytest.mark.usefixtures("without_numpy")
def test_an_index_whose_memories_are_all_gone_finds_nothing(
    tmp_path: Path, store: SqliteStore
) -> None:
    for number in range(COUNT):
        forget(store, number)

    assert answers(store) == truth(tmp_path / "holdfast.db") == [[]] * 6


@pytest.mark.usefixtures("without_numpy")
def test_where_numkong_cannot_be_had_alone_numpy_scans(
    tmp_path: Path, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(first_scan, "numkong_alone", lambda: None)

    assert answers(store) == truth(tmp_path / "holdfast.db")


def test_a_question_is_rounded_like_a_row() -> None:
    chance = np.random.default_rng(7)
    for _ in range(20):
        question = chance.normal(size=384).astype("<f4")
        rows, scales = scanning.quantised(question[None, :])

        small, scale = first_scan._quantised(question.tobytes())

        assert (small.tolist(), scale) == (rows[0].tolist(), scales[0])


def test_the_largest_are_found_wherever_they_stand() -> None:
    chance, scan = np.random.default_rng(6), FirstScan(numkong)
    for size in (1, 63, 64, 65, 1_000, 20_001):
        scores = chance.normal(size=size).astype(np.float32)
        for limit in (1, 7, 64):
            expected = np.argsort(-scores, kind="stable")[:limit]

            assert scan._largest(memoryview(scores.tobytes()).cast("f"), limit) == expected.tolist()


def test_numpy_is_not_hidden_once_it_is_loaded() -> None:
    assert numkong_alone() is None
    assert sys.modules["numpy"] is np


def test_a_fresh_process_answers_without_numpy_and_can_load_it_later(
    tmp_path: Path, store: SqliteStore
) -> None:
    store.close()

    done = subprocess.run(
        [sys.executable, "-c", FRESH, str(tmp_path / "holdfast.db"), *sys.path],
        capture_output=True,
        check=True,
        text=True,
    )

    assert done.stdout.strip() == "False"


def test_whoever_asks_again_and_again_gets_numpy(tmp_path: Path, store: SqliteStore) -> None:
    index = Sidecar(str(tmp_path / "holdfast.db-vectors-1"))
    store.close()
    again = SqliteStore.open(tmp_path / "holdfast.db", index=lambda _place: index)

    assert answers(again) == truth(tmp_path / "holdfast.db")
    assert index._first is None
    again.close()
