"""``holdfast mcp``: serve the protocol on standard input and output until the client disconnects.

The greeting needs no application code: this module and its imports stay small on purpose.
"""

from __future__ import annotations

import os
import signal

from holdfast.surfaces.mcp.conversation import Conversation
from holdfast.surfaces.mcp.guarded_calls import GuardedToolCalls
from holdfast.surfaces.mcp.pipe import STDERR, ClientPipe, LongLineError

TYPE_CHECKING = False  # same value as in the typing module, without the cost of importing it
if TYPE_CHECKING:
    from pathlib import Path
    from types import FrameType

    from holdfast.domain.memory.place import SpaceId
    from holdfast.surfaces.mcp.engine import OpenMemory
    from holdfast.surfaces.mcp.tool_calls import ToolCalls

_WATCH_SECONDS = 2.0
_USUAL_PROFILE = "full"
_UNUSABLE, _UNREACHABLE = 2, 6
_STOPS = (signal.SIGTERM, signal.SIGINT)


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
        os.write(STDERR, f"{line}\n".encode("utf-8", "replace"))
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
