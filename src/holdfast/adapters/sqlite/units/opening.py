"""Opens a store: creates a new one, upgrades an old one, or opens it read-only."""

from __future__ import annotations

from contextlib import suppress
from time import monotonic, sleep
from typing import TYPE_CHECKING, NamedTuple

import apsw

from holdfast.adapters.sqlite.database.connection import (
    connect,
    connect_alone,
    connect_to_read,
    refuse_old_library,
    set_busy_timeout,
)
from holdfast.adapters.sqlite.database.failures import from_system, lacks_shared_memory, translated
from holdfast.adapters.sqlite.database.files import (
    exists,
    identity,
    keep_names,
    make_file,
    make_folder,
    make_reserve,
    remove,
    size,
)
from holdfast.adapters.sqlite.database.owning import note_space, refuse_other_space
from holdfast.adapters.sqlite.database.work import Work
from holdfast.adapters.sqlite.derived.migrations import migrate, needs_work
from holdfast.adapters.sqlite.queries import SQL
from holdfast.adapters.sqlite.units.head_check import HeadCheck
from holdfast.adapters.sqlite.units.snapshot import Snapshot
from holdfast.domain.errors import StoreFullError, StoreReadOnlyError
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.database.connection import StoreOptions
    from holdfast.adapters.sqlite.database.files import StoreFiles
    from holdfast.adapters.sqlite.database.turnstile import Turnstile

_BETWEEN_TRIES_SECONDS = 0.01


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
    files: StoreFiles, options: StoreOptions, turnstile: Turnstile, *, patience: float
) -> OpenDatabase:
    """Open the database of a store, whatever state it is in.

    Raises:
        StoreBusyError: Another process locked the whole database for all that time.
        UnavailableError: It cannot be created, read or upgraded; the message has the reason.
    """
    refuse_old_library(apsw.sqlite_lib_version())
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
        refuse_other_space(Work(opened.connection, path=files.database), options.space)
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
