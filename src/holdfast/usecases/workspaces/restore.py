"""Restore: write the content of a snapshot into a folder, and keep what it replaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass
from holdfast.domain.workspace_errors import (
    CannotKeepError,
    NoSuchPathError,
    SnapshotElsewhereError,
    WouldReplaceError,
)
from holdfast.domain.workspaces.safe_paths import beneath
from holdfast.domain.workspaces.tree import manifest_of
from holdfast.usecases.workspaces.ports import absent_of, entries_of, snapshot_of
from holdfast.usecases.workspaces.restore_plan import (
    RestorePlan,
    RestoreSnapshot,
    RestoreStep,
    StepKind,
    planned_steps,
)
from holdfast.usecases.workspaces.snapshot import keep_displaced

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.workspaces.snapshot import FolderSnapshot
    from holdfast.domain.workspaces.tree import TreeEntry
    from holdfast.ports.workspaces.folders import WorkspaceFolder
    from holdfast.usecases.workspaces.ports import WorkspacePorts


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """What a restore did, or would do.

    ``unchanged`` counts the entries that were right already. ``displaced`` is the snapshot that
    keeps what was replaced or removed; ``aside`` are folders that were renamed.
    """

    snapshot: FolderSnapshot
    into: str
    steps: tuple[RestoreStep, ...]
    unchanged: int
    displaced: FolderSnapshot | None = None
    aside: tuple[str, ...] = ()
    is_dry: bool = False


def own_folder(reference: str, *, ports: WorkspacePorts) -> str:
    """Return the folder that a snapshot was taken of.

    Raises:
        NoSuchError: There is no such snapshot.
        SnapshotElsewhereError: The folder is on another machine.
    """
    with ports.store.reading() as tx:
        snapshot = snapshot_of(tx, reference, ports.folder)
        workspace = tx.diary.workspaces.get(snapshot.workspace)
    if workspace.host != ports.folder.host:
        raise SnapshotElsewhereError(snapshot.id, host=workspace.host, folder=workspace.root)
    return workspace.root


def restore_snapshot(
    wish: RestoreSnapshot, *, into: WorkspaceFolder, ports: WorkspacePorts
) -> Restored:
    """Write a snapshot into a folder; nothing is replaced unless the request allows it.

    What is replaced or removed is kept in a snapshot of its own first.

    Raises:
        NoSuchError: There is no such snapshot.
        NoSuchPathError: It has no such path.
        WouldReplaceError: Something differs, and the request does not allow to replace it.
        CannotKeepError: What would be replaced cannot be kept.
        DiskFullError: There is no room; nothing was replaced.
        ContentDamagedError: Stored content is damaged; nothing was replaced.
        FolderChangedError: The folder changed meanwhile.
    """
    with ports.contents.using():
        with ports.store.reading() as tx:
            snapshot = snapshot_of(tx, wish.reference, ports.folder)
        absent = absent_of(snapshot, ports.contents)
        entries = _chosen(entries_of(snapshot, ports.contents), wish, snapshot, absent=absent)
        plan = planned_steps(entries, wish, snapshot, into=into, ports=ports)
        found = Restored(
            snapshot=snapshot,
            into=into.root,
            steps=plan.steps,
            unchanged=plan.unchanged,
            is_dry=wish.dry_run,
        )
        if wish.dry_run:
            return found
        if plan.lost and not wish.replaces:
            removed = [one.path for one in plan.steps if one.kind is StepKind.REMOVE]
            replaced = [path for path in plan.lost if path not in removed]
            raise WouldReplaceError(replaced, removed=removed)
        displaced = _kept(plan, snapshot, into=into, ports=ports)
        aside = into.restore(plan.work, ports.contents, ports.progress)
    return Restored(
        snapshot=snapshot,
        into=into.root,
        steps=plan.steps,
        unchanged=plan.unchanged,
        displaced=displaced,
        aside=tuple(aside),
    )


def _chosen(
    entries: Sequence[TreeEntry],
    wish: RestoreSnapshot,
    snapshot: FolderSnapshot,
    *,
    absent: Sequence[str],
) -> Sequence[TreeEntry]:
    """Return the entries of the chosen paths, with the folders that lead to them."""
    if not wish.paths:
        return entries
    chosen = [path.strip("/") for path in wish.paths]
    for path in chosen:
        if not any(beneath(one, path) for one in (*(one.path for one in entries), *absent)):
            raise NoSuchPathError(path, snapshot=snapshot.id)
    return [
        one
        for one in entries
        if any(beneath(one.path, path) or beneath(path, one.path) for path in chosen)
    ]


def _kept(
    plan: RestorePlan, snapshot: FolderSnapshot, *, into: WorkspaceFolder, ports: WorkspacePorts
) -> FolderSnapshot | None:
    """Keep what the restore will replace or remove in a snapshot of its own."""
    if not plan.lost:
        return None
    with ports.contents.adding() as writer:
        scanned = into.look(_with_parents(plan.lost), writer=writer)
        for one in scanned.omitted:
            raise CannotKeepError(one.path, reason=one.reason.value)
        added = [one.path for one in plan.steps if one.kind is StepKind.CREATE]
        manifest = writer.add([manifest_of(scanned.entries, absent=added)])
        stored = writer.finish()
    there = replace_folder(ports, into)
    return keep_displaced(
        scanned, manifest=manifest, stored=stored, restoring=snapshot.id, ports=there
    )


def replace_folder(ports: WorkspacePorts, folder: WorkspaceFolder) -> WorkspacePorts:
    """Return the ports with another folder."""
    from holdfast.domain.values import replace

    return replace(ports, folder=folder)


def _with_parents(paths: Sequence[str]) -> set[str]:
    """Return the paths and the folders that lead to them, which a manifest must list."""
    found = set(paths)
    for path in paths:
        parts = path.split("/")
        found.update("/".join(parts[:depth]) for depth in range(1, len(parts)))
    return found
