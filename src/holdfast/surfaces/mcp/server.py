"""``holdfast mcp``: serve the protocol on standard input and output until the client disconnects.

The greeting needs no application code: this module and its imports stay small on purpose.
"""

from __future__ import annotations

import os
import select
import signal
import sys

from holdfast.surfaces.mcp.conversation import Conversation
from holdfast.surfaces.mcp.guarded_calls import GuardedToolCalls
from holdfast.surfaces.mcp.protocol import LONGEST_LINE

TYPE_CHECKING = False  # same value as in the typing module, without the cost of importing it
if TYPE_CHECKING:
    from pathlib import Path
    from types import FrameType

    from holdfast.domain.memory.place import SpaceId
    from holdfast.surfaces.mcp.engine import OpenMemory
    from holdfast.surfaces.mcp.tool_calls import ToolCalls

_STDIN, _STDOUT, _STDERR = 0, 1, 2
_READ_AT_ONCE = 64 * 1024
_WATCH_SECONDS = 2.0
_USUAL_PROFILE = "full"
_UNUSABLE, _UNREACHABLE = 2, 6
_STOPS = (signal.SIGTERM, signal.SIGINT)


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
        os.dup2(_STDERR, _STDOUT)

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


def serve(
    *,
    home: str = "",
    folder: Path | None = None,
    space: SpaceId | None = None,
    profile: str | None = None,
) -> int:
    """Serve the protocol until the input ends; return the exit code.

    ``home`` is the folder of the space; none means that of the default one. ``profile`` names the
    tools that are listed; the setting decides if it is None.
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
        conversation = Conversation(
            tool_calls,
            send=wire.send,
            profile=lambda: profile or _profile_set(home, folder, space),
            arrived=wire.arrived,
        )
        _talk(wire, conversation, patience)
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


def _memory(home: str, folder: Path | None, space: SpaceId | None) -> OpenMemory:
    from pathlib import Path

    from holdfast.surfaces.mcp.engine import OpenMemory

    return OpenMemory(home=Path(home) if home else None, folder=folder, space=space)


def _tool_calls(home: str, folder: Path | None, space: SpaceId | None) -> ToolCalls:
    from holdfast.surfaces.mcp.tool_calls import ToolCalls

    return ToolCalls(_memory(home, folder, space))


def _profile_set(home: str, folder: Path | None, space: SpaceId | None) -> str:
    """Return the profile that the settings name; damaged settings keep no tools from an agent."""
    from holdfast.bootstrap.plugs.early_settings import may_be_set

    if not may_be_set("mcp.profile", home):
        return _USUAL_PROFILE
    from holdfast.domain.errors import HoldfastError

    try:
        return _memory(home, folder, space).profile
    except HoldfastError as error:
        report(str(error))
        return _USUAL_PROFILE


def _talk(wire: ClientPipe, conversation: Conversation, patience: DelayedStop) -> None:
    while not patience.was_asked_to_stop:
        try:
            line = wire.next_line(patience=_WATCH_SECONDS if conversation.watches else None)
        except LongLineError:
            conversation.refuse_long_line()
            continue
        if line == b"":
            return
        patience.is_busy = True
        if line is None:
            conversation.look()
        else:
            conversation.hear(line)
        patience.is_busy = False
