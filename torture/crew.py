"""A group of child processes, forked so that two thousand of them are cheap to lose.

The program imports a module when it first needs it. What a child imported before it answered, its
parent imports as well, so that the next children need not.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn, TypeVar

_DIE_WITH_PARENT = 1
_SHARED = {"holdfast", *sys.stdlib_module_names}
Answer = TypeVar("Answer")


@dataclass(slots=True)
class Crew:
    """Children by role. Starting a role again replaces a child that died."""

    pids: dict[str, int] = field(default_factory=dict)
    kills: int = 0

    def start(self, role: str, work: Callable[[], None]) -> None:
        """Start a child in a role, unless one is running."""
        if role not in self.pids:
            self.pids[role] = forked(work)

    def kill(self, *roles: str) -> None:
        """Kill the children of these roles, then wait until they are gone."""
        gone = [self.pids.pop(role) for role in roles]
        for pid in gone:
            os.kill(pid, signal.SIGKILL)
        for pid in gone:
            _, status = os.waitpid(pid, 0)
            self.kills += os.WIFSIGNALED(status)

    def kill_all(self) -> None:
        """Kill all children at once."""
        self.kill(*self.pids)

    def stop(self) -> None:
        """Stop all children with SIGSTOP, and wait until the kernel has stopped them."""
        for pid in self.pids.values():
            os.kill(pid, signal.SIGSTOP)
        self.wait_until_stopped()

    def wait_until_stopped(self) -> None:
        """Wait until all children have stopped themselves, or have died."""
        for pid in self.pids.values():
            while _state(pid) not in "TZ":
                time.sleep(0.001)

    def go_on(self) -> None:
        """Continue the stopped children."""
        for pid in self.pids.values():
            os.kill(pid, signal.SIGCONT)

    def is_at_work(self) -> bool:
        """Tell whether somebody is left who has not died."""
        return any(_state(pid) != "Z" for pid in self.pids.values())

    def wait(self) -> list[int]:
        """Wait until all children have ended; return their exit codes."""
        codes = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in self.pids.values()]
        self.pids.clear()
        return codes


def forked(work: Callable[[], None]) -> int:
    """Run work in a child that dies with its parent; return its process id."""
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        _work(work)
    return pid


def in_child(question: Callable[[], Answer]) -> Answer:
    """Call a function in a child, so that no open file and no state stays in this process."""
    return in_children([question])[0]


def in_children(questions: Sequence[Callable[[], Answer]]) -> list[Answer]:
    """Call functions in one child each, concurrently.

    Raises:
        ChildFailedError: One of the children failed.
    """
    asked = [_ask(question) for question in questions]
    return [_answer(pid, pipe) for pid, pipe in asked]


def _ask(question: Callable[[], object]) -> tuple[int, int]:
    reading, writing = os.pipe()
    known = set(sys.modules)

    def answer() -> None:
        os.close(reading)
        with os.fdopen(writing, "wb") as pipe:
            said = question()
            pickle.dump((said, [name for name in sys.modules if name not in known]), pipe)

    pid = forked(answer)
    os.close(writing)
    return pid, reading


def _answer(pid: int, pipe: int) -> Any:  # noqa: ANN401 - whatever the child was asked for
    with os.fdopen(pipe, "rb") as reading:
        raw = reading.read()
    os.waitpid(pid, 0)
    if not raw:
        raise ChildFailedError
    said, imported = pickle.loads(raw)  # noqa: S301 - written by our own child
    for name in imported:
        if name.partition(".")[0] in _SHARED:
            import_module(name)
    return said


class ChildFailedError(RuntimeError):
    """A child of the harness broke; its traceback is above."""

    def __str__(self) -> str:
        return self.__doc__ or ""


def _work(work: Callable[[], None]) -> NoReturn:
    ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    code = 1
    try:
        work()
        code = 0
    except BaseException:  # noqa: BLE001 - a child must never return into its parent's code
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _state(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
