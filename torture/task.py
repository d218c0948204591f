"""The options of a tool, and its work folder."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from torture.report import Report, Tally


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """How long, with which seed, where. ``amount`` replaces the tool's own number of faults."""

    work: Path
    seed: int = 1
    full: bool = False
    amount: int | None = None
    repo: Path | None = None

    def number(self, *, short: int, full: int) -> int:
        """Return the wanted number of faults."""
        if self.amount is not None:
            return self.amount
        return full if self.full else short

    def is_over(self, tally: Tally) -> bool:
        """Tell whether a fault that was found ends the run: a full run counts all of them."""
        return not self.full and tally.wrong > 0

    def folder(self, name: str) -> Path:
        """Return an empty folder for one part of the work."""
        path = self.work / name
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir(parents=True)
        return path


# A real disk would only slow the other tools down: they simulate the faults, or cause faults that
# the page cache survives, such as a kill.
NEED_DISK = frozenset({"power", "contend"})
_MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of our own is made in it
_DISK = Path("/var/tmp")  # noqa: S108 - the folder for temporary files may be in memory
_ENOUGH_BYTES = 512 << 20

Tool = Callable[[Task], Report]


def place_for(tool: str) -> Path | None:
    """Return the default work folder of a tool: in memory, if that proves as much."""
    if tool in NEED_DISK:
        return _DISK if os.access(_DISK, os.W_OK) else None
    if not os.access(_MEMORY, os.W_OK):
        return None
    return _MEMORY if shutil.disk_usage(_MEMORY).free > _ENOUGH_BYTES else None


@contextmanager
def workplace(chosen: Path | None) -> Generator[Path, None, None]:
    """Yield a new work folder, and remove it afterwards."""
    if chosen is not None:
        chosen.mkdir(parents=True, exist_ok=True)
    path = Path(tempfile.mkdtemp(prefix="holdfast-torture-", dir=chosen))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
