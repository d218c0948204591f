"""Check the evidence and the checks of what a search found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.checks.check import checks_in
from holdfast.usecases.anchors.checking import (
    CitedEvidence,
    EvidenceVerdicts,
    check_evidence,
    cited,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.checks.outcome import CheckOutcome
    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.place import Place
    from holdfast.domain.recall.ranking import Scored
    from holdfast.ports.anchors.verifier import Verifier
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.checks.check_ports import Checker
    from holdfast.usecases.recall.search import PreparedQuestion


def check_outcomes(
    scored: Sequence[Scored], most: int, checker: Checker | None
) -> dict[MemoryId, tuple[CheckOutcome, ...]]:
    """Run the checks of the best answers; most memories have none, and nothing is loaded then."""
    given = [item.record.memory for item in scored if not item.why_not][:most]
    asked = {one.id: checks_in(one.metadata) for one in given if one.metadata}
    if checker is None or not any(asked.values()):
        return {}
    found = checker([text for texts in asked.values() for text in texts])
    return {
        name: tuple(found[text] for text in texts if text in found)
        for name, texts in asked.items()
        if texts
    }


def cited_by(
    items: Sequence[Scored], place: Place, verifier: Verifier | None, tx: Transaction
) -> CitedEvidence:
    """Return the evidence that hits cite, if it can be checked here."""
    if verifier is None:
        return CitedEvidence()
    return cited([item.record for item in items], repo=place.repo, tx=tx)


def verdicts_on(
    asked: CitedEvidence,
    wanted: PreparedQuestion,
    verifier: Verifier | None,
    *,
    as_of: str | None = None,
) -> EvidenceVerdicts:
    """Return the verdicts about cited evidence, now or at a commit."""
    if verifier is None:
        return EvidenceVerdicts()
    return check_evidence(
        asked,
        repo=wanted.place.repo,
        at=wanted.at,
        verifier=verifier,
        as_of=as_of,
        is_brief=True,
    )
