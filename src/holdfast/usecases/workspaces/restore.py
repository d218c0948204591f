"""Restore: write the content of a snapshot into a folder, and keep what it replaces."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from holdfast.domain.values import dataclass
from holdfast.domain.workspace_errors import (
    CannotKeepError,
    NoSuchPathError,
    SnapshotElsewhereError,
    WouldReplaceError,
)
from holdfast.domain.workspaces.safe_paths import beneath
from holdfast.domain.workspaces.snapshot import TreeRules
from holdfast.domain.workspaces.tree import EntryKind, manifest_of
from holdfast.ports.workspaces.folders import RestoreSteps
from holdfast.usecases.workspaces.ports import entries_of, snapshot_of
from holdfast.usecases.workspaces.snapshot import keep_displaced

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.workspaces.snapshot import FolderSnapshot
    from holdfast.domain.workspaces.tree import TreeEntry
    from holdfast.ports.workspaces.folders import ScannedTree, WorkspaceFolder
    from holdfast.usecases.workspaces.ports import WorkspacePorts


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreSnapshot:
    """A request to write a snapshot into a folder.

    ``paths`` are the files and folders to restore, all if empty. ``replaces`` allows to replace
    what differs; ``removes`` allows to remove what the snapshot does not have.
    """

    reference: str
    paths: tuple[str, ...] = ()
    replaces: bool = False
    removes: bool = False
    with_times: bool = False
    dry_run: bool = False


class StepKind(StrEnum):
    """What a restore does with a path."""

    CREATE = "create"
    REPLACE = "replace"
    MODE = "mode"
    REMOVE = "remove"


class RestoreStep(NamedTuple):
    """One path, and what a restore does with it."""

    kind: StepKind
    path: str


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


class _Plan(NamedTuple):
    steps: tuple[RestoreStep, ...]
    work: RestoreSteps
    unchanged: int
    lost: tuple[str, ...]
    unkept: ScannedTree | None


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
        entries = _chosen(entries_of(snapshot, ports.contents), wish, snapshot)
        plan = _planned(entries, wish, snapshot, into=into, ports=ports)
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
    entries: Sequence[TreeEntry], wish: RestoreSnapshot, snapshot: FolderSnapshot
) -> Sequence[TreeEntry]:
    """Return the entries of the chosen paths, with the folders that lead to them."""
    if not wish.paths:
        return entries
    chosen = [path.strip("/") for path in wish.paths]
    for path in chosen:
        if not any(beneath(one.path, path) for one in entries):
            raise NoSuchPathError(path, snapshot=snapshot.id)
    return [
        one
        for one in entries
        if any(beneath(one.path, path) or beneath(path, one.path) for path in chosen)
    ]


def _planned(
    entries: Sequence[TreeEntry],
    wish: RestoreSnapshot,
    snapshot: FolderSnapshot,
    *,
    into: WorkspaceFolder,
    ports: WorkspacePorts,
) -> _Plan:
    """Compare the folder with the snapshot, and decide about each path."""
    from holdfast.domain.workspace_errors import NoFolderError

    try:
        looked = into.look([one.path for one in entries])
        extra = _extra(entries, wish, snapshot, into=into, ports=ports)
    except NoFolderError:
        looked, extra = None, ()
    seen = {} if looked is None else {one.path: one for one in looked.entries}
    odd = set() if looked is None else {one.path for one in looked.omitted}
    write: list[TreeEntry] = []
    steps: list[RestoreStep] = []
    for entry in entries:
        kind = _step(entry, seen.get(entry.path), is_odd=entry.path in odd)
        if kind is not None:
            write.append(entry)
            steps.append(RestoreStep(kind, entry.path))
    steps += [RestoreStep(StepKind.REMOVE, one.path) for one in extra]
    lost = tuple(one.path for one in steps if one.kind is not StepKind.CREATE)
    work = RestoreSteps(
        write, extra, seen | {one.path: one for one in extra}, with_times=wish.with_times
    )
    unchanged = sum(_counts(one, wish) for one in entries) - sum(_counts(o, wish) for o in write)
    return _Plan(tuple(steps), work, unchanged, lost, looked)


def _counts(entry: TreeEntry, wish: RestoreSnapshot) -> bool:
    """Tell whether an entry was asked for; the folders that lead to a chosen path were not."""
    return not wish.paths or any(beneath(entry.path, path.strip("/")) for path in wish.paths)


def _step(entry: TreeEntry, seen: TreeEntry | None, *, is_odd: bool) -> StepKind | None:
    """Return what to do about an entry; None if the folder has it already."""
    if seen is None:
        return StepKind.REPLACE if is_odd else StepKind.CREATE
    if seen.content != entry.content:
        return StepKind.REPLACE
    is_same = entry.kind == EntryKind.LINK or seen.mode == entry.mode
    return None if is_same else StepKind.MODE


def _extra(
    entries: Sequence[TreeEntry],
    wish: RestoreSnapshot,
    snapshot: FolderSnapshot,
    *,
    into: WorkspaceFolder,
    ports: WorkspacePorts,
) -> tuple[TreeEntry, ...]:
    """Return what the folder has and the snapshot has not, as far as a snapshot would keep it."""
    if not wish.removes:
        return ()
    rules = TreeRules(keeps_ignored=snapshot.keeps_ignored)
    known = {one.path for one in entries}
    chosen = [path.strip("/") for path in wish.paths]
    return tuple(
        one
        for one in into.scan(rules, progress=ports.progress).entries
        if one.path not in known and (not chosen or any(beneath(one.path, path) for path in chosen))
    )


def _kept(
    plan: _Plan, snapshot: FolderSnapshot, *, into: WorkspaceFolder, ports: WorkspacePorts
) -> FolderSnapshot | None:
    """Keep what the restore will replace or remove in a snapshot of its own."""
    if not plan.lost:
        return None
    with ports.contents.adding() as writer:
        scanned = into.look(_with_parents(plan.lost), writer=writer)
        for one in scanned.omitted:
            raise CannotKeepError(one.path, reason=one.reason.value)
        manifest = writer.add([manifest_of(scanned.entries)])
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
