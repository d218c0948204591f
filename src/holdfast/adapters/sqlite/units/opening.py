"""Opens a store: creates a new one, upgrades an old one, or opens it read-only.

A copy for reading, if the folder of the store is not writable.

SQLite needs two files beside a WAL database even to read it. The option ``immutable`` would be
wrong while another process may write, and would hide the content of the write-ahead log; so the
whole database is copied instead.

Compares the event log in the database with the head file, and keeps them in step.
"""

from __future__ import annotations

import os
from contextlib import suppress
from time import monotonic, sleep
from typing import TYPE_CHECKING, NamedTuple

import apsw

from holdfast.adapters.sqlite.database.connection import (
    connect,
    connect_alone,
    connect_to_read,
    from_system,
    lacks_shared_memory,
    refuse_old_library,
    set_busy_timeout,
    translated,
)
from holdfast.adapters.sqlite.database.files import (
    HeadFile,
    OutsideHead,
    exists,
    identity,
    keep_names,
    make_file,
    make_folder,
    make_reserve,
    remove,
    size,
)
from holdfast.adapters.sqlite.database.work import (
    Work,
    note_space,
    refuse_other_space,
    refuse_unfinished_copy,
)
from holdfast.adapters.sqlite.derived.migrations import migrate, needs_work
from holdfast.adapters.sqlite.queries import SQL
from holdfast.domain.errors import (
    StoreBusyError,
    StoreFullError,
    StoreReadOnlyError,
    StoreUnreadableError,
)
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.database.connection import StoreOptions, Turnstile
    from holdfast.adapters.sqlite.database.files import StoreFiles


_TRIES = 10
_Print = tuple[tuple[int, int, int] | None, ...]


class Snapshot:
    """A copy of the database and its write-ahead log, in a temporary folder."""

    def __init__(self, files: StoreFiles) -> None:
        from tempfile import mkdtemp

        self._files = files
        self._folder = mkdtemp(prefix="holdfast-")
        self.database = f"{self._folder}/copy.db"
        self._print: _Print = ()

    def is_old(self) -> bool:
        """Return whether the original has changed since the copy was made."""
        return self._print != self._now()

    def take(self) -> None:
        """Copy the database and its write-ahead log, both of one moment.

        Raises:
            StoreBusyError: They changed again and again while they were copied.
        """
        for _ in range(_TRIES):
            self._print = self._now()
            self._copy()
            if not self.is_old():
                return
        raise StoreBusyError

    def remove(self) -> None:
        """Remove the copy and its folder."""
        import shutil

        shutil.rmtree(self._folder, ignore_errors=True)

    def _now(self) -> _Print:
        return (_print(self._files.database), _print(self._files.wal))

    def _copy(self) -> None:
        import shutil

        for end in ("", "-wal", "-shm"):
            if os.path.exists(f"{self.database}{end}"):
                os.unlink(f"{self.database}{end}")
        shutil.copyfile(self._files.database, self.database)
        if _print(self._files.wal) is not None:
            shutil.copyfile(self._files.wal, f"{self.database}-wal")


def _print(path: str) -> tuple[int, int, int] | None:
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return (found.st_ino, found.st_size, found.st_mtime_ns)


_TAIL_LOST = "tail_lost"
_STORE_ID = "store_id"


