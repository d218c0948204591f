"""Everything the reference store holds at one moment.

Cursors of the reference store.

Their form differs from other stores on purpose: a caller that parses a cursor fails here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from holdfast.domain.ids import millis
from holdfast.domain.memory.entry import Event, Head, digest
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.memory.selection import Cursor, Slice
from holdfast.domain.misuse import OnlyReadingError
from holdfast.domain.refusals import BadCursorError

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.domain.agents.agent import Agent, AgentLease, MemoryIndexEntry
    from holdfast.domain.agents.cycle import AgentCycle
    from holdfast.domain.documents.document import DocumentName, FrameworkDocument
    from holdfast.domain.encryption.ciphertext import Ciphertext
    from holdfast.domain.ids import (
        AgentId,
        BundleId,
        DecisionId,
        MemoryId,
        RunId,
        SessionId,
        SpanId,
        TaskId,
    )
    from holdfast.domain.memory.anchor import BranchPoint, Rewrite
    from holdfast.domain.memory.decision import Decision
    from holdfast.domain.memory.evidence import Span
    from holdfast.domain.memory.link import Link
    from holdfast.domain.memory.memory import Tombstone
    from holdfast.domain.memory.place import SpaceId
    from holdfast.domain.recall.bundle import Bundle
    from holdfast.domain.recall.finding import EmbeddingModel
    from holdfast.domain.recall.learning import Tuning
    from holdfast.domain.roles.step import RunStep
    from holdfast.domain.service.replies import Reply
    from holdfast.domain.service.tokens import AccessToken, TokenId
    from holdfast.domain.sessions.cache import CachedTurn, ProjectState, SessionCache
    from holdfast.domain.sessions.run import Run
    from holdfast.domain.sessions.said import SaidTurn
    from holdfast.domain.sessions.session import Interaction, Session
    from holdfast.domain.tasks.task import Task
    from holdfast.domain.workspaces.snapshot import (
        FolderSnapshot,
        SnapshotId,
        Workspace,
        WorkspaceFile,
        WorkspaceId,
    )


LinkName = tuple[str, str, str]


@dataclass(slots=True, kw_only=True)
class InMemoryState:
    """The rows by their ids. ``at`` is the time of the unit of work; None while reading."""

    at: datetime | None = None
    last_sequence: int = 0
    last_turn: int = 0
    memories: dict[MemoryId, MemoryRecord] = field(default_factory=dict)
    tombstones: dict[MemoryId, Tombstone] = field(default_factory=dict)
    links: dict[LinkName, Link] = field(default_factory=dict)
    sessions: dict[SessionId, Session] = field(default_factory=dict)
    turns: dict[int, Interaction] = field(default_factory=dict)
    bundles: dict[BundleId, Bundle] = field(default_factory=dict)
    runs: dict[RunId, Run] = field(default_factory=dict)
    steps: dict[tuple[RunId, int], RunStep] = field(default_factory=dict)
    decisions: dict[DecisionId, Decision] = field(default_factory=dict)
    spans: dict[SpanId, Span] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    models: dict[str, EmbeddingModel] = field(default_factory=dict)
    vectors: dict[tuple[str, MemoryId], bytes] = field(default_factory=dict)
    tunings: dict[tuple[SpaceId, int], Tuning] = field(default_factory=dict)
    tips: dict[tuple[str, str | None], BranchPoint] = field(default_factory=dict)
    rewrites: dict[tuple[str, str], Rewrite] = field(default_factory=dict)
    tokens: dict[TokenId, AccessToken] = field(default_factory=dict)
    replies: dict[str, Reply] = field(default_factory=dict)
    workspaces: dict[WorkspaceId, Workspace] = field(default_factory=dict)
    snapshots: dict[SnapshotId, FolderSnapshot] = field(default_factory=dict)
    workspace_files: dict[WorkspaceId, dict[str, WorkspaceFile]] = field(default_factory=dict)
    tasks: dict[TaskId, Task] = field(default_factory=dict)
    task_levels: dict[TaskId, int] = field(default_factory=dict)
    agents: dict[AgentId, Agent] = field(default_factory=dict)
    leases: dict[AgentId, AgentLease] = field(default_factory=dict)
    cycles: dict[tuple[AgentId, int], AgentCycle] = field(default_factory=dict)
    indexes: dict[str, MemoryIndexEntry] = field(default_factory=dict)
    caches: dict[SessionId, SessionCache] = field(default_factory=dict)
    session_turns: dict[tuple[SessionId, int], CachedTurn] = field(default_factory=dict)
    projects: dict[str, ProjectState] = field(default_factory=dict)
    said: dict[tuple[SessionId, int], SaidTurn] = field(default_factory=dict)
    said_vectors: dict[tuple[str, int], bytes] = field(default_factory=dict)
    ciphertexts: dict[str, Ciphertext] = field(default_factory=dict)
    documents: dict[DocumentName, FrameworkDocument] = field(default_factory=dict)

    def draft(self, at: datetime) -> InMemoryState:
        """Return a copy to write to; the values are immutable, so both share them."""
        return replace(
            self,
            at=at,
            memories=dict(self.memories),
            tombstones=dict(self.tombstones),
            links=dict(self.links),
            sessions=dict(self.sessions),
            turns=dict(self.turns),
            bundles=dict(self.bundles),
            runs=dict(self.runs),
            steps=dict(self.steps),
            decisions=dict(self.decisions),
            spans=dict(self.spans),
            events=list(self.events),
            models=dict(self.models),
            vectors=dict(self.vectors),
            tunings=dict(self.tunings),
            tips=dict(self.tips),
            rewrites=dict(self.rewrites),
            tokens=dict(self.tokens),
            replies=dict(self.replies),
            workspaces=dict(self.workspaces),
            snapshots=dict(self.snapshots),
            workspace_files=dict(self.workspace_files),
            tasks=dict(self.tasks),
            task_levels=dict(self.task_levels),
            agents=dict(self.agents),
            leases=dict(self.leases),
            cycles=dict(self.cycles),
            indexes=dict(self.indexes),
            caches=dict(self.caches),
            session_turns=dict(self.session_turns),
            projects=dict(self.projects),
            said=dict(self.said),
            said_vectors=dict(self.said_vectors),
            ciphertexts=dict(self.ciphertexts),
            documents=dict(self.documents),
        )

    def moment(self) -> datetime:
        """Return the time of this unit of work; every write calls this first."""
        if self.at is None:
            raise OnlyReadingError
        return self.at

    def head(self) -> Head:
        """Return the newest event of the chain."""
        if not self.events:
            return Head()
        return Head(sequence=self.events[-1].sequence, hash=self.events[-1].hash)

    def record(self, action: str, subject: str, row: object = None) -> None:
        """Add an event about a row in its new state; no row means that it was removed."""
        head = self.head()
        self.events.append(
            Event(
                sequence=head.sequence + 1,
                at_millis=millis(self.moment()),
                action=action,
                subject=subject,
                digest="" if row is None else digest(repr(row)),
                previous=head.hash,
            )
        )

    def record_part(self, noun: str, subject: str, part: object, before: object) -> None:
        """Add an event about data that belongs to a row: it was written, or it was removed."""
        if part is not None:
            self.record(f"{noun}.put", subject, part)
        elif before is not None:
            self.record(f"{noun}.removed", subject)


_MARK = "after "
_BASE = 36
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def sliced(records: Sequence[MemoryRecord]) -> Slice[MemoryRecord]:
    """Return the records with the cursor of the next page."""
    return Slice(records, beyond=_cursor(records[-1].sequence) if records else None)


def sequence_in(cursor: Cursor) -> int:
    """Return the sequence of the last record before a cursor.

    Raises:
        BadCursorError: It is not a cursor of this store.
    """
    digits = cursor.removeprefix(_MARK)
    if not cursor.startswith(_MARK) or not digits or set(digits) - set(_DIGITS):
        raise BadCursorError
    return int(digits[::-1], _BASE)


def _cursor(sequence: int) -> Cursor:
    digits = ""
    while sequence:
        sequence, digit = divmod(sequence, _BASE)
        digits += _DIGITS[digit]
    return Cursor(f"{_MARK}{digits}")
