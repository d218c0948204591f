"""Cite: turn references to files of snapshots into evidence with their hashes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import EvidenceType
from holdfast.domain.errors import NotFoundError
from holdfast.domain.values import replace
from holdfast.domain.workspace_errors import ArtifactUnknownError
from holdfast.domain.workspaces.citing import SHA256, SIZE, artifact_of
from holdfast.domain.workspaces.tree import EntryKind
from holdfast.usecases.workspaces.ports import entries_of, snapshot_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.memory.evidence import Evidence
    from holdfast.usecases.workspaces.ports import WorkspacePorts

_FORM = "an artifact is a file of a snapshot: artifact:SNAPSHOT/PATH."
_NO_FILE = "the snapshot has no file of that path."


def with_artifacts(evidence: Sequence[Evidence], *, ports: WorkspacePorts) -> tuple[Evidence, ...]:
    """Return evidence in which each artifact has the whole id of its snapshot and its hash.

    The content is read and verified, so that a claim never cites what is damaged.

    Raises:
        ArtifactUnknownError: There is no such snapshot, or no such file in it.
        ContentDamagedError: The stored file is damaged.
    """
    with ports.contents.using():
        return tuple(_identified(one, ports=ports) for one in evidence)


def _identified(item: Evidence, *, ports: WorkspacePorts) -> Evidence:
    if item.type is not EvidenceType.ARTIFACT:
        return item
    named = f"{item.type.value}:{item.reference}"
    artifact = artifact_of(item)
    if artifact is None:
        raise ArtifactUnknownError(named, _FORM)
    try:
        with ports.store.reading() as tx:
            snapshot = snapshot_of(tx, artifact.snapshot, ports.folder)
    except NotFoundError as error:
        raise ArtifactUnknownError(named, str(error)) from error
    for entry in entries_of(snapshot, ports.contents):
        if entry.path == artifact.path and entry.kind == EntryKind.FILE:
            for _ in ports.contents.read(entry.hash):
                pass
            facts = {SHA256: entry.hash, SIZE: str(entry.size)}
            return replace(item, reference=f"{snapshot.id}/{entry.path}", facts=facts)
    raise ArtifactUnknownError(named, _NO_FILE)
