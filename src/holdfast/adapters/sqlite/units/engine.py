"""Units of work: locking, commit, rollback, and the steps after a commit."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

import apsw

from holdfast.adapters.sqlite.database.connection import Turnstile, set_busy_timeout, translated
from holdfast.adapters.sqlite.database.files import exists, make_reserve
from holdfast.adapters.sqlite.database.log_length import empty_long_log
from holdfast.adapters.sqlite.database.terms import measure, measuring_is_due
from holdfast.adapters.sqlite.database.work import Work
from holdfast.adapters.sqlite.derived.migrations import LATEST, schema_number
from holdfast.adapters.sqlite.queries import SQL
from holdfast.adapters.sqlite.recall.indexes import Indexes
from holdfast.adapters.sqlite.units.cancelling import Cancellations
from holdfast.adapters.sqlite.units.connections import ReadConnection, ReadConnections
from holdfast.adapters.sqlite.units.found_damage import FoundDamage
from holdfast.adapters.sqlite.units.full_disk import forget_on_full_disk, only_forgot
from holdfast.adapters.sqlite.units.opening import HeadCheck
from holdfast.adapters.sqlite.units.word_check import settle_words
from holdfast.domain.errors import (
    HoldfastError,
    StoreBusyError,
    StoreDamagedError,
    StoreFullError,
    StoreReadOnlyError,
    StoreUnreadableError,
)
from holdfast.domain.misuse import NestedWorkError
from holdfast.domain.version_errors import StoreUpgradedError

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.database.connection import StoreOptions
    from holdfast.adapters.sqlite.database.files import OutsideHead, StoreFiles
    from holdfast.adapters.sqlite.recall.indexes import OpenIndex
    from holdfast.adapters.sqlite.units.opening import OpenDatabase


RESTORE_OR_REPAIR = (
    "Restore the newest copy you have, or accept the loss: 'holdfast doctor --repair'."
)
_SOON_SECONDS = 0.5
_READER_SECONDS = 0.1
"""Seconds that a reader waits while a process that closes the store locks the whole database."""


class HeadComparison(NamedTuple):
    """The head file, the fault it reveals, and the number of the newest event."""

    outside: OutsideHead | None
    complaint: str | None
    events: int


class NoWorkError(RuntimeError):
    """Vector indexes were requested outside a unit of work: a bug in the calling code."""


class SqliteEngine:
    """One open store. Each reader has a connection; writers queue at the turnstile."""

    def __init__(
        self, files: StoreFiles, options: StoreOptions, index: OpenIndex | None = None
    ) -> None:
        self.files = files
        self.options = options
        self.turnstile = Turnstile(files)
        self.cancellations = Cancellations()
        self._connections = ReadConnections(
            lambda: ReadConnection(files, options, self.turnstile, Indexes(files.vectors, index))
        )
        self.head_check = HeadCheck(files)
        self.complaint: str | None = None
        self._noticed: dict[str, None] = {}
        self._rebuilds_words = False
        self._damage = FoundDamage(files.database)
        self._check_head()

    @property
    def read_only(self) -> bool:
        """Whether this process can only read the store."""
        opened = self._connections.any_opened()
        return opened is not None and opened.read_only and not opened.is_stand_in

    @property
    def indexes(self) -> Indexes:
        """The vector indexes that belong to this thread's connection.

        Raises:
            NoWorkError: This thread holds no connection.
        """
        held = self._connections.mine()
        if held is None:
            raise NoWorkError
        return held.indexes

    @property
    def warnings(self) -> tuple[str, ...]:
        """Lost events until a repair, and damage that was worked around."""
        lost = () if self.complaint is None else (f"{self.complaint} {RESTORE_OR_REPAIR}",)
        return (*lost, *self._noticed, *self._connections.notices())

    @property
    def left_out(self) -> tuple[str, ...]:
        """The damaged rows that the current transaction of this thread has left out."""
        mine = self._connections.mine()
        return () if mine is None or mine.work is None else tuple(mine.work.left_out)

    @contextmanager
    def reading(self) -> Generator[Work, None, None]:
        """Yield a snapshot; inside a unit of work of this thread, yield that work."""
        mine = self._connections.mine()
        if mine is not None and mine.work is not None:
            yield mine.work
            return
        with self._held() as held:
            opened = self._begun_to_read(held)
            connection = opened.connection
            work = Work(connection, path=self.files.database)
            with self._plainly(connection), self._damage.noted(opened):
                held.work = work
                try:
                    with self.cancellations.watching(connection):
                        yield work
                finally:
                    self._noticed |= dict.fromkeys(work.noticed)
                    self._rebuilds_words |= work.words_are_damaged
                    self._undo(connection)

    @contextmanager
    def writing(self, at: int, *, patience: float | None = None) -> Generator[Work, None, None]:
        """Commit all changes of the block durably when it ends, or none after an exception.

        ``patience`` is how many seconds to wait for other writers; by default the store's timeout.
        """
        with self._turn(patience) as held, self._plainly(held.connection):
            connection = held.connection
            if exists(self.files.pending):
                self._store_pending(connection, at)
            held.work = work = self._begin(connection, at)
            try:
                yield work
                work = self._commit(work, at)
            except BaseException:
                self._undo(connection)
                raise
            self.after(work)

    def _store_pending(self, connection: apsw.Connection, at: int) -> None:
        """Store the bundles that wait, in a unit of work of their own; if it fails, they wait on.

        The caller's unit of work meets the same fault, or is not affected by it.
        """
        from holdfast.adapters.sqlite.database.pending_bundles import PendingBundles
        from holdfast.adapters.sqlite.units.storing_pending import stored

        with suppress(OSError, apsw.Error, HoldfastError):
            work = self._begin(connection, at)
            try:
                beside = PendingBundles(work)
                done = stored(beside, work)
                work = self._commit(work, at)
            except BaseException:
                self._undo(connection)
                raise
            self.after(work)
            beside.remove(done)

    @contextmanager
    def undisturbed(
        self, *, patience: float | None = None
    ) -> Generator[apsw.Connection, None, None]:
        """Hold the writer's turn and the connection without a unit of work, for maintenance."""
        with self._turn(patience) as held, self._plainly(held.connection):
            yield held.connection

    @contextmanager
    def closed(self) -> Generator[None, None, None]:
        """Hold the writer's turn with all connections closed, so that files can be replaced.

        The store is opened again afterwards.
        """
        if self.read_only:
            raise StoreReadOnlyError(self.files.database)
        with self.turnstile.passed(self.options.wait_seconds), self._held() as held:
            held.release()
            self._connections.release()
            yield
        self._check_head()

    @contextmanager
    def _turn(self, patience: float | None) -> Generator[ReadConnection, None, None]:
        """Hold the writer's turn and a connection that can write."""
        if self._connections.mine() is not None:
            raise NestedWorkError
        if self.read_only:
            raise StoreReadOnlyError(self.files.database)
        patience = self.options.wait_seconds if patience is None else patience
        with self.turnstile.passed(patience), self._held() as held:
            if exists(self.files.rescue):
                # Its writer was killed, because nobody else has the turn. It may be in clear.
                with suppress(OSError):
                    self.files.remove_rescue()
            set_busy_timeout(held.itself(patience).connection, patience)
            yield held

    @contextmanager
    def _held(self) -> Generator[ReadConnection, None, None]:
        """Hold a connection that no other thread uses meanwhile."""
        if self._connections.mine() is not None:
            raise NestedWorkError
        if self._connections.is_closed:
            raise StoreUnreadableError(self.files.database, "it was closed.")
        with self._connections.held(self.options.wait_seconds) as held:
            yield held

    def _begun_to_read(self, held: ReadConnection) -> OpenDatabase:
        """Start a read transaction; while another process locks the whole database, read a copy."""
        patience = min(_READER_SECONDS, self.options.wait_seconds)
        try:
            opened = held.current(patience)
            set_busy_timeout(opened.connection, patience)
            self._take_snapshot(opened.connection)
        except StoreBusyError:
            opened = held.stand_in()
            self._take_snapshot(opened.connection)
        return opened

    def _take_snapshot(self, connection: apsw.Connection) -> None:
        with self._plainly(connection):
            connection.execute(SQL["begin_reading"])
            try:
                # BEGIN alone takes no lock: the first read takes it and fixes the snapshot.
                connection.execute(SQL["schema_number"]).fetchall()
            except BaseException:
                self._undo(connection)
                raise

    def listen_again(self) -> None:
        """Compare the head file with the database again, after a repair."""
        self._check_head()

    def close(self) -> None:
        """Close all connections after other threads finished reading; a second call does nothing.

        An unfinished read of this same thread, such as an export that is not read to its end, would
        wait for itself forever: it is ended instead.
        """
        self._connections.close()

    def after(self, work: Work) -> None:
        """Run the steps after a commit. The work is already durable, so nothing here may raise."""
        with suppress(OSError, apsw.Error, StoreDamagedError):
            self.head_check.follow(work)
            if (last := work.last_added) is not None and measuring_is_due(work, last):
                self._measure(work.connection, last)
            make_reserve(self.files.reserve)
            empty_long_log(self.files.wal, work.connection)

    @contextmanager
    def _plainly(self, connection: apsw.Connection) -> Generator[None, None, None]:
        """Translate every SQLite error into an error of the domain."""
        try:
            yield
        except apsw.Error as error:
            system_error = connection.system_errno if isinstance(error, apsw.IOError) else 0
            raise translated(error, self.files.database, system_error=system_error) from error

    def _begin(self, connection: apsw.Connection, at: int) -> Work:
        connection.execute(SQL["begin_writing"])
        try:
            work = Work(connection, path=self.files.database, at=at)
            _refuse_upgraded(work)
            self.complaint = self.head_check.notice(work)
            if self._rebuilds_words:
                work.run("rebuild_words")
                self._rebuilds_words = False
        except BaseException:
            self._undo(connection)
            raise
        return work

    def _commit(self, work: Work, at: int) -> Work:
        connection = work.connection
        if not connection.in_transaction:
            raise StoreUnreadableError(self.files.database, "the work was undone; try again.")
        if not work.forgotten:
            self._damage.refuse()
        try:
            if work.changed_words:
                settle_words(work)
            connection.execute(SQL["commit"])
        except (apsw.FullError, apsw.IOError) as error:
            failure = translated(error, self.files.database, system_error=connection.system_errno)
            self._undo(connection)
            if not isinstance(failure, StoreFullError) or not only_forgot(work):
                raise
            return forget_on_full_disk(
                work,
                begin=lambda: self._begin(connection, at),
                undo=lambda: self._undo(connection),
                reserve=self.files.reserve,
            )
        return work

    def _measure(self, connection: apsw.Connection, last: int) -> None:
        connection.execute(SQL["begin_writing"])
        try:
            measure(Work(connection, path=self.files.database), last)
            connection.execute(SQL["commit"])
        finally:
            self._undo(connection)

    def _undo(self, connection: apsw.Connection) -> None:
        with suppress(apsw.Error):
            if connection.in_transaction:
                connection.execute(SQL["rollback"])

    def compare_heads(self) -> HeadComparison:
        """Compare the head file with the database, and report only a confirmed difference.

        A writer updates the head file after its commit, so a head that was read before the snapshot
        is never ahead of an intact database. A repair is the exception: it puts the new database in
        place shortly before its head file. It holds the writer's turn meanwhile, so a difference is
        checked again while holding the turn, if the turn becomes free soon.
        """
        found = self._compared()
        if found.complaint is None or self.read_only:
            return found
        with suppress(StoreBusyError, StoreReadOnlyError), self.turnstile.passed(_SOON_SECONDS):
            return self._compared()
        return self._compared()

    def _compared(self) -> HeadComparison:
        outside = self.head_check.read()
        with self.reading() as work:
            return HeadComparison(
                outside, self.head_check.complaint(outside, work), work.head().sequence
            )

    def _check_head(self) -> None:
        """Open the store and compare the heads; a damaged store opens too, for a repair."""
        try:
            self.complaint = self.compare_heads().complaint
        except StoreDamagedError as error:
            self.complaint = str(error)


def _refuse_upgraded(work: Work) -> None:
    """Refuse to write after another program has upgraded the schema of the store.

    The number is read with the first rows of a unit of work. A newer schema may lack their columns;
    then the number is read alone.
    """
    try:
        found = work.schema()
    except apsw.SQLError:
        found = None
    if found is None:
        found = schema_number(work.connection)
    if found != LATEST:
        raise StoreUpgradedError
