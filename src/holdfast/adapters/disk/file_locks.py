"""File locks between processes: a lock is held until it is released or the process ends.

Finds the process that holds a lock on a file, if the kernel reports it (Linux does).
"""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import contextmanager, suppress
from errno import EACCES, EPERM, EROFS
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import make_own_folder
from holdfast.domain.errors import StoreBusyError

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path


_LOCKS = "/proc/locks"
_WORDS = 8
_STOPPED = frozenset("Tt")
# A lock that belongs to an open file, or to a process of another namespace.
_UNKNOWN = (-1, 0)


def busy(*paths: str, what: str = "the store") -> StoreBusyError:
    """Return the error that names the process which locks one of these files, in this order."""
    pid = _holder(paths)
    return StoreBusyError(what=what, pid=pid, is_stopped=pid is not None and _is_stopped(pid))


def _holder(paths: tuple[str, ...]) -> int | None:
    """Return another process that holds a write lock on one of the files."""
    from pathlib import Path

    ranks: dict[str, int] = {}
    for rank, path in enumerate(paths):
        with suppress(OSError):
            found = Path(path).stat()
            device = f"{os.major(found.st_dev):02x}:{os.minor(found.st_dev):02x}"
            ranks[f"{device}:{found.st_ino}"] = rank
    try:
        with Path(_LOCKS).open(encoding="ascii", errors="replace") as file:
            held = [_writer(line.split(), ranks) for line in file]
    except OSError:
        return None
    return min((one for one in held if one is not None), default=(0, None))[1]


def _writer(words: list[str], ranks: dict[str, int]) -> tuple[int, int] | None:
    """Return the rank of a file and the process with its write lock; None for other lines.

    The line of a waiting process has an arrow as its second word, and one word more.
    """
    if len(words) != _WORDS or words[3] != "WRITE" or words[5] not in ranks:
        return None
    pid = int(words[4])
    return None if pid in {os.getpid(), *_UNKNOWN} else (ranks[words[5]], pid)


def _is_stopped(pid: int) -> bool:
    from pathlib import Path

    try:
        told = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return told.rpartition(") ")[2][:1] in _STOPPED


_OWNER_ONLY = 0o600
_BETWEEN_TRIES_SECONDS = 0.001
_PATIENCE_SECONDS = 30.0
_NOT_WRITABLE = frozenset({EACCES, EPERM, EROFS})


@contextmanager
def turn_at(path: Path | str) -> Generator[None, None, None]:
    """Wait for the lock of a file, which is created if missing, and hold it for the block.

    Raises:
        OSError: The file cannot be created.
        StoreBusyError: Another process held the lock until the timeout.
    """
    file = open_lock(path)
    try:
        try:
            lock_within(file, _PATIENCE_SECONDS)
        except BlockingIOError:
            raise busy(str(path), what=str(path)) from None
        yield
    finally:
        os.close(file)


@contextmanager
def changing(path: Path) -> Generator[None, None, None]:
    """Hold the lock of a small file while it is read, changed and written anew.

    Without the lock, two writers at once would each keep only their own change.

    Raises:
        OSError: The folder or the lock file cannot be created.
        StoreBusyError: Another process held the lock until the timeout.
    """
    make_own_folder(path.parent)
    with turn_at(path.with_name(f".{path.name}.lock")):
        yield


def open_lock(path: Path | str) -> int:
    """Open a lock file; the caller closes it.

    Raises:
        OSError: It cannot be created, or it is a symbolic link.
    """
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, _OWNER_ONLY)


def open_lock_to_read(path: Path) -> int | None:
    """Open a lock file for a shared lock; the caller closes it.

    In a folder without write permission the file is opened as it is. If it is missing there, the
    result is None: nobody ever locked this folder.

    Raises:
        OSError: It can be neither created nor opened.
    """
    try:
        make_own_folder(path.parent)
        return open_lock(path)
    except OSError as error:
        if error.errno not in _NOT_WRITABLE:
            raise
    try:
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except FileNotFoundError:
        return None


def lock_within(file: int, seconds: float, *, shared: bool = False) -> None:
    """Lock an open file with a timeout, which flock itself does not support.

    Raises:
        BlockingIOError: Another process held the lock until the timeout.
    """
    kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    until = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(file, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                raise
            time.sleep(_BETWEEN_TRIES_SECONDS)
        else:
            return
