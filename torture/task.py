"""What a tool is asked to do, and the place it may do it in."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from torture.report import Report


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """How long, with which chance, where. ``amount`` replaces the tool's own number of faults."""

    work: Path
    seed: int = 1
    full: bool = False
    amount: int | None = None
    repo: Path | None = None

    def number(self, *, short: int, full: int) -> int:
        """Return how many faults are wanted."""
        if self.amount is not None:
            return self.amount
        return full if self.full else short

    def folder(self, name: str) -> Path:
        """Return an empty folder for one part of the work."""
        path = self.work / name
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir(parents=True)
        return path


# A real disk would only make the others slower: they make the faults themselves, or, like a
# kill, faults that the page cache survives.
NEED_DISK = frozenset({"power", "contend"})
_MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of our own is made in it
_ENOUGH_BYTES = 512 << 20

Tool = Callable[[Task], Report]


def place_for(tool: str) -> Path | None:
    """Return where a tool works best when nobody chose: in memory, where that proves as much."""
    if tool in NEED_DISK or not os.access(_MEMORY, os.W_OK):
        return None
    return _MEMORY if shutil.disk_usage(_MEMORY).free > _ENOUGH_BYTES else None


@contextmanager
def workplace(chosen: Path | None) -> Generator[Path, None, None]:
    """Give a folder to work in, and leave nothing in it."""
    if chosen is not None:
        chosen.mkdir(parents=True, exist_ok=True)
    path = Path(tempfile.mkdtemp(prefix="holdfast-torture-", dir=chosen))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
