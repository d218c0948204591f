"""Holdfast: a long memory for AI agents that people can trust.

``holdfast.open()`` returns the memory of the current folder, a ``MemoryStore``:

>>> import holdfast
>>> with holdfast.open() as hf:
...     kept = hf.remember(
...         "Refresh tokens rotate on every use.",
...         evidence=[holdfast.span("src/auth/tokens.py", 41, 58)],
...     )
...     answer = hf.recall("do refresh tokens rotate", budget=500)
>>> for hit in answer:
...     print(hit.text, hit.verdict)
Refresh tokens rotate on every use. fresh

``str(answer)`` is the text to put into a prompt. Everything that a program needs is in this
package: the types of what the methods return, functions that name evidence, and the errors. Every
error is a ``HoldfastError`` with ``code``, ``message``, ``facts`` and ``advice``.

Importing the package loads nothing else; ``open`` loads the engine.
"""

from __future__ import annotations

# Not from typing: importing it would cost a prompt's badge a fifth of its time.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from holdfast.domain.agents.agent import Agent
    from holdfast.domain.agents.cycle import (
        ActionProposal,
        ActionResult,
        AgentCycle,
        AgentState,
        Resumption,
    )
    from holdfast.domain.choices import EvidenceType, Kind, Origin, Scope, Status
    from holdfast.domain.encryption.keys import EncryptionKey
    from holdfast.domain.errors import (
        ConflictError,
        ForgottenError,
        HoldfastError,
        InvalidError,
        NeedsPersonError,
        NoEvidenceError,
        NotFoundError,
        SecretRefusedError,
        StaleError,
        StoreBusyError,
        UnavailableError,
    )
    from holdfast.domain.memory.anchor import Verdict
    from holdfast.domain.memory.decision import Action
    from holdfast.domain.memory.evidence import Evidence, Span
    from holdfast.domain.memory.link import Link
    from holdfast.domain.remote_errors import (
        RemoteAnswerError,
        ServerAwayError,
        UnknownOutcomeError,
        WriteWaitsError,
    )
    from holdfast.domain.review.review import Risk
    from holdfast.domain.review_errors import UnresolvedConflictError
    from holdfast.domain.sessions.session import Interaction, Session
    from holdfast.surfaces.python.advice import ClosedError
    from holdfast.surfaces.python.agent.agent_workspaces import AgentWorkspace
    from holdfast.surfaces.python.agent.agents import AgentCollection
    from holdfast.surfaces.python.agent.running_agents import RunningAgent, RunningCycle
    from holdfast.surfaces.python.answers import Answer, Hit
    from holdfast.surfaces.python.api import MemoryStore
    from holdfast.surfaces.python.asking import RecallOptions
    from holdfast.surfaces.python.async_agents import (
        AsyncAgent,
        AsyncAgents,
        AsyncCycle,
        AsyncWorkspace,
    )
    from holdfast.surfaces.python.async_service import AsyncMemoryService
    from holdfast.surfaces.python.checking import RuleCheck, RuleReport
    from holdfast.surfaces.python.deciding import ResolveOptions, ReviewOptions
    from holdfast.surfaces.python.decisions import (
        Candidate,
        DecisionEntry,
        DecisionResult,
        OpenConflict,
        OpenConflicts,
        ReviewQueue,
    )
    from holdfast.surfaces.python.evidence import (
        artifact,
        command,
        commit,
        span,
        statement,
        url,
    )
    from holdfast.surfaces.python.expecting import WrongTypeError
    from holdfast.surfaces.python.findings import (
        EvidenceCheck,
        EvidenceReport,
        Explanation,
        ForgottenMemory,
    )
    from holdfast.surfaces.python.keeping import ListOptions, RememberOptions
    from holdfast.surfaces.python.keys import KeyCollection
    from holdfast.surfaces.python.memories import HasId, KeptMemory, ListPart, Memory
    from holdfast.surfaces.python.planned import PlannedTask, ReadyList
    from holdfast.surfaces.python.pruning import DueMemory, PruneOptions, PruneResult
    from holdfast.surfaces.python.recording import OpenSession
    from holdfast.surfaces.python.service import MemoryService, StoredMemory
    from holdfast.surfaces.python.session_book import SessionBook
    from holdfast.surfaces.python.snapshots import (
        RestoredWorkspace,
        WorkspaceChange,
        WorkspaceSnapshot,
    )
    from holdfast.surfaces.python.supervising import ReplayedRun, Supervision, SupervisionOptions
    from holdfast.surfaces.python.tasks import (
        AddTaskOptions,
        EditTaskOptions,
        TaskBoard,
        TaskListOptions,
    )
    from holdfast.surfaces.python.workspaces import (
        RestoreOptions,
        TrackedWorkspace,
        Workspaces,
    )
    from holdfast.usecases.exchange.exchange import Brought
    from holdfast.usecases.memory.remember import RememberOutcome
    from holdfast.usecases.recall.learn import Lesson

