"""The files of a store: the database and the files beside it.

The head file: the newest event stored outside the database, which reveals lost events.

Two slots of 512 bytes are written in turn, each with a checksum, so that a torn write damages only
one of them. They are written after the commit and not synced. That is enough: the commit was synced
before, so the head file can only be behind the database, never ahead of it. A head file that is
ahead therefore proves that events were lost.
"""

from __future__ import annotations

import hashlib
import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from holdfast.domain.memory.entry import Head

if TYPE_CHECKING:
    from pathlib import Path


OWNER_ONLY = 0o600
OWNER_ONLY_FOLDER = 0o700
RESERVE_BYTES = 2 * 1024 * 1024


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
        self.pending = f"{self.database}-pending"
        self.cipher = f"{self.database}-cipher"
        self.rescue = f"{self.database}-rescue"

    @property
    def verdicts(self) -> str:
        """The folder with cached verdicts on evidence; they are no part of the store."""
        return f"{self.folder}/cache/verdicts"

    @property
    def scores(self) -> str:
        """The folder with hashes of claims that a model read; they are no part of the store."""
        return f"{self.folder}/cache/judged"

    def all(self) -> list[str]:
        """Return the files that exist."""
        names = (
            self.database,
            self.wal,
            self.shared_memory,
            self.queue,
            self.head,
            self.reserve,
            self.cipher,
        )
        return [name for name in names if exists(name)] + self.vector_files()

    def vector_files(self) -> list[str]:
        """Return the existing files of the vector indexes."""
        try:
            names = [f"{self.folder}/{name}" for name in sorted(os.listdir(self.folder))]
        except OSError:
            return []
        return [name for name in names if name.startswith(f"{self.vectors}-")]

    def remove_rescue(self) -> None:
        """Remove the copy that is written while the store is repaired, encrypted or decrypted."""
        for end in ("", "-wal", "-shm", "-journal"):
            remove(f"{self.rescue}{end}")

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


def remove_whole(path: str) -> None:
    """Remove a file, or a folder with everything in it: some indexes are folders."""
    if os.path.isdir(path) and not os.path.islink(path):
        import shutil

        shutil.rmtree(path)
    else:
        remove(path)


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


_SLOT_BYTES = 512
_SLOTS = 2
_MAGIC = "holdfast-head"
_WORDS = 5


class OutsideHead(NamedTuple):
    """The content of the head file: the id of its store, and the newest event."""

    store_id: str
    head: Head


class HeadFile:
    """Reads and writes the head file beside the database."""

    def __init__(self, files: StoreFiles) -> None:
        self._path = files.head

    def read(self) -> OutsideHead | None:
        """Return the newer of the two slots; None if the file is missing or unreadable."""
        found = [slot for slot in self._slots() if slot is not None]
        return max(found, key=lambda slot: slot.head.sequence, default=None)

    def write(self, outside: OutsideHead) -> None:
        """Write the head into the older slot.

        It never raises: the commit is not affected by a failure here, and the next writer updates a
        head that stayed behind.
        """
        slots = self._slots()
        ages = [-1 if slot is None else slot.head.sequence for slot in slots]
        with suppress(OSError):
            self._put(ages.index(min(ages)), outside)

    def reset(self, outside: OutsideHead) -> None:
        """Replace the content of the file by this head, and make it durable."""
        remove_unless_regular(self._path)
        handle = os.open(self._path, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW, OWNER_ONLY)
        try:
            os.pwrite(handle, _slot(outside) * _SLOTS, 0)
            os.fsync(handle)
        finally:
            os.close(handle)

    def _put(self, place: int, outside: OutsideHead) -> None:
        remove_unless_regular(self._path)
        handle = os.open(self._path, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW, OWNER_ONLY)
        try:
            os.pwrite(handle, _slot(outside), place * _SLOT_BYTES)
        finally:
            os.close(handle)

    def _slots(self) -> list[OutsideHead | None]:
        try:
            handle = os.open(self._path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
        except OSError:
            return [None] * _SLOTS
        try:
            raw = os.pread(handle, _SLOT_BYTES * _SLOTS, 0)
        except OSError:
            raw = b""
        finally:
            os.close(handle)
        return [_read(raw[place * _SLOT_BYTES :][:_SLOT_BYTES]) for place in range(_SLOTS)]


def _slot(outside: OutsideHead) -> bytes:
    text = f"{_MAGIC} {outside.store_id} {outside.head.sequence} {outside.head.hash}"
    return f"{text} {_checksum(text)}\n".encode().ljust(_SLOT_BYTES, b"\0")


def _read(raw: bytes) -> OutsideHead | None:
    words = raw.rstrip(b"\0").decode("ascii", "replace").split()
    if len(words) != _WORDS or words[0] != _MAGIC or _checksum(" ".join(words[:-1])) != words[-1]:
        return None
    return OutsideHead(store_id=words[1], head=Head(sequence=int(words[2]), hash=words[3]))


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
