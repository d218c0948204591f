"""Calls about decisions: candidates, conflicts, undo and revert."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

from holdfast.app.curation import Curation
from holdfast.bootstrap.remote.asking import given, plain, quoted
from holdfast.bootstrap.remote.checking import checks_of
from holdfast.bootstrap.remote.reading import read_decisions
from holdfast.bootstrap.remote.reading_review import (
    read_conflicts,
    read_decided,
    read_queue,
    read_reverted,
)
from holdfast.domain.exchange.decision_shape import decision_from_json
from holdfast.domain.review.review import CandidateFacts, Risk, danger, worth
from holdfast.domain.review.shown import list_hash
from holdfast.domain.values import replace
from holdfast.usecases.anchors.quoting import quotes_of
from holdfast.usecases.review.approve import Decided
from holdfast.usecases.review.pair_reading import PairReadings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.bootstrap.remote.asking import Asking
    from holdfast.domain.memory.anchor import Checked
    from holdfast.domain.memory.decision import Decision
    from holdfast.ports.store.upkeep import Progress
    from holdfast.usecases.review.approve import Approve, Reject
    from holdfast.usecases.review.conflicts import Conflict
    from holdfast.usecases.review.queued import Queue, Review, WaitingCandidate
    from holdfast.usecases.review.resolve import Resolve
    from holdfast.usecases.review.revert import Revert, Reverted
    from holdfast.usecases.review.rewording import Edit
    from holdfast.usecases.review.undo import Undo

    Json = dict[str, object]

_MOST = 200


def review(at: Asking, wish: Review) -> Queue:
    """Return the candidates that wait, with verdicts and quotes from the files here.

    Worth and risk depend on the verdicts, which the server has not, so both are computed here.
    """
    is_filtered = wish.most_risk is not Risk.HIGH
    queue = at.get(
        "/v1/candidates",
        lambda answer: read_queue(at, answer),
        ids=list(wish.references),
        kinds=sorted(wish.kinds),
        origins=sorted(wish.origins),
        source=wish.source,
        conflicting=wish.is_conflicting or None,
        everywhere=wish.is_everywhere or None,
        limit=_MOST if is_filtered else min(wish.skip + wish.limit, _MOST),
    )
    checks = checks_of(at, [one.record for one in queue.items])
    items = [
        _checked(at, one, checked.evidence)
        for one, checked in zip(queue.items, checks, strict=True)
    ]
    order = list(Risk)
    items = [one for one in items if order.index(one.danger.risk) <= order.index(wish.most_risk)]
    items.sort(key=lambda one: (-one.worth.score, one.record.sequence))
    total = len(items) if is_filtered else queue.total
    items = items[wish.skip : wish.skip + wish.limit]
    is_whole = len(items) == total
    return replace(
        queue,
        items=tuple(items),
        total=total,
        shown=list_hash([one.shown for one in items]) if is_whole else "",
    )


def _checked(at: Asking, one: WaitingCandidate, checked: tuple[Checked, ...]) -> WaitingCandidate:
    """Return a candidate with verdicts, and with the worth and the risk that follow from them."""
    local = at.holdfast
    facts = CandidateFacts(
        record=one.record,
        age=local.now() - one.record.memory.created_at,
        verdicts=tuple(item.sighting.verdict for item in checked),
        conflicts=len(one.against.conflicts),
        is_known=one.known is not None,
    )
    return replace(
        one,
        checked=checked,
        worth=worth(facts),
        danger=danger(facts, local.heuristics.objector.doubts),
        quotes=quotes_of(one.record, checked, surroundings=local.surroundings),
    )


def approve(at: Asking, wish: Approve) -> Decided:
    """Accept candidates, all of them or none."""
    body = {
        "ids": list(wish.references),
        "shown": dict(wish.shown),
        "leave_conflicts": wish.leaves_conflicts,
    }
    return at.send(
        "POST", "/v1/candidates/approve", lambda answer: read_decided(at, answer), body=body
    )


def reject(at: Asking, wish: Reject) -> Decided:
    """Reject candidates, all of them or none."""
    body: Json = {"ids": list(wish.references), "reason": plain(wish.reason, "reason")}
    return at.send(
        "POST", "/v1/candidates/reject", lambda answer: read_decided(at, answer), body=body
    )


def edit(at: Asking, wish: Edit) -> Decided:
    """Reword a memory."""
    return at.send(
        "POST",
        f"/v1/memories/{quoted(wish.reference)}/edit",
        lambda answer: Decided() if wish.dry_run else read_decided(at, answer),
        body=given(
            claim=plain(wish.claim, "claim"),
            shown=wish.shown_hash,
            dry_run=wish.dry_run or None,
        ),
    )


def conflicts(at: Asking, *, limit: int = 50, everywhere: bool = False) -> Sequence[Conflict]:
    """Return the conflicts that nobody has resolved, without what only a model suspects."""
    found = _listed(at, limit=min(limit, _MOST), everywhere=everywhere)
    return [one for one in found.conflicts if not one.suspicion.is_advice]


def read_pairs(
    at: Asking,
    *,
    limit: int = 50,
    everywhere: bool = False,
    progress: Progress | None = None,
) -> PairReadings:
    """Return what the model of the server suspects, which it lists after the conflicts."""
    del progress
    found = _listed(at, limit=_MOST, everywhere=everywhere)
    advice = tuple(one for one in found.conflicts if one.suspicion.is_advice)
    return replace(found, conflicts=advice[:limit])


def _listed(at: Asking, *, limit: int, everywhere: bool) -> PairReadings:
    """Return conflicts and advice as the server lists them, with its note."""
    return at.get("/v1/conflicts", read_conflicts, limit=limit, everywhere=everywhere or None)


def resolve(at: Asking, wish: Resolve) -> Decided:
    """Resolve a conflict between two claims."""
    body = given(
        id=wish.reference,
        other=wish.other,
        way=wish.way.value,
        merge=plain(wish.text, "claim"),
        scope_new=plain(wish.scope_new, "scope"),
        scope_old=plain(wish.scope_old, "scope"),
        reason=plain(wish.reason, "reason"),
        shown=wish.shown_hash,
    )
    return at.send(
        "POST", "/v1/conflicts/resolve", lambda answer: read_decided(at, answer), body=body
    )


def decisions(at: Asking, *, limit: int = 20, everywhere: bool = False) -> Sequence[Decision]:
    """Return the newest decisions."""
    return at.get(
        "/v1/decisions", read_decisions, limit=min(limit, _MOST), everywhere=everywhere or None
    )


def undo(at: Asking, wish: Undo) -> Sequence[Decision]:
    """Undo decisions."""
    body = {
        **given(id=wish.reference),
        "steps": wish.steps,
        "dry_run": wish.dry_run,
        "everywhere": wish.is_everywhere,
    }
    return at.send(
        "POST",
        "/v1/decisions/undo",
        lambda answer: [decision_from_json(one) for one in answer.items("undone")],
        body=body,
    )


def revert(at: Asking, wish: Revert) -> Reverted:
    """Undo everything that came from one source."""
    body: Json = {
        "source": wish.source,
        "reason": plain(wish.reason, "reason"),
        "forget": wish.forgets,
        "dry_run": wish.dry_run,
    }
    with at.forgetting() if wish.forgets and not wish.dry_run else nullcontext():
        return at.send(
            "POST", "/v1/sources/revert", lambda answer: read_reverted(at, answer), body=body
        )


PARTS = {
    Curation: (
        *(review, approve, reject, edit, conflicts, read_pairs),
        *(resolve, decisions, undo, revert),
    )
}
