"""A read whose caller gives up ends, even inside a statement of the database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from threading import Event, Thread

import pytest

from holdfast.adapters.postgres.store import PostgresStore
from holdfast.adapters.sqlite.store import SqliteStore
from holdfast.bootstrap.service.deadline import RequestDeadline
from holdfast.domain.memory.memory import Standing
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.service_errors import TimedOutError
from tests.builders import NOON, a_memory
from tests.contract.conftest import STORES, Door
from tests.endless import read_forever
from tests.patience import PATIENCE
from tests.requirements import requirement

Cancellable = SqliteStore | PostgresStore


@pytest.fixture(params=sorted(STORES.keys() - {"inmemory"}))
def door(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Door:
    return STORES[request.param](tmp_path_factory.mktemp("store"))


@pytest.fixture
def real(door: Door) -> Iterator[Cancellable]:
    opened = door()
    assert isinstance(opened, SqliteStore | PostgresStore)
    yield opened
    opened.close()


class Reader:
    """A thread that reads for a caller who gives up."""

    def __init__(self, store: Cancellable) -> None:
        self.deadline = RequestDeadline()
        self.outcome: list[object] = []
        self._store = store
        self._has_begun = Event()
        self._thread = Thread(target=self._read, daemon=True)

    def given_up_in_the_middle(self) -> object:
        """Return how the read ends that is given up once it has begun."""
        self._thread.start()
        assert self._has_begun.wait(PATIENCE)
        self.deadline.give_up()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        return self.outcome[0]

    def _read(self) -> None:
        try:
            with self._store.cancelled_by(self.deadline), self._store.reading() as tx:
                self._has_begun.set()
                read_forever(tx)
        except TimedOutError as error:
            self.outcome.append(error)


@requirement("http.given-up-reads-end")
def test_a_statement_ends_when_its_read_is_given_up(real: Cancellable) -> None:
    ended = Reader(real).given_up_in_the_middle()

    assert isinstance(ended, TimedOutError)


@requirement("http.given-up-reads-end")
def test_the_connections_are_usable_after_reads_that_were_given_up(real: Cancellable) -> None:
    memory = a_memory()
    for _ in range(3):
        Reader(real).given_up_in_the_middle()

    with real.writing(NOON) as tx:
        tx.memories.add(memory, Standing())
    with real.cancelled_by(RequestDeadline()), real.reading() as tx:
        assert tx.memories.get(memory.id) is not None


@requirement("http.given-up-reads-end")
def test_a_read_that_was_given_up_before_it_began_reads_nothing(real: Cancellable) -> None:
    deadline = RequestDeadline()
    deadline.give_up()

    with pytest.raises(TimedOutError), real.cancelled_by(deadline):
        pytest.fail("the block was run")


@requirement("http.given-up-reads-end")
def test_a_read_that_is_given_up_between_two_statements_asks_nothing_more(
    real: Cancellable,
) -> None:
    deadline, asked = RequestDeadline(), list[int]()

    with suppress(TimedOutError), real.cancelled_by(deadline), real.reading() as tx:
        asked.append(len(tx.memories.find(Selection(), Page(limit=1))))
        deadline.give_up()
        asked.append(len(tx.memories.find(Selection(), Page(limit=1))))

    assert asked == [0]


@requirement("http.given-up-reads-end")
def test_a_read_inside_another_one_leaves_its_cancellation_in_force(real: Cancellable) -> None:
    outer = RequestDeadline()

    with real.cancelled_by(outer):
        with real.cancelled_by(RequestDeadline()), real.reading() as tx:
            tx.memories.find(Selection(), Page(limit=1))
        outer.give_up()
        with pytest.raises(TimedOutError), real.reading() as tx:
            tx.memories.find(Selection(), Page(limit=1))


@requirement("http.given-up-reads-end")
def test_other_readers_do_not_notice_a_read_that_is_given_up(real: Cancellable) -> None:
    memory = a_memory()
    with real.writing(NOON) as tx:
        tx.memories.add(memory, Standing())

    with real.reading() as tx:
        ended = Reader(real).given_up_in_the_middle()
        found = tx.memories.get(memory.id)

    assert isinstance(ended, TimedOutError)
    assert found is not None


@requirement("http.given-up-reads-end")
def test_a_unit_of_work_is_not_cut_by_its_caller_who_gives_up(real: Cancellable) -> None:
    memory, deadline = a_memory(), RequestDeadline()

    with real.cancelled_by(deadline), real.writing(NOON) as tx:
        deadline.give_up()
        with real.reading() as inside:
            assert inside.memories.get_many([memory.id]) == {}
        tx.memories.add(memory, Standing())

    with real.reading() as tx:
        assert tx.memories.get(memory.id) is not None
