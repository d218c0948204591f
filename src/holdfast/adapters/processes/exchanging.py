"""Gives a program its input and reads its output, within limits of time and of size.

The program is in a process group of its own, which is killed when the exchange ends in any way. The
system stops a program that uses much processor time or memory, even if this process is gone.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.processes.watching import Sleep

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence

_BLOCK = 64 * 1024
_MOST_MEMORY = 4 * 1024 * 1024 * 1024
_started: set[int] = set()
"""The process groups of programs that run now."""


class Exchanged(NamedTuple):
    """What a program wrote; ``problem`` says why that is not all of it."""

    output: bytes = b""
    errors: bytes = b""
    problem: str = ""


@contextmanager
def started(
    command: Sequence[str],
    *,
    environment: Mapping[str, str] | None = None,
    seconds: float,
    hears_errors: bool = True,
) -> Generator[subprocess.Popen[bytes]]:
    """Start a program in a group of its own; kill the group at the end.

    Raises:
        OSError: It could not be started.
        ValueError: The command holds a null character.
    """
    process = subprocess.Popen(
        list(command),
        env=environment,
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE if hears_errors else subprocess.DEVNULL,
        process_group=0,
    )
    _started.add(process.pid)
    try:
        _limit(process.pid, seconds)
        yield process
    finally:
        _kill(process.pid)
        process.wait()
        _started.discard(process.pid)
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()


def kill_started() -> None:
    """Kill every program that runs now; for a process that is about to end at once."""
    for group in tuple(_started):
        _kill(group)


def exchange(
    process: subprocess.Popen[bytes],
    given: bytes,
    *,
    seconds: float,
    most: int,
    idle: float | None = None,
) -> Exchanged:
    """Write the input and read the output at the same time, so that no pipe blocks.

    ``idle`` is how many seconds the program, and all that it started, may sleep without doing
    anything; a program that only computes and reads files never does.
    """
    until = time.monotonic() + seconds
    sleep = Sleep(process.pid, float("inf") if idle is None else idle)
    left, output, errors = memoryview(given), bytearray(), bytearray()
    with selectors.DefaultSelector() as waiting:
        _register(process, waiting)
        while waiting.get_map():
            if (rest := until - time.monotonic()) <= 0:
                return Exchanged(problem=f"took longer than {seconds:.3g} seconds and was stopped")
            for key, _ in waiting.select(min(rest, sleep.step)):
                if key.fileobj is process.stdin:
                    left = _written(key.fd, left)
                    if not left:
                        waiting.unregister(key.fileobj)
                        process.stdin.close()
                elif block := os.read(key.fd, _BLOCK):
                    (output if key.fileobj is process.stdout else errors).extend(block)
                else:
                    waiting.unregister(key.fileobj)
            if problem := _problem(len(output) + len(errors), most, sleep):
                return Exchanged(problem=problem)
    with suppress(subprocess.TimeoutExpired):
        process.wait(max(0.0, until - time.monotonic()))
        return Exchanged(bytes(output), bytes(errors))
    return Exchanged(problem=f"took longer than {seconds:.3g} seconds and was stopped")


def _problem(written: int, most: int, sleep: Sleep) -> str:
    """Return why the program is stopped; empty if it goes on."""
    if written > most:
        return f"answered with more than {most:,} bytes"
    if sleep.is_too_long(written):
        return f"waited {sleep.idle:.3g} seconds for a file or a program and was stopped"
    return ""


def _register(process: subprocess.Popen[bytes], waiting: selectors.BaseSelector) -> None:
    if process.stdin is not None:
        os.set_blocking(process.stdin.fileno(), False)
        waiting.register(process.stdin, selectors.EVENT_WRITE)
    for pipe in (process.stdout, process.stderr):
        if pipe is not None:
            waiting.register(pipe, selectors.EVENT_READ)


def _written(pipe: int, left: memoryview) -> memoryview:
    """Write what fits into a pipe; return the rest, or nothing if nobody reads any more."""
    try:
        return left[os.write(pipe, left[:_BLOCK]) :]
    except BlockingIOError:
        return left
    except OSError:
        return left[len(left) :]


def _kill(group: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def _limit(process: int, seconds: float) -> None:
    """Let the system stop a program that goes on without this process, where it can."""
    import resource

    if not hasattr(resource, "prlimit"):  # pragma: no cover - only Linux has it
        return
    limits = {resource.RLIMIT_CPU: int(seconds) + 1, resource.RLIMIT_DATA: _MOST_MEMORY}
    for what, most in limits.items():
        with suppress(OSError, ValueError):
            hard = resource.prlimit(process, what)[1]
            few = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.prlimit(process, what, (few, few))
