"""The bundles of several threads share a commit, and none depends on the others."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from threading import Event, Thread

import pytest

from holdfast.adapters.inmemory.store import InMemoryStore, InMemoryTransaction
from holdfast.app import Holdfast
from holdfast.domain.database_errors import OutcomeUnknownError
from holdfast.domain.errors import HoldfastError, StoreBusyError, StoreDamagedError
from holdfast.domain.ids import BundleId
from holdfast.domain.recall.bundle import Bundle
from holdfast.domain.recall.question import Question
from holdfast.domain.values import replace
from holdfast.heuristics.english import ENGLISH
from holdfast.usecases.recall.shared_keeping import KeptLater, SharedKeeping
from tests.builders import ADA, NOON, FixedClock, PlainSurroundings, WordCounter
from tests.patience import PATIENCE
from tests.requirements import requirement
from tests.usecases.wishes import asked, said

ADDRESS = "postgresql://db.example.com"


@dataclass
class CountingStore(InMemoryStore):
    """Counts its units of work; those whose turn it is fail as they begin."""

    units: int = 0
    failures: list[BaseException] = field(default_factory=list)

    @contextmanager
    def writing(
        self, at: datetime, *, patience: float | None = None
    ) -> Generator[InMemoryTransaction, None, None]:
        """Fail, or keep the work."""
        self.units += 1
        if self.failures:
            raise self.failures.pop(0)
        with super().writing(at, patience=patience) as transaction:
            yield transaction


@dataclass
class LosingStore(CountingStore):
    """Stores a unit of work while others arrive, and then loses the connection."""

    arrive: Callable[[], None] | None = None

    @contextmanager
    def writing(
        self, at: datetime, *, patience: float | None = None
    ) -> Generator[InMemoryTransaction, None, None]:
        """Keep the work, and tell of it only if nobody arrives."""
        with super().writing(at, patience=patience) as transaction:
            yield transaction
        if self.arrive is not None:
            arrive, self.arrive = self.arrive, None
            arrive()
            raise OutcomeUnknownError(ADDRESS)


def opened(store: InMemoryStore) -> Holdfast:
    return Holdfast(
        principal=ADA,
        store=store,
        clock=FixedClock(),
        counter=WordCounter(),
        surroundings=PlainSurroundings(files={}),
        heuristics=ENGLISH,
    )


def answered(store: CountingStore) -> Bundle:
    """Return a bundle with one memory, which is not stored yet."""
    memory = opened(store)
    said(memory, "Tokens rotate hourly.")
    bundle = memory.answers.answer(Question(text="How often do tokens rotate?")).bundle
    assert bundle.items
    store.units = 0
    return bundle


def numbered(bundle: Bundle, number: int) -> Bundle:
    return replace(bundle, id=BundleId(f"c_20261115T1200Z_00000{number}"))


def stored(store: InMemoryStore) -> list[str]:
    with store.reading() as tx:
        return sorted(bundle.id for bundle in tx.bundles.page(beyond=None, limit=10))


def given(store: InMemoryStore, bundle: Bundle) -> int:
    with store.reading() as tx:
        return tx.memories.get(bundle.items[0].memory_id).usage.access_count


def kept_at_once(store: CountingStore, bundles: list[Bundle]) -> list[BaseException]:
    """Store bundles from a thread each; all arrive before the first unit of work is filled."""
    is_held, may_go, raised = Event(), Event(), list[BaseException]()

    @contextmanager
    def computing() -> Generator[None, None, None]:
        is_held.set()
        assert may_go.wait(PATIENCE)
        yield

    keeping = SharedKeeping(store, computing)

    def keep(bundle: Bundle) -> None:
        try:
            keeping.keep(bundle)
        except HoldfastError as error:
            raised.append(error)

    first, *others = [Thread(target=keep, args=(bundle,)) for bundle in bundles]
    first.start()
    assert is_held.wait(PATIENCE)
    for thread in others:
        thread.start()
    while len(keeping._waiting) < len(bundles):  # nothing else tells it
        assert not may_go.wait(0.001)
    may_go.set()
    for thread in (first, *others):
        thread.join(PATIENCE)
    return raised


@requirement("bundle.kept-together")
def test_bundles_that_arrive_together_share_one_unit_of_work() -> None:
    store = CountingStore()
    bundle = answered(store)
    bundles = [numbered(bundle, number) for number in range(4)]

    raised = kept_at_once(store, bundles)

    assert not raised
    assert stored(store) == [one.id for one in bundles]
    assert given(store, bundle) == len(bundles)
    assert store.units == 1


@requirement("bundle.kept-together")
def test_a_bundle_that_arrives_later_is_stored_by_the_next_unit_of_work() -> None:
    store = CountingStore()
    bundle = answered(store)
    keeping = SharedKeeping(store, nullcontext)

    keeping.keep(numbered(bundle, 1))
    keeping.keep(numbered(bundle, 2))

    assert stored(store) == [numbered(bundle, 1).id, numbered(bundle, 2).id]
    assert store.units == 2


@requirement("bundle.kept-together")
def test_bundles_whose_common_unit_of_work_failed_are_stored_alone() -> None:
    store = CountingStore()
    bundle = answered(store)
    store.failures = [StoreDamagedError("a file", "a row is damaged.")]

    SharedKeeping(store, nullcontext).keep(bundle)

    assert stored(store) == [bundle.id]
    assert given(store, bundle) == 1
    assert store.units == 2


@requirement("bundle.kept-together")
def test_a_bundle_that_may_be_stored_is_not_stored_again() -> None:
    store = LosingStore()
    bundle = answered(store)
    keeping = SharedKeeping(store, nullcontext)
    late = Thread(target=keeping.keep, args=(numbered(bundle, 2),))
    store.arrive = partial(arrived, keeping, late)

    with pytest.raises(OutcomeUnknownError):
        keeping.keep(numbered(bundle, 1))
    late.join(PATIENCE)

    assert stored(store) == [numbered(bundle, 1).id, numbered(bundle, 2).id]
    assert given(store, bundle) == 2
    assert store.units == 2


def arrived(keeping: SharedKeeping, late: Thread) -> None:
    """Start a thread, and wait until its bundle waits beside the first."""
    late.start()
    while len(keeping._waiting) < 2:  # nothing else tells it
        late.join(0.001)


@requirement("bundle.kept-together")
def test_a_store_that_is_busy_and_sets_nothing_aside_is_not_waited_for_twice() -> None:
    store = CountingStore()
    bundle = answered(store)
    store.failures = [StoreBusyError()]

    with pytest.raises(StoreBusyError):
        SharedKeeping(store, nullcontext).keep(bundle)

    assert store.units == 1


@requirement("bundle.kept-together")
def test_a_thread_that_is_stopped_leaves_its_place_to_the_next() -> None:
    store = CountingStore()
    bundle = answered(store)
    keeping = SharedKeeping(store, nullcontext)
    store.failures = [KeyboardInterrupt()]

    with pytest.raises(KeyboardInterrupt):
        keeping.keep(numbered(bundle, 1))
    keeping.keep(numbered(bundle, 2))

    assert stored(store) == [numbered(bundle, 2).id]


@requirement("bundle.kept-together")
def test_the_bundle_of_a_request_is_stored_after_its_work() -> None:
    store = CountingStore()
    memory = opened(store)
    said(memory, "Tokens rotate hourly.")
    later = KeptLater()

    bundle = asked(replace(memory, keeper=later), "How often do tokens rotate?").bundle
    before = stored(store)
    later.store(SharedKeeping(store, nullcontext))

    assert before == []
    assert stored(store) == [bundle.id]
    assert bundle.asked_at == NOON
