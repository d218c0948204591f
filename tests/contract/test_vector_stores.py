"""Every vector store: the same answers as the vectors of the store itself, whatever it holds."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from holdfast.adapters.postgres.store import PostgresOptions, PostgresStore
from holdfast.adapters.sqlite.store import SqliteStore
from holdfast.bootstrap.plugs.scanning import outside_store, vector_store
from holdfast.domain.choices import Kind
from holdfast.domain.memory.selection import Selection
from holdfast.domain.recall.finding import EmbeddingModel, Vector
from holdfast.ports.store.store import Store
from tests.builders import NOON, a_tombstone
from tests.chroma_server import install, needs_chroma, shared_server
from tests.contract.steps import in_another_thread, keep, memory_id, numbered
from tests.postgres_server import server
from tests.requirements import requirement

MODEL = EmbeddingModel(name="small@1", dimension=8)
OTHER = EmbeddingModel(name="other@1", dimension=8)
COUNT = 60
Door = Callable[[], Store]


def _in_a_file(setting: str) -> Callable[[Path], Door]:
    def opener(folder: Path) -> Door:
        index = vector_store(lambda: setting.format(folder=folder / "chroma"))
        return lambda: SqliteStore.open(folder / "holdfast.db", index=index)

    return opener


def _plain(folder: Path) -> Door:
    return lambda: SqliteStore.open(folder / "holdfast.db")


def _chroma_folder(setting: str) -> Callable[[Path], Door]:
    def opener(folder: Path) -> Door:
        install()
        return _in_a_file(setting)(folder)

    return opener


def _chroma_server(folder: Path) -> Door:
    return _in_a_file(shared_server().setting)(folder)


def _pgvector(_: Path) -> Door:
    options = PostgresOptions(tenant=uuid4())
    return lambda: PostgresStore.open(server().url(), options)


def _postgres_and_chroma(_: Path) -> Door:
    outside = outside_store(lambda: shared_server().setting)
    options = PostgresOptions(tenant=uuid4(), outside=outside)
    return lambda: PostgresStore.open(server().url(), options)


DOORS: dict[str, Callable[[Path], Door]] = {
    "plain": _plain,
    "sidecar": _in_a_file("sidecar"),
    "pgvector": _pgvector,
    "chroma beside the store": _chroma_folder("chroma"),
    "chroma in a folder": _chroma_folder("chroma:{folder}"),
    "chroma server": _chroma_server,
    "postgres and chroma server": _postgres_and_chroma,
}


@pytest.fixture(
    params=[
        pytest.param(name, marks=[needs_chroma] if "chroma" in name else [], id=name)
        for name in DOORS
    ]
)
def door(request: pytest.FixtureRequest, tmp_path: Path) -> Door:
    return DOORS[request.param](tmp_path)


@pytest.fixture(autouse=True)
def _as_in_a_large_store(monkeypatch: pytest.MonkeyPatch) -> None:
    as_in_a_large_store(monkeypatch)


def as_in_a_large_store(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask the index in a small store too; normally the store lists its few memories itself."""
    monkeypatch.setattr("holdfast.adapters.sqlite.memory.memories._FEW", 0)


@pytest.fixture
def store(door: Door) -> Iterator[Store]:
    opened = door()
    yield opened
    opened.close()


def vector(seed: int, model: EmbeddingModel = MODEL) -> Vector:
    chance = random.Random(seed)  # noqa: S311 - the same vectors in every run
    numbers = [chance.gauss(0, 1) for _ in range(model.dimension)]
    return Vector(model=model, values=struct.pack(f"<{model.dimension}f", *numbers))


def embed(store: Store, seeds: dict[int, list[int]], model: EmbeddingModel = MODEL) -> None:
    with store.writing(NOON) as tx:
        tx.finding.meaning.put(
            model,
            {memory_id(one): [vector(seed, model) for seed in some] for one, some in seeds.items()},
        )


def fill(store: Store, count: int = COUNT) -> None:
    kinds = [Kind.RULE if number % 9 == 0 else Kind.FACT for number in range(count)]
    keep(store, *(numbered(number, kind=kinds[number]) for number in range(count)))
    embed(store, {number: [number] for number in range(count)})


def nearest(
    store: Store, seed: int, within: Selection | None = None, *, limit: int = 5
) -> list[str]:
    """Return the ids of the nearest memories."""
    with store.reading() as tx:
        hits = tx.finding.meaning.search(vector(seed), within or Selection(), limit=limit).hits
        return [one.memory.id for one in tx.finding.around.read([hit.sequence for hit in hits])]


