"""Search by meaning: exact, nearest first, one model, only memories of the selection."""

from __future__ import annotations

import math
import random
import struct

import pytest

from holdfast.domain.choices import Kind, Origin
from holdfast.domain.errors import BadVectorError
from holdfast.domain.memory.memory import Standing
from holdfast.domain.memory.place import Place
from holdfast.domain.memory.selection import Selection
from holdfast.domain.recall.finding import EmbeddingModel, ModelUse, NearHits, Vector
from holdfast.ports.store.store import Store
from tests.builders import HERE, NOON, a_tombstone
from tests.contract.steps import in_another_thread, keep, memory_id, numbered
from tests.requirements import requirement

MODEL = EmbeddingModel(name="small@1", dimension=4)
OTHER = EmbeddingModel(name="other@1", dimension=2)
EAST, NORTH = (1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0)


def vector(*numbers: float, model: EmbeddingModel = MODEL) -> Vector:
    return Vector(model=model, values=struct.pack(f"<{len(numbers)}f", *numbers))


def toward(degrees: float) -> Vector:
    """Return a direction between east and north."""
    turn = math.radians(degrees)
    return vector(math.cos(turn), math.sin(turn), 0.0, 0.0)


def embed(store: Store, vectors: dict[int, list[Vector]], model: EmbeddingModel = MODEL) -> None:
    with store.writing(NOON) as tx:
        tx.finding.meaning.put(
            model, {memory_id(number): parts for number, parts in vectors.items()}
        )


def search(
    store: Store, question: Vector, within: Selection | None = None, *, limit: int = 9
) -> list[tuple[str, float]]:
    with store.reading() as tx:
        hits = tx.finding.meaning.search(question, within or Selection(), limit=limit).hits
        records = tx.finding.around.read([hit.sequence for hit in hits])
    ids = [record.memory.id for record in records]
    return list(zip(ids, [hit.score for hit in hits], strict=True))


def found(store: Store, question: Vector, within: Selection | None = None) -> list[str]:
    return [memory for memory, _ in search(store, question, within)]


def lacking(store: Store, model: str = MODEL.name, *, limit: int = 9) -> list[str]:
    with store.reading() as tx:
        records = tx.finding.meaning.lacking(model, beyond=None, limit=limit)
    return [record.memory.id for record in records]


@pytest.fixture
def four(store: Store) -> Store:
    """Four memories; three point 0, 30 and 60 degrees from the east, one has no vector yet."""
    keep(store, *(numbered(number) for number in (1, 2, 3, 4)))
    embed(store, {1: [toward(60)], 2: [toward(0)], 3: [toward(30)]})
    return store


def test_the_nearest_come_first_with_their_cosine(four: Store) -> None:
    hits = search(four, toward(0))

    assert [memory for memory, _ in hits] == [memory_id(2), memory_id(3), memory_id(1)]
    expected = [math.cos(math.radians(angle)) for angle in (0, 30, 60)]
    assert [score for _, score in hits] == pytest.approx(expected, abs=1e-3)


def test_the_limit_is_kept_and_nothing_is_nothing(four: Store) -> None:
    assert [memory for memory, _ in search(four, toward(60), limit=1)] == [memory_id(1)]
    assert search(four, toward(60), limit=0) == []


def test_a_search_says_that_it_was_exact_and_how_many_it_looked_at(four: Store) -> None:
    with four.reading() as tx:
        near = tx.finding.meaning.search(toward(0), Selection(), limit=1)
        nothing = tx.finding.meaning.search(vector(1.0, 0.0, model=OTHER), Selection(), limit=1)

    assert (len(near.hits), near.is_exact, near.looked_at) == (1, True, 3)
    assert nothing == NearHits(hits=(), is_exact=True, looked_at=0)


def test_how_long_a_vector_is_changes_nothing(four: Store) -> None:
    embed(four, {4: [vector(0.0, 300.0, 0.0, 0.0)]})

    assert search(four, vector(0.0, 0.001, 0.0, 0.0), limit=1) == [(memory_id(4), 1.0)]


def test_a_memory_with_several_vectors_counts_once_by_its_nearest(four: Store) -> None:
    embed(four, {4: [toward(90), toward(10), toward(180)]})

    assert found(four, toward(10))[0] == memory_id(4)
    assert len(found(four, toward(10))) == 4


def test_vectors_that_are_put_again_replace_the_old_ones(four: Store) -> None:
    embed(four, {2: [toward(90), toward(91)]})
    embed(four, {2: [toward(45)]})

    assert found(four, toward(45))[0] == memory_id(2)
    assert dict(search(four, toward(90)))[memory_id(2)] == pytest.approx(math.sqrt(0.5), abs=1e-3)
    with four.reading() as tx:
        assert tx.finding.meaning.models() == (ModelUse(model=MODEL, memories=3),)


@requirement("recall.order-never-by-chance")
def test_ties_go_to_the_memory_that_came_first(store: Store) -> None:
    keep(store, *(numbered(number) for number in (3, 1, 2)))
    embed(store, {1: [toward(20)], 2: [toward(20)], 3: [toward(20)]})

    assert found(store, toward(20)) == [memory_id(3), memory_id(1), memory_id(2)]


