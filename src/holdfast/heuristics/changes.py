"""Suspect a claim that says it changes what an earlier one says, as recall does.

Recall marks the earlier claim as superseded. A review therefore asks the same rules, so that a
person decides about the pair before an answer treats one of the two as past.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.recall.amendment import AmendmentKind
from holdfast.domain.review.suspicion import Clash, Suspicion
from holdfast.heuristics.amending import amendments

if TYPE_CHECKING:
    from collections.abc import Mapping

_SURE = 0.75
CLASHES: Mapping[AmendmentKind, tuple[Clash, str]] = {
    AmendmentKind.NUMBER: (Clash.NUMBER, "the newer one gives another number"),
    AmendmentKind.DATE: (Clash.DATE, "the newer one gives another date"),
    AmendmentKind.VALUE: (Clash.NAME, "the newer one gives another value"),
    AmendmentKind.OPPOSITE: (Clash.OPPOSITE, "the newer one says the opposite"),
    AmendmentKind.GIVEN_UP: (Clash.REPLACED, "the newer one gives up what the older one says"),
    AmendmentKind.RULE: (Clash.REPLACED, "the newer one changes the rule of the older one"),
}
"""What each way to change a claim is called in a review, and the reason in words."""


def suspected_change(newer: str, older: str) -> Suspicion | None:
    """Return what the newer claim says it changes in the older one, or None."""
    found = next(iter(amendments([[older], [newer]], ())), None)
    if found is None or found.differs is None:
        return None
    clash, reason = CLASHES[found.differs]
    return Suspicion(clash=clash, reason=reason, confidence=_SURE)