_DOOR = "holdfast.surfaces.python."
_HOMES = {
    "holdfast.domain.agents.agent": ("Agent",),
    "holdfast.domain.agents.cycle": (
        *("ActionProposal", "ActionResult", "AgentCycle", "AgentState", "Resumption"),
    ),
    "holdfast.domain.choices": ("EvidenceType", "Kind", "Origin", "Scope", "Status"),
    "holdfast.domain.errors": (
        *("ConflictError", "ForgottenError", "HoldfastError", "InvalidError", "NeedsPersonError"),
        *("NoEvidenceError", "NotFoundError", "SecretRefusedError", "StaleError"),
        *("StoreBusyError", "UnavailableError"),
    ),
    "holdfast.domain.encryption.keys": ("EncryptionKey",),
    "holdfast.domain.memory.anchor": ("Verdict",),
    "holdfast.domain.memory.decision": ("Action",),
    "holdfast.domain.memory.evidence": ("Evidence", "Span"),
    "holdfast.domain.memory.link": ("Link",),
    "holdfast.domain.remote_errors": (
        *("RemoteAnswerError", "ServerAwayError"),
        *("UnknownOutcomeError", "WriteWaitsError"),
    ),
    "holdfast.domain.review_errors": ("UnresolvedConflictError",),
    "holdfast.domain.review.review": ("Risk",),
    "holdfast.domain.sessions.session": ("Interaction", "Session"),
    f"{_DOOR}advice": ("ClosedError",),
    f"{_DOOR}agent.agent_workspaces": ("AgentWorkspace",),
    f"{_DOOR}agent.agents": ("AgentCollection",),
    f"{_DOOR}answers": ("Answer", "Hit"),
    f"{_DOOR}api": ("MemoryStore",),
    f"{_DOOR}asking": ("RecallOptions",),
    f"{_DOOR}async_agents": ("AsyncAgent", "AsyncAgents", "AsyncCycle", "AsyncWorkspace"),
    f"{_DOOR}async_service": ("AsyncMemoryService",),
    f"{_DOOR}checking": ("RuleCheck", "RuleReport"),
    f"{_DOOR}deciding": ("ResolveOptions", "ReviewOptions"),
    f"{_DOOR}decisions": (
        *("Candidate", "DecisionEntry", "DecisionResult", "ReviewQueue"),
        *("OpenConflict", "OpenConflicts"),
    ),
    f"{_DOOR}evidence": ("artifact", "command", "commit", "span", "statement", "url"),
    f"{_DOOR}expecting": ("WrongTypeError",),
    f"{_DOOR}findings": ("EvidenceCheck", "EvidenceReport", "Explanation", "ForgottenMemory"),
    f"{_DOOR}keeping": ("ListOptions", "RememberOptions"),
    f"{_DOOR}keys": ("KeyCollection",),
    f"{_DOOR}memories": ("HasId", "KeptMemory", "ListPart", "Memory"),
    f"{_DOOR}recording": ("OpenSession",),
    f"{_DOOR}agent.running_agents": ("RunningAgent", "RunningCycle"),
    f"{_DOOR}service": ("MemoryService", "StoredMemory"),
    f"{_DOOR}snapshots": ("RestoredWorkspace", "WorkspaceChange", "WorkspaceSnapshot"),
    f"{_DOOR}workspaces": ("RestoreOptions", "TrackedWorkspace", "Workspaces"),
    f"{_DOOR}planned": ("PlannedTask", "ReadyList"),
    f"{_DOOR}session_book": ("SessionBook",),
    f"{_DOOR}pruning": ("DueMemory", "PruneOptions", "PruneResult"),
    f"{_DOOR}supervising": ("ReplayedRun", "SupervisionOptions", "Supervision"),
    f"{_DOOR}tasks": ("AddTaskOptions", "EditTaskOptions", "TaskBoard", "TaskListOptions"),
    "holdfast.usecases.exchange.exchange": ("Brought",),
    "holdfast.usecases.memory.remember": ("RememberOutcome",),
    "holdfast.usecases.recall.learn": ("Lesson",),
}
"""The public names by the module that defines them; a name is imported when it is first used."""

