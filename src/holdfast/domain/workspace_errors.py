"""Errors about workspaces and their snapshots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import (
    ConflictError,
    EvidenceUnreadableError,
    InvalidError,
    NotFoundError,
    StaleError,
    UnavailableError,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

_SHOWN = 5


class BadManifestError(UnavailableError, code="bad-manifest"):
    """The manifest of a snapshot is damaged, or names paths that must not be written."""

    def __init__(self, *, problem: str) -> None:
        super().__init__(
            f"The manifest of this snapshot cannot be used: {problem} Nothing was written.",
            problem=problem,
        )


class ContentDamagedError(UnavailableError, code="content-damaged"):
    """Stored content of a snapshot is missing, or not what was stored."""

    def __init__(self, *, hash: str, problem: str) -> None:  # noqa: A002 - the name of the fact
        super().__init__(
            f"The stored content {hash[:12]} {problem} Nothing was written.",
            hash=hash,
            problem=problem,
        )


class NoFolderError(NotFoundError, code="no-folder"):
    """The folder does not exist, or is no folder."""

    def __init__(self, folder: str) -> None:
        super().__init__(f"There is no folder {folder}.", folder=folder)


class NoSuchPathError(NotFoundError, code="no-such-path"):
    """The snapshot has no such path."""

    def __init__(self, path: str, *, snapshot: str) -> None:
        super().__init__(
            f"The snapshot {snapshot} has no path {path}.", path=path, snapshot=snapshot
        )


class NothingKeptError(NotFoundError, code="nothing-kept"):
    """No complete cycle of the agent kept its folder, so there is nothing to restore."""

    def __init__(self, agent: str) -> None:
        super().__init__(
            f"No complete cycle of {agent} kept a snapshot of its folder, so there is nothing to "
            "restore.",
            agent=agent,
        )


class NoSnapshotsError(NotFoundError, code="no-snapshots"):
    """Nobody took a snapshot of the folder, so it has no latest one."""

    def __init__(self, folder: str) -> None:
        super().__init__(
            f"Nobody took a snapshot of {folder}, so it has no latest one.", folder=folder
        )


class SnapshotElsewhereError(ConflictError, code="snapshot-elsewhere"):
    """The folder of the snapshot is on another machine."""

    def __init__(self, snapshot: str, *, host: str, folder: str) -> None:
        super().__init__(
            f"The folder {folder} of the snapshot {snapshot} is on the machine {host}, so it"
            " cannot be read or changed here.",
            snapshot=snapshot,
            host=host,
            folder=folder,
        )


class TreeTooLargeError(InvalidError, code="tree-too-large"):
    """The folder holds more than a snapshot may keep."""

    def __init__(self, *, what: str, cap: int) -> None:
        super().__init__(
            f"The folder holds more than {cap:,} {what}, so no snapshot was taken.",
            what=what,
            cap=cap,
        )


class WouldReplaceError(ConflictError, code="would-replace"):
    """A restore would replace or remove what is in the folder."""

    def __init__(self, paths: Sequence[str], *, removed: Sequence[str] = ()) -> None:
        lost = (("replace", paths), ("remove", removed))
        does = " and ".join(f"{verb} {_listed(some)}" for verb, some in lost if some)
        super().__init__(
            f"The restore would {does}. Nothing was written.", paths=[*paths, *removed]
        )


class CannotKeepError(ConflictError, code="cannot-keep"):
    """What a restore would replace cannot be kept, so it is not replaced."""

    def __init__(self, path: str, *, reason: str) -> None:
        super().__init__(
            f"{path} would be replaced, but it cannot be kept: {reason}. Nothing was written."
            " Move it away, and try again.",
            path=path,
            reason=reason,
        )


class FolderChangedError(StaleError, code="folder-changed"):
    """Something in the folder changed during the restore."""

    hint: str = "Look at the folder, and restore again: files that are done are not repeated."

    def __init__(self, path: str, *, problem: str) -> None:
        super().__init__(
            f"{path} {problem} The restore stopped there; each file is the old one or the new one.",
            path=path,
            problem=problem,
        )


class FolderUnusableError(UnavailableError, code="folder-unusable"):
    """A file or folder that Holdfast needs cannot be read or written."""

    hint: str = "Check its permissions and its disk."

    def __init__(self, path: str, *, problem: str, hint: str = hint) -> None:
        super().__init__(f"{path} cannot be used: {problem}.", path=path, problem=problem)
        self.hint = hint


class DiskFullError(UnavailableError, code="disk-full"):
    """The disk has no room for a file, or for the files of a folder."""

    hint: str = "Free some space, and try again."

    def __init__(self, path: str, *, problem: str) -> None:
        super().__init__(
            f"There is no room for {path}: {problem}. Nothing was replaced.",
            path=path,
            problem=problem,
        )


class SnapshotCitedError(ConflictError, code="snapshot-cited"):
    """A memory or a cycle of an agent refers to the snapshot, so it is not removed."""

    def __init__(self, snapshot: str, *, by: Sequence[str]) -> None:
        super().__init__(
            f"The snapshot {snapshot} is cited by {_listed(by)}, so it was not removed.",
            snapshot=snapshot,
            by=list(by),
        )


class ArtifactUnknownError(EvidenceUnreadableError, code="artifact-unknown"):
    """The evidence names no file of a snapshot."""


class NoWorkspacesError(UnavailableError, code="no-workspaces"):
    """A server has no folders of its own, so it takes and restores no snapshots."""


def _listed(names: Sequence[str]) -> str:
    """Return the first names, and how many more there are."""
    rest = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + rest
