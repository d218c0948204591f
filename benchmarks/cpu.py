"""CPU time of a server with all its processes, read from the kernel."""

from __future__ import annotations

import os
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_PARENT, _OWN, _WITH_CHILDREN = 1, slice(11, 13), slice(11, 15)


def cpu_seconds(pid: int) -> float:
    """Return user and system time of a process, its living children and those it waited for."""
    total = sum(map(int, _stat(pid)[_WITH_CHILDREN]))
    for child in _children(pid):
        try:
            total += sum(map(int, _stat(child)[_OWN]))
        except OSError:
            continue  # it ended meanwhile; its parent has its time now
    return total / _TICKS


def _children(pid: int) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if int(_stat(int(path.name))[_PARENT]) == pid:
                found.append(int(path.name))
        except OSError:
            continue  # it ended meanwhile
    return found


def _stat(pid: int) -> list[str]:
    """Return the fields after the name of the program."""
    return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