def test_only_what_the_selection_takes_is_found(store: Store) -> None:
    keep(store, numbered(1, kind=Kind.FACT), numbered(2, kind=Kind.RULE, tags=("auth",)))
    keep(store, numbered(3), standing=Standing(label="DEC-003"))
    embed(store, {1: [toward(0)], 2: [toward(50)], 3: [toward(80)]})

    assert found(store, toward(0), Selection(kinds=frozenset({Kind.RULE}))) == [memory_id(2)]
    assert found(store, toward(0), Selection(tags=frozenset({"auth"}))) == [memory_id(2)]
    assert found(store, toward(0), Selection(labels=frozenset({"DEC-003"}))) == [memory_id(3)]
    assert found(store, toward(0), Selection(kinds=frozenset({Kind.PLAN}))) == []


@requirement("meaning.exact")
def test_a_selection_that_takes_few_finds_them_behind_many_nearer_ones(store: Store) -> None:
    keep(store, *(numbered(number) for number in range(300)))
    keep(store, numbered(500), standing=Standing(decided_by="ada"))
    keep(store, numbered(501, expires_at=NOON))
    embed(store, {number: [toward(number / 100)] for number in range(300)})
    embed(store, {500: [toward(90)], 501: [toward(80)]})
    keep(store, numbered(502, origin=Origin.AGENT, repo="elsewhere"))
    embed(store, {502: [toward(100)]})

    assert found(store, toward(0), Selection(expired_at=NOON)) == [memory_id(501)]
    agents = Selection(origins=frozenset({Origin.AGENT}))
    assert found(store, toward(0), agents) == [memory_id(502)]
    assert found(store, toward(0), Selection(place=Place(repo="elsewhere"))) == [memory_id(502)]
    assert len(found(store, toward(0), Selection(place=HERE))) == 9
    with store.reading() as tx:
        hits = tx.finding.meaning.search(toward(90), Selection(recallable_at=NOON), limit=400).hits
    assert len(hits) == 302


@requirement("meaning.models-never-meet")
def test_memories_without_a_vector_of_the_model_do_not_appear(four: Store) -> None:
    embed(four, {4: [vector(1.0, 0.0, model=OTHER)]}, OTHER)

    assert memory_id(4) not in found(four, toward(0))
    assert found(four, vector(1.0, 0.0, model=OTHER)) == [memory_id(4)]


def test_a_model_nobody_used_finds_nothing(four: Store) -> None:
    stranger = EmbeddingModel(name="stranger", dimension=2)

    assert found(four, vector(1.0, 0.0, model=stranger)) == []
    assert lacking(four, "stranger") == [memory_id(number) for number in (1, 2, 3, 4)]


def test_a_vector_put_in_this_unit_of_work_is_found(four: Store) -> None:
    with four.writing(NOON) as tx:
        tx.finding.meaning.put(MODEL, {memory_id(4): [toward(89)], memory_id(2): [toward(88)]})
        hits = tx.finding.meaning.search(toward(90), Selection(), limit=2).hits
        records = tx.finding.around.read([hit.sequence for hit in hits])

    assert [record.memory.id for record in records] == [memory_id(4), memory_id(2)]


def test_a_vector_that_was_undone_is_not_found(four: Store) -> None:
    def put_and_give_up() -> None:
        with four.writing(NOON) as tx:
            tx.finding.meaning.put(MODEL, {memory_id(4): [toward(90)]})
            tx.finding.meaning.search(toward(90), Selection(), limit=2)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        put_and_give_up()

    assert found(four, toward(90)) == [memory_id(1), memory_id(3), memory_id(2)]


def change(store: Store) -> None:
    """Put, replace and forget vectors, and let the index follow."""
    embed(store, {3: [toward(0)], 2: [toward(90)]})
    with store.writing(NOON) as tx:
        tx.memories.forget(a_tombstone(memory_id=memory_id(1)))
    found(store, toward(0))
    embed(store, {number: [toward(0)] for number in range(4, 40)})
    found(store, toward(0))


def test_a_reader_sees_the_vectors_of_one_moment(store: Store, beside: Store) -> None:
    keep(store, *(numbered(number) for number in range(1, 40)))
    embed(store, {1: [toward(0)], 2: [toward(10)]})
    found(beside, toward(0))

    with store.reading() as tx:
        before = tx.finding.meaning.search(toward(0), Selection(), limit=9)
        in_another_thread(lambda: change(beside))

        assert tx.finding.meaning.search(toward(0), Selection(), limit=9) == before

    assert found(store, toward(0))[:2] == [memory_id(3), memory_id(4)]


@requirement("forget.leaves-no-bytes")
def test_a_forgotten_memory_is_found_no_more(four: Store) -> None:
    with four.writing(NOON) as tx:
        tx.memories.forget(a_tombstone(memory_id=memory_id(2)))

    assert found(four, toward(0)) == [memory_id(3), memory_id(1)]
    with four.reading() as tx:
        assert tx.finding.meaning.models() == (ModelUse(model=MODEL, memories=2),)
        assert set(tx.finding.meaning.likeness(toward(0), range(1, 9))) == {1, 3}


