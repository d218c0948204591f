"""File locks between processes: a lock is held until it is released or the process ends."""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import make_own_folder
from holdfast.adapters.disk.holders import busy

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

_OWNER_ONLY = 0o600
_BETWEEN_TRIES_SECONDS = 0.001
_PATIENCE_SECONDS = 30.0


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
