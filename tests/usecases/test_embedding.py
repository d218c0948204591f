from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.app import Holdfast
from holdfast.domain.errors import NoMeaningError, StoreReadOnlyError
from holdfast.domain.ids import MemoryId
from holdfast.domain.recall.finding import EmbeddingModel, ModelUse, Vector
from holdfast.usecases.memory.forget import Forget
from holdfast.usecases.recall.recalled_memories import CaughtUp, answering, catch_up
from tests.builders import FixedClock
from tests.requirements import requirement
from tests.usecases.reading import SmallReader
from tests.usecases.test_recall import ReadOnlyStore
from tests.usecases.wishes import said


@dataclass
class ForgetfulReader(SmallReader):
    """Forgets a memory while it reads, as another process may."""

    holdfast: Holdfast | None = None
    victim: str = ""

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[Vector]]:
        """Read, and forget meanwhile."""
        if self.holdfast is not None and not self.texts:
            self.holdfast.memories.forget(Forget(reference=self.victim, by="ada"))
        return super().embed(texts)


@pytest.fixture(autouse=True)
def _small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a step have eight memories, so that a few of them are several steps."""
    monkeypatch.setattr("holdfast.usecases.recall.recalled_memories._STEP", 8)


def fill(holdfast: Holdfast, count: int) -> list[MemoryId]:
    return [said(holdfast, f"Service {n} has a token.").memory.id for n in range(count)]


def covered(store: InMemoryStore) -> int:
    with store.reading() as tx:
        return sum(use.memories for use in tx.finding.meaning.models())


def test_every_memory_gets_its_vector_in_steps_and_progress_is_told(
    holdfast: Holdfast, store: InMemoryStore, clock: FixedClock
) -> None:
    fill(holdfast, 20)
    told: list[tuple[int, int]] = []
    reader = SmallReader()

    caught = catch_up(
        store=store, clock=clock, embedder=reader, progress=lambda *at: told.append(at)
    )

    assert caught == CaughtUp(memories=20, is_complete=True)
    assert (len(reader.texts), covered(store)) == (20, 20)
    assert len(told) > 1
    assert [done for done, _ in told] == sorted({done for done, _ in told})
    assert {total for _, total in told} == {20}
    assert told[-1] == (20, 20)


def test_nothing_is_read_twice(holdfast: Holdfast, store: InMemoryStore, clock: FixedClock) -> None:
    fill(holdfast, 3)
    reader = SmallReader()

    first = catch_up(store=store, clock=clock, embedder=reader)
    again = catch_up(store=store, clock=clock, embedder=reader)

    assert first.memories == len(reader.texts) == 3
    assert again == CaughtUp(memories=0, is_complete=True)


@pytest.mark.parametrize(
    ("most", "done", "is_complete"),
    [(1, 1, False), (9, 9, False), (10, 10, True), (12, 10, True)],
)
def test_at_most_so_many_are_read_and_whether_any_is_left_is_told(
    holdfast: Holdfast,
    store: InMemoryStore,
    clock: FixedClock,
    most: int,
    done: int,
    is_complete: bool,  # noqa: FBT001 - a column of the table above
) -> None:
    fill(holdfast, 10)

    caught = catch_up(store=store, clock=clock, embedder=SmallReader(), most=most)

    assert caught == CaughtUp(memories=done, is_complete=is_complete)
    assert covered(store) == done


def test_progress_counts_only_what_was_lacking(
    holdfast: Holdfast, store: InMemoryStore, clock: FixedClock
) -> None:
    fill(holdfast, 5)
    catch_up(store=store, clock=clock, embedder=SmallReader(), most=2)
    told: list[tuple[int, int]] = []

    catch_up(store=store, clock=clock, embedder=SmallReader(), progress=lambda *at: told.append(at))

    assert told == [(3, 3)]


@requirement("forget.leaves-no-bytes")
def test_a_memory_forgotten_while_it_is_read_gets_no_vector(
    holdfast: Holdfast, store: InMemoryStore, clock: FixedClock
) -> None:
    kept, gone = fill(holdfast, 2)
    reader = ForgetfulReader(holdfast=holdfast, victim=gone)

    catch_up(store=store, clock=clock, embedder=reader)

    assert covered(store) == 1
    assert not [name for name in store._state.vectors if gone in name]
    assert ("small", kept) in store._state.vectors


def test_no_lock_is_held_while_a_model_reads(
    holdfast: Holdfast, store: InMemoryStore, clock: FixedClock
) -> None:
    victim, *_ = fill(holdfast, 1)

    catch_up(store=store, clock=clock, embedder=ForgetfulReader(holdfast=holdfast, victim=victim))

    with store.reading() as tx:
        assert tx.names.tombstone(victim) is not None


def test_a_read_only_store_says_so_and_stays_as_it_is(
    holdfast: Holdfast, store: InMemoryStore, clock: FixedClock
) -> None:
    fill(holdfast, 2)

    with pytest.raises(StoreReadOnlyError):
        catch_up(store=ReadOnlyStore(_state=store._state), clock=clock, embedder=SmallReader())

    assert covered(store) == 0


def test_what_was_read_before_a_model_broke_stays(
    holdfast: Holdfast, store: InMemoryStore, clock: FixedClock
) -> None:
    fill(holdfast, 10)
    reader = SmallReader()

    def break_it(_done: int, _total: int) -> None:
        reader.is_blind = True

    with pytest.raises(NoMeaningError, match="torn"):
        catch_up(store=store, clock=clock, embedder=reader, progress=break_it)

    assert covered(store) == len(reader.texts) > 0


def use(name: str, memories: int) -> ModelUse:
    return ModelUse(model=EmbeddingModel(name=name, dimension=96), memories=memories)


@requirement("meaning.models-never-meet")
@pytest.mark.parametrize(
    ("uses", "who"),
    [
        ([], "new"),
        ([use("new", 10)], "new"),
        ([use("old", 10)], "old"),
        ([use("old", 100), use("new", 10)], "old"),
        ([use("old", 100), use("new", 99)], "old"),
        ([use("old", 100), use("new", 100)], "new"),
        ([use("older", 100), use("old", 40), use("new", 0)], "older"),
        ([use("removed", 1_000)], "new"),
    ],
)
def test_the_chosen_model_answers_once_no_other_covers_more(uses: list[ModelUse], who: str) -> None:
    embedders = [SmallReader(name=name) for name in ("new", "old", "older")]

    assert answering(embedders, uses).model.name == who
