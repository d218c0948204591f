"""Port for a folder that is kept in snapshots."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from holdfast.domain.workspaces.snapshot import TreeRules
from holdfast.domain.workspaces.tree import Omitted, TreeEntry
from holdfast.ports.store.upkeep import Progress
from holdfast.ports.workspaces.contents import Contents, ContentWriter


class ScannedTree(NamedTuple):
    """What a folder contains: its entries by path, what was left out, and how much is ignored."""

    entries: Sequence[TreeEntry]
    omitted: Sequence[Omitted]
    ignored: int


class RestoreSteps(NamedTuple):
    """What to write into a folder and what to remove from it.

    ``write`` are entries that are missing or different. ``seen`` is what each of their paths held
    when the steps were planned; a path that holds something else by now is not replaced.
    """

    write: Sequence[TreeEntry]
    remove: Sequence[TreeEntry]
    seen: Mapping[str, TreeEntry]
    with_times: bool = False


class WorkspaceFolder(Protocol):
    """One folder of this machine. Nothing is read or written outside it, whatever it contains."""

    @property
    def root(self) -> str:
        """The absolute path, without links."""
        ...

    @property
    def host(self) -> str:
        """The name of the machine."""
        ...

    def scan(
        self,
        rules: TreeRules,
        *,
        writer: ContentWriter | None = None,
        distrust: Collection[str] = (),
        progress: Progress,
    ) -> ScannedTree:
        """Read the folder; add the content of its files if there is a writer.

        A file that did not change since the last scan is not read again, unless its hash is in
        ``distrust``. A file that changes while it is read must be read again, or left out.

        Raises:
            NoFolderError: There is no such folder.
            TreeTooLargeError: It holds more than the limits allow.
        """
        ...

    def look(self, paths: Collection[str], *, writer: ContentWriter | None = None) -> ScannedTree:
        """Read some paths, whatever the rules say; a path that is missing is left out.

        Raises:
            NoFolderError: There is no such folder.
        """
        ...

    def read(self, path: str) -> bytes | None:
        """Return the content of a file as it is now; None if it is none, or cannot be read."""
        ...

    def note_scan(self) -> None:
        """Keep what the last scan found out, so that the next one reads less."""
        ...

    def restore(self, steps: RestoreSteps, contents: Contents, progress: Progress) -> Sequence[str]:
        """Write entries, and remove others; return paths of folders that were moved aside.

        All content is written and verified beside the files first, and then each is replaced by a
        rename.

        Raises:
            DiskFullError: There is no room; nothing was replaced.
            ContentDamagedError: Stored content is damaged; nothing was replaced.
            FolderChangedError: Something else is in the folder by now.
        """
        ...
