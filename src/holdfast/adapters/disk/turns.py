"""Turns between processes: whoever holds the lock of a file has it, until they let go or die."""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from holdfast.adapters.disk.holders import busy

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

_OWNER_ONLY = 0o600
_BETWEEN_TRIES_SECONDS = 0.001
_PATIENCE_SECONDS = 30.0


@contextmanager
def turn_at(path: Path | str) -> Generator[None, None, None]:
    """Wait for the lock of a file, made where it is missing, and hold it.

    Raises:
        OSError: The file cannot be made.
        StoreBusyError: Another process held the lock all the time.
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


def open_lock(path: Path | str) -> int:
    """Open a file that is there to be locked; whoever opens it closes it.

    Raises:
        OSError: It cannot be made, or a link stands in its place.
    """
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, _OWNER_ONLY)


def lock_within(file: int, seconds: float, *, shared: bool = False) -> None:
    """Lock an open file; flock itself knows no time limit.

    Raises:
        BlockingIOError: Somebody else held it all the time.
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