def cosine(first: Vector, second: Vector) -> float:
    one, other = (struct.unpack("<8f", vector.values) for vector in (first, second))
    length = (sum(a * a for a in one) * sum(b * b for b in other)) ** 0.5
    return float(sum(a * b for a, b in zip(one, other, strict=True)) / length)


def expected(seeds: dict[int, list[int]], question: int, *, limit: int = 5) -> list[str]:
    """Return what a comparison with every vector gives."""
    best = {
        number: max(cosine(vector(seed), vector(question)) for seed in some)
        for number, some in seeds.items()
    }
    return [memory_id(number) for number in sorted(best, key=lambda one: -best[one])[:limit]]


@requirement("vectors.contract")
def test_the_nearest_memories_are_found(store: Store) -> None:
    fill(store)
    seeds = {number: [number] for number in range(COUNT)}

    for question in range(1_000, 1_010):
        assert nearest(store, question) == expected(seeds, question)


def test_a_memory_is_found_by_any_of_its_vectors_once(store: Store) -> None:
    fill(store, 30)
    embed(store, {3: [500, 501, 502], 4: [503]})
    seeds = {number: [number] for number in range(30)} | {3: [500, 501, 502], 4: [503]}

    assert [nearest(store, one, limit=1) for one in (500, 501, 502, 503)] == [
        [memory_id(3)],
        [memory_id(3)],
        [memory_id(3)],
        [memory_id(4)],
    ]
    assert nearest(store, 77, limit=30) == expected(seeds, 77, limit=30)


@requirement("vectors.contract")
def test_replaced_and_forgotten_vectors_do_not_answer(store: Store, door: Door) -> None:
    fill(store)
    nearest(store, 1)

    embed(store, {7: [900]})
    with store.writing(NOON) as tx:
        tx.memories.forget(a_tombstone(memory_id=memory_id(8)))

    seeds = {number: [number] for number in range(COUNT) if number != 8} | {7: [900]}
    again = door()
    try:
        for one in (store, again):
            for question in (7, 8, 900):
                assert nearest(one, question) == expected(seeds, question)
    finally:
        again.close()


def test_only_memories_of_the_selection_are_found(store: Store) -> None:
    fill(store)
    rules = Selection(kinds=frozenset({Kind.RULE}))
    seeds = {number: [number] for number in range(0, COUNT, 9)}

    assert nearest(store, 42, rules, limit=9) == expected(seeds, 42, limit=9)


@requirement("vectors.never-mixed")
def test_vectors_of_another_model_are_never_compared(store: Store) -> None:
    fill(store, 20)
    keep(store, numbered(90))
    embed(store, {90: [5]}, OTHER)

    assert memory_id(90) not in nearest(store, 5, limit=30)
    with store.reading() as tx:
        other = tx.finding.meaning.search(vector(5, OTHER), Selection(), limit=30)
    assert len(other.hits) == 1


@requirement("vectors.never-mixed")
def test_another_store_in_the_same_place_has_vectors_of_its_own(
    request: pytest.FixtureRequest, store: Store, tmp_path: Path
) -> None:
    fill(store, 10)
    nearest(store, 1)
    name = request.node.callspec.params["door"]
    (tmp_path / "beside").mkdir()
    other = DOORS[name](tmp_path / "beside")()

    try:
        assert nearest(other, 1) == []
        fill(other, 3)
        assert len(nearest(other, 1, limit=30)) == 3
        assert len(nearest(store, 1, limit=30)) == 10
    finally:
        other.close()


def test_a_unit_of_work_sees_its_own_vectors_and_an_undone_one_leaves_none(store: Store) -> None:
    fill(store, 30)
    nearest(store, 1)

    seen: list[float] = []

    def put_and_undo() -> None:
        with store.writing(NOON) as tx:
            tx.finding.meaning.put(MODEL, {memory_id(2): [vector(800)]})
            near = tx.finding.meaning.search(vector(800), Selection(), limit=1)
            seen.extend(round(hit.score, 3) for hit in near.hits)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        put_and_undo()

    assert seen == [1.0]
    assert nearest(store, 800) == expected({one: [one] for one in range(30)}, 800)


def test_a_reader_sees_the_vectors_of_its_own_moment(store: Store, door: Door) -> None:
    fill(store, 40)
    nearest(store, 1)
    seeds = {number: [number] for number in range(40)}

    def change() -> None:
        later = door()
        try:
            embed(later, {number: [number + 700] for number in range(30)})
            nearest(later, 700)
        finally:
            later.close()

    with store.reading() as tx:
        tx.finding.meaning.models()
        in_another_thread(change)
        found = tx.finding.meaning.search(vector(3), Selection(), limit=5)
        ids = [one.memory.id for one in tx.finding.around.read([h.sequence for h in found.hits])]

    assert ids == expected(seeds, 3)
