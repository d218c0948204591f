"""The pipe to the client of an MCP server."""

from __future__ import annotations

import os
import select
import sys

from holdfast.surfaces.mcp.protocol import LONGEST_LINE

_STDIN, _STDOUT, STDERR = 0, 1, 2
_READ_AT_ONCE = 64 * 1024


class LongLineError(Exception):
    """A line of the client is too long; it was skipped."""


class ClientPipe:
    """The pipe to the client, protected from all other code.

    While it is open, a stray print goes to stderr and a child process reads an empty input, so that
    standard output carries only the protocol.
    """

    def __init__(self) -> None:
        for stream in (_STDIN, _STDOUT):
            os.fstat(stream)  # if one is closed, the next file would get its number
        _keep_stderr_taken()
        self._in, self._out = os.dup(_STDIN), os.dup(_STDOUT)
        for end in (self._in, self._out):
            os.set_blocking(end, True)  # some clients pass non-blocking pipes
        self._buffer = bytearray()
        self._scanned = 0
        self._is_skipping = False
        self._is_over = False
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, _STDIN)
        os.close(nothing)
        os.dup2(STDERR, _STDOUT)

    def next_line(self, *, patience: float | None = None) -> bytes | None:
        """Return the next line, empty at the end of the input.

        None means that nothing came within ``patience`` seconds, if it is given.

        Raises:
            LongLineError: The next line is too long; it is skipped.
        """
        while (line := self._buffered_line()) is None:
            if self._is_over:
                return bytes(self._rest())
            if patience is not None and not self._is_readable(patience):
                return None
            self._read()
        return line

    def arrived(self) -> list[bytes]:
        """Return the whole lines that came in, without waiting for more."""
        while not self._is_over and len(self._buffer) < LONGEST_LINE and self._is_readable(0):
            self._read()
        found: list[bytes] = []
        while not self._is_skipping and (line := self._whole_line()) is not None:
            found.append(line)
        return found

    def _is_readable(self, patience: float) -> bool:
        ready, _, _ = select.select([self._in], [], [], patience)
        return bool(ready)

    def _read(self) -> None:
        data = os.read(self._in, _READ_AT_ONCE)
        self._is_over = not data
        self._buffer += data

    def _buffered_line(self) -> bytes | None:
        """Return the next whole line of the buffer; None if more has to be read."""
        line = self._whole_line()
        if self._is_skipping and (line is not None or self._is_over):
            self._is_skipping = False
            raise LongLineError
        if line is None and (self._is_skipping or len(self._buffer) > LONGEST_LINE):
            self._is_skipping = True
            self._rest()
        if line is not None and len(line) > LONGEST_LINE + 1:
            raise LongLineError
        return line

    def _whole_line(self) -> bytes | None:
        end = self._buffer.find(b"\n", self._scanned)
        if end < 0:
            self._scanned = len(self._buffer)
            return None
        line = bytes(self._buffer[: end + 1])
        del self._buffer[: end + 1]
        self._scanned = 0
        return line

    def _rest(self) -> bytearray:
        rest, self._buffer, self._scanned = self._buffer, bytearray(), 0
        return rest

    def send(self, line: bytes) -> None:
        """Write a whole line."""
        rest = memoryview(line)
        while rest:
            rest = rest[os.write(self._out, rest) :]

    def give_back(self) -> None:
        """Restore standard input and output."""
        if sys.stdout is not None:
            sys.stdout.flush()  # a stray print may be buffered here; it is not for the client
        os.dup2(self._in, _STDIN)
        os.dup2(self._out, _STDOUT)
        os.close(self._out)
        os.close(self._in)


def _keep_stderr_taken() -> None:
    """If stderr is closed, open /dev/null there; the next opened file would get its number."""
    try:
        os.fstat(STDERR)
    except OSError:
        nothing = os.open(os.devnull, os.O_WRONLY)
        if nothing != STDERR:
            os.dup2(nothing, STDERR)
            os.close(nothing)
