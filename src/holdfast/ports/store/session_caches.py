"""The ports for the caches of sessions, and for the state of a repository."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from holdfast.domain.ids import SessionId
from holdfast.domain.sessions.cache import CachedTurn, ProjectState, SessionCache, TurnQuestion
from holdfast.ports.store.said_turns import SaidTurns


class ProjectStates(Protocol):
    """What repositories keep: goals, open questions, links to artefacts."""

    def put(self, state: ProjectState) -> None:
        """Write the state of a repository; it must read back exactly."""
        ...

    def get(self, repo: str) -> ProjectState | None:
        """Return the state of a repository; None if nothing was written."""
        ...

    def page(self, *, beyond: str, limit: int) -> Sequence[ProjectState]:
        """Return the states in the order of their repositories, starting after ``beyond``."""
        ...


class SessionCaches(Protocol):
    """What sessions keep: their turns in short form, and what is still open."""

    def put(self, cache: SessionCache) -> None:
        """Write what a session keeps beside its turns; it must read back exactly.

        Raises:
            NoSuchError: No session has that id.
        """
        ...

    def get(self, session_id: SessionId) -> SessionCache | None:
        """Return what a session keeps; None if nothing was written."""
        ...

    def latest(self, repo: str, *, limit: int) -> Sequence[SessionCache]:
        """Return what the sessions of a repository keep, the last changed first."""
        ...

    def put_turn(self, turn: CachedTurn) -> None:
        """Write a turn under its session and number, over an earlier one; it must read back.

        Raises:
            NoSuchError: No session has that id.
        """
        ...

    def turns(self, session_id: SessionId) -> Sequence[CachedTurn]:
        """Return the turns of a session in order, hidden ones included."""
        ...

    def latest_turns(self, question: TurnQuestion) -> Sequence[CachedTurn]:
        """Return the newest turns of a repository that no rewind hides, newest first."""
        ...

    @property
    def said(self) -> SaidTurns:
        """What was said in sessions."""
        ...

    @property
    def projects(self) -> ProjectStates:
        """What repositories keep."""
        ...
