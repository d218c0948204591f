"""Turns of requests: one reads and ranks at a time, because they share one interpreter."""

from __future__ import annotations

from contextlib import contextmanager
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator

_SLOW_SECONDS = 0.1


class Turns:
    """Lets one request at a time compute; the others go on beside one that is slow.

    The threads of a process share one interpreter. A recall from a file gives it away at each row
    that it reads, so recalls side by side mostly pass it round, which costs CPU (decision 153).
    """

    def __init__(self, slow: float = _SLOW_SECONDS) -> None:
        self._turn = Lock()
        self._slow = slow
        self._since = 0.0

    @contextmanager
    def taken(self) -> Generator[None, None, None]:
        """Hold the turn while the block runs; run it without, if the one who has it is slow."""
        is_held = self._waited_for()
        try:
            yield
        finally:
            if is_held:
                self._turn.release()

    def _waited_for(self) -> bool:
        """Wait for the turn; return False as soon as one request has had it for long."""
        is_held = self._turn.acquire(blocking=False)
        while not is_held and (left := self._since + self._slow - monotonic()) > 0:
            is_held = self._turn.acquire(timeout=left)
        if is_held:
            self._since = monotonic()
        return is_held
