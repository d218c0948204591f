"""Ready-made values and quiet fakes: say only what your test is about."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from holdfast.domain.agents.agent import Agent
from holdfast.domain.agents.cycle import AgentCycle
from holdfast.domain.choices import EvidenceType, Kind, Origin, Scope, Status
from holdfast.domain.documents.document import DocumentName, FrameworkDocument
from holdfast.domain.errors import EvidenceUnreadableError
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
from holdfast.domain.memory.anchor import (
    Anchor,
    BranchPoint,
    FoundLines,
    Rewrite,
    RewriteHow,
    anchored,
)
from holdfast.domain.memory.callers import Principal, PrincipalKind
from holdfast.domain.memory.decision import Action, Decision, StandingChange
from holdfast.domain.memory.evidence import Evidence, FilePlace, Span
from holdfast.domain.memory.memory import Memory, MemoryRecord, Standing, Tombstone
from holdfast.domain.memory.place import DEFAULT_SPACE, Place
from holdfast.domain.recall.bundle import Bundle, BundleItem, LeftOut, Reason
from holdfast.domain.recall.learning import Tuning
from holdfast.domain.recall.question import Question
from holdfast.domain.roles.step import Role, RunStep, StepWork
from holdfast.domain.sessions.cache import (
    CachedTurn,
    CacheNote,
    NoteKind,
    ProjectState,
    Rewind,
    SessionCache,
)
from holdfast.domain.sessions.run import Run
from holdfast.domain.sessions.said import SaidBy, SaidTurn
from holdfast.domain.sessions.session import Interaction, Session
from holdfast.domain.tasks.task import Task

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)
ADA = Principal.of(PrincipalKind.PERSON, name="ada")
AN_AGENT = Principal.of(PrincipalKind.AGENT, name="a bot")
HERE = Place(repo="github.com/acme/app", branch="main")


def a_reason(**changes: Any) -> Evidence:
    """Evidence somebody gave by word of mouth."""
    fields: dict[str, Any] = {"type": EvidenceType.STATEMENT, "reference": "I decided it."}
    return Evidence(**(fields | changes))


def a_memory(**changes: Any) -> Memory:
    """A fact of the repository HERE; a workspace or global one with ``scope=``."""
    fields: dict[str, Any] = {
        "id": MemoryId("m_1"),
        "claim": "Tokens rotate hourly.",
        "kind": Kind.FACT,
        "scope": Scope.REPO,
        "created_at": NOON,
        "evidence": (a_reason(),),
        "origin": Origin.HUMAN,
        "trust": Origin.HUMAN,
        "repo": HERE.repo,
        "branch": HERE.branch,
    }
    return Memory(**(fields | changes))


def a_record(memory: Memory | None = None, **changes: Any) -> MemoryRecord:
    """An accepted memory, as a store gives it back."""
    fields: dict[str, Any] = {"sequence": 1, "memory": memory or a_memory()}
    return MemoryRecord(**(fields | changes))


def a_tombstone(**changes: Any) -> Tombstone:
    """What is left of ``m_1``."""
    fields: dict[str, Any] = {
        "memory_id": MemoryId("m_1"),
        "forgotten_at": NOON,
        "forgotten_by": "ada",
    }
    return Tombstone(**(fields | changes))


def a_span(**changes: Any) -> Span:
    """Some lines of ``src/app.py`` in the repository HERE."""
    fields: dict[str, Any] = {
        "id": SpanId("s_1"),
        "repo": HERE.repo,
        "path": "src/app.py",
        "first": 10,
        "last": 30,
        "text_hash": "ab" * 32,
        "captured_at": NOON,
    }
    return Span(**(fields | changes))


def an_anchor(**changes: Any) -> Anchor:
    """What was noted of two committed lines of a function."""
    fields: dict[str, Any] = {
        "loose_hash": "cd" * 32,
        "marks": ("a" * 10, "b" * 10),
        "before": ("c" * 10,),
        "after": ("d" * 10, "e" * 10),
        "symbol": "Tokens.rotate",
        "blob": "1" * 40,
        "is_committed": True,
        "head": "2" * 40,
        "branch": "main",
        "touched_by": "3" * 40,
        "patch": "4" * 40,
    }
    return Anchor(**(fields | changes))


def a_branch_point(**changes: Any) -> BranchPoint:
    """The newest commit of a branch that has gone its own way."""
    fields: dict[str, Any] = {"branch": "feature", "head": "5" * 40, "is_aside": True}
    return BranchPoint(**(fields | changes))


def a_rewrite(**changes: Any) -> Rewrite:
    """A commit of the repository HERE that was amended."""
    fields: dict[str, Any] = {
        "repo": HERE.repo,
        "old": "6" * 40,
        "new": "7" * 40,
        "how": RewriteHow.HOOK,
        "at": NOON,
    }
    return Rewrite(**(fields | changes))


def an_item(**changes: Any) -> BundleItem:
    """One memory that was given."""
    fields: dict[str, Any] = {
        "memory_id": MemoryId("m_1"),
        "content_hash": a_memory().content_hash,
        "score": 0.85,
        "tokens": 31,
        "reasons": (Reason(leg="words", amount=0.6, note="tokens"),),
    }
    return BundleItem(**(fields | changes))


def one_left_out(**changes: Any) -> LeftOut:
    """One memory that was considered and not given."""
    fields: dict[str, Any] = {
        "memory_id": MemoryId("m_2"),
        "score": 0.1,
        "tokens": 400,
        "reasons": (Reason(leg="age", amount=-0.01),),
        "why": "too few words in common",
    }
    return LeftOut(**(fields | changes))


def a_run(**changes: Any) -> Run:
    """A run that has just begun in the repository HERE."""
    fields: dict[str, Any] = {
        "id": RunId("r_1"),
        "label": "run-2026-11-15-1",
        "tool": "shell",
        "user": "ada",
        "repo": HERE.repo,
        "branch": HERE.branch,
        "started_at": NOON,
    }
    return Run(**(fields | changes))


def a_step(**changes: Any) -> RunStep:
    """The first step of the run of ``a_run``, which waits."""
    fields: dict[str, Any] = {
        "run_id": RunId("r_1"),
        "number": 1,
        "role": Role.PLANNER,
        "work": StepWork.PLAN,
    }
    return RunStep(**(fields | changes))


def a_document(key: str = "a.md", **changes: Any) -> FrameworkDocument:
    """A document of the collection ``test``."""
    name = DocumentName(
        collection=changes.pop("collection", "test"),
        namespace=changes.pop("namespace", ()),
        key=key,
    )
    fields: dict[str, Any] = {
        "name": name,
        "body": '{"text":"Tokens rotate."}',
        "created_at": NOON,
        "updated_at": NOON,
    }
    return FrameworkDocument(**(fields | changes))


def a_task(number: int = 1, **changes: Any) -> Task:
    """An open task of the repository HERE; its id ends with the number."""
    fields: dict[str, Any] = {
        "id": TaskId(f"t_{number:04d}"),
        "title": f"Task {number}",
        "created_at": NOON,
        "updated_at": NOON,
        "repo": HERE.repo,
        "added_by": "ada",
    }
    return Task(**(fields | changes))


def an_agent(**changes: Any) -> Agent:
    """An agent that nobody has opened yet."""
    fields: dict[str, Any] = {"id": AgentId("a_1"), "name": "refactor-bot", "created_at": NOON}
    return Agent(**(fields | changes))


def a_cycle(**changes: Any) -> AgentCycle:
    """The first cycle of an agent, with neither proposal nor result."""
    fields: dict[str, Any] = {
        "agent_id": AgentId("a_1"),
        "index": 1,
        "started_at": NOON,
        "epoch": 1,
    }
    return AgentCycle(**(fields | changes))


def a_bundle(**changes: Any) -> Bundle:
    """An empty answer to a question about tokens, asked HERE at NOON."""
    fields: dict[str, Any] = {
        "id": BundleId("c_20261115T1200Z_000001"),
        "question": Question(text="How often do tokens rotate?"),
        "asked_at": NOON,
        "place": HERE,
        "items": (),
        "left_out": (),
        "tokens": 0,
        "counter": "words",
    }
    return Bundle(**(fields | changes))


def a_tuning(**changes: Any) -> Tuning:
    """The first weights the default space has of its own."""
    fields: dict[str, Any] = {
        "space": DEFAULT_SPACE,
        "version": 1,
        "weights": {"meaning": 0.4, "hop": 0.6},
        "learned_from": 16,
        "at": NOON,
        "note": "learned from 16 answers",
    }
    return Tuning(**(fields | changes))


def a_session(**changes: Any) -> Session:
    """A sitting that has not ended."""
    fields: dict[str, Any] = {
        "id": SessionId("i_1"),
        "tool": "claude",
        "user": "ada",
        "repo": HERE.repo,
        "branch": HERE.branch,
        "started_at": NOON,
    }
    return Session(**(fields | changes))


def a_session_turn(number: int = 1, **changes: Any) -> CachedTurn:
    """A turn of that sitting in short form."""
    fields: dict[str, Any] = {
        "session_id": SessionId("i_1"),
        "number": number,
        "at": NOON + timedelta(minutes=number),
        "asked": f"Do {number}.",
        "summary": f"Did {number}.",
        "commands": ("make test",),
        "paths": ("src/app.py",),
        "tool": "claude",
        "repo": HERE.repo,
        "branch": HERE.branch,
        "before": "a" * 40,
        "point": BranchPoint(branch=HERE.branch, head="b" * 40),
        "key": f"i_1 {number}",
    }
    return CachedTurn(**(fields | changes))


def a_said_turn(number: int = 1, **changes: Any) -> SaidTurn:
    """What was said in a turn of that sitting."""
    fields: dict[str, Any] = {
        "session_id": SessionId("i_1"),
        "number": number,
        "at": NOON + timedelta(minutes=number),
        "by": SaidBy.AGENT if number % 2 == 0 else SaidBy.PERSON,
        "text": f"The feed restarts in turn {number}.",
        "repo": HERE.repo,
        "branch": HERE.branch,
        "head": "b" * 40,
        "key": f"i_1 {number}",
    }
    return SaidTurn(**(fields | changes))


def a_cache_note(name: str = "n00001", **changes: Any) -> CacheNote:
    """A note of that sitting."""
    fields: dict[str, Any] = {
        "id": name,
        "kind": NoteKind.NOTE,
        "text": "The tests need a database.",
        "at": NOON,
        "by": "ada",
        "origin": Origin.HUMAN,
        "branch": HERE.branch,
        "point": BranchPoint(branch=HERE.branch, head="b" * 40),
    }
    return CacheNote(**(fields | changes))


def a_session_cache(**changes: Any) -> SessionCache:
    """What that sitting keeps beside its turns."""
    fields: dict[str, Any] = {
        "session_id": SessionId("i_1"),
        "at": NOON,
        "repo": HERE.repo,
        "branch": HERE.branch,
        "last": 2,
        "notes": (a_cache_note(),),
        "rewinds": (Rewind(number=1, to=1, until=2, at=NOON),),
        "forked_from": ("i_0", 3),
    }
    return SessionCache(**(fields | changes))


def a_project(**changes: Any) -> ProjectState:
    """What the repository keeps."""
    fields: dict[str, Any] = {
        "repo": HERE.repo,
        "at": NOON,
        "notes": (a_cache_note("g00001", kind=NoteKind.GOAL, text="Ship it."),),
    }
    return ProjectState(**(fields | changes))


def a_turn(**changes: Any) -> Interaction:
    """A turn of that sitting that asks for its number."""
    fields: dict[str, Any] = {
        "id": 0,
        "session_id": SessionId("i_1"),
        "at": NOON,
        "query": "How often do tokens rotate?",
    }
    return Interaction(**(fields | changes))


def a_decision(**changes: Any) -> Decision:
    """That ``m_1`` was approved."""
    fields: dict[str, Any] = {
        "id": DecisionId("d_1"),
        "at": NOON,
        "by": "ada",
        "action": Action.APPROVE,
        "changes": (
            StandingChange(
                memory_id=MemoryId("m_1"),
                before=Standing(status=Status.CANDIDATE),
                after=Standing(decided_by="ada", decided_at=NOON),
            ),
        ),
    }
    return Decision(**(fields | changes))


@dataclass
class FixedClock:
    """A clock that stands still until it is told to move; its entropy counts up."""

    moment: datetime = NOON
    drawn: int = 0

    def now(self) -> datetime:
        """Return the moment it stands at."""
        return self.moment

    def entropy(self) -> int:
        """Return the next number, so names are known and never repeat."""
        self.drawn += 1
        return self.drawn

    def advance(self, **by: float) -> None:
        """Move on: ``clock.advance(hours=2)``."""
        self.moment += timedelta(**by)


@dataclass(frozen=True)
class PlainSpan:
    """Lines read from a file that never was."""

    path: str
    first: int
    last: int
    text_hash: str
    anchor: Anchor | None = None


@dataclass
class PlainSurroundings:
    """A repository without a disk: ``files`` maps a path to its text."""

    at: Place = HERE
    files: dict[str, str] = field(default_factory=dict)
    stands: BranchPoint | None = None
    renamed: dict[str, str] = field(default_factory=dict)
    main: str | None = "main"

    def main_branch(self) -> str | None:
        """Return the main branch."""
        return self.main

    def names_now(self, branches: Collection[str]) -> dict[str, str]:
        """Return the branches that were renamed."""
        return {old: new for old, new in self.renamed.items() if old in branches}

    def place(self) -> Place:
        """Return where we stand."""
        return self.at

    def branch_point(self) -> BranchPoint | None:
        """Return where we stand in the history."""
        return self.stands

    def read_span(self, place: FilePlace) -> PlainSpan:
        """Return the lines, or refuse as the real one does."""
        if place.path not in self.files:
            raise EvidenceUnreadableError(place.path, "there is no such file.")
        lines = self.files[place.path].splitlines()
        first, last = place.first or 1, place.last or len(lines)
        if not lines or last > len(lines):
            raise EvidenceUnreadableError(place.path, f"it has {len(lines)} lines.")
        text = "\n".join(lines[first - 1 : last])
        return PlainSpan(
            path=place.path,
            first=first,
            last=last,
            text_hash=hashlib.sha256(text.encode()).hexdigest(),
            anchor=None if self.at.repo is None else anchored(lines, first, last),
        )

    def read_lines(self, found: FoundLines) -> list[str]:
        """Return the lines, or refuse as the real one does."""
        if found.path not in self.files:
            raise EvidenceUnreadableError(found.path, "there is no such file.")
        return self.files[found.path].splitlines()[found.first - 1 : found.last]


@dataclass(frozen=True)
class WordCounter:
    """Counts words as tokens, so a test can count along."""

    name: str = "words"

    def count(self, text: str) -> int:
        """Return how many words the text has."""
        return len(text.split())
