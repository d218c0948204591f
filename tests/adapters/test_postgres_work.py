"""Units of work on a server: retried or reported after a failure, never half done."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from threading import Event, Thread
from uuid import UUID, uuid4

import psycopg
import pytest

from holdfast.adapters.postgres.database.address import read_address
from holdfast.adapters.postgres.store import PostgresOptions, PostgresStore
from holdfast.adapters.postgres.units.engine import PostgresEngine
from holdfast.bootstrap.service.deadline import RequestDeadline
from holdfast.domain.database_errors import OutcomeUnknownError, ServerUnreachableError
from holdfast.domain.errors import StoreBusyError, StoreUnreadableError, UnstorableTextError
from holdfast.domain.memory.memory import Standing
from holdfast.domain.memory.place import DEFAULT_SPACE, SpaceId
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.refusals import WorkUndoneError
from holdfast.domain.service_errors import TimedOutError
from holdfast.usecases.repeating import repeatable
from tests.builders import NOON, a_bundle
from tests.contract.steps import found, in_another_thread, keep, memory_id, numbered
from tests.endless import read_forever
from tests.patience import PATIENCE
from tests.postgres_server import APP, READY, server
from tests.requirements import requirement


def opened(
    tenant: UUID | None = None, *, url: str | None = None, space: str = "default"
) -> PostgresStore:
    options = PostgresOptions(tenant=tenant or uuid4(), space=SpaceId(space))
    return PostgresStore.open(url or server().url(), options)


@pytest.fixture
def store() -> Iterator[PostgresStore]:
    with closing(opened()) as one:
        yield one


def end_connections(of: str = APP) -> None:
    """Let the server end every connection of a role, as a restart does."""
    with psycopg.connect(server().url(READY, "postgres"), autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = %s", (of,)
        )


@requirement("http.given-up-reads-end")
def test_a_read_that_began_again_on_another_connection_ends_when_it_is_given_up(
    store: PostgresStore,
) -> None:
    deadline, has_begun, outcome = RequestDeadline(), Event(), list[object]()

    def work() -> None:
        try:
            with store.cancelled_by(deadline), store.reading() as tx:
                tx.names.starting("", limit=1)
                has_begun.set()
                read_forever(tx)
        except TimedOutError as error:
            outcome.append(error)

    found(store, Selection())
    end_connections()
    reader = Thread(target=work, daemon=True)
    reader.start()
    assert has_begun.wait(PATIENCE)
    deadline.give_up()
    reader.join(PATIENCE)

    assert len(outcome) == 1


@requirement("store.work-may-be-repeated")
def test_work_whose_connection_was_lost_is_repeated_and_happens_once(store: PostgresStore) -> None:
    tries: list[int] = []

    @repeatable
    def work() -> None:
        with store.writing(NOON) as tx:
            tx.memories.add(numbered(len(tries)), Standing())
            tries.append(1)
            if len(tries) == 1:
                end_connections()
            tx.names.starting("", limit=1)

    work()

    assert len(tries) == 2
    assert found(store, Selection()) == [memory_id(1)]


@requirement("store.all-or-nothing")
def test_a_lost_connection_is_reported_as_work_that_was_undone(store: PostgresStore) -> None:
    def work() -> None:
        with store.writing(NOON) as tx:
            tx.memories.add(numbered(1), Standing())
            end_connections()
            tx.memories.add(numbered(2), Standing())

    with pytest.raises(WorkUndoneError):
        work()

    assert found(store, Selection()) == []


def test_idle_connections_that_the_server_ended_are_replaced(store: PostgresStore) -> None:
    keep(store, numbered(1))
    end_connections()

    assert found(store, Selection()) == [memory_id(1)]
    end_connections()
    keep(store, numbered(2))
    assert found(store, Selection()) == [memory_id(1), memory_id(2)]


def test_a_read_whose_connection_was_lost_says_so(store: PostgresStore) -> None:
    def work() -> None:
        with store.reading() as tx:
            tx.memories.count(Selection())
            end_connections()
            tx.finding.tunings.history(DEFAULT_SPACE)

    with pytest.raises(ServerUnreachableError, match="lost"):
        work()


@pytest.mark.parametrize(
    ("error", "reported"),
    [
        (psycopg.errors.DivisionByZero("odd"), StoreUnreadableError),
        (psycopg.errors.AdminShutdown("ended"), ServerUnreachableError),
    ],
)
def test_a_read_that_fails_before_its_first_question_opens_no_snapshot(
    error: psycopg.Error, reported: type[Exception]
) -> None:
    tenant = uuid4()
    opened(tenant).close()
    address, options = read_address(server().url()), PostgresOptions(tenant=tenant)
    with closing(PostgresEngine(address, options)) as engine:
        reading = engine.reading()
        work = reading.__enter__()
        with pytest.raises(reported):
            reading.__exit__(type(error), error, None)

        assert work.opened is None


class Proxy:
    """Passes bytes to the server; it can cut a connection around a commit, as a network does."""

    def __init__(self, folder: Path) -> None:
        self.cut: str = ""
        self.is_away = False
        self.cuts = 0
        self.folder = folder
        self._threads: list[threading.Thread] = []
        self._sockets = [socket.socket(socket.AF_UNIX)]
        self._sockets[0].bind(str(folder / ".s.PGSQL.5432"))
        self._sockets[0].listen(16)
        self._start(self._accept)

    def close(self) -> None:
        # shutdown wakes a thread that waits for the socket; close alone does not.
        for one in self._sockets:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        for one in self._sockets:
            one.close()

    def _start(self, target: Callable[..., None], *values: object) -> None:
        thread = threading.Thread(target=target, args=values)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._sockets[0].accept()
                if self.is_away:
                    client.close()
                    continue
                behind = socket.socket(socket.AF_UNIX)
                self._sockets += [client, behind]
                behind.connect(str(server().folder / ".s.PGSQL.5432"))
                self._start(self._pass_on, client, behind)
                self._start(self._pass_back, behind, client)

    def _pass_on(self, client: socket.socket, behind: socket.socket) -> None:
        with suppress(OSError):
            while data := client.recv(65_536):
                if b"COMMIT" in data and self.cut:
                    self._cut(client, behind, data)
                    break
                behind.sendall(data)
        self._end(client, behind)

    def _pass_back(self, behind: socket.socket, client: socket.socket) -> None:
        with suppress(OSError):
            while data := behind.recv(65_536):
                client.sendall(data)
        self._end(client, behind)

    def _end(self, *both: socket.socket) -> None:
        for one in both:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def _cut(self, client: socket.socket, behind: socket.socket, data: bytes) -> None:
        how, self.cut = self.cut, ""
        self.cuts += 1
        # No answer reaches the client any more, but the server may get the commit first.
        client.shutdown(socket.SHUT_WR)
        if how == "after":
            behind.sendall(data)


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[Proxy]:
    with closing(Proxy(tmp_path)) as one:
        yield one


@requirement("store.commit-outcome-known")
@pytest.mark.parametrize("how", ["before", "after"])
def test_work_whose_commit_lost_its_answer_is_stored_exactly_once(proxy: Proxy, how: str) -> None:
    tries: list[int] = []

    with closing(opened(url=f"postgresql://{APP}@/{READY}?host={proxy.folder}")) as store:

        @repeatable
        def work() -> None:
            tries.append(1)
            with store.writing(NOON) as tx:
                tx.memories.add(numbered(1), Standing())
                if len(tries) == 1:
                    proxy.cut = how

        work()

        assert proxy.cuts == 1
        assert len(tries) == (2 if how == "before" else 1)
        assert found(store, Selection()) == [memory_id(1)]
        with store.reading() as tx:
            assert tx.diary.events.head().sequence == 1


@requirement("store.commit-outcome-known")
def test_a_commit_whose_outcome_nobody_can_tell_says_so(proxy: Proxy) -> None:
    options = PostgresOptions(tenant=uuid4(), wait_seconds=0.2)
    address = f"postgresql://{APP}@/{READY}?host={proxy.folder}"

    with closing(PostgresStore.open(address, options)) as store:

        def work() -> None:
            with store.writing(NOON) as tx:
                tx.memories.add(numbered(1), Standing())
                proxy.cut, proxy.is_away = "after", True

        with pytest.raises(OutcomeUnknownError, match="either stored whole or not at all"):
            work()
        proxy.is_away = False
        assert found(store, Selection()) == [memory_id(1)]


def test_a_second_writer_of_the_space_is_told_that_it_is_busy() -> None:
    tenant = uuid4()
    refused: list[StoreBusyError] = []

    def write_beside() -> None:
        with closing(opened(tenant)) as beside:
            with pytest.raises(StoreBusyError) as refusal, beside.writing(NOON, patience=0.0):
                pass
            refused.append(refusal.value)

    with closing(opened(tenant)) as store, store.writing(NOON):
        in_another_thread(write_beside)

    assert len(refused) == 1


@pytest.mark.parametrize("before", [0, 1, 2])
def test_a_writer_that_waited_in_vain_can_write_later(before: int) -> None:
    """The driver must not take statements for prepared that the failed wait kept from running."""
    options = PostgresOptions(tenant=uuid4(), connections=1)
    with closing(PostgresStore.open(server().url(), options)) as store:
        use(store, before)
        refuse_lock(store, options.tenant)
        for number in range(3):
            keep(store, numbered(number))

        assert len(found(store, Selection())) == 3


def use(store: PostgresStore, writes: int) -> None:
    """Let the driver prepare what each transaction runs, and count what few of them run."""
    for _ in range(3):
        found(store, Selection())
    for _ in range(writes):
        with store.writing(NOON):
            pass


def refuse_lock(store: PostgresStore, tenant: UUID) -> None:
    """Let a store wait in vain for the lock of its space."""

    def wait() -> None:
        with pytest.raises(StoreBusyError), store.writing(NOON, patience=0.0):
            pass

    with closing(opened(tenant)) as other, other.writing(NOON):
        in_another_thread(wait)


@pytest.mark.parametrize(
    ("before", "raised"), [(0, None), (1, None), (2, None), (1, ValueError), (2, ValueError)]
)
def test_a_store_whose_statement_failed_can_write_later(
    before: int, raised: type[Exception] | None
) -> None:
    options = PostgresOptions(tenant=uuid4(), connections=1)
    with closing(PostgresStore.open(server().url(), options)) as store:
        use(store, 1)
        for _ in range(before):
            give(store)
        with psycopg.connect(server().url(READY, "postgres")) as other:
            other.execute("LOCK TABLE holdfast.bundle IN SHARE MODE")
            with pytest.raises(raised or StoreBusyError):
                give(store, patience=0.01, raised=raised)
        give(store)
        keep(store, numbered(1))

        assert found(store, Selection()) == [memory_id(1)]


def give(
    store: PostgresStore, *, patience: float = 10.0, raised: type[Exception] | None = None
) -> None:
    """Store a bundle, and count its memories as given."""
    with store.writing(NOON, patience=patience) as tx:
        tx.bundles.put(a_bundle())
        if raised is not None:
            raise raised
        tx.memories.usage.count_given([memory_id(1)], NOON)


@requirement("server.spaces-run-in-parallel")
def test_writers_of_other_spaces_and_readers_do_not_wait() -> None:
    tenant = uuid4()
    seen: list[object] = []

    def elsewhere() -> None:
        with closing(opened(tenant, space="other")) as other:
            keep(other, numbered(5))
            seen.append(found(other, Selection()))
        with closing(opened(tenant)) as same:
            seen.append(found(same, Selection()))

    with closing(opened(tenant)) as store, store.writing(NOON) as tx:
        tx.memories.add(numbered(1), Standing())
        in_another_thread(elsewhere)

    assert seen == [[memory_id(5)], []]


def test_all_connections_in_use_is_said_and_changes_nothing() -> None:
    options = PostgresOptions(tenant=uuid4(), connections=1, wait_seconds=0.05)
    with closing(PostgresStore.open(server().url(), options)) as store:
        refused: list[BaseException] = []

        def read_beside() -> None:
            with pytest.raises(StoreBusyError, match="connections") as refusal:
                found(store, Selection())
            refused.append(refusal.value)

        with store.reading() as tx:
            tx.memories.count(Selection())
            in_another_thread(read_beside)

    assert len(refused) == 1


def test_a_closed_store_says_so(store: PostgresStore) -> None:
    store.close()

    with pytest.raises(StoreUnreadableError, match="closed"):
        found(store, Selection())


@requirement("postgres.a-read-begins-with-its-first-question")
def test_a_read_without_a_question_takes_no_connection() -> None:
    options = PostgresOptions(tenant=uuid4(), connections=1, wait_seconds=60)
    with closing(PostgresStore.open(server().url(), options)) as store, store.reading():
        in_another_thread(lambda: found(store, Selection()))


@requirement("postgres.a-read-begins-with-its-first-question")
def test_a_read_sees_what_was_committed_before_its_first_question(store: PostgresStore) -> None:
    with store.reading() as tx:
        in_another_thread(lambda: keep(store, numbered(1)))
        first = tx.memories.count(Selection())
        in_another_thread(lambda: keep(store, numbered(2)))
        again = len(tx.memories.find(Selection(), Page()))

    assert (first, again) == (1, 1)


def test_closing_inside_a_read_ends_it() -> None:
    store = opened()
    reading = store.reading()
    reading.__enter__().memories.count(Selection())
    store.close()

    reading.__exit__(None, None, None)

    with pytest.raises(StoreUnreadableError):
        found(store, Selection())


@pytest.mark.parametrize(
    "write",
    [
        lambda tx: tx.memories.add(numbered(1, claim="a\0b"), Standing()),
        lambda tx: tx.names.starting("\0", limit=1),
        lambda tx: tx.memories.get_many([memory_id(1), "\0"]),
        lambda tx: tx.bundles.put(a_bundle(id="c_\0")),
    ],
)
def test_text_that_postgres_cannot_hold_is_refused_and_nothing_is_written(
    store: PostgresStore, write: Callable[[object], object]
) -> None:
    def work() -> None:
        with store.writing(NOON) as tx:
            tx.memories.add(numbered(2), Standing())
            write(tx)

    with pytest.raises(UnstorableTextError):
        work()

    assert found(store, Selection()) == []


def test_a_very_long_word_is_found_and_told_apart(store: PostgresStore) -> None:
    long = "x" * 5_000
    keep(store, numbered(1, claim=f"{long}y is here."), numbered(2, claim=f"{long}z is here."))

    with store.reading() as tx:
        hits = tx.finding.words.search([f"{long}z"], Selection(), limit=5)

    assert [hit.sequence for hit in hits] == [2]
