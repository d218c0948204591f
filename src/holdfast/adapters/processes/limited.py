"""Runs a command with limits: time, processor, memory, output, and no network where possible.

A small launcher sets the limits in the new process and then becomes the shell, so that no code of
this process runs between ``fork`` and ``exec``. Where the system allows it, the launcher also moves
into a network namespace without interfaces and into a process namespace, which ends with it.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_OUTPUT = 64 * 1024
_BLOCK = 16 * 1024
_OFFLINE = b"0"
_SIGNALLED = 128
_STOPPING = frozenset({signal.SIGKILL, signal.SIGXCPU, signal.SIGXFSZ})
# The launcher: it reports on descriptor 3 whether the network is closed, and then becomes the
# shell. It must not import anything of the repository, so Python runs isolated (-I -S).
_LAUNCHER = r"""
import ctypes, os, resource, sys
report, seconds, memory = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
def limit(what, most):
    hard = resource.getrlimit(what)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(what, (most, most))
limit(resource.RLIMIT_CPU, seconds)
limit(resource.RLIMIT_AS, memory)
limit(resource.RLIMIT_CORE, 0)
limit(resource.RLIMIT_FSIZE, 1 << 30)
NEWUSER, NEWPID, NEWNET = 0x10000000, 0x20000000, 0x40000000
offline = False
try:
    libc = ctypes.CDLL(None, use_errno=True)
    user, group = os.geteuid(), os.getegid()
    libc.prctl(38, 1, 0, 0, 0)
    if libc.unshare(NEWUSER | NEWNET | NEWPID) == 0:
        offline = True
        for name, words in (("setgroups", "deny"), ("uid_map", "%d %d 1" % (user, user)),
                            ("gid_map", "%d %d 1" % (group, group))):
            try:
                with open("/proc/self/" + name, "w") as file:
                    file.write(words)
            except OSError:
                pass
except (OSError, AttributeError):
    pass
os.write(report, b"0" if offline else b"1")
os.close(report)
if offline:
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        os._exit(code if code >= 0 else 128 - code)
os.execv("/bin/sh", ["/bin/sh", "-c", sys.argv[4]])
"""
_KEPT = ("HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "TMPDIR", "USER", "VIRTUAL_ENV")
"""The variables that a command gets; tokens and keys of the person's shell are not among them."""


class CommandLimits(NamedTuple):
    """The limits of a command: seconds of time and of processor, and bytes of memory."""

    seconds: float = 60.0
    memory: int = 4 * 1024 * 1024 * 1024


class LimitedEnd(NamedTuple):
    """How a command ended; the code is None if its time ran out or it could not be started."""

    exit_code: int | None
    output: bytes
    is_offline: bool
    problem: str = ""


def run_limited(command: str, *, folder: str, limits: CommandLimits) -> LimitedEnd:
    """Run a shell command in a folder, and end every process of its group afterwards."""
    reading, writing = os.pipe()
    try:
        process = subprocess.Popen(
            _started(command, writing, limits),
            cwd=folder,
            env=_environment(os.environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=(writing,),
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        os.close(reading)
        os.close(writing)
        return LimitedEnd(None, b"", is_offline=False, problem=f"it could not be started: {error}")
    os.close(writing)
    try:
        output, is_late = _watched(process, time.monotonic() + limits.seconds)
        _end(process)
        is_offline = os.read(reading, 1) == _OFFLINE
    finally:
        os.close(reading)
    if is_late:
        problem = f"it took longer than {round(limits.seconds, 1):g} seconds and was stopped"
        return LimitedEnd(None, output, is_offline, problem)
    code = process.returncode
    number = -code if code < 0 else code - _SIGNALLED
    if number in _STOPPING:
        problem = f"signal {number} stopped it, perhaps a limit of processor time or memory"
        return LimitedEnd(None, output, is_offline, problem)
    return LimitedEnd(code, output, is_offline)


def _started(command: str, report: int, limits: CommandLimits) -> list[str]:
    numbers = (report, max(1, int(limits.seconds)), limits.memory)
    return [sys.executable, "-I", "-S", "-c", _LAUNCHER, *map(str, numbers), command]


def _environment(given: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in given.items() if name in _KEPT}


def _watched(process: subprocess.Popen[bytes], until: float) -> tuple[bytes, bool]:
    """Read the output until the command ends or its time is up; keep only the last part of it."""
    output = bytearray()
    pipe = process.stdout
    if pipe is None:  # pragma: no cover - a pipe was asked for
        return b"", False
    with selectors.DefaultSelector() as waiting:
        waiting.register(pipe, selectors.EVENT_READ)
        while (left := until - time.monotonic()) > 0:
            if process.poll() is not None and not waiting.select(0):
                return bytes(output), False
            if not waiting.select(min(left, 0.05)):
                continue
            block = os.read(pipe.fileno(), _BLOCK)
            if not block:
                break
            output += block
            del output[:-MOST_OUTPUT]
    with suppress(subprocess.TimeoutExpired):
        process.wait(max(0.0, until - time.monotonic()))
        return bytes(output), False
    return bytes(output), True


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill what is left of the command's process group, and collect the command."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if process.stdout is not None:
        process.stdout.close()
