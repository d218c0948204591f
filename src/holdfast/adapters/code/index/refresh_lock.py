"""A lock file beside a derived database, so that two processes do not refresh it at once."""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager
from time import monotonic, sleep
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path


OWNER_ONLY = 0o600
_BETWEEN_TRIES_SECONDS = 0.02


class RefreshLock:
    """A lock file beside a database, so that work is not done twice.

    Correctness does not depend on it: without the lock, the result is the same.
    """

    def __init__(self, path: Path) -> None:
        self._path = path.with_name(f"{path.name}.lock")

    @contextmanager
    def taken(self, *, within_seconds: float) -> Generator[bool, None, None]:
        """Run the block when the lock is free, or after the timeout.

        The block receives whether it holds the lock; if locking is impossible, it receives true.
        """
        handle = self._opened()
        if handle is None:
            yield True
            return
        try:
            yield _wait(handle, until=monotonic() + within_seconds)
        finally:
            os.close(handle)

    def _opened(self) -> int | None:
        try:
            return os.open(self._path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, OWNER_ONLY)
        except OSError:
            return None


def _wait(handle: int, *, until: float) -> bool:
    """Return whether the lock was acquired, or cannot be acquired by any process."""
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if monotonic() >= until:
                return False
            sleep(_BETWEEN_TRIES_SECONDS)
        except OSError:
            return True
        else:
            return True
