"""Evidence that cites a file of a snapshot: ``artifact:SNAPSHOT/PATH``."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from holdfast.domain.choices import EvidenceType
from holdfast.domain.workspaces.snapshot import SNAPSHOT_PREFIX

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from holdfast.domain.memory.evidence import Evidence

SHA256, SIZE = "sha256", "size"
"""Names of facts of artifact evidence: the hash of the file, and its bytes."""


class Artifact(NamedTuple):
    """A file of a snapshot, as evidence names it."""

    snapshot: str
    path: str


def artifact_of(evidence: Evidence) -> Artifact | None:
    """Return the file of a snapshot that evidence names; None if it names none."""
    if evidence.type is not EvidenceType.ARTIFACT:
        return None
    return _artifact(evidence.reference)


def _artifact(reference: str) -> Artifact | None:
    snapshot, slash, path = reference.partition("/")
    is_named = snapshot == "latest" or snapshot.startswith(f"{SNAPSHOT_PREFIX}_")
    return Artifact(snapshot, path) if is_named and slash and path else None


def cited_in(stored: object) -> Iterator[str]:
    """Return the ids of the snapshots that stored evidence cites."""
    if isinstance(stored, dict):
        shape = cast("Mapping[str, object]", stored)
        reference = shape.get("ref")
        if shape.get("type") == EvidenceType.ARTIFACT.value and isinstance(reference, str):
            found = _artifact(reference)
            if found is not None:
                yield found.snapshot
        for inside in shape.values():
            yield from cited_in(inside)
    elif isinstance(stored, list):
        for inside in stored:
            yield from cited_in(inside)
