"""``holdfast mcp``: serve the protocol on standard input and output until the client disconnects.

The greeting needs no application code: this module and its imports stay small on purpose.
"""

from __future__ import annotations

import os
import signal
import sys

from holdfast.surfaces.mcp.conversation import Conversation
from holdfast.surfaces.mcp.guarded_calls import GuardedToolCalls
from holdfast.surfaces.mcp.protocol import LONGEST_LINE

TYPE_CHECKING = False  # same value as in the typing module, without the cost of importing it
if TYPE_CHECKING:
    from pathlib import Path
    from types import FrameType
    from typing import BinaryIO

    from holdfast.domain.memory.place import SpaceId
    from holdfast.surfaces.mcp.tool_calls import ToolCalls

_STDIN, _STDOUT, _STDERR = 0, 1, 2
_DRAINED_AT_ONCE = 64 * 1024
_UNUSABLE, _UNREACHABLE = 2, 6
_STOPS = (signal.SIGTERM, signal.SIGINT)


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
        self._lines: BinaryIO = os.fdopen(self._in, "rb")
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, _STDIN)
        os.close(nothing)
        os.dup2(_STDERR, _STDOUT)

    def next_line(self) -> bytes | None:
        """Return the next line, empty at the end; None for a skipped line that was too long."""
        line = self._lines.readline(LONGEST_LINE + 1)
        if len(line) <= LONGEST_LINE or line.endswith(b"\n"):
            return line
        while line and not line.endswith(b"\n"):
            line = self._lines.readline(_DRAINED_AT_ONCE)
        return None

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
        self._lines.close()


def _keep_stderr_taken() -> None:
    """If stderr is closed, open /dev/null there; the next opened file would get its number."""
    try:
        os.fstat(_STDERR)
    except OSError:
        nothing = os.open(os.devnull, os.O_WRONLY)
        if nothing != _STDERR:
            os.dup2(nothing, _STDERR)
            os.close(nothing)


class DelayedStop:
    """Delays a stop signal until the current call ends; a second signal stops at once."""

    def __init__(self) -> None:
        self.is_busy = False
        self.was_asked_to_stop = False

    def stop(self, _number: int, _frame: FrameType | None) -> None:
        """Stop now, or after the current call."""
        if self.is_busy and not self.was_asked_to_stop:
            self.was_asked_to_stop = True
            return
        raise SystemExit(0)


def report(words: str) -> None:
    """Write one line to stderr, for the person who runs the server."""
    line = " ".join(f"holdfast mcp: {words}".split())
    try:
        os.write(_STDERR, f"{line}\n".encode("utf-8", "replace"))
    except OSError:
        return  # a closed stderr is no reason to stop


def serve(*, home: Path | None, folder: Path | None, space: SpaceId | None = None) -> int:
    """Serve the protocol until the input ends; return the exit code.

    ``home`` is the folder of the space; no space means the default one.
    """
    try:
        wire = ClientPipe()
    except OSError as error:
        report(f"standard input and output must be open: {error.strerror}")
        return _UNUSABLE
    tool_calls = GuardedToolCalls(lambda: _tool_calls(home, folder, space), report=report)
    patience = DelayedStop()
    before = [(number, signal.signal(number, patience.stop)) for number in _STOPS]
    try:
        _talk(wire, Conversation(tool_calls.call), patience)
    except (BrokenPipeError, ConnectionResetError, SystemExit):
        pass  # the client disconnected or asked for a stop: neither is an error
    except OSError as error:
        report(f"the client cannot be reached: {error.strerror}")
        return _UNREACHABLE
    finally:
        patience.is_busy = True
        tool_calls.close()
        wire.give_back()
        for number, handler in before:
            signal.signal(number, handler)
    return 0


def _tool_calls(home: Path | None, folder: Path | None, space: SpaceId | None) -> ToolCalls:
    from holdfast.surfaces.mcp.engine import OpenMemory
    from holdfast.surfaces.mcp.tool_calls import ToolCalls

    return ToolCalls(OpenMemory(home=home, folder=folder, space=space))


def _talk(wire: ClientPipe, conversation: Conversation, patience: DelayedStop) -> None:
    while not patience.was_asked_to_stop:
        line = wire.next_line()
        if line == b"":
            return
        patience.is_busy = True
        reply = conversation.refuse_long_line() if line is None else conversation.answer(line)
        patience.is_busy = False
        if reply is not None:
            wire.send(reply)
