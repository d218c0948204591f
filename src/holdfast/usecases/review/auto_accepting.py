"""Accept candidates of low risk whose evidence holds, where a person set that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.review.anchored_claims import unanchored
from holdfast.domain.review.review import Risk
from holdfast.usecases.anchors.checking import checkout_here
from holdfast.usecases.naming import MOST_LISTED

if TYPE_CHECKING:
    from holdfast.ports.anchors.surroundings import Surroundings
    from holdfast.ports.anchors.verifier import Verifier
    from holdfast.ports.clock import Clock
    from holdfast.ports.heuristics import Heuristics
    from holdfast.ports.store.store import Store
    from holdfast.usecases.review.approve import Decided
from holdfast.usecases.review.queued import Review, WaitingCandidate
from holdfast.usecases.review.review import review

AUTO_ACCEPT = "setting review.auto_accept"


def auto_accept(
    *,
    store: Store,
    clock: Clock,
    surroundings: Surroundings,
    verifier: Verifier | None,
    heuristics: Heuristics,
) -> Decided:
    """Accept candidates of low risk whose every word the cited lines bear, unless rejected before.

    This happens only if a person enabled the setting; the decisions carry its name.
    """
    from holdfast.usecases.review.approve import Approve, Decided, approve_all

    queue = review(
        Review(most_risk=Risk.LOW, limit=MOST_LISTED),
        store=store,
        clock=clock,
        surroundings=surroundings,
        verifier=verifier,
        heuristics=heuristics,
    )
    sure: dict[str, str] = {
        one.record.memory.id: one.shown
        for one in queue.items
        if one.danger.risk is Risk.LOW
        and one.known is None
        and one.rejected is None
        and _is_anchored(one)
    }
    if not sure:
        return Decided()
    wish = Approve(references=tuple(sure), by=AUTO_ACCEPT, shown=sure, leaves_conflicts=True)
    checkout = checkout_here(store=store, surroundings=surroundings, verifier=verifier)
    return approve_all(wish, store=store, clock=clock, checkout=checkout, heuristics=heuristics)


def _is_anchored(item: WaitingCandidate) -> bool:
    lines = [line for quote in item.quotes for line in quote.lines]
    return not unanchored(item.record.memory.claim, lines)
