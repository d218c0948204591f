"""Routes about decisions: candidates, conflicts, undo and revert."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from holdfast.domain.choices import Kind, Origin, choose
from holdfast.domain.fields import Fields
from holdfast.domain.review.review import Risk
from holdfast.surfaces.http.table import Result, Route, RouteCall
from holdfast.surfaces.http.versions import refuse_stale
from holdfast.surfaces.wire.review import (
    conflicts_json,
    decided_json,
    decisions_json,
    edited_json,
    queue_json,
    reverted_json,
    undone_json,
)
from holdfast.surfaces.wire.schema import service as shape
from holdfast.usecases.review.approve import Approve, Reject
from holdfast.usecases.review.queued import Review
from holdfast.usecases.review.resolve import ResolutionWay, Resolve
from holdfast.usecases.review.revert import Revert
from holdfast.usecases.review.rewording import Edit
from holdfast.usecases.review.undo import Undo

if TYPE_CHECKING:
    from holdfast.usecases.review.queued import WaitingCandidate

_FEW = 20


def _requests(item: WaitingCandidate) -> list[str]:
    """Return the requests that decide about a candidate."""
    name = item.record.memory.id
    return [f'POST /v1/candidates/{verb} {{"ids": ["{name}"]}}' for verb in ("approve", "reject")]


def _words(call: RouteCall, name: str) -> list[str]:
    return cast("list[str]", call.query.get(name, []))


def review(call: RouteCall) -> Result:
    """Show the candidates that wait for a person."""
    fields = Fields(call.query, noun="request")
    wish = Review(
        references=tuple(_words(call, "ids")),
        kinds=frozenset(choose(Kind, word, what="kind") for word in _words(call, "kinds")),
        origins=frozenset(choose(Origin, word, what="origin") for word in _words(call, "origins")),
        source=fields.maybe_text("source"),
        most_risk=choose(Risk, fields.maybe_text("max_risk") or Risk.HIGH.value, what="risk"),
        is_conflicting=bool(fields.maybe_bool("conflicting")),
        is_everywhere=bool(fields.maybe_bool("everywhere")),
        limit=_limit(call),
        reads_pairs=True,
    )
    return Result(body=queue_json(call.app.review.review(wish), commands=_requests))


def _limit(call: RouteCall) -> int:
    return int(cast("int", call.query.get("limit", _FEW)))


def approve(call: RouteCall) -> Result:
    """Accept candidates."""
    references = tuple(cast("list[str]", call.body["ids"]))
    _refuse_stale_one(call, references)
    wish = Approve(
        references=references,
        by=call.by,
        shown=cast("dict[str, str]", call.body.get("shown", {})),
        leaves_conflicts=bool(call.body.get("leave_conflicts")),
    )
    return Result(body=decided_json(call.app.review.approve(wish)))


def reject(call: RouteCall) -> Result:
    """Reject candidates."""
    references = tuple(cast("list[str]", call.body["ids"]))
    _refuse_stale_one(call, references)
    reason = Fields(call.body, noun="request").maybe_text("reason") or ""
    wish = Reject(references=references, by=call.by, reason=reason)
    return Result(body=decided_json(call.app.review.reject(wish)))


def _refuse_stale_one(call: RouteCall, references: tuple[str, ...]) -> None:
    """Compare the version of the first memory; a version belongs to one memory."""
    refuse_stale(call, references[0])


def edit(call: RouteCall) -> Result:
    """Change the text of a memory."""
    refuse_stale(call, call.path["id"])
    fields = Fields(call.body, noun="request")
    wish = Edit(
        reference=call.path["id"],
        claim=fields.text("claim"),
        by=call.by,
        shown_hash=fields.maybe_text("shown"),
        dry_run=bool(fields.maybe_bool("dry_run")),
    )
    decided = call.app.review.edit(wish)
    if wish.dry_run:
        return Result(body=edited_json(decided.replaced[0].memory.claim, wish.claim))
    return Result(body=decided_json(decided))


def conflicts(call: RouteCall) -> Result:
    """Show the claims that contradict each other."""
    everywhere = bool(call.query.get("everywhere"))
    review, limit = call.app.review, _limit(call)
    found = list(review.conflicts(limit=limit, everywhere=everywhere))
    notes: list[str] = []
    if len(found) < limit:
        read = review.read_pairs(limit=limit - len(found), everywhere=everywhere)
        found += read.conflicts
        notes += [read.note] if read.note else []
    return Result(body=conflicts_json(found, {}, notes=notes))


def resolve(call: RouteCall) -> Result:
    """Resolve a conflict."""
    fields = Fields(call.body, noun="request")
    refuse_stale(call, fields.text("id"))
    wish = Resolve(
        reference=fields.text("id"),
        other=fields.maybe_text("other"),
        by=call.by,
        way=choose(ResolutionWay, fields.text("way"), what="way to resolve a conflict"),
        text=fields.maybe_text("merge") or "",
        scope_new=fields.maybe_text("scope_new") or "",
        scope_old=fields.maybe_text("scope_old") or "",
        reason=fields.maybe_text("reason") or "",
        shown_hash=fields.maybe_text("shown"),
    )
    return Result(body=decided_json(call.app.review.resolve(wish)))


def decisions(call: RouteCall) -> Result:
    """List the newest decisions."""
    everywhere = bool(call.query.get("everywhere"))
    found = call.app.review.decisions(limit=_limit(call), everywhere=everywhere)
    return Result(body=decisions_json(found))


def undo(call: RouteCall) -> Result:
    """Undo decisions."""
    fields = Fields(call.body, noun="request")
    wish = Undo(
        by=call.by,
        reference=fields.maybe_text("id"),
        steps=int(fields.number("steps")) if "steps" in call.body else 1,
        dry_run=bool(fields.maybe_bool("dry_run")),
        is_everywhere=bool(fields.maybe_bool("everywhere")),
    )
    return Result(body=undone_json(call.app.review.undo(wish), is_dry=wish.dry_run))


def revert(call: RouteCall) -> Result:
    """Undo everything that came from one source."""
    fields = Fields(call.body, noun="request")
    wish = Revert(
        source=fields.text("source"),
        by=call.by,
        reason=fields.maybe_text("reason") or "",
        forgets=bool(fields.maybe_bool("forget")),
        dry_run=bool(fields.maybe_bool("dry_run")),
    )
    return Result(body=reverted_json(call.app.review.revert(wish), wish))


ROUTES = (
    Route(
        method="GET",
        path="/v1/candidates",
        verb="review",
        summary="Show the candidates that wait for a person",
        does=review,
        answer="review",
        query=shape.QUEUE,
    ),
    Route(
        method="POST",
        path="/v1/candidates/approve",
        verb="approve",
        summary="Accept candidates, all of them or none",
        does=approve,
        answer="approve",
        writes=True,
        body=shape.APPROVE,
        versioned=True,
    ),
    Route(
        method="POST",
        path="/v1/candidates/reject",
        verb="reject",
        summary="Reject candidates, all of them or none",
        does=reject,
        answer="reject",
        writes=True,
        body=shape.REJECT,
        versioned=True,
    ),
    Route(
        method="POST",
        path="/v1/memories/{id}/edit",
        verb="edit",
        summary="Reword a memory; the new text replaces the old one",
        does=edit,
        answer="edit",
        writes=True,
        body=shape.EDIT,
        versioned=True,
    ),
    Route(
        method="GET",
        path="/v1/conflicts",
        verb="conflicts",
        summary="Show claims that contradict each other",
        does=conflicts,
        answer="conflicts",
        query=shape.LATEST,
    ),
    Route(
        method="POST",
        path="/v1/conflicts/resolve",
        verb="resolve",
        summary="Resolve a conflict between two claims",
        does=resolve,
        answer="resolve",
        writes=True,
        body=shape.RESOLVE,
        versioned=True,
    ),
    Route(
        method="GET",
        path="/v1/decisions",
        verb="undo",
        summary="List the newest decisions",
        does=decisions,
        answer="undo",
        query=shape.LATEST,
    ),
    Route(
        method="POST",
        path="/v1/decisions/undo",
        verb="undo",
        summary="Undo decisions",
        does=undo,
        answer="undo",
        writes=True,
        body=shape.UNDO,
    ),
    Route(
        method="POST",
        path="/v1/sources/revert",
        verb="revert",
        summary="Undo everything that came from one source",
        does=revert,
        answer="revert",
        writes=True,
        body=shape.REVERT,
    ),
)
