"""Reads unread code in a background thread, and polls for changes."""

from __future__ import annotations

from threading import Lock, Thread
from time import monotonic, sleep
from typing import TYPE_CHECKING

from holdfast.adapters.code.index.derived import nobody_watches
from holdfast.domain.errors import HoldfastError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from holdfast.domain.code.code import Indexed
    from holdfast.ports.store.upkeep import Progress

    Watch = Callable[[], AbstractContextManager[Progress]]
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


# If a poll is slow, the pauses grow with it: at most a tenth of one core, and ten seconds.
_PAUSE_PER_WORK = 9
_LONGEST_PAUSE_SECONDS = 10.0


def changes(
    look: Callable[[], Indexed], *, every: float, pause: Callable[[float], None] = sleep
) -> Iterator[Indexed]:
    """Poll without end; yield the result of each poll that found changes."""
    while True:
        pause(every)
        began = monotonic()
        indexed = look()
        if indexed.read or indexed.removed:
            yield indexed
        else:
            took = monotonic() - began
            pause(max(0.0, min(_LONGEST_PAUSE_SECONDS, _PAUSE_PER_WORK * took) - every))
