"""Workspaces and snapshots as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.workspaces.snapshot import snapshot_json, workspace_json

if TYPE_CHECKING:
    from holdfast.domain.workspaces.changes import TreeChange
    from holdfast.domain.workspaces.snapshot import FolderSnapshot
    from holdfast.domain.workspaces.tree import TreeEntry
    from holdfast.usecases.workspaces.collect import CollectedGarbage
    from holdfast.usecases.workspaces.compare import Compared, ListedSnapshots, ShownSnapshot
    from holdfast.usecases.workspaces.restore import Restored
    from holdfast.usecases.workspaces.snapshot import TakenSnapshot

    Json = dict[str, object]


def taken_json(taken: TakenSnapshot) -> Json:
    """Return the snapshot of a folder, and whether it is a new one."""
    return {
        "snapshot": snapshot_json(taken.snapshot),
        "workspace": workspace_json(taken.workspace),
        "new": taken.is_new,
    }


def snapshots_json(found: ListedSnapshots) -> Json:
    """Return a list of snapshots, and their workspaces."""
    named = {one.workspace for one in found.snapshots}
    return {
        "snapshots": [snapshot_json(one) for one in found.snapshots],
        "workspaces": [
            workspace_json(one) for name, one in found.workspaces.items() if name in named
        ],
    }


def shown_snapshot_json(shown: ShownSnapshot) -> Json:
    """Return a snapshot with its entries."""
    return {
        "snapshot": snapshot_json(shown.snapshot),
        "workspace": workspace_json(shown.workspace),
        "entries": [_entry_json(one) for one in shown.entries],
    }


def compared_json(compared: Compared) -> Json:
    """Return the differences of two snapshots, or of a snapshot and the folder."""
    return {
        "old": compared.old.id,
        "new": None if compared.new is None else compared.new.id,
        "changes": [_change_json(one) for one in compared.changes],
        "patch": list(compared.patch),
    }


def restored_json(restored: Restored) -> Json:
    """Return what a restore did, or would do."""
    displaced = restored.displaced
    return {
        "snapshot": restored.snapshot.id,
        "into": restored.into,
        "dry_run": restored.is_dry,
        "steps": [{"step": one.kind.value, "path": one.path} for one in restored.steps],
        "unchanged": restored.unchanged,
        "displaced": None if displaced is None else displaced.id,
        "aside": list(restored.aside),
    }


def deleted_snapshot_json(snapshot: FolderSnapshot) -> Json:
    """Return a snapshot that was deleted."""
    return {"deleted": snapshot.id}


def collected_json(collected: CollectedGarbage) -> Json:
    """Return what a garbage collection removed, or would remove."""
    return {
        "snapshots": collected.snapshots,
        "pieces": collected.pieces,
        "freed": collected.freed,
        "dry_run": collected.is_dry,
    }


def _entry_json(entry: TreeEntry) -> Json:
    return {
        "path": entry.path,
        "kind": entry.kind,
        "mode": f"{entry.mode:04o}",
        "size": entry.size,
        "sha256": entry.hash or None,
        "target": entry.target or None,
        "sparse": entry.is_sparse,
    }


def _change_json(change: TreeChange) -> Json:
    return {
        "change": change.kind.value,
        "path": change.path,
        "was": change.was,
        "old": None if change.old is None else _entry_json(change.old),
        "new": None if change.new is None else _entry_json(change.new),
    }
