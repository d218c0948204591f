"""Workspaces, their files and their snapshots, of one transaction."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.rows import Row, as_json, checked, millis, sealed
from holdfast.domain.errors import NoSuchError
from holdfast.domain.workspaces.citing import cited_in
from holdfast.domain.workspaces.snapshot import (
    FolderSnapshot,
    SnapshotId,
    Workspace,
    WorkspaceFile,
    WorkspaceId,
    snapshot_from_json,
    snapshot_json,
    workspace_from_json,
    workspace_json,
)

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.database.work import Work

WORKSPACE, SNAPSHOT = "workspace", "snapshot"
_WORKSPACE_BODY, _SNAPSHOT_BODY = 3, 4


class SqliteWorkspaces:
    """Workspaces, with their files."""

    def __init__(self, work: Work) -> None:
        self.work = work

    @cached_property
    def snapshots(self) -> SqliteSnapshots:
        """The snapshots."""
        return SqliteSnapshots(self.work, self)

    def put(self, workspace: Workspace) -> None:
        """Write a workspace."""
        self.work.moment()
        body = as_json(workspace_json(workspace))
        values = sealed(WORKSPACE, (workspace.id, workspace.host, workspace.root, body))
        self.work.run("put_workspace", *values)
        self.work.record("workspace.put", workspace.id, values[-1])

    def get(self, workspace_id: WorkspaceId) -> Workspace:
        """Return a workspace."""
        row = self.work.row("get_workspace", workspace_id)
        if row is None:
            raise NoSuchError(noun="workspace", reference=workspace_id)
        return self._workspace(row)

    def at(self, host: str, root: str) -> Workspace | None:
        """Return the workspace of a folder on a machine."""
        row = self.work.row("workspace_at", host, root)
        return None if row is None else self._workspace(row)

    def every(self) -> Sequence[Workspace]:
        """Return all workspaces, in the order of their ids."""
        return tuple(self.work.sound(self.work.rows("all_workspaces"), self._workspace))

    def files(self, workspace_id: WorkspaceId) -> Sequence[WorkspaceFile]:
        """Return the files of a workspace at its newest snapshot, by path."""
        rows = self.work.rows("workspace_files", (workspace_id,))
        return tuple([WorkspaceFile(*row) for row in rows])

    def put_files(
        self, workspace_id: WorkspaceId, files: Sequence[WorkspaceFile], gone: Sequence[str]
    ) -> None:
        """Write files of a workspace, and remove those that are gone."""
        self.work.moment()
        if files:
            given = {"workspace": workspace_id, "files": as_json(list(files))}
            self.work.rows("put_workspace_files", given)
        if gone:
            given = {"workspace": workspace_id, "paths": as_json(list(gone))}
            self.work.rows("drop_workspace_files", given)

    def _workspace(self, row: Row) -> Workspace:
        checked(WORKSPACE, row, path=self.work.path, name=str(row[0]))
        return workspace_from_json(json.loads(row[_WORKSPACE_BODY]))


class SqliteSnapshots:
    """The snapshots of all workspaces."""

    def __init__(self, work: Work, workspaces: SqliteWorkspaces) -> None:
        self.work = work
        self._workspaces = workspaces

    def add(self, snapshot: FolderSnapshot) -> None:
        """Write a snapshot."""
        self.work.moment()
        self._workspaces.get(snapshot.workspace)
        manifest = bytes.fromhex(snapshot.manifest)
        body = as_json(snapshot_json(snapshot))
        taken = millis(snapshot.taken_at)
        values = sealed(SNAPSHOT, (snapshot.id, snapshot.workspace, taken, manifest, body))
        self.work.run("add_snapshot", *values)
        self.work.record("snapshot.put", snapshot.id, values[-1])

    def get(self, snapshot_id: SnapshotId) -> FolderSnapshot:
        """Return a snapshot."""
        row = self.work.row("get_snapshot", snapshot_id)
        if row is None:
            raise NoSuchError(noun="snapshot", reference=snapshot_id)
        return self._snapshot(row)

    def page(
        self, *, workspace: WorkspaceId | None, beyond: str | None, limit: int
    ) -> Sequence[FolderSnapshot]:
        """Return snapshots, newest id first, starting after ``beyond``."""
        if workspace is None:
            rows = self.work.rows("snapshots_before", {"beyond": beyond, "limit": limit})
        else:
            named = {"workspace": workspace, "beyond": beyond, "limit": limit}
            rows = self.work.rows("snapshots_of_before", named)
        return tuple(self.work.sound(rows, self._snapshot))

    def remove(self, snapshot_id: SnapshotId) -> None:
        """Remove a snapshot."""
        self.get(snapshot_id)
        self.work.moment()
        self.work.run("remove_snapshot", snapshot_id)
        self.work.record("snapshot.removed", snapshot_id)

    def cited_by(self) -> Mapping[str, Sequence[str]]:
        """Return the memories and the cycles that refer to snapshots, by the id of the snapshot."""
        found: dict[str, list[str]] = {}
        for memory, evidence in self.work.rows("evidence_artifacts"):
            for snapshot in cited_in(json.loads(evidence)):
                found.setdefault(snapshot, []).append(memory)
        for snapshot, index, agent in self.work.rows("cycles_of_snapshots"):
            found.setdefault(snapshot, []).append(f"cycle {index} of {agent}")
        return found

    def _snapshot(self, row: Row) -> FolderSnapshot:
        checked(SNAPSHOT, row, path=self.work.path, name=str(row[0]))
        return snapshot_from_json(json.loads(row[_SNAPSHOT_BODY]))
