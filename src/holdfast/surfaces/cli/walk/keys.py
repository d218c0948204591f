"""Single keys from a terminal: no Enter is needed, and the terminal is always put back."""

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
        """Wait for one key and return it; nothing where the input has ended.

        Arrow keys and other sequences count as no key and are passed over.
        """
        with _unbuffered(self._file):
            while (sign := self._sign()) == _ESCAPE:
                self._drain()
        return "" if sign == _END_OF_INPUT else sign

    def drop_typed_ahead(self) -> None:
        """Forget keys that were typed before what they are about was shown."""
        import termios

        termios.tcflush(self._file, termios.TCIFLUSH)

    def line(self) -> str:
        """Read one line without its end, byte by byte: a buffer would swallow later keys."""
        read = bytearray()
        while (byte := os.read(self._file, 1)) not in {b"", b"\n"}:
            read += byte
        return read.decode("utf-8", "replace").strip()

    def _sign(self) -> str:
        return os.read(self._file, 1).decode("ascii", "replace")

    def _drain(self) -> None:
        """Pass over the rest of an escape sequence; a lone Escape has none."""
        import select

        while select.select([self._file], [], [], _SEQUENCE_PAUSE)[0]:
            sign = self._sign()
            if sign.isalpha() or sign == "~":
                return


@contextmanager
def _unbuffered(file: int) -> Generator[None]:
    """Hand over each key at once, without an echo; put the terminal back whatever ends this."""
    import termios

    before = termios.tcgetattr(file)
    raw = [*before]
    raw[3] = before[3] & ~(termios.ICANON | termios.ECHO)

    def set_raw(_signal: int = 0, _frame: FrameType | None = None) -> None:
        termios.tcsetattr(file, termios.TCSADRAIN, raw)

    # A shell sets its own mode while a job is stopped, so the job asks anew when it goes on.
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
    """End like Ctrl-C does, so that the terminal is put back first."""
    sys.exit(_TERMINATED)
