"""What sessions and repositories keep for the next session, in dictionaries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.inmemory.said import InMemorySaidTurns
from holdfast.domain.errors import NoSuchError
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.adapters.inmemory.state import InMemoryState
    from holdfast.domain.ids import SessionId
    from holdfast.domain.sessions.cache import CachedTurn, ProjectState, SessionCache, TurnQuestion


@dataclass(frozen=True, slots=True)
class InMemoryProjectStates:
    """What repositories keep."""

    state: InMemoryState

    def put(self, state: ProjectState) -> None:
        """Write the state of a repository."""
        self.state.moment()
        self.state.projects[state.repo] = state
        self.state.record("record.put", f"project {state.repo} 0", state)

    def get(self, repo: str) -> ProjectState | None:
        """Return the state of a repository."""
        return self.state.projects.get(repo)

    def page(self, *, beyond: str, limit: int) -> Sequence[ProjectState]:
        """Return the states in the order of their repositories."""
        names = [name for name in sorted(self.state.projects) if name > beyond]
        return tuple(self.state.projects[name] for name in names[:limit])


@dataclass(frozen=True, slots=True)
class InMemorySessionCaches:
    """What sessions keep, by id, and their turns, by id and number."""

    state: InMemoryState

    @property
    def projects(self) -> InMemoryProjectStates:
        """What repositories keep."""
        return InMemoryProjectStates(self.state)

    @property
    def said(self) -> InMemorySaidTurns:
        """What was said in sessions."""
        return InMemorySaidTurns(self.state)

    def put(self, cache: SessionCache) -> None:
        """Write what a session keeps beside its turns."""
        self._check(cache.session_id)
        self.state.caches[cache.session_id] = cache
        self.state.record("record.put", f"{cache.session_id} 0", cache)

    def get(self, session_id: SessionId) -> SessionCache | None:
        """Return what a session keeps."""
        return self.state.caches.get(session_id)

    def latest(self, repo: str, *, limit: int) -> Sequence[SessionCache]:
        """Return what the sessions of a repository keep, the last changed first."""
        mine = [one for one in self.state.caches.values() if (one.repo or "") == repo]
        mine.sort(key=lambda one: (one.at, one.session_id), reverse=True)
        return tuple(mine[:limit])

    def put_turn(self, turn: CachedTurn) -> None:
        """Write a turn."""
        self._check(turn.session_id)
        self.state.session_turns[(turn.session_id, turn.number)] = turn
        self.state.record("record.put", f"{turn.session_id} {turn.number}", turn)

    def turns(self, session_id: SessionId) -> Sequence[CachedTurn]:
        """Return the turns of a session in order."""
        found = sorted(name for name in self.state.session_turns if name[0] == session_id)
        return tuple(self.state.session_turns[name] for name in found)

    def latest_turns(self, question: TurnQuestion) -> Sequence[CachedTurn]:
        """Return the newest turns, newest first."""
        found = [
            turn
            for turn in self.state.session_turns.values()
            if (turn.repo or "") == question.repo
            and not turn.hidden
            and (turn.branch == question.branch) is not question.elsewhere
        ]
        found.sort(key=lambda one: (one.at, one.session_id, one.number), reverse=True)
        return tuple(found[: question.limit])

    def _check(self, session_id: SessionId) -> None:
        self.state.moment()
        if session_id not in self.state.sessions:
            raise NoSuchError(noun="session", reference=session_id)
