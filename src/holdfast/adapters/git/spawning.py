"""Running a program and hearing it out, without the weight of the standard library's way.

``subprocess`` costs a cold start more than git's whole answer does. What is needed here is
little: words in, words out, an end, and a time limit.
"""

from __future__ import annotations

import fcntl
import os
import select
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_CHUNK = 1 << 16
_KILL = 9
_FIRST_FREE = 3


def run_program(
    command: Sequence[str],
    *,
    environment: Mapping[str, str],
    given: bytes = b"",
    timeout: float | None = None,
) -> tuple[int, bytes, bytes]:
    """Run a program to its end; return its exit code, its answer and its complaints.

    Raises:
        TimeoutError: It took longer than it may; it was stopped.
        OSError: It could not be started.
    """
    ours, theirs = _pipes()
    actions = [(os.POSIX_SPAWN_DUP2, end, number) for number, end in enumerate(theirs)]
    try:
        child = os.posix_spawnp(command[0], list(command), environment, file_actions=actions)
    except OSError:
        _close(*ours)
        raise
    finally:
        _close(*theirs)
    try:
        answer, complaints = _heard(ours, given, timeout)
    except TimeoutError:
        os.kill(child, _KILL)
        os.waitpid(child, 0)
        raise
    finally:
        _close(*ours)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), answer, complaints


def _pipes() -> tuple[list[int], list[int]]:
    """Return our ends and the program's ends of its input, its output and its complaints."""
    (their_input, our_input), (our_output, their_output), (our_errors, their_errors) = (
        tuple(_clear_of_standard(end) for end in os.pipe()) for _ in range(3)
    )
    return [our_input, our_output, our_errors], [their_input, their_output, their_errors]


def _clear_of_standard(end: int) -> int:
    """Return the same end under a number that the program's own ends will not take."""
    if end >= _FIRST_FREE:
        return end
    moved = fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, _FIRST_FREE)
    os.close(end)
    return moved


def _heard(ours: list[int], given: bytes, timeout: float | None) -> tuple[bytes, bytes]:
    """Say what is to be said and listen at the same time, so that nobody waits for ever."""
    into, *outputs = ours
    rest = memoryview(given)
    heard: dict[int, list[bytes]] = {output: [] for output in outputs}
    due = None if timeout is None else time.monotonic() + timeout
    poller, open_ends = select.poll(), set(outputs)
    for output in outputs:
        poller.register(output, select.POLLIN)
    os.set_blocking(into, False)
    poller.register(into, select.POLLOUT)
    while open_ends:
        left = None if due is None else max(0.0, due - time.monotonic()) * 1_000
        ready = poller.poll(left)
        if not ready:
            raise TimeoutError
        for end, _ in ready:
            if end == into:
                rest = _said(ours, poller, rest)
            elif chunk := os.read(end, _CHUNK):
                heard[end].append(chunk)
            else:
                poller.unregister(end)
                open_ends.discard(end)
    answer, complaints = (b"".join(chunks) for chunks in heard.values())
    return answer, complaints


def _said(ours: list[int], poller: select.poll, rest: memoryview) -> memoryview:
    """Say as much as is taken now, and return what is left to say."""
    try:
        rest = rest[os.write(ours[0], rest[:_CHUNK]) :] if rest else rest
    except BrokenPipeError:
        rest = rest[:0]
    if not rest:
        poller.unregister(ours[0])
        os.close(ours[0])
        ours[0] = -1
    return rest


def _close(*ends: int) -> None:
    for end in ends:
        if end >= 0:
            os.close(end)
