"""The processes of this machine: their names, and whether they still run."""

from __future__ import annotations

import os
import socket
from pathlib import Path

_ENDED = "Z"


class MachineWorkers:
    """The processes of this machine, by host, number and start.

    Containers that share the name of their host number their processes apart, so the start names
    their space of numbers too.
    """

    def own_name(self) -> str:
        """Return the name of this process."""
        return f"{socket.gethostname()}:{os.getpid()}:{_start_of(os.getpid())}"

    def lives(self, name: str) -> bool:
        """Tell whether a process may still run; one of another machine or container counts so."""
        host, _, rest = name.rpartition(":")[0].rpartition(":")
        number, start = rest, name.rpartition(":")[2]
        is_here = host == socket.gethostname() and start.partition("@")[2] == _space()
        if not (is_here and number.isdigit()):
            return True
        try:
            os.kill(int(number), 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        return _start_of(int(number)) == start


def _start_of(process: int) -> str:
    """Return when a process started, as the system counts; empty if it does not say.

    A process that has ended has none, even if its parent has not asked how it ended.
    """
    try:
        words = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace")
        state, *rest = words.rpartition(")")[2].split()
        return "" if state == _ENDED else f"{rest[18]}@{_space()}"
    except (OSError, IndexError, ValueError):
        return ""


def _space() -> str:
    """Return the space of numbers that this process sees; empty if the system does not say."""
    try:
        return str(Path("/proc/self/ns/pid").readlink()).strip("pid:[]")
    except OSError:
        return ""
