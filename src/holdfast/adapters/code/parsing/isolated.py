"""Symbols of single files, read in a process of its own that a hostile file may bring down."""

from __future__ import annotations

import json
import os
import sys
from _thread import allocate_lock as Lock  # noqa: N812 - threading is not loaded for one file
from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.adapters.code.parsing.languages import HOMES, language_of
from holdfast.domain.code.code import Symbol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.adapters.processes.running import PipedProgram

_LONGEST_WAIT_MS = 5_000
_LENGTH_BYTES = 8
_PROGRAM = "from holdfast.adapters.code.parsing.isolated import serve; serve()"


class IsolatedOutline:
    """Reads symbols in a process of its own, and survives a crash of the parser.

    Threads take turns: the process answers one question at a time.
    """

    def __init__(self) -> None:
        self._turn = Lock()
        self._reader: PipedProgram | None = None
        self._is_started = False

    def symbols(self, path: str, text: str) -> Sequence[Symbol]:
        """Return the symbols in order; none if the language is unknown or its parser fails."""
        content = text.encode("utf-8", "replace")
        if language_of(path, content) not in HOMES:
            return ()
        with self._turn:
            return self._answered(path, content)

    def _answered(self, path: str, content: bytes) -> Sequence[Symbol]:
        reader = self._started()
        if reader is None:
            return ()
        try:
            _send(reader.to, json.dumps(path).encode())
            _send(reader.to, content)
            answer = _receive(reader.back, wait_ms=_LONGEST_WAIT_MS)
            return [Symbol(**shape) for shape in json.loads(answer)]
        except (OSError, ValueError):
            reader.end()
            self._reader = None
            return ()

    def _started(self) -> PipedProgram | None:
        """Return the process that reads; one that failed once is not started again."""
        if not self._is_started:
            from importlib.util import find_spec

            self._is_started = True
            if sys.executable and find_spec("tree_sitter"):
                with suppress(OSError):
                    self._reader = _reader()
        return self._reader


def _reader() -> PipedProgram:
    from holdfast.adapters.processes.running import PipedProgram

    return PipedProgram(
        [sys.executable, "-P", "-c", _PROGRAM],
        environment={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )


def serve() -> None:
    """Answer one request after another until stdin closes: the main loop of the child process."""
    from holdfast.adapters.code.parsing.limits import limit_memory, limit_time
    from holdfast.adapters.code.parsing.outline import parse

    limit_memory()
    with suppress(OSError):
        while True:
            limit_time()
            path = json.loads(_receive(0))
            symbols = parse(path, _receive(0)).symbols
            shapes = [{name: getattr(one, name) for name in Symbol.__slots__} for one in symbols]
            _send(1, json.dumps(shapes).encode())


def _send(end: int, message: bytes) -> None:
    """Write a message, prefixed with its length."""
    rest = memoryview(len(message).to_bytes(_LENGTH_BYTES, "little") + message)
    while rest:
        rest = rest[os.write(end, rest) :]


def _receive(end: int, *, wait_ms: int | None = None) -> bytes:
    """Read a message.

    Raises:
        OSError: The other process ended, or the timeout passed.
    """
    length = int.from_bytes(_read(end, _LENGTH_BYTES, wait_ms), "little")
    return _read(end, length, wait_ms)


def _read(end: int, count: int, wait_ms: int | None) -> bytes:
    import select

    parts: list[bytes] = []
    while count:
        if wait_ms is not None:
            waiting = select.poll()
            waiting.register(end, select.POLLIN)
            if not waiting.poll(wait_ms):
                raise TimeoutError
        part = os.read(end, count)
        if not part:
            raise BrokenPipeError
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
