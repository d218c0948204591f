"""Workspaces: keep a folder in snapshots, compare and restore them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.part_ports import here
from holdfast.app.performing import DRY_RUN, Part, performs, when
from holdfast.domain.memory.callers import Operation
from holdfast.usecases.workspaces.ports import WorkspacePorts, quietly

if TYPE_CHECKING:
    from pathlib import Path

    from holdfast.app import Holdfast
    from holdfast.domain.workspaces.snapshot import FolderSnapshot
    from holdfast.ports.store.upkeep import Progress
    from holdfast.usecases.workspaces.collect import CollectedGarbage
    from holdfast.usecases.workspaces.compare import Compared, ListedSnapshots, ShownSnapshot
    from holdfast.usecases.workspaces.restore import Restored
    from holdfast.usecases.workspaces.restore_plan import RestoreSnapshot
    from holdfast.usecases.workspaces.snapshot import TakenSnapshot, TakeSnapshot


def _is_rehearsal(wish: RestoreSnapshot, **_places: object) -> bool:
    return wish.dry_run


def _only_looks(_reference: str, *, dry_run: bool = False, **_places: object) -> bool:
    return dry_run


_REHEARSAL = when(_is_rehearsal, Operation.READ, "dry run")
_LOOK = when(_only_looks, Operation.READ, "dry run")


class WorkspacesPart(Part):
    """The snapshots of folders on this machine; the folder is the current one if none is given."""

    @performs(Operation.RECORD)
    def snapshot(
        self, wish: TakeSnapshot, *, folder: Path | None = None, progress: Progress = quietly
    ) -> TakenSnapshot:
        """Keep a folder as it is."""
        from holdfast.usecases.workspaces.snapshot import take_snapshot

        return take_snapshot(wish, ports=self._ports(folder, progress))

    @performs(Operation.READ)
    def list(
        self, *, folder: Path | None = None, limit: int = 20, everywhere: bool = False
    ) -> ListedSnapshots:
        """List snapshots, newest first."""
        from holdfast.usecases.workspaces.compare import list_snapshots

        return list_snapshots(ports=self._ports(folder), limit=limit, everywhere=everywhere)

    @performs(Operation.READ)
    def show(self, reference: str, *, folder: Path | None = None) -> ShownSnapshot:
        """Show a snapshot and the files in it."""
        from holdfast.usecases.workspaces.compare import show_snapshot

        return show_snapshot(reference, ports=self._ports(folder))

    @performs(Operation.READ)
    def diff(
        self,
        old: str,
        new: str | None = None,
        *,
        folder: Path | None = None,
        path: str | None = None,
        with_text: bool = False,
        progress: Progress = quietly,
    ) -> Compared:
        """Compare a snapshot with another one, or with a folder as it is now.

        Without ``folder`` it is the folder that the snapshot was taken of, as for a restore.
        """
        from pathlib import Path

        from holdfast.usecases.workspaces.compare import compare
        from holdfast.usecases.workspaces.restore import own_folder

        ports = self._ports(folder, progress)
        if new is None and folder is None:
            ports = self._ports(Path(own_folder(old, ports=ports)), progress)
        return compare(old, new, ports=ports, path=path, with_text=with_text)

    @performs(Operation.RECORD, _REHEARSAL)
    def restore(
        self,
        wish: RestoreSnapshot,
        *,
        into: Path | None = None,
        folder: Path | None = None,
        progress: Progress = quietly,
    ) -> Restored:
        """Write a snapshot into the folder it was taken of, or into another one.

        Without ``into``, ``folder`` is written if it is given.
        """
        from pathlib import Path

        from holdfast.usecases.workspaces.restore import own_folder, restore_snapshot

        ports = self._ports(folder, progress)
        place = into or folder or Path(own_folder(wish.reference, ports=ports))
        return restore_snapshot(wish, into=self._ports(place).folder, ports=ports)

    @performs(Operation.FORGET, _LOOK)
    def delete(
        self, reference: str, *, folder: Path | None = None, dry_run: bool = False
    ) -> FolderSnapshot:
        """Remove a snapshot that no memory cites; a dry run only returns it."""
        from holdfast.usecases.workspaces.collect import deletable, delete_snapshot

        ports = self._ports(folder)
        if dry_run:
            with ports.store.reading() as tx:
                return deletable(tx, reference, ports.folder)
        return delete_snapshot(reference, ports=ports)

    @performs(Operation.MAINTAIN, DRY_RUN)
    def gc(self, *, dry_run: bool = False) -> CollectedGarbage:
        """Remove the content that no snapshot needs."""
        from holdfast.usecases.workspaces.collect import collect_garbage

        return collect_garbage(ports=self._ports(None), dry_run=dry_run)

    def _ports(self, folder: Path | None, progress: Progress = quietly) -> WorkspacePorts:
        return workspace_ports(self._holdfast, folder, progress)


def workspace_ports(
    memory: Holdfast, folder: Path | None = None, progress: Progress = quietly
) -> WorkspacePorts:
    """Return the ports of a folder and its snapshots."""
    kept = here(memory.attachments).workspace(folder)
    return WorkspacePorts(
        store=memory.store,
        clock=memory.clock,
        contents=kept.contents,
        folder=kept.folder,
        progress=progress,
    )
