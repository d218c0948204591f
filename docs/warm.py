"""A process that has imported the program, and forks for each command of a page.

Most of the time of a short command is spent on imports, and the pages have hundreds of commands.
A command gets the words, the variables, the folder and the streams of its caller, and nothing of
the command before it.
"""

from __future__ import annotations

import atexit
import io
import marshal
import os
import pkgutil
import selectors
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

from holdfast.surfaces.cli.main import main

ROOT = Path(__file__).parents[1]
_IMPORTED = (
    *("adapters.git", "adapters.sqlite", "app", "bootstrap.machine", "bootstrap.opening"),
    *("surfaces.cli", "usecases"),
)
_READY = b"ready\n"
_SIZE = 4
_STREAMS = 3
# The caller of a command. It imports as little as it can: a module would take longer than a fork.
# A command that stays, or that must answer in time, is a process of its own; so is one for which
# other modules may be found.
_CALLER = """
import _socket, marshal, os, sys
words = sys.argv[1:]
is_alone = {{"hook", "mcp", "serve", "ui", "web", "--badge"}}.intersection(words)
if is_alone or os.environ.get("PYTHONPATH") != {modules!r}:
    os.execv({plain!r}, [{plain!r}, *words])
call = _socket.socket(_socket.AF_UNIX)
call.connect({address!r})
said = marshal.dumps((words, dict(os.environ), os.getcwd(), os.umask(0)))
streams = b"".join(number.to_bytes({size}, sys.byteorder) for number in range({streams}))
rights = (_socket.SOL_SOCKET, _socket.SCM_RIGHTS, streams)
call.sendmsg([len(said).to_bytes({size}, "big")], [rights])
call.sendall(said)
os._exit((call.recv(1) or b"\\x01")[0])
"""


def caller(plain: Path, modules: str) -> str:
    """Return a Python program that runs a command in the warm process.

    ``plain`` is the program itself, and ``modules`` are the folders in which it finds its modules.
    """
    return _CALLER.format(
        modules=modules,
        plain=str(plain),
        address=_address(),
        size=_SIZE,
        streams=_STREAMS,
    )


@cache
def _address() -> str:
    """Start the warm process, once for each process, and return where it listens.

    It ends with the process that started it, whose end of a pipe is closed then.
    """
    folder = Path(tempfile.mkdtemp(prefix="holdfast-warm-"))
    warm = subprocess.Popen(  # noqa: S603 - this module
        [sys.executable, "-m", "docs.warm", str(folder / "calls")],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src"), "PYTHONUTF8": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    atexit.register(_end, warm, folder)
    assert warm.stdout is not None  # noqa: S101 - it is a pipe
    assert warm.stdout.readline() == _READY, "the warm process ended"  # noqa: S101 - or tests would wait
    return str(folder / "calls")


def _end(warm: subprocess.Popen[bytes], folder: Path) -> None:
    warm.communicate()
    shutil.rmtree(folder, ignore_errors=True)


def _modules() -> Iterator[str]:
    for name in _IMPORTED:
        package = import_module(f"holdfast.{name}")
        yield from (
            one.name for one in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        )


def _serve(address: str) -> None:
    """Fork for each call, until the process that started this one is gone."""
    for name in _modules():
        import_module(name)
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(address)
    listening.listen(64)
    waiting = selectors.DefaultSelector()
    waiting.register(0, selectors.EVENT_READ, "the end")
    waiting.register(listening, selectors.EVENT_READ, "a call")
    os.write(1, _READY)
    while True:
        for key, _ in waiting.select():
            if key.data == "the end":
                return
            if key.data == "a call":
                call = listening.accept()[0]
                child = os.fork()
                if child == 0:
                    _become(call)
                waiting.register(os.pidfd_open(child), selectors.EVENT_READ, (child, call))
            else:
                _answer(*key.data)
                waiting.unregister(key.fd)
                os.close(key.fd)


def _answer(child: int, call: socket.socket) -> None:
    """Tell the caller how the command ended."""
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with call:
        call.send(bytes([code if code >= 0 else 128 - code]))


def _become(call: socket.socket) -> NoReturn:
    """Run the command of a call in this process, as if it had been started for that."""
    head, streams = _received(call)
    words, variables, folder, mask = marshal.loads(head)  # noqa: S302 - from a program of our own
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.closerange(_STREAMS, max(streams) + 1)
    os.umask(mask)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(variables)
    time.tzset()
    sys.path[0] = folder
    sys.argv = ["holdfast", *words]
    for name, number in (("stdin", 0), ("stdout", 1), ("stderr", 2)):
        _open(name, number)
    # A process that the command spawns imports the main module again, by the name in this.
    sys.modules["__main__"].__spec__ = find_spec("holdfast.__main__")
    main()


def _received(call: socket.socket) -> tuple[bytes, list[int]]:
    size, streams, _, _ = socket.recv_fds(call, _SIZE, _STREAMS)
    rest, said = int.from_bytes(size, "big"), io.BytesIO()
    while said.tell() < rest:
        said.write(call.recv(rest - said.tell()))
    return said.getvalue(), streams


def _open(name: str, number: int) -> None:
    """Open a stream as the interpreter opens it when it starts with UTF-8."""
    stream = open(  # noqa: SIM115 - a number, and it stays open
        number,
        "r" if number == 0 else "w",
        encoding="utf-8",
        errors="backslashreplace" if name == "stderr" else "surrogateescape",
        closefd=False,
    )
    stream.reconfigure(line_buffering=name == "stderr" or stream.isatty())
    setattr(sys, name, stream)
    setattr(sys, f"__{name}__", stream)


if __name__ == "__main__":
    _serve(sys.argv[1])
