"""Replaces the file of a store by an exact copy that is encrypted, or by one in clear.

The copy is written beside the store, compared with it row by row, and made durable before it takes
its place. From then on until it is there, the note beside the store allows for both forms.
"""

from __future__ import annotations

import os
from itertools import zip_longest
from typing import TYPE_CHECKING
from urllib.parse import quote

import apsw

from holdfast.adapters.sqlite.database.cipher import as_pragma, keyed
from holdfast.adapters.sqlite.database.connection import (
    connect_to_rewrite,
    from_system,
    translated,
)
from holdfast.adapters.sqlite.database.files import (
    keep_names,
    make_file,
    remove,
    remove_whole,
)
from holdfast.adapters.sqlite.derived.scanning import TABLES, scan
from holdfast.adapters.sqlite.queries import SQL
from holdfast.domain.errors import StoreDamagedError

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.database.cipher import StoreLock
    from holdfast.adapters.sqlite.units.engine import SqliteEngine

_SOUND = [("ok",)]
_COMPARED = (*(table.name for table in TABLES), "event", "embedding")


def encrypt(engine: SqliteEngine, lock: StoreLock, key_id: str | None) -> None:
    """Encrypt the file with a key, or decrypt it if there is none.

    Raises:
        NoStoreCipherError: The installed library cannot encrypt.
        StoreLockedError: A key is not here.
        StoreDamagedError: The copy would not be exact; the store stays as it is.
    """
    lock.refuse_without_cipher()
    secret = None if key_id is None else lock.secret(key_id)
    files = engine.files
    try:
        with engine.closed():
            try:
                _copy(engine, secret)
                _put_in_place(engine, lock, key_id)
            finally:
                files.remove_rescue()
            beside = (files.pending, files.verdicts, files.scores)
            for name in (*files.vector_files(), *beside):
                remove_whole(name)
    except apsw.Error as error:
        raise translated(error, files.database) from error
    except OSError as error:
        raise from_system(error, files.database) from error


def _copy(engine: SqliteEngine, secret: bytes | None) -> None:
    """Write an exact copy, compare it, and make it durable."""
    fresh = engine.files.rescue
    engine.files.remove_rescue()
    make_file(fresh)
    source = connect_to_rewrite(engine.files.database, engine.options)
    try:
        source.execute(SQL["write_copy"], (_address(fresh, secret),))
        copy = apsw.Connection(fresh, flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            if secret is not None:
                keyed(copy, secret)
            _refuse_difference(source, copy, engine.files.database)
            copy.execute(SQL["use_wal"]).fetchall()
        finally:
            copy.close(force=True)
    finally:
        source.close(force=True)
    handle = os.open(fresh, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _address(fresh: str, secret: bytes | None) -> str:
    """Return the address of the copy; an empty key means that it is in clear."""
    key = "key=" if secret is None else f"cipher=sqlcipher&legacy=4&key={as_pragma(secret)}"
    return f"file:{quote(fresh)}?{key}"


def _refuse_difference(source: apsw.Connection, copy: apsw.Connection, path: str) -> None:
    """Refuse a copy that is not sound, or has another row than the store.

    Raises:
        StoreDamagedError: It is not exact.
    """
    if copy.execute(SQL["integrity"]).fetchall() != _SOUND:
        raise StoreDamagedError(path, "a copy of it is not sound; repair it first.")
    for table in _COMPARED:
        pairs = zip_longest(scan(table, source), scan(table, copy))
        if any(before != after for before, after in pairs):
            raise StoreDamagedError(path, f"a copy of its {table} differs; repair it first.")


def _put_in_place(engine: SqliteEngine, lock: StoreLock, key_id: str | None) -> None:
    files = engine.files
    before, _ = lock.noted()
    after = [] if key_id is None else [key_id]
    lock.note([*after, *(one for one in before if one != key_id)], pending=True)
    # Remove the old write-ahead log first: SQLite would apply it to any database at that path.
    remove(files.wal)
    remove(files.shared_memory)
    keep_names(files.folder)
    os.replace(files.rescue, files.database)
    keep_names(files.folder)
    lock.note(after)
    keep_names(files.folder)
