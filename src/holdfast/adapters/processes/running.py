"""Programs that run to their end while the caller waits.

Programs that run in parallel to this process.
"""

from __future__ import annotations

import signal
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING
from weakref import finalize

from holdfast.adapters.processes.exchanging import exchange, started

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence

LARGEST_OUTPUT = 1024 * 1024 * 1024


def run_program(
    command: Sequence[str],
    *,
    environment: Mapping[str, str],
    timeout: float,
    given: bytes = b"",
    most: int = LARGEST_OUTPUT,
    idle: float | None = None,
) -> tuple[int, bytes, bytes]:
    """Run a program; return its exit code, its standard output and its standard error.

    Every process of its group is killed when it ends, takes longer or writes more, and when it
    sleeps for ``idle`` seconds.

    Raises:
        TimeoutError: It took longer, slept, or wrote more than ``most`` bytes.
        OSError: It could not be started.
    """
    with started(command, environment=environment, seconds=timeout) as process:
        found = exchange(process, given, seconds=timeout, most=most, idle=idle)
    if found.problem:
        raise TimeoutError(found.problem)
    return process.returncode, found.output, found.errors


def follow_program(command: Sequence[str], on_line: Callable[[str], None]) -> int:
    """Run a program and pass on each line of its output and errors; return its exit code.

    Raises:
        OSError: It could not be started.
    """
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
    ) as process:
        try:
            for line in process.stdout or ():
                on_line(line)
            return process.wait()
        finally:
            process.terminate()


def run_in_terminal(command: Sequence[str]) -> int:
    """Run a program that uses this process's terminal; return its exit code.

    Ctrl-C reaches every process of a terminal. It is meant for the program, so this process
    ignores it until the program has ended.

    Raises:
        OSError: It could not be started.
        ValueError: The command holds a null character.
    """
    with _interrupts_ignored():
        return subprocess.call(command)


@contextmanager
def _interrupts_ignored() -> Generator[None]:
    # A handler instead of SIG_IGN, which the program would inherit.
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


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
    # Nobody waits for it, and a Popen without an exit code warns when it is deleted.
    process.returncode = 0
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
