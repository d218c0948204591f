"""Checks the evidence of a server's memories against the checkout of this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.evidence import EvidenceChecks
from holdfast.domain.remote_errors import ServerAwayError
from holdfast.domain.values import replace
from holdfast.usecases.anchors.checking import (
    CitedEvidence,
    EvidenceVerdicts,
    check_evidence,
    checkable,
)
from holdfast.usecases.anchors.verify import CheckedMemory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.bootstrap.remote.asking import Asking
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.recall.rendering import Recalled

_NOT_READ = "evidence was not checked: the server is away"


def checks_of(at: Asking, records: Sequence[MemoryRecord]) -> Sequence[CheckedMemory]:
    """Check the evidence of memories that were read."""
    found = _verdicts(at, records)
    return [
        CheckedMemory(record=one, evidence=found.by_memory.get(one.memory.id, ()))
        for one in records
    ]


def with_verdicts(at: Asking, recalled: Recalled) -> Recalled:
    """Return an answer with the verdict on each piece of its evidence.

    The order stays that of the server, which has no checkout and so cannot weigh verdicts.
    """
    given = [recalled.records.get(item.memory_id) for item in recalled.bundle.items]
    found = _verdicts(at, [one for one in given if one is not None])
    bundle = recalled.bundle
    items = tuple(
        replace(item, checked=found.by_memory.get(item.memory_id, item.checked))
        for item in bundle.items
    )
    notes = (*bundle.notes, found.note) if found.note else bundle.notes
    return replace(recalled, bundle=replace(bundle, items=items, notes=notes))


def _verdicts(at: Asking, records: Sequence[MemoryRecord]) -> EvidenceVerdicts:
    local = at.holdfast
    cited = {one.memory.id: checkable(one) for one in records}
    names = {item.span for items in cited.values() for item in items if item.span is not None}
    if local.verifier is None or not any(cited.values()):
        return EvidenceVerdicts()
    try:
        spans = at.spans(names) if names else {}
    except ServerAwayError:
        return EvidenceVerdicts(note=_NOT_READ)
    repo = local.place().repo
    asked = CitedEvidence(
        by_memory=cited,
        spans=spans,
        wanderers=frozenset(one.memory.id for one in records if one.memory.repo != repo),
    )
    return check_evidence(asked, repo=repo, at=local.now(), verifier=local.verifier)


PARTS = {EvidenceChecks: (checks_of,)}
