"""A lock file beside a vector index."""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    Column = np.ndarray[tuple[int], np.dtype[Any]]


OWNER_ONLY = 0o600
_BETWEEN_TRIES_SECONDS = 0.001


class IndexLock:
    """A lock file beside the index; a failure is returned, not raised."""

    def __init__(self, place: str) -> None:
        self._path = f"{place}.lock"
        self._handle: int | None = None
        self.may_write = True

    def read_together(self, *, within_seconds: float) -> bool:
        """Wait briefly for a shared lock; return whether it was acquired."""
        return self._taken(fcntl.LOCK_SH, within_seconds)

    def write_alone(self, *, within_seconds: float) -> bool:
        """Wait briefly for an exclusive lock; return whether it was acquired."""
        return self._taken(fcntl.LOCK_EX, within_seconds)

    def release(self) -> None:
        """Release the lock."""
        if self._handle is not None:
            with suppress(OSError):
                fcntl.flock(self._handle, fcntl.LOCK_UN)

    def close(self) -> None:
        """Close the lock file."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def _taken(self, kind: int, within_seconds: float) -> bool:
        until = monotonic() + within_seconds
        while True:
            self._handle = self._handle or self._opened()
            if self._handle is None:
                return False
            try:
                fcntl.flock(self._handle, kind | fcntl.LOCK_NB)
            except OSError:
                if monotonic() >= until:
                    return False
                sleep(_BETWEEN_TRIES_SECONDS)
            else:
                if self._is_in_place():
                    return True
                self.close()

    def _is_in_place(self) -> bool:
        """Return whether other processes would open this same file: it may have been removed."""
        try:
            found = os.stat(self._path)
        except OSError:
            return False
        return self._handle is not None and os.path.samestat(found, os.fstat(self._handle))

    def _opened(self) -> int | None:
        try:
            return os.open(self._path, os.O_CREAT | os.O_RDWR, OWNER_ONLY)
        except OSError:
            self.may_write = False
        try:
            return os.open(self._path, os.O_RDONLY | os.O_NONBLOCK)
        except OSError:
            return None