def test_vectors_of_a_memory_that_is_gone_are_passed_over(four: Store) -> None:
    with four.writing(NOON) as tx:
        tx.memories.forget(a_tombstone(memory_id=memory_id(2)))

    embed(four, {2: [toward(5)], 4: [toward(5)], 99: [toward(5)]})

    assert found(four, toward(5)) == [memory_id(4), memory_id(3), memory_id(1)]


def test_lacking_names_those_without_by_sequence_after_one(four: Store) -> None:
    keep(four, numbered(5), numbered(6))

    assert lacking(four) == [memory_id(4), memory_id(5), memory_id(6)]
    assert lacking(four, limit=1) == [memory_id(4)]
    with four.reading() as tx:
        first = tx.finding.meaning.lacking(MODEL.name, beyond=None, limit=1)
        rest = tx.finding.meaning.lacking(MODEL.name, beyond=first.beyond, limit=9)
        assert [record.memory.id for record in rest] == [memory_id(5), memory_id(6)]
    embed(four, {4: [toward(1)], 6: [toward(1)]})
    assert lacking(four) == [memory_id(5)]
    embed(four, {5: [toward(1)]})
    assert lacking(four) == []
    keep(four, numbered(7))
    assert lacking(four) == [memory_id(7)]


def test_a_dropped_model_is_gone_and_can_come_back(four: Store) -> None:
    with four.writing(NOON) as tx:
        assert tx.finding.meaning.drop(MODEL.name) == 3
        assert tx.finding.meaning.drop(MODEL.name) == 0

    assert found(four, toward(0)) == []
    assert len(lacking(four)) == 4
    embed(four, {4: [toward(0)]})
    assert found(four, toward(0)) == [memory_id(4)]


def test_likeness_is_the_cosine_of_each_that_has_a_vector(four: Store) -> None:
    with four.reading() as tx:
        likeness = tx.finding.meaning.likeness(toward(30), [1, 3, 4, 99])
        unknown = tx.finding.meaning.likeness(
            vector(1.0, model=EmbeddingModel(name="x", dimension=1)), [1]
        )

    assert likeness == {1: pytest.approx(math.cos(math.radians(30)), abs=1e-3), 3: 1.0}
    assert unknown == {}


BAD = [
    vector(),
    vector(1.0, 0.0, 0.0),
    vector(*EAST, 0.0),
    vector(0.0, 0.0, 0.0, 0.0),
    vector(math.nan, 1.0, 0.0, 0.0),
    vector(math.inf, 1.0, 0.0, 0.0),
    vector(1.0, 0.0, model=OTHER),
    vector(*EAST, model=EmbeddingModel(name=MODEL.name, dimension=5)),
]


@requirement("meaning.models-never-meet")
@pytest.mark.parametrize("bad", BAD)
def test_a_vector_that_does_not_belong_here_is_refused_and_nothing_kept(
    four: Store, bad: Vector
) -> None:
    with pytest.raises(BadVectorError):
        embed(four, {4: [vector(*NORTH), bad], 1: [vector(*NORTH)]})

    assert search(four, vector(*NORTH))[0][1] < 0.99


def test_no_vector_at_all_is_refused(four: Store) -> None:
    with pytest.raises(BadVectorError, match="at least one"):
        embed(four, {4: []})


def test_a_model_cannot_change_its_size(four: Store) -> None:
    larger = EmbeddingModel(name=MODEL.name, dimension=2)

    with pytest.raises(BadVectorError, match="4 numbers"):
        embed(four, {4: [vector(1.0, 0.0, model=larger)]}, larger)


@pytest.mark.parametrize("bad", [bad for bad in BAD if bad.model != OTHER])
def test_a_question_that_leads_nowhere_is_refused(four: Store, bad: Vector) -> None:
    with pytest.raises(BadVectorError), four.reading() as tx:
        tx.finding.meaning.search(bad, Selection(), limit=3)


@requirement("meaning.exact")
def test_no_nearer_one_is_missed_among_many_that_are_nearly_alike(store: Store) -> None:
    model = EmbeddingModel(name="wide", dimension=32)
    chance = random.Random(7)  # noqa: S311 - the same vectors in every run
    centre = [chance.gauss(0, 1) for _ in range(32)]
    points = {number: [value + chance.gauss(0, 0.02) for value in centre] for number in range(400)}
    keep(store, *(numbered(number) for number in points))
    embed(store, {n: [vector(*point, model=model)] for n, point in points.items()}, model)

    with store.reading() as tx:
        hits = tx.finding.meaning.search(vector(*centre, model=model), Selection(), limit=10).hits
        everyone = tx.finding.meaning.likeness(vector(*centre, model=model), range(1, 401))

    best = sorted(everyone, key=lambda sequence: (-everyone[sequence], sequence))[:10]
    assert [hit.sequence for hit in hits] == best
    assert [hit.score for hit in hits] == [everyone[sequence] for sequence in best]
