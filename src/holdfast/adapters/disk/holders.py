"""Finds the process that holds a lock on a file, if the kernel reports it (Linux does)."""

from __future__ import annotations

import os
from contextlib import suppress

from holdfast.domain.errors import StoreBusyError

_LOCKS = "/proc/locks"
_WORDS = 8
_STOPPED = frozenset("Tt")
# A lock that belongs to an open file, or to a process of another namespace.
_UNKNOWN = (-1, 0)


def busy(*paths: str, what: str = "the store") -> StoreBusyError:
    """Return the error that names the process which locks one of these files, in this order."""
    pid = _holder(paths)
    return StoreBusyError(what=what, pid=pid, is_stopped=pid is not None and _is_stopped(pid))


def _holder(paths: tuple[str, ...]) -> int | None:
    """Return another process that holds a write lock on one of the files."""
    from pathlib import Path

    ranks: dict[str, int] = {}
    for rank, path in enumerate(paths):
        with suppress(OSError):
            found = Path(path).stat()
            device = f"{os.major(found.st_dev):02x}:{os.minor(found.st_dev):02x}"
            ranks[f"{device}:{found.st_ino}"] = rank
    try:
        with Path(_LOCKS).open(encoding="ascii", errors="replace") as file:
            held = [_writer(line.split(), ranks) for line in file]
    except OSError:
        return None
    return min((one for one in held if one is not None), default=(0, None))[1]


def _writer(words: list[str], ranks: dict[str, int]) -> tuple[int, int] | None:
    """Return the rank of a file and the process with its write lock; None for other lines.

    The line of a waiting process has an arrow as its second word, and one word more.
    """
    if len(words) != _WORDS or words[3] != "WRITE" or words[5] not in ranks:
        return None
    pid = int(words[4])
    return None if pid in {os.getpid(), *_UNKNOWN} else (ranks[words[5]], pid)


def _is_stopped(pid: int) -> bool:
    from pathlib import Path

    try:
        told = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return told.rpartition(") ")[2][:1] in _STOPPED
