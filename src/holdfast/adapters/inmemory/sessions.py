"""Sessions by id, and their turns by number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from holdfast.adapters.inmemory.state import InMemoryState
from holdfast.domain.errors import NoSuchError
from holdfast.domain.ids import BundleId, SessionId
from holdfast.domain.sessions.session import Interaction, Session


@dataclass(frozen=True, slots=True)
class InMemorySessions:
    """Sessions and their turns."""

    state: InMemoryState

    def put(self, session: Session) -> None:
        """Write a session, or its end."""
        self.state.moment()
        before = self.state.sessions.get(session.id)
        self.state.sessions[session.id] = session
        self.state.record("session.put", session.id, session)
        was = None if before is None else before.branch_point
        self.state.record_part("standpoint", session.id, session.branch_point, was)

    def get(self, session_id: SessionId) -> Session:
        """Return a session."""
        try:
            return self.state.sessions[session_id]
        except KeyError:
            raise NoSuchError(noun="session", reference=session_id) from None

    def page(self, *, beyond: str | None, limit: int) -> Sequence[Session]:
        """Return sessions, newest id first, starting after ``beyond``."""
        ids = sorted(self.state.sessions, reverse=True)
        if beyond is not None:
            ids = [session_id for session_id in ids if session_id < beyond]
        return tuple(self.state.sessions[session_id] for session_id in ids[:limit])

    def add_turn(self, turn: Interaction) -> Interaction:
        """Write a turn and return it with its number."""
        self.state.moment()
        self.get(turn.session_id)
        numbered = replace(turn, id=turn.id or self.state.last_turn + 1)
        self.state.last_turn = max(self.state.last_turn, numbered.id)
        self.state.turns[numbered.id] = numbered
        self.state.record("turn.added", str(numbered.id), numbered)
        return numbered

    def turns(self, session_id: SessionId) -> Sequence[Interaction]:
        """Return a session's turns in order."""
        return tuple(
            self.state.turns[number]
            for number in sorted(self.state.turns)
            if self.state.turns[number].session_id == session_id
        )

    def set_turn(self, turn: Interaction) -> None:
        """Replace a turn's verdict and notes."""
        self.state.moment()
        kept = self.state.turns.get(turn.id)
        if kept is None:
            raise NoSuchError(noun="turn", reference=str(turn.id))
        judged = replace(kept, satisfied=turn.satisfied, notes=turn.notes)
        self.state.turns[turn.id] = judged
        self.state.record("turn.set", str(turn.id), judged)

    def turns_with(self, bundle_id: BundleId) -> Sequence[Interaction]:
        """Return the turns that a bundle answered."""
        return tuple(
            self.state.turns[number]
            for number in sorted(self.state.turns)
            if self.state.turns[number].bundle_id == bundle_id
        )
