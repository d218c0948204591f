"""Reads beside the work of a server what a question had no time for."""

from __future__ import annotations

from threading import Lock, Thread
from typing import TYPE_CHECKING

from holdfast.adapters.code.derived import nobody_watches
from holdfast.domain.errors import HoldfastError

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.adapters.code.index import GitCodeIndex


class ReadOn:
    """Starts a thread that reads all the code that is unread, at most one at a time.

    The thread opens the index for itself, so that no question waits for it, and ends with
    its process; what it has read until then is kept. After a failure the next question tries
    again.
    """

    def __init__(self, make: Callable[[], GitCodeIndex]) -> None:
        self._make = make
        self._is_reading = Lock()

    def __call__(self) -> None:
        """Begin, unless it is being done."""
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
