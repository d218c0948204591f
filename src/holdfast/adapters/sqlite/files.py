"""The files of a store: one database and what lies beside it."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

OWNER_ONLY = 0o600
OWNER_ONLY_FOLDER = 0o700
RESERVE_BYTES = 1024 * 1024


class StoreFiles:
    """Where each file of a store lies."""

    def __init__(self, database: Path) -> None:
        self.database = str(database.absolute())
        self.folder = str(database.absolute().parent)
        self.wal = f"{self.database}-wal"
        self.shared_memory = f"{self.database}-shm"
        self.queue = f"{self.database}-queue"
        self.head = f"{self.database}-head"
        self.reserve = f"{self.database}-reserve"
        self.vectors = f"{self.database}-vectors"

    def all(self) -> list[str]:
        """Return the files that are there."""
        names = (
            self.database,
            self.wal,
            self.shared_memory,
            self.queue,
            self.head,
            self.reserve,
        )
        return [name for name in names if exists(name)] + self.vector_files()

    def vector_files(self) -> list[str]:
        """Return the files of the vector indexes that are there."""
        try:
            names = [f"{self.folder}/{name}" for name in sorted(os.listdir(self.folder))]
        except OSError:
            return []
        return [name for name in names if name.startswith(f"{self.vectors}-")]

    def may_be_written(self) -> bool:
        """Tell whether both the folder and the database let us write."""
        return os.access(self.folder, os.W_OK | os.X_OK) and os.access(self.database, os.W_OK)


def exists(path: str) -> bool:
    """Tell whether there is such a file."""
    return os.path.exists(path)


def size(path: str) -> int:
    """Return how many bytes a file has; a missing one has none."""
    try:
        return os.stat(path).st_size
    except FileNotFoundError:
        return 0


def identity(path: str) -> tuple[int, int] | None:
    """Return which file this is, so that another one put in its place shows."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return (found.st_dev, found.st_ino)


def make_folder(folder: str) -> None:
    """Make the folder of a store, for its owner only; one that is there is left as it is.

    The name of each folder that was made is durable when this returns: without it the
    whole store could be nameless after a power cut.
    """
    missing = []
    while not exists(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    for path in reversed(missing):
        os.makedirs(path, mode=OWNER_ONLY_FOLDER, exist_ok=True)
        keep_names(os.path.dirname(path))


def make_file(path: str) -> None:
    """Make an empty file for its owner only, before anything writes to it."""
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, OWNER_ONLY))


def keep_names(folder: str) -> None:
    """Make the names in a folder durable: a synced file without a name is lost in a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def remove(path: str) -> bool:
    """Remove a file; tell whether it was there."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        return False
    return True


def remove_unless_regular(path: str) -> None:
    """Remove a pipe, a device, a link or an empty folder that lies in the place of our file.

    Raises:
        OSError: It cannot be removed; a folder that is not empty stays.
    """
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return
    if stat.S_ISDIR(mode):
        os.rmdir(path)
    elif not stat.S_ISREG(mode):
        os.unlink(path)


def make_reserve(path: str) -> bool:
    """Set real blocks aside, to be given up when the disk is full; tell whether it worked."""
    if size(path) == RESERVE_BYTES:
        return True
    try:
        remove_unless_regular(path)
        handle = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_NOFOLLOW, OWNER_ONLY)
        try:
            os.posix_fallocate(handle, 0, RESERVE_BYTES)
        finally:
            os.close(handle)
    except OSError:
        with suppress(OSError):
            remove(path)
        return False
    return True
