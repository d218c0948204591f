"""A place to attend from without a disk: notes in a dictionary, and a watch over the same store."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

from holdfast.app import Holdfast
from holdfast.app.part_ports import means_of
from holdfast.domain.choices import EvidenceType
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.sessions.alerting import Caution, is_enforced, when_of
from holdfast.domain.sessions.hook_calls import HookAnswer, HookCall, ToolSession
from holdfast.domain.sessions.tool_action import ToolAction
from holdfast.domain.workspace_errors import DiskFullError, FolderUnusableError
from holdfast.ports.sessions.tool_sessions import StoreChange
from holdfast.usecases.sessions.hook_ports import HookPorts, RareHookPorts

WARNING_KINDS = {"failure", "gotcha", "invariant", "rule"}
TELLING = {"memory.added", "memory.standing", "memory.forgotten"}


@dataclass
class PlainToolSessions:
    """Notes that live as long as the test; ``is_broken`` refuses every change."""

    kept: dict[str, ToolSession] = field(default_factory=dict)
    is_broken: bool = False
    is_held: bool = False
    pruned: list[int] = field(default_factory=list)

    def change(self, session: str, change: Callable[[ToolSession], ToolSession]) -> ToolSession:
        """Change a note."""
        if self.is_broken:
            raise DiskFullError(session, problem="No space left on device")
        self.kept[session] = change(self.kept.get(session, ToolSession(session=session)))
        return self.kept[session]

    def turn(self, session: str) -> AbstractContextManager[None]:
        """Hold nothing: a test does one thing at a time. ``is_held`` means that another does."""
        if self.is_held:
            raise FolderUnusableError(session, problem="it is locked")
        return nullcontext()

    def latest(self, *, limit: int) -> Sequence[ToolSession]:
        """Return the notes."""
        return list(self.kept.values())[:limit]

    def prune(self, *, before: int) -> None:
        """Note that it was asked for."""
        self.pruned.append(before)


@dataclass
class PlainWatch:
    """Looks at a store through its port; ``is_blind`` sees none."""

    holdfast: Holdfast
    is_blind: bool = False

    def pulse(self, since: int) -> StoreChange | None:
        """Return where the store stands."""
        if self.is_blind:
            return None
        with self.holdfast.store.reading() as tx:
            events = tx.diary.events.since(since, limit=1_000)
            newest = tx.diary.events.head().sequence
        return StoreChange(newest, any(event.action in TELLING for event in events))

    def cautions(self, doing: ToolAction, *, repo: str | None, workspace: str) -> Sequence[Caution]:
        """Return every memory of the kinds that speak up."""
        del doing, repo, workspace
        with self.holdfast.store.reading() as tx:
            records = tx.memories.find(Selection(), Page(limit=100))
        return [
            Caution(
                memory=record.memory.id,
                kind=record.memory.kind.value,
                claim=record.memory.claim,
                anchors=tuple(
                    item.reference.rpartition(":")[0]
                    for item in record.evidence
                    if item.type is EvidenceType.SPAN
                ),
                when_path=when_of(record.memory.metadata, "path"),
                is_enforced=is_enforced(record.memory.metadata, origin=record.memory.origin.value),
            )
            for record in records
            if record.memory.kind.value in WARNING_KINDS
        ]


@dataclass
class PlainLeaving:
    """Notes what would be proposed from."""

    asked: list[HookCall] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    can: bool = True

    def propose(self, hook_call: HookCall) -> bool:
        """Note it."""
        self.asked.append(hook_call)
        return self.can

    def keep_turns(self, hook_call: HookCall, *, prompts: int) -> bool:
        """Note whose turns would be stored."""
        assert prompts
        self.kept.append(hook_call.session)
        return self.can


@dataclass
class UseCaseContext:
    """Everything an attendant works with, for a test to turn."""

    holdfast: Holdfast
    sessions: PlainToolSessions = field(default_factory=PlainToolSessions)
    leaving: PlainLeaving = field(default_factory=PlainLeaving)
    settings: dict[str, str] = field(default_factory=dict)
    is_blind: bool = False
    seconds: int = 1_000
    heard: list[HookAnswer] = field(default_factory=list)
    is_cut_off: bool = False
    """The process ends before its answer is written."""

    def hear(self, answer: HookAnswer) -> bool:
        """Read the answer of a hook."""
        self.heard.append(HookAnswer() if self.is_cut_off else answer)
        return not self.is_cut_off

    @property
    def ports(self) -> HookPorts:
        """Where the attendant stands."""
        watch = PlainWatch(self.holdfast, is_blind=self.is_blind)
        usual = {"restart": "ask", "hook.enforce": "off", "hook.propose": "on"}
        return HookPorts(
            sessions=self.sessions,
            watch=watch,
            leaving=self.leaving,
            aids=RareHookPorts(
                recall_ports=lambda: means_of(self.holdfast),
                keep_in=lambda: self.holdfast.store,
                setting=lambda name: {**usual, **self.settings}[name],
                badge=lambda: "◆ 1 to review",
                root=lambda folder: folder,
                now=lambda: self.seconds,
            ),
            say=self.hear,
        )
