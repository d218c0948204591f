"""Progress of the writers: a fault waits for work that was done, not for seconds.

On a busy machine a writer may need seconds to open the store. A tool that kills or cuts by the
clock alone would then fault a store that nobody has written to, and would prove nothing.
"""

from __future__ import annotations

import time
from pathlib import Path

from torture.crew import Crew

LONGEST_SECONDS = 600.0
_LOOK_SECONDS = 0.002


class Pace:
    """Counts the lines that a crew appends to a file."""

    def __init__(self, path: Path, crew: Crew) -> None:
        self._path = path
        self._crew = crew
        self._lines = 0
        self._read = 0
        self._lines = self._count()

    def wait(self, lines: int) -> None:
        """Wait until so many more lines were written since the last call, or all have died."""
        wanted = self._lines + lines
        until = time.monotonic() + LONGEST_SECONDS
        while self._count() < wanted and self._crew.is_at_work() and time.monotonic() < until:
            time.sleep(_LOOK_SECONDS)

    def _count(self) -> int:
        if self._path.exists():
            with self._path.open("rb") as file:
                file.seek(self._read)
                fresh = file.read()
            self._read += len(fresh)
            self._lines += fresh.count(b"\n")
        return self._lines
