"""Translates errors of SQLite into errors of the domain, each cause into its own error."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

import apsw

from holdfast.adapters.disk.holders import busy
from holdfast.adapters.sqlite.database.files import exists
from holdfast.domain.errors import (
    HoldfastError,
    StoreDamagedError,
    StoreFullError,
    StoreReadOnlyError,
    StoreUnreadableError,
    UnstorableTextError,
)

if TYPE_CHECKING:
    from collections.abc import Callable

NO_TEXT = "a text in it is not text any more."
_NO_SPACE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_NO_RIGHT = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})

_NO_SHARED_MEMORY = frozenset(
    {
        apsw.SQLITE_IOERR_SHMOPEN,
        apsw.SQLITE_IOERR_SHMSIZE,
        apsw.SQLITE_IOERR_SHMMAP,
        apsw.SQLITE_CANTOPEN,
    }
)

_BY_KIND: tuple[tuple[type[apsw.Error], Callable[[str, str], HoldfastError]], ...] = (
    (apsw.BusyError, lambda path, _said: store_busy(path)),
    (apsw.LockedError, lambda path, _said: store_busy(path)),
    (apsw.FullError, lambda path, _said: _full(path)),
    (apsw.ReadOnlyError, lambda path, _said: StoreReadOnlyError(path)),
    (apsw.CorruptError, lambda path, said: StoreDamagedError(path, f"{said}.")),
    (apsw.NotADBError, lambda path, _said: StoreDamagedError(path, "it is no database any more.")),
    # The queries are fixed and tested: an unknown column means that the schema was changed.
    (apsw.SQLError, lambda path, said: StoreDamagedError(path, f"{said}.")),
)


def translated(error: apsw.Error, path: str, *, system_error: int = 0) -> HoldfastError:
    """Return the domain error for a failure of SQLite.

    ``system_error`` is the last error number of the operating system: SQLite reports a file that
    cannot grow as a plain I/O error.
    """
    if isinstance(error, apsw.IOError | apsw.CantOpenError):
        return _by_system_error(system_error, path, str(error))
    for kind, word in _BY_KIND:
        if isinstance(error, kind):
            return word(path, str(error))
    return StoreUnreadableError(path, f"{error}.")


def store_busy(path: str) -> HoldfastError:
    """Return the error that names the process holding the lock; the writers' queue comes first."""
    return busy(f"{path}-queue", f"{path}-shm", path)


def lacks_shared_memory(error: apsw.Error) -> bool:
    """Return whether SQLite could not create its shared-memory file, as on a full disk."""
    return getattr(error, "extendedresult", 0) in _NO_SHARED_MEMORY


def from_system(error: OSError, path: str) -> HoldfastError:
    """Return the domain error for a failure of the operating system."""
    return _by_system_error(error.errno or 0, path, error.strerror or str(error))


def not_text(error: UnicodeError, path: str) -> HoldfastError:
    """Return the domain error for text that cannot be encoded or decoded."""
    if isinstance(error, UnicodeDecodeError):
        return StoreDamagedError(path, NO_TEXT)
    return UnstorableTextError(what="text", problem="It holds half a character.")


def _full(path: str) -> HoldfastError:
    """Return the error for a full disk; without the reserve file, forgetting would fail too."""
    return StoreFullError(path, can_forget=exists(f"{path}-reserve"))


def _by_system_error(number: int, path: str, said: str) -> HoldfastError:
    if number in _NO_SPACE:
        return _full(path)
    if number in _NO_RIGHT:
        return StoreReadOnlyError(path)
    return StoreUnreadableError(path, f"{said}.")
