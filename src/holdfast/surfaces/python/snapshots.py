"""Snapshots of folders, what changed between them, and what a restore did."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.domain.workspaces.snapshot import FolderSnapshot
    from holdfast.usecases.workspaces.restore import Restored


class WorkspaceSnapshot:
    """A folder as it was at one moment.

    >>> kept = hf.workspaces.snapshot("src")
    >>> kept.entries, kept.is_new
    (2, True)
    """

    __slots__ = ("is_new", "snapshot")

    def __init__(self, snapshot: FolderSnapshot, *, is_new: bool = False) -> None:
        self.snapshot = snapshot
        """The engine's own value; its fields may change between versions."""
        self.is_new = is_new
        """Whether it was just taken; an unchanged folder keeps its newest snapshot."""

    @property
    def id(self) -> str:
        """The id (``v_…``)."""
        return self.snapshot.id

    @property
    def taken_at(self) -> datetime:
        """When it was taken, in UTC."""
        return self.snapshot.taken_at

    @property
    def note(self) -> str:
        """Why it was taken."""
        return self.snapshot.note

    @property
    def entries(self) -> int:
        """How many files, folders and links it contains."""
        return self.snapshot.entries

    @property
    def size(self) -> int:
        """The bytes of all its files."""
        return self.snapshot.size

    @property
    def stored(self) -> int:
        """How many bytes it added to what was stored before."""
        return self.snapshot.stored

    @property
    def left_out(self) -> dict[str, str]:
        """The paths that were left out, each with the reason; what git ignores is not named."""
        return {one.path: one.reason.value for one in self.snapshot.omitted}

    def __repr__(self) -> str:
        """Return the id and what it contains."""
        return f"<WorkspaceSnapshot {self.id}: {self.entries:,} entries>"


class WorkspaceChange:
    """A difference between two moments of a folder: what happened to which path.

    >>> from pathlib import Path
    >>> _ = hf.workspaces.snapshot("src")
    >>> _ = Path("src/new.txt").write_text("new")
    >>> [(one.kind, one.path) for one in hf.workspaces.diff("latest", folder="src")]
    [('added', 'new.txt')]
    """

    __slots__ = ("kind", "path", "was")

    def __init__(self, kind: str, path: str, was: str | None) -> None:
        self.kind = kind
        """added, changed, mode, renamed or removed."""
        self.path = path
        """The path beneath the folder."""
        self.was = was
        """The path before a rename."""

    def __repr__(self) -> str:
        """Return what happened to which path."""
        return f"<WorkspaceChange {self.kind} {self.path}>"


class RestoredWorkspace:
    """What a restore did: the steps by path, and where the replaced files are kept.

    >>> kept = hf.workspaces.snapshot("src")
    >>> done = hf.workspaces.restore(kept, into="copy")
    >>> sorted(done.steps.values()), done.displaced
    (['create', 'create'], None)
    """

    __slots__ = ("restored",)

    def __init__(self, restored: Restored) -> None:
        self.restored = restored
        """The engine's own value; its fields may change between versions."""

    @property
    def steps(self) -> dict[str, str]:
        """What was done by path: create, replace, mode or remove."""
        return {one.path: one.kind.value for one in self.restored.steps}

    @property
    def displaced(self) -> WorkspaceSnapshot | None:
        """The snapshot of what was replaced or removed; None if nothing was."""
        kept = self.restored.displaced
        return None if kept is None else WorkspaceSnapshot(kept)
