"""Check evidence that cites a file of a snapshot: its stored content must be what was cited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import NoSuchError, StoreDamagedError, UnavailableError
from holdfast.domain.memory.anchor import Checked, Sighting, Verdict
from holdfast.domain.workspaces.citing import SHA256, artifact_of
from holdfast.domain.workspaces.snapshot import SnapshotId
from holdfast.usecases.workspaces.ports import entries_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from holdfast.domain.memory.evidence import Evidence
    from holdfast.domain.workspaces.snapshot import FolderSnapshot
    from holdfast.domain.workspaces.tree import TreeEntry
    from holdfast.ports.store.store import Transaction
    from holdfast.ports.workspaces.contents import Contents

NOT_NOTED = "nothing is noted about it here"
_READ = "its stored content was read and has the cited hash"
_DELETED = "the snapshot was deleted"
_ROW_DAMAGED = "the row of the snapshot is damaged"
_ELSEWHERE = "the content of the snapshot is not stored on this machine"
_LIST_DAMAGED = "the stored list of files of the snapshot is damaged"
_OTHER = "the snapshot has no such file with the cited hash"
_TOO_LARGE = "it is too large to check here; 'verify' reads it"
_BRIEF_BYTES = 16 * 1024 * 1024
_LOST = "its stored content is missing or damaged; a new snapshot of the same content repairs it"


def cited_snapshots(
    evidence: Iterable[Evidence], *, tx: Transaction
) -> dict[str, FolderSnapshot | None]:
    """Return the cited snapshots that the store has; None for one whose row is damaged."""
    found: dict[str, FolderSnapshot | None] = {}
    for name in {one.snapshot for item in evidence if (one := artifact_of(item)) is not None}:
        try:
            found[name] = tx.diary.workspaces.snapshots.get(SnapshotId(name))
        except StoreDamagedError:
            found[name] = None
        except NoSuchError:
            continue
    return found


class ArtifactReader:
    """Reads cited files of snapshots, each of them once; without content, nothing is verifiable.

    A brief reader reads at most some megabytes, and does not wait while content is collected.
    """

    def __init__(
        self,
        snapshots: Mapping[str, FolderSnapshot | None],
        contents: Contents | None,
        *,
        is_brief: bool = False,
    ) -> None:
        self._snapshots = snapshots
        self._contents = contents
        self._is_brief = is_brief
        self._left = _BRIEF_BYTES
        self._files: dict[str, dict[str, TreeEntry]] = {}
        self._seen: dict[tuple[str, str], Sighting] = {}

    def checked(self, item: Evidence) -> Checked:
        """Return the verdict about a file of a snapshot."""
        return Checked(reference=item.reference, sighting=self._sighting(item))

    def _sighting(self, item: Evidence) -> Sighting:
        artifact, wanted = artifact_of(item), item.facts.get(SHA256)
        if artifact is None or wanted is None:
            return _unverifiable(NOT_NOTED)
        if artifact.snapshot not in self._snapshots:
            return _orphaned(_DELETED)
        snapshot = self._snapshots[artifact.snapshot]
        if snapshot is None:
            return _unverifiable(_ROW_DAMAGED)
        if self._contents is None:
            return _unverifiable(_ELSEWHERE)
        key = (item.reference, wanted)
        if key not in self._seen:
            try:
                with self._contents.using(waits=not self._is_brief):
                    self._seen[key] = self._read(snapshot, artifact.path, wanted, self._contents)
            except UnavailableError as error:
                self._seen[key] = _unverifiable(f"its stored content was not read: {error}")
        return self._seen[key]

    def _read(
        self, snapshot: FolderSnapshot, path: str, wanted: str, contents: Contents
    ) -> Sighting:
        if not contents.has(snapshot.manifest):
            return _unverifiable(_ELSEWHERE)
        if snapshot.id not in self._files:
            if contents.check((snapshot.manifest,), lambda _done, _total: None):
                return _orphaned(_LIST_DAMAGED)
            entries = entries_of(snapshot, contents)
            self._files[snapshot.id] = {one.path: one for one in entries}
        file = self._files[snapshot.id].get(path)
        if file is None or file.hash != wanted:
            return _orphaned(_OTHER)
        if self._is_brief and file.size > self._left:
            return _unverifiable(_TOO_LARGE)
        self._left -= file.size
        if contents.check((wanted,), lambda _done, _total: None):
            return _orphaned(_LOST)
        return Sighting(verdict=Verdict.FRESH, how=_READ)


def _orphaned(how: str) -> Sighting:
    return Sighting(verdict=Verdict.ORPHANED, how=how)


def _unverifiable(how: str) -> Sighting:
    return Sighting(verdict=Verdict.UNVERIFIABLE, how=how)
