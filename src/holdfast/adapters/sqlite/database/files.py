"""The files of a store: the database and the files beside it."""

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
    """The path of each file of a store."""

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
        """Return the files that exist."""
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
        """Return the existing files of the vector indexes."""
        try:
            names = [f"{self.folder}/{name}" for name in sorted(os.listdir(self.folder))]
        except OSError:
            return []
        return [name for name in names if name.startswith(f"{self.vectors}-")]

    def may_be_written(self) -> bool:
        """Return whether both the folder and the database are writable."""
        return os.access(self.folder, os.W_OK | os.X_OK) and os.access(self.database, os.W_OK)


def exists(path: str) -> bool:
    """Return whether the file exists."""
    return os.path.exists(path)


def size(path: str) -> int:
    """Return the size of a file in bytes; 0 if it is missing."""
    try:
        return os.stat(path).st_size
    except FileNotFoundError:
        return 0


def identity(path: str) -> tuple[int, int] | None:
    """Return the device and inode of a file; a replaced file has others."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return (found.st_dev, found.st_ino)


def make_folder(folder: str) -> None:
    """Create the folder of a store, for its owner only; an existing one is not changed.

    The name of each created folder is durable when this returns: otherwise a power failure could
    remove the whole store from its parent folder.
    """
    missing = []
    while not exists(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    for path in reversed(missing):
        os.makedirs(path, mode=OWNER_ONLY_FOLDER, exist_ok=True)
        keep_names(os.path.dirname(path))


def make_file(path: str) -> None:
    """Create an empty file, for its owner only, before anything is written to it."""
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, OWNER_ONLY))


def keep_names(folder: str) -> None:
    """Make the names in a folder durable: a power failure loses a synced file without a name."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def remove(path: str) -> bool:
    """Remove a file; return whether it existed."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        return False
    return True


def remove_unless_regular(path: str) -> None:
    """Remove a pipe, device, link or empty folder in the place of one of the store's files.

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
    """Allocate disk blocks to be freed when the disk is full; return whether it succeeded."""
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