class HeadCheck:
    """Reports when the database lacks events that the head file proves."""

    def __init__(self, files: StoreFiles) -> None:
        self._files = files
        self._file = HeadFile(files)
        self._is_ahead = False

    def read(self) -> OutsideHead | None:
        """Return the head file's content; read it before the database, which may only be ahead."""
        return self._file.read()

    def complaint(self, outside: OutsideHead | None, work: Work) -> str | None:
        """Return which events are missing, now or since first noticed; None if none are."""
        return work.meta(_TAIL_LOST) or self._missing(outside, work)

    def notice(self, work: Work) -> str | None:
        """Store the complaint inside a unit of work, because the head file is overwritten next."""
        outside = self._file.read()
        missing = self._missing(outside, work)
        self._is_ahead = missing is not None
        noted = work.meta(_TAIL_LOST)
        if missing is not None and noted is None:
            work.set_meta(_TAIL_LOST, missing)
        return noted or missing

    def acknowledge(self, work: Work) -> bool:
        """Acknowledge a complaint: log it and remove it. Return whether there was one."""
        if self.complaint(self._file.read(), work) is None:
            return False
        work.drop_meta(_TAIL_LOST)
        work.record("store.tail-lost", self.store_id(work))
        return True

    def follow(self, work: Work) -> None:
        """Update the head file after a commit."""
        if self._is_ahead or not exists(self._files.head):
            self.reset(work)
            self._is_ahead = False
        else:
            self._file.write(OutsideHead(store_id=self.store_id(work), head=work.head()))

    def reset(self, work: Work) -> None:
        """Write the head file again from the start; make its name and content durable."""
        self._file.reset(OutsideHead(store_id=self.store_id(work), head=work.head()))
        keep_names(self._files.folder)

    def store_id(self, work: Work) -> str:
        """Return the id that this store got when it was created."""
        return work.meta(_STORE_ID) or ""

    def _missing(self, outside: OutsideHead | None, work: Work) -> str | None:
        if outside is None or not outside.head.sequence:
            return None
        if outside.store_id != self.store_id(work):
            return (
                f"The head beside the database is that of another store with"
                f" {outside.head.sequence:,} events: that one was deleted or replaced."
            )
        written = work.event_hash(outside.head.sequence)
        if written is None:
            return (
                f"The log ends at event {work.head().sequence:,}, but event"
                f" {outside.head.sequence:,} had been written: the newest changes are lost,"
                " or an older file was put in place."
            )
        if written != outside.head.hash:
            return (
                f"Event {outside.head.sequence:,} is not the one that had been written:"
                " an older file was put in place and written to."
            )
        return None


_BETWEEN_TRIES_SECONDS = 0.01
_GONE = "it was there, and is gone. Put it back, or start this program again to make a new store."


class OpenDatabase(NamedTuple):
    """An open database: the identity of its file, and whether it is writable.

    ``is_alone``: the disk is full, so the connection is exclusive and must not stay open.
    ``is_stand_in``: a copy, read because another process has locked the database.
    """

    connection: apsw.Connection
    identity: tuple[int, int] | None
    read_only: bool = False
    snapshot: Snapshot | None = None
    is_alone: bool = False
    is_stand_in: bool = False

    def close(self) -> None:
        """Close the file, and remove the copy if there is one.

        A checkpoint that fails here loses nothing: committed data is in the write-ahead log.
        """
        with suppress(apsw.Error):
            self.connection.close(force=True)
        if self.snapshot is not None:
            self.snapshot.remove()


def open_database(
    files: StoreFiles,
    options: StoreOptions,
    turnstile: Turnstile,
    *,
    patience: float,
    is_made: bool = False,
) -> OpenDatabase:
    """Open the database of a store, whatever state it is in.

    ``is_made`` says that this program has opened it before. If nothing of it is there any more, as
    with a disk that was taken away, an empty store in its place would hide that.

    Raises:
        StoreBusyError: Another process locked the whole database for all that time.
        UnavailableError: It cannot be created, read or upgraded; the message has the reason.
    """
    refuse_old_library(apsw.sqlite_lib_version())
    if is_made and not (exists(files.database) or exists(files.head)):
        raise StoreUnreadableError(files.database, _GONE)
    try:
        return _opened(files, options, turnstile, patience)
    except StoreFullError:
        if not remove(files.reserve):
            raise
        return _opened(files, options, turnstile, patience)


def _opened(
    files: StoreFiles, options: StoreOptions, turnstile: Turnstile, patience: float
) -> OpenDatabase:
    hurried = replace(options, wait_seconds=patience)
    try:
        if not exists(files.database):
            make_folder(files.folder)
        elif options.only_reads or not files.may_be_written():
            return _of_space(_to_read(files, hurried), files, options)
        if not size(files.database):
            _make(files, options, turnstile)
        return _of_space(_to_write(files, options, turnstile, hurried), files, options)
    except apsw.Error as error:
        raise translated(error, files.database) from error
    except OSError as error:
        raise from_system(error, files.database) from error


