"""Runs a program that reads a question and writes one answer; it is killed when its time is up."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_ANSWERED = 4 * 1024 * 1024
_BLOCK = 64 * 1024


class ProgramAnswer(NamedTuple):
    """What a program wrote; ``problem`` says why that is not a whole answer."""

    output: bytes
    problem: str = ""


def asked(command: Sequence[str], question: bytes, *, seconds: float) -> ProgramAnswer:
    """Give a program a question on standard input, and return what it wrote to standard output.

    When it ends, when its time is up, or when it wrote too much, every process of its group is
    killed, so that nothing of it goes on.
    """
    until = time.monotonic() + seconds
    try:
        process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        return ProgramAnswer(b"", f"could not be started: {error}")
    try:
        output, problem = _exchanged(process, question, until)
    finally:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
    if problem == _LATE:
        problem = f"took longer than {seconds:.3g} seconds and was stopped"
    return ProgramAnswer(output, problem)


_LATE = "late"


def _exchanged(
    process: subprocess.Popen[bytes], question: bytes, until: float
) -> tuple[bytes, str]:
    """Write the question and read the answer at the same time, so that neither pipe blocks."""
    to, back = process.stdin, process.stdout
    if to is None or back is None:  # pragma: no cover - both pipes were asked for
        return b"", "has no pipes"
    os.set_blocking(to.fileno(), False)
    output, left = bytearray(), memoryview(question)
    with selectors.DefaultSelector() as waiting:
        waiting.register(to, selectors.EVENT_WRITE)
        waiting.register(back, selectors.EVENT_READ)
        while (seconds := until - time.monotonic()) > 0:
            for key, _ in waiting.select(seconds):
                if key.fileobj is to:
                    left = _written(to.fileno(), left)
                    if not left:
                        waiting.unregister(to)
                        to.close()
                elif block := os.read(back.fileno(), _BLOCK):
                    output += block
                    if len(output) > MOST_ANSWERED:
                        return b"", f"answered with more than {MOST_ANSWERED:,} bytes"
                else:
                    return bytes(output), ""
    return b"", _LATE


def _written(pipe: int, left: memoryview) -> memoryview:
    """Write what fits into a pipe; return the rest, or nothing if nobody reads any more."""
    try:
        return left[os.write(pipe, left[:_BLOCK]) :]
    except BlockingIOError:
        return left
    except OSError:
        return left[len(left) :]
