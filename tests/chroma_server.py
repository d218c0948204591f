"""A real Chroma for tests: its package, and a server process, from an environment of its own.

`make test` installs the environment; without it, the tests of Chroma are skipped.
"""

from __future__ import annotations

import atexit
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from tests.patience import PATIENCE

ENVIRONMENT = Path(__file__).parents[1] / ".peers" / "chroma"
IS_HERE = (ENVIRONMENT / ".ready").exists() or find_spec("chromadb") is not None
needs_chroma = pytest.mark.skipif(not IS_HERE, reason="run: make chroma")
_TRIES = 5
OFF = {**os.environ, "ANONYMIZED_TELEMETRY": "False", "CHROMA_OTEL_COLLECTION_ENDPOINT": ""}


def install() -> None:
    """Let this process import the package of Chroma; its own packages come first."""
    if find_spec("chromadb") is None:
        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        sys.path.append(str(ENVIRONMENT / "lib" / version / "site-packages"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import_module("chromadb")  # its first import warns about other packages


class ServerProcess:
    """One server, started and stopped by a test."""

    def __init__(self, folder: Path, port: int | None = None) -> None:
        self.folder = folder
        for _ in range(1 if port else _TRIES):
            self.port = port or _free_port()
            self._process = subprocess.Popen(  # noqa: S603 - the program of the environment
                [
                    _program(),
                    "run",
                    "--host",
                    "127.0.0.1",
                    "--port",
                    str(self.port),
                    "--path",
                    folder,
                ],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=OFF,
            )
            _wait_for(lambda: self._has_ended or self._answers())
            if not self._has_ended:
                return
        pytest.fail("the server ended")

    @property
    def setting(self) -> str:
        """The value of recall.index for this server."""
        return f"chroma+http://127.0.0.1:{self.port}"

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()

    @property
    def _has_ended(self) -> bool:
        """Whether it ended: another process may have taken the free port meanwhile."""
        return self._process.poll() is not None

    def _answers(self) -> bool:
        try:
            with urlopen(f"http://127.0.0.1:{self.port}/api/v2/heartbeat", timeout=5) as answer:
                return bool(answer.status == 200)
        except (URLError, OSError):
            return False


@cache
def shared_server() -> ServerProcess:
    """Return one server for all tests of this process; each store has collections of its own."""
    folder = Path(tempfile.mkdtemp(prefix="chroma-"))
    started = ServerProcess(folder)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    atexit.register(started.stop)
    return started


@contextmanager
def a_server(folder: Path, port: int | None = None) -> Generator[ServerProcess, None, None]:
    """Run a server of one test."""
    started = ServerProcess(folder, port)
    try:
        yield started
    finally:
        started.stop()


def _wait_for(is_ready: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not is_ready():
        assert time.monotonic() < until
        time.sleep(0.02)


def _program() -> str:
    own = ENVIRONMENT / "bin" / "chroma"
    return str(own) if own.exists() else str(Path(sys.executable).with_name("chroma"))


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
