"""Whose turn it is to bring an index in line: one process works, the others wait for its work."""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager
from time import monotonic, sleep
from typing import TYPE_CHECKING

from holdfast.adapters.disk.holders import busy

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

OWNER_ONLY = 0o600
_BETWEEN_TRIES_SECONDS = 0.02


class Turn:
    """A lock beside a database, so that work is not done twice.

    Nothing depends on it: where it cannot be had, the result is the same.
    """

    def __init__(self, path: Path) -> None:
        self._path = path.with_name(f"{path.name}.lock")

    @contextmanager
    def taken(self, *, within_seconds: float) -> Generator[None, None, None]:
        """Run the block when nobody else works, or when the time is over."""
        with self._tried(within_seconds):
            yield

    @contextmanager
    def taken_soon(self, *, within_seconds: float) -> Generator[None, None, None]:
        """Run the block when nobody else works; a process that is stopped does not count.

        Raises:
            StoreBusyError: Another process is at work, and not done within the time.
        """
        with self._tried(within_seconds) as is_free:
            if not is_free:
                said = busy(str(self._path), what=f"the index {self._path.stem}")
                if not said.is_stopped:
                    raise said
            yield

    @contextmanager
    def _tried(self, seconds: float) -> Generator[bool, None, None]:
        """Tell whether nobody else works; where there can be no lock, nobody is known to."""
        handle = self._opened()
        if handle is None:
            yield True
            return
        try:
            yield _is_locked(handle, until=monotonic() + seconds)
        finally:
            os.close(handle)

    def _opened(self) -> int | None:
        try:
            return os.open(self._path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, OWNER_ONLY)
        except OSError:
            return None


def _is_locked(handle: int, *, until: float) -> bool:
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