__all__ = [  # noqa: RUF022 - by subject, as the reference shows them
    "open",
    "MemoryStore",
    "MemoryService",
    "AsyncMemoryService",
    "StoredMemory",
    "OpenSession",
    "SessionBook",
    "TaskBoard",
    "PlannedTask",
    "ReadyList",
    "Supervision",
    "ReplayedRun",
    "AgentCollection",
    "RunningAgent",
    "AgentWorkspace",
    "RunningCycle",
    "AsyncAgents",
    "AsyncAgent",
    "AsyncWorkspace",
    "AsyncCycle",
    "Memory",
    "KeptMemory",
    "ListPart",
    "Answer",
    "Hit",
    "Candidate",
    "ReviewQueue",
    "DecisionResult",
    "DecisionEntry",
    "OpenConflict",
    "OpenConflicts",
    "Explanation",
    "EvidenceCheck",
    "EvidenceReport",
    "RuleCheck",
    "RuleReport",
    "ForgottenMemory",
    "DueMemory",
    "PruneResult",
    "KeyCollection",
    "EncryptionKey",
    "HasId",
    "Workspaces",
    "WorkspaceSnapshot",
    "WorkspaceChange",
    "RestoredWorkspace",
    "TrackedWorkspace",
    "RememberOptions",
    "ListOptions",
    "RecallOptions",
    "ReviewOptions",
    "ResolveOptions",
    "PruneOptions",
    "SupervisionOptions",
    "AddTaskOptions",
    "EditTaskOptions",
    "TaskListOptions",
    "RestoreOptions",
    "span",
    "commit",
    "url",
    "command",
    "statement",
    "artifact",
    "Evidence",
    "EvidenceType",
    "Span",
    "Verdict",
    "Kind",
    "Scope",
    "Status",
    "Origin",
    "Risk",
    "RememberOutcome",
    "Action",
    "Link",
    "Session",
    "Interaction",
    "Agent",
    "AgentCycle",
    "ActionProposal",
    "ActionResult",
    "AgentState",
    "Resumption",
    "Lesson",
    "Brought",
    "HoldfastError",
    "InvalidError",
    "WrongTypeError",
    "NoEvidenceError",
    "SecretRefusedError",
    "ClosedError",
    "NotFoundError",
    "ForgottenError",
    "ConflictError",
    "NeedsPersonError",
    "UnresolvedConflictError",
    "StaleError",
    "UnavailableError",
    "StoreBusyError",
    "ServerAwayError",
    "UnknownOutcomeError",
    "RemoteAnswerError",
    "WriteWaitsError",
    "__version__",
]
__version__ = "0.1.0"


def open(  # noqa: A001 - holdfast.open() is the promised name, as in gzip.open
    folder: Path | str | None = None,
    *,
    home: Path | str | None = None,
    space: str | None = None,
    as_: str | None = None,
    name: str = "",
    store: str | None = None,
) -> MemoryStore:
    """Open the memory of a space, seen from a folder, and create it if there is none.

    ``folder`` is the folder whose repository and branch count, the current one if not given.
    ``home`` is where the store is, HOLDFAST_HOME if not given. ``space`` names the space,
    HOLDFAST_SPACE if not given, else the default one. ``as_`` is who acts: person, agent, tool or
    service, under a ``name``; if not given, the environment decides. A program that an agent runs
    acts as that agent, whatever it passes. ``store`` is the address of a database server,
    HOLDFAST_STORE if not given; without one the store is a file.

    >>> with holdfast.open("src", home="memory") as memory:
    ...     memory.list()
    ()
    """
    import gc

    # What is loaded stays: to look for garbage forty times while it loads would find none.
    is_collecting = gc.isenabled()
    gc.disable()
    try:
        from holdfast.surfaces.python.api import open_memory

        return open_memory(home=home, folder=folder, space=space, as_=as_, name=name, store=store)
    finally:
        if is_collecting:
            gc.enable()


# Type checkers read the imports above; with this function they would accept every other name too.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Import a public name when it is first used."""
        for module, names in _HOMES.items():
            if name in names:
                from importlib import import_module

                found = globals()[name] = getattr(import_module(module), name)
                return found
        message = f"module 'holdfast' has no attribute '{name}'"
        raise AttributeError(message, name=name)


def __dir__() -> list[str]:
    """Return the public names, those that were not used yet too."""
    return sorted({*globals(), *__all__})
