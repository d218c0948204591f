"""The ports of workspaces, and how references to their snapshots are resolved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import NoSuchError
from holdfast.domain.values import dataclass
from holdfast.domain.workspace_errors import NoSnapshotsError
from holdfast.domain.workspaces.snapshot import SNAPSHOT_PREFIX, SnapshotId, WorkspaceId
from holdfast.domain.workspaces.tree import ABSENT, read_manifest
from holdfast.usecases.naming import full_id

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.domain.workspaces.snapshot import FolderSnapshot
    from holdfast.domain.workspaces.tree import TreeEntry
    from holdfast.ports.clock import Clock
    from holdfast.ports.store.store import Store, Transaction
    from holdfast.ports.store.upkeep import Progress
    from holdfast.ports.workspaces.contents import Contents
    from holdfast.ports.workspaces.folders import WorkspaceFolder

LATEST = "latest"
"""The reference of the newest snapshot of the folder."""
_PAGE = 500


def quietly(_done: int, _total: int) -> None:
    """Tell nobody about progress."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspacePorts:
    """What work with a folder and its snapshots needs."""

    store: Store
    clock: Clock
    contents: Contents
    folder: WorkspaceFolder
    progress: Progress = quietly


def snapshot_of(tx: Transaction, reference: str, folder: WorkspaceFolder) -> FolderSnapshot:
    """Return the snapshot of a reference: its id, the start of it, or ``latest``.

    Raises:
        NoSuchError: There is none.
        NoSnapshotsError: The folder has none.
        AmbiguousError: Several ids start with it.
    """
    if reference == LATEST:
        found = newest(tx, folder)
        if found is None:
            raise NoSnapshotsError(folder.root)
        return found
    if not reference.startswith(f"{SNAPSHOT_PREFIX}_"):
        raise NoSuchError(noun="snapshot", reference=reference[:80])
    return tx.diary.workspaces.snapshots.get(SnapshotId(full_id(tx, reference)))


def newest(tx: Transaction, folder: WorkspaceFolder) -> FolderSnapshot | None:
    """Return the newest snapshot that somebody took of the folder; None if there is none."""
    workspaces = tx.diary.workspaces
    workspace = workspaces.at(folder.host, folder.root)
    if workspace is None:
        return None
    for one in every_snapshot(tx, workspace=workspace.id):
        if one.is_taken:
            return one
    return None


def every_snapshot(tx: Transaction, *, workspace: str | None = None) -> Iterator[FolderSnapshot]:
    """Return all snapshots, newest first, or those of one workspace."""
    of = None if workspace is None else WorkspaceId(workspace)
    beyond: str | None = None
    while page := tx.diary.workspaces.snapshots.page(workspace=of, beyond=beyond, limit=_PAGE):
        yield from page
        beyond = page[-1].id


def entries_of(snapshot: FolderSnapshot, contents: Contents) -> tuple[TreeEntry, ...]:
    """Return the entries of a snapshot.

    Raises:
        ContentDamagedError: Its manifest is missing or damaged.
        BadManifestError: It names paths that must not be written.
    """
    return tuple(one for one in _listed(snapshot, contents) if one.kind != ABSENT)


def absent_of(snapshot: FolderSnapshot, contents: Contents) -> tuple[str, ...]:
    """Return the paths that were not there before the restore that a partial snapshot undoes.

    Raises:
        ContentDamagedError: Its manifest is missing or damaged.
        BadManifestError: It names paths that must not be written.
    """
    if snapshot.is_taken:
        return ()
    return tuple(one.path for one in _listed(snapshot, contents) if one.kind == ABSENT)


def _listed(snapshot: FolderSnapshot, contents: Contents) -> tuple[TreeEntry, ...]:
    manifest = b"".join(contents.read(snapshot.manifest))
    return read_manifest(manifest, keeps_git=snapshot.keeps_ignored)
