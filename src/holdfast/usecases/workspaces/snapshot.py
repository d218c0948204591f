"""FolderSnapshot: keep the content of a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.ids import sortable
from holdfast.domain.values import dataclass, replace
from holdfast.domain.workspaces.snapshot import (
    MOST_LISTED_OMISSIONS,
    SNAPSHOT_PREFIX,
    WORKSPACE_PREFIX,
    FolderSnapshot,
    SnapshotId,
    SnapshotKind,
    TreeRules,
    Workspace,
    WorkspaceFile,
    WorkspaceId,
)
from holdfast.domain.workspaces.tree import manifest_of
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.screened_surroundings import harmless
from holdfast.usecases.screening import screened
from holdfast.usecases.workspaces.ports import newest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from holdfast.domain.workspaces.snapshot import SnapshotCycle
    from holdfast.domain.workspaces.tree import Omitted, TreeEntry
    from holdfast.ports.store.store import Transaction
    from holdfast.ports.workspaces.folders import ScannedTree
    from holdfast.usecases.workspaces.ports import WorkspacePorts

    Allow = Callable[[Transaction, datetime], None]

_LONGEST_NAME = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeSnapshot:
    """A request to keep a folder as it is; ``agent`` names the agent that works in it.

    ``cycle`` is the cycle of the agent for which it is taken; such a snapshot is always a new one.
    """

    note: str = ""
    agent: str | None = None
    cycle: SnapshotCycle | None = None
    rules: TreeRules = TreeRules()


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenSnapshot:
    """The snapshot of a folder; ``is_new`` is false if the newest one has the same content."""

    snapshot: FolderSnapshot
    workspace: Workspace
    is_new: bool


def anybody(_tx: Transaction, _at: datetime) -> None:
    """Allow everybody to take a snapshot."""


def take_snapshot(
    wish: TakeSnapshot, *, ports: WorkspacePorts, allow: Allow = anybody
) -> TakenSnapshot:
    """Keep the folder as it is; an unchanged folder without a note gets no second snapshot.

    All content is on the disk before the row that names it is committed. Content that was found
    damaged is written again, which repairs every snapshot that has it. ``allow`` is called in the
    transaction that writes the row; if it raises an error, there is no snapshot.

    Raises:
        NoFolderError: There is no such folder.
        TreeTooLargeError: It holds more than the limits allow; nothing is kept.
        DiskFullError: There is no room for the content; nothing is kept.
    """
    note = screened(wish.note, what="note") if wish.note else ""
    with ports.contents.using(), ports.contents.adding() as writer:
        scanned = ports.folder.scan(wish.rules, writer=writer, progress=ports.progress)
        missing = {one.hash for one in scanned.entries if one.hash and not writer.has(one.hash)}
        if missing:
            # The content of unchanged files was removed or damaged since they were read.
            scanned = ports.folder.scan(
                wish.rules, writer=writer, distrust=missing, progress=ports.progress
            )
        manifest = writer.add([manifest_of(scanned.entries)])
        stored = writer.finish()
        known = None if note or wish.cycle else _unchanged(manifest, ports=ports)
        if known is not None:
            ports.folder.note_scan()
            return known
        fresh = _drafted(scanned, manifest=manifest, note=note, stored=stored)
        taken = recorded(fresh, wish=wish, entries=scanned.entries, ports=ports, allow=allow)
        ports.folder.note_scan()
        return taken


def keep_displaced(
    scanned: ScannedTree, *, manifest: str, stored: int, restoring: str, ports: WorkspacePorts
) -> FolderSnapshot:
    """Record the files that a restore is about to replace."""
    drafted = _drafted(scanned, manifest=manifest, note=f"before {restoring}", stored=stored)
    wish = TakeSnapshot(rules=TreeRules(keeps_ignored=True, keeps_secrets=True))
    return recorded(drafted, wish=wish, entries=None, ports=ports).snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftedSnapshot:
    """A snapshot that has no id yet."""

    manifest: str
    note: str
    stored: int
    entries: int
    size: int
    ignored: int
    omitted: tuple[Omitted, ...]
    more_omitted: int


def _drafted(scanned: ScannedTree, *, manifest: str, note: str, stored: int) -> DraftedSnapshot:
    shown = [one._replace(path=shown_path(one.path)) for one in scanned.omitted]
    return DraftedSnapshot(
        manifest=manifest,
        note=note,
        stored=stored,
        entries=len(scanned.entries),
        size=sum(one.size for one in scanned.entries),
        ignored=scanned.ignored,
        omitted=tuple(shown[:MOST_LISTED_OMISSIONS]),
        more_omitted=len(shown[MOST_LISTED_OMISSIONS:]),
    )


def shown_path(path: str) -> str:
    """Return a path as text that can be stored in a row; the manifest holds it exactly."""
    return harmless(path.encode("utf-8", "backslashreplace").decode())


def _unchanged(manifest: str, *, ports: WorkspacePorts) -> TakenSnapshot | None:
    """Return the newest snapshot if the folder is still the same."""
    with ports.store.reading() as tx:
        found = newest(tx, ports.folder)
        if found is None or found.manifest != manifest:
            return None
        workspace = tx.diary.workspaces.get(found.workspace)
    return TakenSnapshot(snapshot=found, workspace=workspace, is_new=False)


@repeatable
def recorded(
    drafted: DraftedSnapshot,
    *,
    wish: TakeSnapshot,
    entries: Sequence[TreeEntry] | None,
    ports: WorkspacePorts,
    allow: Allow = anybody,
) -> TakenSnapshot:
    """Write the rows of a snapshot; ``entries`` are the files of the workspace from now on."""
    at = ports.clock.now()
    with ports.store.writing(at) as tx:
        allow(tx, at)
        workspace = _workspace(tx, wish, ports=ports)
        snapshot = FolderSnapshot(
            id=SnapshotId(sortable(SNAPSHOT_PREFIX, at=at, entropy=ports.clock.entropy())),
            workspace=workspace.id,
            taken_at=at,
            manifest=drafted.manifest,
            kind=SnapshotKind.DISPLACED if entries is None else SnapshotKind.TAKEN,
            note=drafted.note,
            entries=drafted.entries,
            size=drafted.size,
            stored=drafted.stored,
            ignored=drafted.ignored,
            keeps_ignored=wish.rules.keeps_ignored,
            omitted=drafted.omitted,
            more_omitted=drafted.more_omitted,
            cycle=wish.cycle,
        )
        tx.diary.workspaces.snapshots.add(snapshot)
        if entries is not None:
            _note_files(tx, snapshot, entries)
    return TakenSnapshot(snapshot=snapshot, workspace=workspace, is_new=True)


def _workspace(tx: Transaction, wish: TakeSnapshot, *, ports: WorkspacePorts) -> Workspace:
    """Return the workspace of the folder; the first snapshot creates it."""
    workspaces, folder = tx.diary.workspaces, ports.folder
    found = workspaces.at(folder.host, folder.root)
    if found is not None and wish.agent in {None, found.agent}:
        return found
    at = ports.clock.now()
    if found is None:
        name = shown_path(folder.root.rpartition("/")[2] or "/")[:_LONGEST_NAME]
        made = sortable(WORKSPACE_PREFIX, at=at, entropy=ports.clock.entropy())
        found = Workspace(
            id=WorkspaceId(made), name=name, root=folder.root, host=folder.host, created_at=at
        )
    agent = found.agent if wish.agent is None else screened(wish.agent, what="name of the agent")
    found = replace(found, agent=agent)
    workspaces.put(found)
    return found


def _note_files(tx: Transaction, snapshot: FolderSnapshot, entries: Sequence[TreeEntry]) -> None:
    """Write the rows of files that differ from the ones before."""
    workspaces = tx.diary.workspaces
    before = {one.path: one for one in workspaces.files(snapshot.workspace)}
    now = {shown_path(one.path): one for one in entries}
    changed = []
    for path, entry in now.items():
        kept = entry.hash or shown_path(entry.target)
        file = WorkspaceFile(path, entry.kind, entry.mode, entry.size, kept, snapshot.id)
        known = before.pop(path, None)
        if known is None or known != file._replace(snapshot=known.snapshot):
            changed.append(file)
    workspaces.put_files(snapshot.workspace, changed, tuple(before))
