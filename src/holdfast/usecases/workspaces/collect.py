"""Delete snapshots, and remove the content that none of the others needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import UnavailableError
from holdfast.domain.review.curation import HealthFinding, Severity
from holdfast.domain.text.counting import counted
from holdfast.domain.values import dataclass
from holdfast.domain.workspace_errors import SnapshotCitedError
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.workspaces.ports import entries_of, every_snapshot, snapshot_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.workspaces.snapshot import FolderSnapshot
    from holdfast.ports.store.store import Store, Transaction
    from holdfast.ports.store.upkeep import Progress
    from holdfast.ports.workspaces.contents import Contents
    from holdfast.ports.workspaces.folders import WorkspaceFolder
    from holdfast.usecases.workspaces.ports import WorkspacePorts

_SHOWN = 5
_DAMAGED = (
    "Take a new snapshot of the folder if it still has these files; 'workspace delete' removes a"
    " snapshot that cannot be restored."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectedGarbage:
    """What a garbage collection removed, or would remove."""

    snapshots: int
    pieces: int
    freed: int
    is_dry: bool = False


@repeatable
def delete_snapshot(reference: str, *, ports: WorkspacePorts) -> FolderSnapshot:
    """Remove a snapshot that nothing refers to; its content goes with the next collection.

    Raises:
        NoSuchError: There is no such snapshot.
        SnapshotCitedError: A memory cites it, or a cycle of an agent refers to it.
    """
    with ports.store.writing(ports.clock.now()) as tx:
        found = deletable(tx, reference, ports.folder)
        tx.diary.workspaces.snapshots.remove(found.id)
    return found


def deletable(tx: Transaction, reference: str, folder: WorkspaceFolder) -> FolderSnapshot:
    """Return a snapshot that may be removed.

    Raises:
        NoSuchError: There is no such snapshot.
        SnapshotCitedError: A memory cites it, or a cycle of an agent refers to it.
    """
    found = snapshot_of(tx, reference, folder)
    if by := tx.diary.workspaces.snapshots.cited_by().get(found.id):
        raise SnapshotCitedError(found.id, by=by)
    return found


def collect_garbage(*, ports: WorkspacePorts, dry_run: bool = False) -> CollectedGarbage:
    """Remove the content that no snapshot needs.

    Snapshots that a memory cites or a cycle refers to cannot be deleted, so their content is never
    removed.

    Raises:
        ContentDamagedError: The manifest of a snapshot cannot be read, so it is not known which
            content is in use; nothing is removed.
        StoreBusyError: Snapshots are being taken or restored.
    """
    count = 0

    def in_use() -> set[str]:
        nonlocal count
        keep: set[str] = set()
        for snapshot in _kept_here(ports.store, ports.contents, host=ports.folder.host):
            count += 1
            if snapshot.manifest not in keep:
                keep.add(snapshot.manifest)
                keep |= {one.hash for one in entries_of(snapshot, ports.contents) if one.hash}
        return keep

    done = ports.contents.collect(in_use, dry_run=dry_run)
    return CollectedGarbage(snapshots=count, pieces=done.pieces, freed=done.freed, is_dry=dry_run)


def _kept_here(store: Store, contents: Contents, *, host: str) -> tuple[FolderSnapshot, ...]:
    """Return the snapshots whose content is kept on this machine.

    A store on a server knows snapshots of several machines; each keeps the content of its own. A
    machine may have got another name since, so content that is here counts in any case.
    """
    with store.reading() as tx:
        hosts = {one.id: one.host for one in tx.diary.workspaces.every()}
        snapshots = tuple(every_snapshot(tx))
    return tuple(
        one for one in snapshots if hosts.get(one.workspace) == host or contents.has(one.manifest)
    )


def check_contents(
    *, store: Store, contents: Contents, host: str, progress: Progress
) -> Sequence[HealthFinding]:
    """Read all content that snapshots keep on this machine, and report what is damaged."""
    with store.reading() as tx:
        if not tx.diary.workspaces.every():
            return ()
    with contents.using():
        snapshots = _kept_here(store, contents, host=host)
        needed: dict[str, set[str]] = {}
        broken: list[str] = []
        for snapshot in snapshots:
            try:
                for entry in entries_of(snapshot, contents):
                    if entry.hash:
                        needed.setdefault(entry.hash, set()).add(snapshot.id)
            except UnavailableError:
                broken.append(snapshot.id)
        damaged = contents.check(tuple(needed), progress)
    affected = sorted({one for name in damaged for one in needed[name]} | set(broken))
    if not affected:
        return ()
    shown = ", ".join(affected[:_SHOWN])
    rest = f" and {len(affected) - _SHOWN:,} more" if len(affected) > _SHOWN else ""
    said = f"Content of {counted(len(affected), 'snapshot')} is missing or damaged: {shown}{rest}."
    return (
        HealthFinding(check="snapshots", severity=Severity.DAMAGE, message=said, advice=_DAMAGED),
    )
