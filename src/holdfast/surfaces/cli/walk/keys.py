"""Read single keys from a terminal without Enter, and always restore the terminal mode."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator
    from types import FrameType

_ESCAPE = "\x1b"
_END_OF_INPUT = "\x04"
_SEQUENCE_PAUSE = 0.05
_TERMINATED = 128 + signal.SIGTERM


class Keyboard:
    """The terminal that a person types at."""

    def __init__(self) -> None:
        self._file = sys.stdin.fileno()

    def key(self) -> str:
        """Wait for one key and return it, or an empty text at the end of the input.

        Arrow keys and other escape sequences are ignored.
        """
        with _unbuffered(self._file):
            while (sign := self._sign()) == _ESCAPE:
                self._drain()
        return "" if sign == _END_OF_INPUT else sign

    def drop_typed_ahead(self) -> None:
        """Discard keys that were typed before the question was shown."""
        import termios

        termios.tcflush(self._file, termios.TCIFLUSH)

    def line(self) -> str:
        """Read one line without its end, byte by byte; a buffered read would swallow later keys."""
        read = bytearray()
        while (byte := os.read(self._file, 1)) not in {b"", b"\n"}:
            read += byte
        return read.decode("utf-8", "replace").strip()

    def _sign(self) -> str:
        return os.read(self._file, 1).decode("ascii", "replace")

    def _drain(self) -> None:
        """Discard the rest of an escape sequence; a lone Escape has none."""
        import select

        while select.select([self._file], [], [], _SEQUENCE_PAUSE)[0]:
            sign = self._sign()
            if sign.isalpha() or sign == "~":
                return


@contextmanager
def _unbuffered(file: int) -> Generator[None]:
    """Deliver each key at once and without echo; restore the terminal on every exit."""
    import termios

    before = termios.tcgetattr(file)
    raw = [*before]
    raw[3] = before[3] & ~(termios.ICANON | termios.ECHO)

    def set_raw(_signal: int = 0, _frame: FrameType | None = None) -> None:
        termios.tcsetattr(file, termios.TCSADRAIN, raw)

    # A shell changes the mode while a job is stopped, so the mode is set again on resume.
    stopped = signal.signal(signal.SIGCONT, set_raw)
    ended = signal.signal(signal.SIGTERM, _end)
    try:
        set_raw()
        yield
    finally:
        signal.signal(signal.SIGCONT, stopped)
        signal.signal(signal.SIGTERM, ended)
        termios.tcsetattr(file, termios.TCSADRAIN, before)


def _end(_signal: int, _frame: FrameType | None) -> None:
    """Raise like Ctrl-C, so that the terminal is restored first."""
    sys.exit(_TERMINATED)
