"""Ports for workspaces, their files, and their snapshots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from holdfast.domain.workspaces.snapshot import (
    FolderSnapshot,
    SnapshotId,
    Workspace,
    WorkspaceFile,
    WorkspaceId,
)


class Snapshots(Protocol):
    """The snapshots that one transaction sees."""

    def add(self, snapshot: FolderSnapshot) -> None:
        """Write a snapshot; it must read back exactly.

        Raises:
            NoSuchError: Its workspace does not exist.
        """
        ...

    def get(self, snapshot_id: SnapshotId) -> FolderSnapshot:
        """Return a snapshot.

        Raises:
            NoSuchError: No snapshot has that id.
        """
        ...

    def page(
        self, *, workspace: WorkspaceId | None, beyond: str | None, limit: int
    ) -> Sequence[FolderSnapshot]:
        """Return snapshots, newest id first, starting after ``beyond``."""
        ...

    def remove(self, snapshot_id: SnapshotId) -> None:
        """Remove a snapshot; rows of files that name it stay.

        Raises:
            NoSuchError: No snapshot has that id.
        """
        ...

    def cited_by(self) -> Mapping[str, Sequence[str]]:
        """Return who refers to snapshots, by the id of the snapshot.

        These are the ids of memories whose evidence cites it, then each cycle of an agent for which
        it was taken, as ``cycle 3 of NAME``. A cycle that was deleted must not count.
        """
        ...


class WorkspaceRecords(Protocol):
    """The workspaces that one transaction sees."""

    def put(self, workspace: Workspace) -> None:
        """Write a workspace; it must read back exactly."""
        ...

    def get(self, workspace_id: WorkspaceId) -> Workspace:
        """Return a workspace.

        Raises:
            NoSuchError: No workspace has that id.
        """
        ...

    def at(self, host: str, root: str) -> Workspace | None:
        """Return the workspace of a folder on a machine."""
        ...

    def every(self) -> Sequence[Workspace]:
        """Return all workspaces, in the order of their ids."""
        ...

    def files(self, workspace_id: WorkspaceId) -> Sequence[WorkspaceFile]:
        """Return the files of a workspace at its newest snapshot, by path."""
        ...

    def put_files(
        self, workspace_id: WorkspaceId, files: Sequence[WorkspaceFile], gone: Sequence[str]
    ) -> None:
        """Write files of a workspace, and remove those that are gone."""
        ...

    @property
    def snapshots(self) -> Snapshots:
        """The snapshots."""
        ...
