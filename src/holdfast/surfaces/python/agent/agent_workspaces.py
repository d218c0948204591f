"""The workspace of an open agent: its folder, kept before and after each tool runs."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.domain.agent_errors import NoCycleError
from holdfast.domain.lookup_errors import NoHistoryError
from holdfast.surfaces.python.advice import with_advice_as
from holdfast.surfaces.python.expecting import TRUTH, expect, place_of
from holdfast.surfaces.python.snapshots import WorkspaceSnapshot
from holdfast.surfaces.python.workspaces import TrackedWorkspace, Workspaces

if TYPE_CHECKING:
    from typing import Protocol

    from holdfast.domain.workspaces.snapshot import CycleMoment
    from holdfast.surfaces.python.door import Door
    from holdfast.surfaces.python.snapshots import RestoredWorkspace
    from holdfast.usecases.agents.opening import AgentOpening

    class _Cycle(Protocol):
        @property
        def index(self) -> int: ...

    class _Agent(Protocol):
        @property
        def door(self) -> Door: ...
        @property
        def opening(self) -> AgentOpening: ...
        @property
        def running(self) -> _Cycle | None: ...
        @property
        def id(self) -> str: ...
        @property
        def name(self) -> str: ...
        @property
        def is_closed(self) -> bool: ...
        def renew(self) -> None: ...


AGENTS_FOLDER = "agents"
"""Beneath the folder of the caller: the workspaces of agents that were given none."""


@with_advice_as("AgentWorkspace")
class AgentWorkspace:
    """The folder that an agent works in, as ``agent.workspace``.

    It is the folder that ``agents.open(…, workspace=…)`` names, else ``agents/NAME`` beneath the
    folder that the memory was opened with.

    >>> with hf.agents.open("refactor-bot", workspace="src") as agent, agent.cycle() as cycle:
    ...     _ = cycle.propose(tool="write a report")
    ...     with agent.workspace.track() as tracked:
    ...         _ = (agent.workspace.folder / "report.md").write_text("done")
    ...     _ = cycle.result("wrote it")
    >>> [(one.kind, one.path) for one in tracked.changes]
    [('added', 'report.md')]
    """

    def __init__(self, agent: _Agent, folder: Path | None) -> None:
        self._agent = agent
        self._given = None if folder is None else folder.absolute()
        self._workspaces = Workspaces(agent.door.app.workspaces, lambda: agent.is_closed)

    @property
    def is_closed(self) -> bool:
        """Whether the memory was closed."""
        return self._agent.is_closed

    @property
    def folder(self) -> Path:
        """The folder; ``track`` creates it if it is missing.

        >>> hf.agents.open("refactor-bot").workspace.folder.parts[-2:]
        ('agents', 'refactor-bot')
        """
        if self._given is not None:
            return self._given
        attachments = self._agent.door.app.attachments
        if attachments is None:
            raise NoHistoryError
        root = Path(attachments.workspace(None).folder.root)
        return root / AGENTS_FOLDER / self._agent.name

    def track(self) -> TrackedWorkspace:
        """Return a context manager that keeps the folder before and after a tool runs.

        Both snapshots belong to the running cycle, so nobody can delete them while the agent
        exists. Use it after ``cycle.propose`` and before ``cycle.result``.

        >>> with hf.agents.open("refactor-bot") as agent, agent.cycle() as cycle:
        ...     _ = cycle.propose(tool="edit")
        ...     with agent.workspace.track() as tracked:
        ...         _ = (agent.workspace.folder / "notes.txt").write_text("one")
        >>> tracked.after.snapshot.cycle.index, tracked.after.snapshot.cycle.moment.value
        (1, 'after')
        """
        agent, folder = self._agent, self.folder
        if agent.running is None:
            raise NoCycleError(agent.name)
        index = agent.running.index

        def keep(moment: CycleMoment) -> WorkspaceSnapshot:
            with suppress(OSError):  # the snapshot tells what is wrong with the folder
                folder.mkdir(parents=True, exist_ok=True)
            taken = agent.door.app.agents.track(agent.opening, index, moment, folder=folder)
            return WorkspaceSnapshot(taken.snapshot, is_new=taken.is_new)

        return TrackedWorkspace(
            keep, lambda old, new: self._workspaces.diff(old, new, folder=folder)
        )

    def restore(
        self,
        snapshot: WorkspaceSnapshot | str | None = None,
        *,
        into: Path | str | None = None,
        dry_run: bool = False,
    ) -> RestoredWorkspace:
        """Make the folder what it was after the last complete cycle, or at another snapshot.

        What a tool that was killed left behind is replaced or removed, and kept in a snapshot of
        its own: ``displaced`` of the returned value. What git ignores and files that look like
        secrets stay as they are. ``into`` writes to another folder, and ``dry_run`` writes nothing.

        >>> with hf.agents.open("refactor-bot") as agent:
        ...     with agent.cycle() as cycle:
        ...         _ = cycle.propose(tool="edit")
        ...         with agent.workspace.track():
        ...             _ = (agent.workspace.folder / "notes.txt").write_text("one")
        ...         _ = cycle.result("edited")
        ...     _ = (agent.workspace.folder / "notes.txt").write_text("half of a wo")
        ...     agent.workspace.restore().steps
        {'notes.txt': 'replace'}
        """
        into = place_of("restore", into=into)
        expect("restore", TRUTH, dry_run=dry_run)
        agent = self._agent
        agent.renew()
        if snapshot is None:
            snapshot = agent.door.app.agents.last_kept(agent.id, folder=self.folder).id
        return self._workspaces.restore(
            snapshot, into=into, folder=self.folder, force=True, delete=True, dry_run=dry_run
        )

    def __repr__(self) -> str:
        """Return the agent and its folder."""
        return f"<holdfast.AgentWorkspace of {self._agent.name!r}: {self.folder}>"
