"""Units of work: one transaction each, with the tenant, the store and the lock of the space."""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from functools import partial
from time import monotonic, sleep
from typing import TYPE_CHECKING, TypeVar
from uuid import uuid4

import psycopg

from holdfast.adapters.postgres.asking import SQL
from holdfast.adapters.postgres.database.address import read_address
from holdfast.adapters.postgres.database.connecting import connect
from holdfast.adapters.postgres.database.failures import is_lost, translated
from holdfast.adapters.postgres.database.learned import Learned
from holdfast.adapters.postgres.database.work import PostgresWork
from holdfast.adapters.postgres.recall.keywords import STEPS
from holdfast.adapters.postgres.units.beginning import (
    SpaceLock,
    begin_locked,
    begin_reading,
    begin_writing,
)
from holdfast.adapters.postgres.units.cancelling import NEVER_CANCELLED, CancellableRead
from holdfast.adapters.postgres.units.connections import connected, pipeline
from holdfast.adapters.postgres.units.locking import lock_key
from holdfast.adapters.postgres.units.options import PostgresOptions
from holdfast.adapters.postgres.units.replicas import LogPosition, Replicas
from holdfast.adapters.sqlite.database.terms import measure_if_due
from holdfast.adapters.sqlite.database.work import refuse_unfinished_copy
from holdfast.adapters.sqlite.units.cancelling import Cancellations
from holdfast.domain.access_errors import NoSuchStoreError
from holdfast.domain.database_errors import OutcomeUnknownError, ServerUnreachableError
from holdfast.domain.errors import HoldfastError
from holdfast.domain.misuse import NestedWorkError
from holdfast.domain.refusals import WorkUndoneError
from holdfast.domain.version_errors import StoreUpgradedError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from holdfast.adapters.postgres.database.address import Address
    from holdfast.adapters.postgres.database.work import Statement
    from holdfast.adapters.postgres.units.connections import Connections
    from holdfast.adapters.sqlite.database.rows import Row

    Begin = Callable[[psycopg.Connection, Mapping[str, str]], None]

Began = TypeVar("Began")
_BETWEEN_LOOKS_SECONDS = 0.05


