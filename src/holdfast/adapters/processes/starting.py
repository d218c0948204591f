"""Programs that run in parallel to this process."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING
from weakref import finalize

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_detached: list[subprocess.Popen[bytes]] = []
"""Kept because Popen warns when it is deleted while its program still runs."""


def start_detached(command: Sequence[str]) -> int:
    """Start a program in a session of its own, without input or output; return its process id.

    Raises:
        OSError: It could not be started.
    """
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    _detached[:] = [one for one in _detached if one.poll() is None]
    _detached.append(process)
    return process.pid


class PipedProgram:
    """A program that reads from one pipe and writes to another; its errors are dropped.

    ``to`` and ``back`` are the file descriptors of this process's ends. The program is killed
    when the object is deleted, and when this process ends in the usual way.
    """

    def __init__(self, command: Sequence[str], *, environment: Mapping[str, str]) -> None:
        """Start the program.

        Raises:
            OSError: It could not be started.
        """
        process = subprocess.Popen(
            command,
            env=environment,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.to, self.back = (
            -1 if pipe is None else pipe.fileno() for pipe in (process.stdin, process.stdout)
        )
        self._end = finalize(self, _ended, process)

    def end(self) -> None:
        """Kill the program and close its pipes; a second call does nothing."""
        self._end()


def _ended(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
    process.wait()
