"""The server of Chroma, filled and called over its HTTP API."""

from __future__ import annotations

import json
import random
import socket
import subprocess
import tempfile
import time
import uuid
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from http import HTTPStatus

from benchmarks.peers.processes import ROOT
from benchmarks.plain_http import PlainConnection

_PROGRAMS = ROOT / ".peers" / "chroma" / "bin"
# Named as the interpreter's argument: the program itself names the folder it was installed in.
_COMMAND = (_PROGRAMS / "python", _PROGRAMS / "chroma")
_PATH = "/api/v2/tenants/default_tenant/databases/default_database/collections"
_DIMENSION, _BATCH, _PATIENCE = 384, 500, 60.0
Send = Callable[[int], None]


@contextmanager
def chroma(
    texts: Sequence[str],
) -> Generator[tuple[int, Callable[[], Send], Callable[[], Send]] | None, None, None]:
    """Yield the process, and how to make a sender of questions and of writes; None without it."""
    if not all(part.exists() for part in _COMMAND):
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="holdfast-chroma-") as folder:
        port = _free_port()
        process = subprocess.Popen(
            [*map(str, _COMMAND), "run", "--path", folder, "--port", str(port)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            _wait(port)
            path = f"{_PATH}/{_call(port, _PATH, {'name': 'measured'})['id']}"
            for first in range(0, len(texts), _BATCH):
                _call(port, f"{path}/add", _rows(texts[first : first + _BATCH]))
            yield process.pid, lambda: _asking(port, path), lambda: _adding(port, path)
        finally:
            process.terminate()
            process.wait()


def _asking(port: int, path: str) -> Send:
    connection = _connected(port)

    def send(number: int) -> None:
        del number
        question: dict[str, object] = {"query_embeddings": [_vector()], "n_results": 10}
        _sent(connection, f"{path}/query", question)

    return send


def _adding(port: int, path: str) -> Send:
    connection = _connected(port)

    def send(number: int) -> None:
        _sent(connection, f"{path}/add", _rows([f"Part {number} lies on a shelf."]))

    return send


def _rows(texts: Sequence[str]) -> dict[str, object]:
    return {
        "ids": [str(uuid.uuid4()) for _ in texts],
        "documents": list(texts),
        "embeddings": [_vector() for _ in texts],
    }


def _vector() -> list[float]:
    return [random.gauss(0, 1) for _ in range(_DIMENSION)]


def _call(port: int, path: str, body: dict[str, object]) -> dict[str, object]:
    read: dict[str, object] = json.loads(_sent(_connected(port), path, body))
    return read


def _connected(port: int) -> PlainConnection:
    return PlainConnection(f"127.0.0.1:{port}")


def _sent(connection: PlainConnection, path: str, body: dict[str, object]) -> bytes:
    status, said = connection.post(path, body)
    if status >= HTTPStatus.BAD_REQUEST:
        raise OSError(said.decode()[:300])
    return said


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _wait(port: int) -> None:
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1):
                return
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)