class PostgresEngine:
    """One open store: the space of a tenant on a server."""

    def __init__(
        self, address: Address, options: PostgresOptions, *, shared: Connections | None = None
    ) -> None:
        self.address = address
        self.options = options
        self._here: dict[int, PostgresWork] = {}
        self._shares = shared is not None
        used = shared or connected(
            address, size=options.connections, answer_within=options.wait_seconds
        )
        self.server, self._pool = used.server, used.pool
        self._position = LogPosition()
        self._learned = Learned()
        self.cancellations = Cancellations()
        self.replicas = Replicas([], size=options.connections, cluster=0)
        try:
            self.store_id = self._store_id()
            self.replicas = self._follow()
        except WorkUndoneError as error:
            self.close()
            raise ServerUnreachableError(address.shown) from error
        except BaseException:
            self.close()
            raise

    @contextmanager
    def reading(self) -> Generator[PostgresWork, None, None]:
        """Yield a snapshot; inside a unit of work of this thread, yield that work."""
        mine = self._here.get(threading.get_ident())
        if mine is not None:
            yield mine
            return
        # A snapshot begins with its first question, so that it costs no exchange of its own.
        begun = self.replicas.begun(self._whose(), self._position.text)
        pool = self._pool if begun is None else begun.pool
        read = CancellableRead(self.cancellations.mine)
        work = self._work(None if begun is None else begun.connection, None, read)
        try:
            with read.running(work.opened), self._inside(work):
                yield work
            self._undo(work.opened)
        finally:
            if work.opened is not None:
                pool.give_back(work.opened)

    @contextmanager
    def writing(
        self, at: int, *, patience: float | None = None
    ) -> Generator[PostgresWork, None, None]:
        """Commit all changes of the block durably when it ends, or none after an exception."""
        if threading.get_ident() in self._here:
            raise NestedWorkError
        patience = self.options.wait_seconds if patience is None else patience
        lock = SpaceLock(self._lock_key(), patience, token=str(uuid4()))
        with self._locked(lock) as (connection, newest):
            # The pipeline sends the statements of the work without waiting for each answer.
            work = self._work(connection, at)
            work.note_newest(newest)
            with self._inside(work), self._committed(connection, lock.token):
                yield work
                measure_if_due(work)
                work.finish()
            self._note_position(connection)

    @property
    def is_writing(self) -> bool:
        """Whether this thread is inside a unit of work."""
        mine = self._here.get(threading.get_ident())
        return mine is not None and mine.may_write

    @contextmanager
    def leasing(self) -> Generator[PostgresWork, None, None]:
        """Run a short transaction that does not wait for the writers of the space.

        It changes no memory and adds no event. If its outcome is lost, a lease ends by itself.
        """
        with self._held(begin_writing) as connection:
            work = self._work(connection, 0)
            with self._inside(work):
                yield work
            try:
                connection.execute(SQL["commit"])
            except psycopg.Error as error:
                raise self._failed(connection, error) from error
            self._note_position(connection)

    def close(self) -> None:
        """Close the store; a second call does nothing."""
        mine = self._here.get(threading.get_ident())
        if not self._shares:
            self._pool.close()
        self.replicas.close()
        if mine is not None and mine.opened is not None:
            mine.opened.close()

    @contextmanager
    def _held(self, begin: Begin) -> Generator[psycopg.Connection, None, None]:
        """Hold a connection inside a new transaction."""
        connection, _ = self._begun(lambda one: begin(one, self._whose()))
        try:
            yield connection
        finally:
            self._pool.give_back(connection)

    @contextmanager
    def _locked(self, lock: SpaceLock) -> Generator[tuple[psycopg.Connection, list[Row]]]:
        """Hold a connection inside a new unit of work; the newest event before it comes along."""
        prepares = self.address.prepares
        connection, newest = self._begun(
            lambda one: begin_locked(one, self._whose(), lock, prepares=prepares)
        )
        try:
            yield connection, newest
        finally:
            self._pool.give_back(connection)

    def _asking(
        self, read: CancellableRead, first: Statement
    ) -> tuple[psycopg.Connection, psycopg.RawCursor[Row]]:
        """Begin a snapshot with its first question."""
        try:
            return self._begun(lambda one: read.begun(one, self._whose(), first))
        except WorkUndoneError as error:
            raise ServerUnreachableError(self.address.shown) from error

    def _follow(self) -> Replicas:
        """Return the replicas; they must have replayed what was committed before this moment.

        So a program sees its own changes, and all changes that were made before it began.
        """
        addresses = [read_address(one) for one in self.options.replicas]
        if not addresses:
            return self.replicas
        with self._held(begin_reading) as connection:
            try:
                cluster = connection.execute(SQL["cluster"]).fetchall()[0][0]
                self._note_position(connection)
            except psycopg.Error as error:
                raise self._failed(connection, error) from error
            self._undo(connection)
        return Replicas(addresses, size=self.options.connections, cluster=cluster)

    def _note_position(self, connection: psycopg.Connection) -> None:
        """Note how far a replica must be to show what this program has just written."""
        if not self.options.replicas:
            return
        if connection.closed:
            self._position.lose()
            return
        self._position.advance(str(connection.execute(SQL["position"]).fetchall()[0][0]))

    def _begun(
        self, begin: Callable[[psycopg.Connection], Began]
    ) -> tuple[psycopg.Connection, Began]:
        """Return a connection inside a new transaction, and what its begin returned.

        The server may have ended the idle connections, as after a restart. Nothing was done in this
        transaction yet, so it is begun again on a new connection.
        """
        with suppress(WorkUndoneError):
            return self._begun_once(begin)
        return self._begun_once(begin)

    def _begun_once(
        self, begin: Callable[[psycopg.Connection], Began]
    ) -> tuple[psycopg.Connection, Began]:
        connection = self._pool.take(patience=self.options.wait_seconds)
        try:
            return connection, self._entered(connection, begin)
        except BaseException:
            self._pool.give_back(connection)
            raise

    def _entered(
        self, connection: psycopg.Connection, begin: Callable[[psycopg.Connection], Began]
    ) -> Began:
        """Begin a transaction; undo it if it cannot be used.

        Raises:
            WorkUndoneError: The server had ended the connection.
            NoSuchStoreError: The tenant was removed after this store had been opened.
        """
        try:
            return begin(connection)
        except psycopg.errors.ForeignKeyViolation as error:
            self._undo(connection)
            raise NoSuchStoreError(self.options.space) from error
        except psycopg.Error as error:
            raise self._failed(connection, error) from error
        except StoreUpgradedError:
            self._undo(connection)
            raise

    @contextmanager
    def _inside(self, work: PostgresWork) -> Generator[None, None, None]:
        """Run the block as the work of this thread; translate its errors, and undo it after one."""
        thread = threading.get_ident()
        self._here[thread] = work
        try:
            yield
        except psycopg.Error as error:
            failure = self._failed(work.opened, error)
            if not work.may_write and isinstance(failure, WorkUndoneError):
                failure = translated(error, self.address)
            raise failure from error
        except BaseException:
            self._undo(work.opened)
            raise
        finally:
            del self._here[thread]

    def _whose(self) -> dict[str, str]:
        return {
            "tenant": str(self.options.tenant),
            "store": self.store_id,
            "path": self.server.search_path,
        }

    def _lock_key(self) -> int:
        return lock_key(self.options.tenant, self.store_id)

    @contextmanager
    def _committed(self, connection: psycopg.Connection, token: str) -> Generator[None, None, None]:
        """Send the statements of the block in a pipeline, and the commit behind the last of them.

        If the connection is lost meanwhile, look whether the work was stored.
        """
        is_committing = False
        try:
            with pipeline(connection):
                yield
                is_committing = True
                connection.execute(SQL["commit"])
        except psycopg.Error as error:
            if not is_committing or not is_lost(error):
                raise
            self._pool.forget_idle()
            connection.close()
            if not self._was_stored(token):
                raise WorkUndoneError from error

    def _was_stored(self, token: str) -> bool:
        """Return whether a unit of work was committed.

        Whoever gets the lock of the space knows that the transaction which held it has ended: its
        token is there now, or it never will be.

        Raises:
            OutcomeUnknownError: The server does not answer in time, or the lock stays taken.
        """
        until = monotonic() + self.options.wait_seconds
        while True:
            try:
                return self._found_work(token, max(0.0, until - monotonic()))
            except (psycopg.Error, HoldfastError) as error:
                if monotonic() >= until:
                    raise OutcomeUnknownError(self.address.shown) from error
                sleep(_BETWEEN_LOOKS_SECONDS)

    def _found_work(self, token: str, patience: float) -> bool:
        with connect(self.address, patience=patience) as connection:
            self._entered(connection, lambda one: begin_writing(one, self._whose()))
            raw = psycopg.RawCursor(connection)
            raw.execute(SQL["lock_space"], SpaceLock(self._lock_key(), patience).values)
            rows = raw.execute(SQL["find_work"], (token,)).fetchall()
            self._undo(connection)
        return bool(rows)

    def _failed(self, connection: psycopg.Connection | None, error: psycopg.Error) -> HoldfastError:
        """Undo the transaction, and return the error that the caller gets.

        A unit of work whose connection was lost before its commit is undone by the server, and can
        be repeated on another connection.
        """
        if is_lost(error):
            self._pool.forget_idle()
            if connection is not None:
                connection.close()
            return WorkUndoneError()
        self._undo(connection)
        return translated(error, self.address)

    def _undo(self, connection: psycopg.Connection | None) -> None:
        with suppress(psycopg.Error):
            if connection is not None and not connection.closed:
                connection.execute(SQL["rollback"])

    def _work(
        self,
        connection: psycopg.Connection | None,
        at: int | None,
        read: CancellableRead = NEVER_CANCELLED,
    ) -> PostgresWork:
        work = PostgresWork(
            connection,
            opens=partial(self._asking, read),
            path=self.address.shown,
            at=at,
            steps=STEPS,
            learned=self._learned,
        )
        work.may_ask, work.space = read.refuse_cancelled, self.options.space
        return work

    def _store_id(self) -> str:
        """Return the id of the space's store; add the store if the tenant has none.

        Raises:
            NoSuchStoreError: The tenant has none, and none is to be added.
            UnfinishedCopyError: It is a copy that was never finished.
        """
        self.store_id = ""
        found = self._named(begin_reading)
        self.was_added = not found
        if not found and not self.options.adds_store:
            raise NoSuchStoreError(self.options.space)
        if not found:
            added = ("add_store", self.options.space), ("name_tenant", self.options.tenant_name)
            found = self._named(begin_writing, *added)
        self.store_id = str(found[0][0])
        if not self.options.takes_copy:
            with self.reading() as work:
                refuse_unfinished_copy(work)
        return self.store_id

    def _named(self, begin: Begin, *first: tuple[str, str]) -> list[Row]:
        """Return the store of the space, after these statements with one value each."""
        with self._held(begin) as connection:
            try:
                raw = psycopg.RawCursor(connection)
                for name, value in first:
                    raw.execute(SQL[name], (value,))
                found = raw.execute(SQL["store_named"], (self.options.space,)).fetchall()
                connection.execute(SQL["commit"])
            except psycopg.Error as error:
                raise translated(error, self.address) from error
        return found