def open_stand_in(files: StoreFiles, options: StoreOptions) -> OpenDatabase:
    """Open a copy, to read while another process keeps the database itself locked.

    Raises:
        UnavailableError: There is no space for a copy, or the store changes all the time.
    """
    try:
        copy = _to_read_a_copy(files, options)._replace(is_stand_in=True)
        return _of_space(copy, files, options)
    except apsw.Error as error:
        raise translated(error, files.database) from error
    except OSError as error:
        raise from_system(error, files.database) from error


def _make(files: StoreFiles, options: StoreOptions, turnstile: Turnstile) -> None:
    """Create a new store; of several concurrent processes, one creates it."""
    with turnstile.passed(options.wait_seconds):
        make_file(files.database)
        connection = connect(files.database, options)
        try:
            _turn_on_wal(connection, options)
            migrate(connection)
            note_space(Work(connection, path=files.database), options.space)
            # An existing head file is the only evidence that a database was deleted.
            if not exists(files.head):
                HeadCheck(files).reset(Work(connection, path=files.database))
        finally:
            connection.close()
        make_reserve(files.reserve)
        keep_names(files.folder)


def _to_write(
    files: StoreFiles, options: StoreOptions, turnstile: Turnstile, hurried: StoreOptions
) -> OpenDatabase:
    """Open the store for reading and writing.

    Opening uses the timeout of ``hurried``; an upgrade uses the usual one.
    """
    try:
        connection, is_alone = connect(files.database, hurried), False
    except (apsw.IOError, apsw.CantOpenError) as error:
        if not lacks_shared_memory(error):
            raise
        connection, is_alone = connect_alone(files.database, hurried), True
    try:
        if needs_work(connection, files.database):
            set_busy_timeout(connection, options.wait_seconds)
            with turnstile.passed(options.wait_seconds):
                _turn_on_wal(connection, options)
                migrate(connection)
    except apsw.Error as error:
        system_error = connection.system_errno
        connection.close(force=True)
        raise translated(error, files.database, system_error=system_error) from error
    except BaseException:
        connection.close(force=True)
        raise
    return OpenDatabase(connection, identity(files.database), is_alone=is_alone)


def _of_space(opened: OpenDatabase, files: StoreFiles, options: StoreOptions) -> OpenDatabase:
    """Return the database if it belongs to the space it is opened for; else close it."""
    try:
        work = Work(opened.connection, path=files.database)
        refuse_other_space(work, options.space)
        if not options.takes_copy:
            refuse_unfinished_copy(work)
    except BaseException:
        opened.close()
        raise
    return opened


def _turn_on_wal(connection: apsw.Connection, options: StoreOptions) -> None:
    """Turn on the write-ahead log; SQLite does not wait for readers here, so this retries."""
    until = monotonic() + options.wait_seconds
    while True:
        try:
            connection.execute(SQL["use_wal"]).fetchall()
        except apsw.BusyError:
            if monotonic() > until:
                raise
            sleep(_BETWEEN_TRIES_SECONDS)
        else:
            return


def _to_read(files: StoreFiles, options: StoreOptions) -> OpenDatabase:
    known = identity(files.database)
    try:
        connection = _unless_old(connect_to_read(files.database, options), files)
    except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.IOError):
        return _to_read_a_copy(files, options)
    return OpenDatabase(connection, known, read_only=True)


def _to_read_a_copy(files: StoreFiles, options: StoreOptions) -> OpenDatabase:
    known = identity(files.database)
    snapshot = Snapshot(files)
    try:
        snapshot.take()
        connection = _unless_old(connect(snapshot.database, options), files)
    except BaseException:
        snapshot.remove()
        raise
    return OpenDatabase(connection, known, read_only=True, snapshot=snapshot)


def _unless_old(connection: apsw.Connection, files: StoreFiles) -> apsw.Connection:
    """Refuse a store that needs an upgrade, if nothing can be written."""
    try:
        if not needs_work(connection, files.database):
            return connection
    except BaseException:
        connection.close(force=True)
        raise
    connection.close(force=True)
    raise StoreReadOnlyError(files.database)
