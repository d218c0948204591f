"""Workspaces, their files and their snapshots, in dicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from holdfast.adapters.inmemory.state import InMemoryState
from holdfast.domain.errors import NoSuchError
from holdfast.domain.ids import AgentId
from holdfast.domain.workspaces.citing import artifact_of
from holdfast.domain.workspaces.snapshot import (
    FolderSnapshot,
    SnapshotCycle,
    SnapshotId,
    Workspace,
    WorkspaceFile,
    WorkspaceId,
)


@dataclass(frozen=True, slots=True)
class InMemorySnapshots:
    """The snapshots of all workspaces."""

    state: InMemoryState

    def add(self, snapshot: FolderSnapshot) -> None:
        """Write a snapshot."""
        self.state.moment()
        if snapshot.workspace not in self.state.workspaces:
            raise NoSuchError(noun="workspace", reference=snapshot.workspace)
        self.state.snapshots[snapshot.id] = snapshot
        self.state.record("snapshot.put", snapshot.id, snapshot)

    def get(self, snapshot_id: SnapshotId) -> FolderSnapshot:
        """Return a snapshot."""
        try:
            return self.state.snapshots[snapshot_id]
        except KeyError:
            raise NoSuchError(noun="snapshot", reference=snapshot_id) from None

    def page(
        self, *, workspace: WorkspaceId | None, beyond: str | None, limit: int
    ) -> Sequence[FolderSnapshot]:
        """Return snapshots, newest id first, starting after ``beyond``."""
        found = [
            one
            for name, one in sorted(self.state.snapshots.items(), reverse=True)
            if workspace in {None, one.workspace} and (beyond is None or name < beyond)
        ]
        return tuple(found[:limit])

    def remove(self, snapshot_id: SnapshotId) -> None:
        """Remove a snapshot."""
        self.get(snapshot_id)
        self.state.moment()
        del self.state.snapshots[snapshot_id]
        self.state.record("snapshot.removed", snapshot_id)

    def cited_by(self) -> Mapping[str, Sequence[str]]:
        """Return the memories and the cycles that refer to snapshots, by the id of the snapshot."""
        found: dict[str, list[str]] = {}
        for name, record in self.state.memories.items():
            for item in record.evidence:
                artifact = artifact_of(item)
                if artifact is not None:
                    found.setdefault(artifact.snapshot, []).append(name)
        for key, one in self.state.snapshots.items():
            if one.cycle is not None and (agent := self._agent_of(one.cycle)) is not None:
                found.setdefault(key, []).append(f"cycle {one.cycle.index} of {agent}")
        return found

    def _agent_of(self, cycle: SnapshotCycle) -> str | None:
        """Return the name of the agent of a cycle; None if it was deleted."""
        agent_id = AgentId(cycle.agent)
        if (agent_id, cycle.index) not in self.state.cycles:
            return None
        return self.state.agents[agent_id].name


@dataclass(frozen=True, slots=True)
class InMemoryWorkspaces:
    """Workspaces, with their files."""

    state: InMemoryState

    @property
    def snapshots(self) -> InMemorySnapshots:
        """The snapshots."""
        return InMemorySnapshots(self.state)

    def put(self, workspace: Workspace) -> None:
        """Write a workspace."""
        self.state.moment()
        self.state.workspaces[workspace.id] = workspace
        self.state.record("workspace.put", workspace.id, workspace)

    def get(self, workspace_id: WorkspaceId) -> Workspace:
        """Return a workspace."""
        try:
            return self.state.workspaces[workspace_id]
        except KeyError:
            raise NoSuchError(noun="workspace", reference=workspace_id) from None

    def at(self, host: str, root: str) -> Workspace | None:
        """Return the workspace of a folder on a machine."""
        found = (
            one for one in self.state.workspaces.values() if (one.host, one.root) == (host, root)
        )
        return next(found, None)

    def every(self) -> Sequence[Workspace]:
        """Return all workspaces, in the order of their ids."""
        return tuple(one for _, one in sorted(self.state.workspaces.items()))

    def files(self, workspace_id: WorkspaceId) -> Sequence[WorkspaceFile]:
        """Return the files of a workspace at its newest snapshot, by path."""
        return tuple(sorted(self.state.workspace_files.get(workspace_id, {}).values()))

    def put_files(
        self, workspace_id: WorkspaceId, files: Sequence[WorkspaceFile], gone: Sequence[str]
    ) -> None:
        """Write files of a workspace, and remove those that are gone."""
        self.state.moment()
        kept = dict(self.state.workspace_files.get(workspace_id, {}))
        kept |= {one.path: one for one in files}
        self.state.workspace_files[workspace_id] = {
            path: one for path, one in kept.items() if path not in gone
        }
