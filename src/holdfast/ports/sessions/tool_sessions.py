"""Ports for hooks: notes about each session of a tool, and a quick look at the store."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from holdfast.domain.sessions.alerting import Caution
    from holdfast.domain.sessions.hook_calls import HookCall, ToolSession
    from holdfast.domain.sessions.tool_action import ToolAction


class StoreChange(NamedTuple):
    """The newest event of the store, and whether an event since then was about a memory."""

    newest: int
    has_news: bool


class ToolSessions(Protocol):
    """Stores one small note for each session of a tool."""

    def change(self, session: str, change: Callable[[ToolSession], ToolSession]) -> ToolSession:
        """Change a note under a lock and return the new note.

        An unknown session must start with an empty note, and so must one whose note cannot be read.

        Raises:
            UnavailableError: The note cannot be written.
        """
        ...

    def turn(self, session: str) -> AbstractContextManager[None]:
        """Hold the lock of a session, so that its concurrent hooks run one after the other.

        Raises:
            UnavailableError: The lock did not become free in time.
        """
        ...

    def latest(self, *, limit: int) -> Sequence[ToolSession]:
        """Return the most recently changed notes, newest first."""
        ...

    def prune(self, *, before: int) -> None:
        """Remove the notes that were last changed before a moment, in epoch seconds."""
        ...


class Watch(Protocol):
    """Reads the store without opening it; it must never wait, write or create a store."""

    def pulse(self, since: int) -> StoreChange | None:
        """Return the newest event and whether memories changed; None if no store can be read."""
        ...

    def cautions(self, doing: ToolAction, *, repo: str | None, workspace: str) -> Sequence[Caution]:
        """Return accepted memories of a place that may concern the action about to run.

        All memories that concern it must be included, newest first; others may be.
        """
        ...


class BackgroundWork(Protocol):
    """Starts work that continues after the hook has answered."""

    def propose(self, hook_call: HookCall) -> bool:
        """Start proposing candidates from a session's transcript; return whether it was started."""
        ...

    def keep_turns(self, hook_call: HookCall, *, prompts: int) -> bool:
        """Start storing the turns of a session; return whether it was started.

        After the last call of a session, the session must be marked as ended, unless it has had
        more than ``prompts`` by then: the tool went on with it.
        """
        ...
