"""The processes of this machine: their names, and whether they still run."""

from __future__ import annotations

import os
import socket
from pathlib import Path


class MachineWorkers:
    """The processes of this machine, by host, number and start."""

    def own_name(self) -> str:
        """Return the name of this process."""
        return f"{socket.gethostname()}:{os.getpid()}:{_start_of(os.getpid())}"

    def lives(self, name: str) -> bool:
        """Tell whether a process may still run; one of another machine counts as running."""
        host, _, rest = name.rpartition(":")[0].rpartition(":")
        number, start = rest, name.rpartition(":")[2]
        if host != socket.gethostname() or not number.isdigit():
            return True
        try:
            os.kill(int(number), 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        return _start_of(int(number)) == start


def _start_of(process: int) -> str:
    """Return when a process started, as the system counts; empty if it does not say."""
    try:
        words = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace")
        return words.rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""
