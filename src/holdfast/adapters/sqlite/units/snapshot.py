"""A copy for reading, if the folder of the store is not writable.

SQLite needs two files beside a WAL database even to read it. The option ``immutable`` would be
wrong while another process may write, and would hide the content of the write-ahead log; so the
whole database is copied instead.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from holdfast.domain.errors import StoreBusyError

if TYPE_CHECKING:
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
