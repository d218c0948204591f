"""Tells whether a program and all that it started sleep: none of them runs, or has run lately.

A process that could run, but gets no processor on a busy machine, does not sleep. Neither does one
that waits for a disk. Time in which nobody looked does not count: this process may have been
stopped, too.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_LOOKS = 4
"""So often in a row the same must be seen."""
_ASLEEP = frozenset({b"S", b"Z", b"X"})
"""The states of a thread that waits for something else than a disk, or has ended."""
_STATE, _GROUP, _TIMES = 0, 2, slice(11, 15)
"""Places in a line of the system about a process, after its name."""


class Sleep:
    """Watches a group of processes, as the system tells about it; where it does not, none sleeps.

    ``idle`` is how many seconds the group may sleep.
    """

    def __init__(
        self,
        group: int,
        idle: float,
        *,
        clock: Callable[[], float] = time.monotonic,
        told: str = "/proc",
    ) -> None:
        self._group = b"%d" % group
        self._clock = clock
        self._told = told
        self._last: object = None
        self._count = 0
        self._at = clock()
        self.idle = idle
        self.step = idle / _LOOKS

    def is_too_long(self, written: int) -> bool:
        """Look, if it is time to; ``written`` is how much the group wrote until now."""
        now = self._clock()
        since = now - self._at
        if since < self.step:
            return False
        self._at = now
        used = self._used_if_asleep()
        seen = None if used is None else (written, used)
        if seen is None or seen != self._last or since >= 2 * self.step:
            self._last, self._count = seen, 0
            return False
        self._count += 1
        return self._count >= _LOOKS

    def _used_if_asleep(self) -> frozenset[tuple[bytes, ...]] | None:
        """Return the processor times of the group; None if a part of it runs, or nothing tells."""
        found: set[tuple[bytes, ...]] = set()
        for name in _listed(self._told):
            words = _words(f"{self._told}/{name}/stat")
            if len(words) > _GROUP and words[_GROUP] == self._group:
                if not self._is_asleep(name):
                    return None
                found.add((name.encode(), *words[_TIMES]))
        return frozenset(found) or None

    def _is_asleep(self, process: str) -> bool:
        """Return whether no thread of a process could run."""
        threads = f"{self._told}/{process}/task"
        states = [_words(f"{threads}/{name}/stat")[: _STATE + 1] for name in _listed(threads)]
        return all(state[_STATE] in _ASLEEP for state in states if state)


def _listed(folder: str) -> Iterator[str]:
    """Return the numbers that are names in a folder; none if it cannot be read."""
    try:
        names = os.listdir(folder)  # noqa: PTH208 - no pathlib is loaded here
    except OSError:
        return iter(())
    return (name for name in names if name.isdecimal())


def _words(path: str) -> list[bytes]:
    """Return what the system tells of a process after its name; nothing if it has ended."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - no pathlib is loaded here
            return file.read().rpartition(b")")[2].split()
    except OSError:
        return []
