"""Which process holds a lock on the files of a store, where the kernel tells (Linux does)."""

from __future__ import annotations

import os
from contextlib import suppress

from holdfast.domain.errors import StoreBusyError

_LOCKS = "/proc/locks"
_ENDINGS = ("-queue", "-shm", "")
_WORDS = 8
_STOPPED = frozenset("Tt")
# A lock that belongs to an open file, or to a process of another namespace.
_UNKNOWN = (-1, 0)


def busy(database: str) -> StoreBusyError:
    """Return the error that says who keeps the store locked."""
    pid = _holder(database)
    return StoreBusyError(pid=pid, is_stopped=pid is not None and _is_stopped(pid))


def _holder(database: str) -> int | None:
    """Return the process that holds a lock for writing on a file of the store."""
    files: dict[str, str] = {}
    for ending in _ENDINGS:
        with suppress(OSError):
            found = os.stat(f"{database}{ending}")
            device = f"{os.major(found.st_dev):02x}:{os.minor(found.st_dev):02x}"
            files[f"{device}:{found.st_ino}"] = ending
    try:
        with open(_LOCKS, encoding="ascii", errors="replace") as file:
            held = [_writer(line.split(), files) for line in file]
    except OSError:
        return None
    # The queue comes first: who holds it holds up every writer.
    ranked = sorted(one for one in held if one is not None)
    return ranked[0][1] if ranked else None


def _writer(words: list[str], files: dict[str, str]) -> tuple[int, int] | None:
    """Return a holder of a write lock and the rank of its file; a line may also tell of a reader.

    The line of one who waits has an arrow as its second word, and one word more.
    """
    if len(words) != _WORDS or words[3] != "WRITE" or words[5] not in files:
        return None
    pid = int(words[4])
    if pid in {os.getpid(), *_UNKNOWN}:
        return None
    return (_ENDINGS.index(files[words[5]]), pid)


def _is_stopped(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(") ")[2][:1] in _STOPPED
    except OSError:
        return False
