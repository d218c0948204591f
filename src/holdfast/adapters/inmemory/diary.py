"""Events, runs and decisions of one transaction.

Decisions in a dict, in the order they were made.

The event log as a chain of hashes.

Runs by id and by label.

Sessions by id, and their turns by number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from holdfast.adapters.inmemory.agents import InMemoryAgentRecords
from holdfast.adapters.inmemory.service import InMemoryReplies, InMemoryTokens
from holdfast.adapters.inmemory.session_caches import InMemorySessionCaches
from holdfast.adapters.inmemory.state import InMemoryState
from holdfast.adapters.inmemory.steps import InMemorySteps
from holdfast.adapters.inmemory.tasks import InMemoryTasks
from holdfast.adapters.inmemory.workspaces import InMemoryWorkspaces
from holdfast.domain.errors import AlreadyRememberedError, NoSuchError
from holdfast.domain.ids import BundleId, DecisionId, MemoryId, RunId, SessionId
from holdfast.domain.memory.decision import Decision
from holdfast.domain.memory.entry import Event, Head
from holdfast.domain.sessions.run import Run, RunStatus
from holdfast.domain.sessions.session import Interaction, Session


@dataclass(frozen=True, slots=True)
class InMemoryDecisions:
    """People's decisions."""

    state: InMemoryState

    def put(self, decision: Decision) -> None:
        """Write a decision, or mark it as undone."""
        self.state.moment()
        self.state.decisions[decision.id] = decision
        self.state.record("decision.put", decision.id, decision)

    def get(self, decision_id: DecisionId) -> Decision:
        """Return a decision."""
        try:
            return self.state.decisions[decision_id]
        except KeyError:
            raise NoSuchError(noun="decision", reference=decision_id) from None

    def about(self, memory_id: MemoryId) -> Sequence[Decision]:
        """Return the decisions that changed a memory, newest first."""
        return tuple(one for one in self._newest_first() if memory_id in one.memories)

    def page(self, *, beyond: str | None, limit: int) -> Sequence[Decision]:
        """Return decisions, newest first, starting after ``beyond``."""
        newest = self._newest_first()
        if beyond is not None:
            places = [place for place, one in enumerate(newest, start=1) if one.id == beyond]
            newest = newest[places[0] :] if places else []
        return tuple(newest[:limit])

    def _newest_first(self) -> list[Decision]:
        return list(reversed(self.state.decisions.values()))


@dataclass(frozen=True, slots=True)
class InMemoryEvents:
    """The events that one transaction sees."""

    state: InMemoryState

    def head(self) -> Head:
        """Return the number and hash of the newest event."""
        return self.state.head()

    def since(self, sequence: int, *, limit: int) -> Sequence[Event]:
        """Return the events after a number, in order."""
        later = [event for event in self.state.events if event.sequence > sequence]
        return tuple(later[:limit])

    def about(self, subject: str) -> Sequence[Event]:
        """Return the events about one subject, in order."""
        return tuple(event for event in self.state.events if event.subject == subject)


@dataclass(frozen=True, slots=True)
class InMemoryRuns:
    """Runs, with their notes and results."""

    state: InMemoryState

    def put(self, run: Run) -> None:
        """Write a run, with its notes and its end."""
        self.state.moment()
        known = self.labelled(run.repo, run.label)
        if known is not None and known.id != run.id:
            raise AlreadyRememberedError(run.label)
        self.state.runs[run.id] = run
        self.state.record("run.put", run.id, run)

    def get(self, run_id: RunId) -> Run:
        """Return a run."""
        try:
            return self.state.runs[run_id]
        except KeyError:
            raise NoSuchError(noun="run", reference=run_id) from None

    def labelled(self, repo: str | None, label: str) -> Run | None:
        """Return the run of a repository with that label."""
        named = (run for run in self.state.runs.values() if (run.repo, run.label) == (repo, label))
        return next(named, None)

    def open_in(self, repo: str | None) -> Sequence[Run]:
        """Return the open runs of a repository, newest first."""
        ids = sorted(self.state.runs, reverse=True)
        runs = (self.state.runs[run_id] for run_id in ids)
        return tuple(run for run in runs if run.repo == repo and run.status is RunStatus.OPEN)

    def page(self, *, beyond: str | None, limit: int) -> Sequence[Run]:
        """Return runs, newest id first, starting after ``beyond``."""
        ids = sorted(self.state.runs, reverse=True)
        if beyond is not None:
            ids = [run_id for run_id in ids if run_id < beyond]
        return tuple(self.state.runs[run_id] for run_id in ids[:limit])

    @property
    def steps(self) -> InMemorySteps:
        """The steps of supervised runs."""
        return InMemorySteps(self.state)


class InMemoryDiary:
    """The event log, the runs and the decisions."""

    def __init__(self, state: InMemoryState) -> None:
        self.events = InMemoryEvents(state)
        self.runs = InMemoryRuns(state)
        self.decisions = InMemoryDecisions(state)
        self.tokens = InMemoryTokens(state)
        self.replies = InMemoryReplies(state)
        self.workspaces = InMemoryWorkspaces(state)
        self.tasks = InMemoryTasks(state)
        self.agents = InMemoryAgentRecords(state)


@dataclass(frozen=True, slots=True)
class InMemorySessions:
    """Sessions and their turns."""

    state: InMemoryState

    @property
    def caches(self) -> InMemorySessionCaches:
        """What sessions and repositories keep for the next session."""
        return InMemorySessionCaches(self.state)

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
        """Replace a turn's question, verdict and notes."""
        self.state.moment()
        kept = self.state.turns.get(turn.id)
        if kept is None:
            raise NoSuchError(noun="turn", reference=str(turn.id))
        judged = replace(kept, query=turn.query, satisfied=turn.satisfied, notes=turn.notes)
        self.state.turns[turn.id] = judged
        self.state.record("turn.set", str(turn.id), judged)

    def turns_with(self, bundle_id: BundleId) -> Sequence[Interaction]:
        """Return the turns that a bundle answered."""
        return tuple(
            self.state.turns[number]
            for number in sorted(self.state.turns)
            if self.state.turns[number].bundle_id == bundle_id
        )
