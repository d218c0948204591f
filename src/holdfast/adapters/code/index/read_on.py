"""Indexes in a server's background thread what a question had no time to read."""

from __future__ import annotations

from threading import Lock, Thread
from typing import TYPE_CHECKING

from holdfast.adapters.code.index.derived import nobody_watches
from holdfast.domain.errors import HoldfastError

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.adapters.code.index.index import GitCodeIndex


class BackgroundReader:
    """Starts a thread that indexes all unread code, at most one thread at a time.

    The thread opens the index by itself, so that no question waits for it, and ends with its
    process; the files indexed until then are kept. After a failure the next question tries again.
    """

    def __init__(self, make: Callable[[], GitCodeIndex]) -> None:
        self._make = make
        self._is_reading = Lock()

    def __call__(self) -> None:
        """Start the thread, unless it is running."""
        if self._is_reading.acquire(blocking=False):
            Thread(target=self._run, name="holdfast-read-on", daemon=True).start()

    def _run(self) -> None:
        index = self._make()
        try:
            index.refresh(nobody_watches)
        except HoldfastError:
            return
        finally:
            index.close()
            self._is_reading.release()
