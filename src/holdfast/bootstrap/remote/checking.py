"""Checks the evidence of a server's memories against the checkout of this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.evidence import EvidenceChecks
from holdfast.app.part_ports import here
from holdfast.bootstrap.remote.memories import browse
from holdfast.domain.choices import Status
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.remote_errors import ServerAwayError
from holdfast.domain.values import replace
from holdfast.usecases.anchors.checking import (
    CitedEvidence,
    EvidenceVerdicts,
    check_evidence,
    checkable,
)
from holdfast.usecases.anchors.verify import CheckedMemory, verification
from holdfast.usecases.memory.browse import Browse

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.bootstrap.remote.asking import Asking
    from holdfast.domain.ids import SpanId
    from holdfast.domain.memory.evidence import Span
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.recall.rendering import Recalled
    from holdfast.usecases.anchors.verify import Verification, Verify

_EVERY = Page(limit=1_000_000)
_NOT_READ = "evidence was not checked: the server is away"


def checks_of(at: Asking, records: Sequence[MemoryRecord]) -> Sequence[CheckedMemory]:
    """Check the evidence of memories that were read."""
    found = _verdicts(at, records)
    return [
        CheckedMemory(record=one, evidence=found.by_memory.get(one.memory.id, ()))
        for one in records
    ]


def verify(at: Asking, wish: Verify) -> Verification:
    """Check memories of the server against the files here, or against the tree of a commit."""
    verifier = here(at.holdfast.verifier)
    as_of = None if wish.at is None else verifier.resolve(wish.at).id
    if wish.references:
        records = tuple(at.record(reference) for reference in wish.references)
    else:
        records = browse(at, Browse(selection=_meant(at, wish), page=_EVERY)).records
    return verification(records, _verdicts(at, records, as_of))


def _meant(at: Asking, wish: Verify) -> Selection:
    place = at.holdfast.place()
    if wish.everything:
        return Selection(place=place, statuses=frozenset(Status) - {Status.REJECTED})
    return Selection(place=place, recallable_at=at.holdfast.now())


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


def _verdicts(
    at: Asking, records: Sequence[MemoryRecord], as_of: str | None = None
) -> EvidenceVerdicts:
    local = at.holdfast
    cited = {one.memory.id: checkable(one) for one in records}
    names = {item.span for items in cited.values() for item in items if item.span is not None}
    if local.verifier is None or not any(cited.values()):
        return EvidenceVerdicts()
    spans: Mapping[SpanId, Span] = {}
    note = ""
    try:
        spans = at.spans(names) if names else {}
    except ServerAwayError:
        note = _NOT_READ
    repo = local.place().repo
    asked = CitedEvidence(
        by_memory=cited,
        spans=spans,
        wanderers=frozenset(one.memory.id for one in records if one.memory.repo != repo),
    )
    found = check_evidence(asked, repo=repo, at=local.now(), verifier=local.verifier, as_of=as_of)
    return replace(found, note=note or found.note)


PARTS = {EvidenceChecks: (checks_of, verify)}
