"""Routes about memories: keep, list, show, explain, pin, link and forget them."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from holdfast.domain.choices import Origin
from holdfast.domain.errors import NoSuchError
from holdfast.domain.exchange.shapes import recorded_span_from_json, span_json
from holdfast.domain.fields import Fields
from holdfast.domain.ids import MemoryId, SpanId
from holdfast.domain.memory.callers import PrincipalKind
from holdfast.domain.memory.evidence import Span
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.several import each_claim
from holdfast.domain.values import replace
from holdfast.surfaces.http.cursors import public_cursor, read_cursor
from holdfast.surfaces.http.table import Result, Route, RouteCall
from holdfast.surfaces.http.versions import memory_named, refuse_stale, version_of
from holdfast.surfaces.wire.memory import (
    check_grounds,
    forgotten_json,
    linked_json,
    listing_json,
    pinned_memory_json,
    pinned_span_json,
    proposed_forgetting_json,
    related_json,
    remembered_json,
    unlinked_json,
)
from holdfast.surfaces.wire.recall import provenance_json, shown_memory_json
from holdfast.surfaces.wire.requests import read_browse, read_remember
from holdfast.surfaces.wire.schema import service as shape
from holdfast.usecases.memory.forget import Forget
from holdfast.usecases.memory.remember import Remember

if TYPE_CHECKING:
    from holdfast.surfaces.http.table import Json

_DEFAULT_LISTED = 50
_READ_HERE = frozenset({"source", "spans"})
_NOT_FILTERS = frozenset({"cursor", "everywhere"})


def _wish(call: RouteCall, given: Json) -> Remember:
    principal = call.app.principal
    source = given.get("source")
    defaults = Remember(
        claim="",
        origin=principal.origin,
        source=call.source(source if isinstance(source, str) else None),
        by=call.by,
    )
    rest = {name: value for name, value in given.items() if name not in _READ_HERE}
    if "claim" not in rest and "value" not in rest:
        rest["claim"] = ""  # the content of a bundle becomes the claim
    wish = read_remember(rest, defaults, noun="request")
    read = tuple(map(recorded_span_from_json, cast("list[object]", given.get("spans", []))))
    wish = replace(wish, grounds=replace(wish.grounds, recorded=read))
    if principal.kind is not PrincipalKind.PERSON:
        check_grounds(wish.grounds)
    is_own = wish.origin is Origin.HUMAN
    return replace(wish, author=principal.name) if is_own else wish


def remember(call: RouteCall) -> Result:
    """Keep a claim."""
    done = call.app.memories.remember(_wish(call, call.body))
    return Result(body=remembered_json(done), version=version_of(done.record))


def remember_all(call: RouteCall) -> Result:
    """Keep many claims, all of them or none."""
    wishes = each_claim(cast("list[Json]", call.body["claims"]), lambda one: _wish(call, one))
    done = call.app.memories.remember_all(wishes)
    return Result(body={"remembered": [remembered_json(one) for one in done]})


def browse(call: RouteCall) -> Result:
    """List memories, page by page."""
    request = {
        "limit": _DEFAULT_LISTED,
        **{name: value for name, value in call.query.items() if name not in _NOT_FILTERS},
    }
    place = None if call.query.get("everywhere") else call.app.place()
    wish = read_browse(request, place=place, now=call.app.now(), noun="request")
    cursor = call.query.get("cursor")
    if isinstance(cursor, str):
        wish = replace(wish, page=replace(wish.page, beyond=read_cursor(cursor, call)))
    listing = call.app.memories.browse(wish)
    following = public_cursor(listing.beyond, call) if listing.beyond is not None else None
    return Result(body={**listing_json(listing), "next": following})


def show(call: RouteCall) -> Result:
    """Show a memory."""
    record = memory_named(call, call.path["id"])
    version = version_of(record)
    if call.query.get("reveal"):
        record = call.app.encryption.reveal(record)
    return Result(body=shown_memory_json(record, ()), version=version)


def explain(call: RouteCall) -> Result:
    """Explain where a memory comes from."""
    return Result(body=provenance_json(call.app.memories.explain(call.path["id"])))


def related(call: RouteCall) -> Result:
    """List the memories that are linked with a memory."""
    limit = int(cast("int", call.query.get("limit", 20)))
    return Result(body=related_json(call.app.memories.related(call.path["id"], limit=limit)))


def forget(call: RouteCall) -> Result:
    """Forget a memory permanently."""
    wish = _forget_wish(call, by=call.by)
    refuse_stale(call, wish.reference)
    return Result(body=forgotten_json([call.app.memories.forget(wish)]))


def withdraw(call: RouteCall) -> Result:
    """Remove a candidate that the same caller proposed."""
    wish = _forget_wish(call, by=call.source())
    refuse_stale(call, wish.reference)
    return Result(body=forgotten_json([call.app.memories.withdraw(wish)]))


def propose_forgetting(call: RouteCall) -> Result:
    """Propose to a person that a memory be forgotten."""
    proposal = call.app.memories.propose_forgetting(_forget_wish(call, by=call.source()))
    return Result(body=proposed_forgetting_json([proposal]))


def _forget_wish(call: RouteCall, *, by: str) -> Forget:
    given = {**call.query, **call.body}
    fields = Fields(given, noun="request")
    return Forget(
        reference=call.path["id"],
        by=by,
        reason=fields.maybe_text("reason") or "",
        dry_run=bool(fields.maybe_bool("dry_run")),
    )


def pin(call: RouteCall) -> Result:
    """Pin a memory."""
    return _pinned(call, pinned=True)


def unpin(call: RouteCall) -> Result:
    """Unpin a memory."""
    return _pinned(call, pinned=False)


def _pinned(call: RouteCall, *, pinned: bool) -> Result:
    refuse_stale(call, call.path["id"])
    label = Fields(call.body, noun="request").maybe_text("label")
    record = call.app.memories.pin(call.path["id"], pinned=pinned, label=label)
    return Result(body=pinned_memory_json(record), version=version_of(record))


def show_span(call: RouteCall) -> Result:
    """Show a place in a file."""
    found = call.app.memories.show(call.path["id"])
    if not isinstance(found, Span):
        raise NoSuchError(noun="span", reference=call.path["id"])
    return Result(body=pinned_span_json(found))


def spans(call: RouteCall) -> Result:
    """Show several places in files; those that do not exist are left out."""
    names = [SpanId(name) for name in cast("list[str]", call.query["ids"])]
    found = call.app.memories.spans(names)
    return Result(body={"spans": [span_json(found[name]) for name in names if name in found]})


def pin_span(call: RouteCall) -> Result:
    """Pin a place in a file."""
    label = Fields(call.body, noun="request").maybe_text("label")
    span = call.app.memories.pin_span(call.path["id"], pinned=True, label=label)
    return Result(body=pinned_span_json(span))


def unpin_span(call: RouteCall) -> Result:
    """Unpin a place in a file."""
    return Result(body=pinned_span_json(call.app.memories.pin_span(call.path["id"], pinned=False)))


def link(call: RouteCall) -> Result:
    """Link two memories."""
    return Result(body=linked_json(call.app.memories.link(_link(call.body))))


def unlink(call: RouteCall) -> Result:
    """Remove a link."""
    wish = _link(dict(call.query))
    return Result(body=unlinked_json(wish, was_there=call.app.memories.unlink(wish)))


def _link(given: Json) -> Link:
    fields = Fields(given, noun="request")
    return Link(
        src=MemoryId(fields.text("src")),
        dst=MemoryId(fields.text("dst")),
        kind=fields.maybe_text("kind") or "related",
        score=float(fields.number("score")) if "score" in given else 1.0,
    )


_ENDS: dict[str, Json] = {"src": shape.ID, "dst": shape.ID, "kind": shape.text(50)}

ROUTES = (
    Route(
        method="POST",
        path="/v1/memories",
        verb="remember",
        summary="Keep a claim with its evidence",
        does=remember,
        answer="remember",
        writes=True,
        status=201,
        body=shape.CLAIM,
    ),
    Route(
        method="POST",
        path="/v1/memories/batch",
        verb="remember",
        summary="Keep many claims, all of them or none",
        does=remember_all,
        answer=shape.KEPT,
        writes=True,
        status=201,
        body=shape.CLAIMS,
    ),
    Route(
        method="GET",
        path="/v1/memories",
        verb="list",
        summary="List memories, newest first, or search them by words",
        does=browse,
        answer=shape.PAGE,
        query=shape.LISTING,
    ),
    Route(
        method="GET",
        path="/v1/memories/{id}",
        verb="show",
        summary="Show a memory",
        does=show,
        answer="show",
        query=shape.REVEAL,
        versioned=True,
    ),
    Route(
        method="DELETE",
        path="/v1/memories/{id}",
        verb="forget",
        summary="Forget a memory permanently",
        does=forget,
        answer="forget",
        writes=True,
        query=shape.REASON,
        versioned=True,
    ),
    Route(
        method="POST",
        path="/v1/memories/{id}/withdraw",
        verb="forget",
        summary="Remove a candidate that the same caller proposed",
        does=withdraw,
        answer="forget",
        writes=True,
        body=shape.NAMED_REASON,
        versioned=True,
    ),
    Route(
        method="POST",
        path="/v1/memories/{id}/propose-forgetting",
        verb="forget",
        summary="Propose to a person that a memory be forgotten",
        does=propose_forgetting,
        answer="forget",
        writes=True,
        body=shape.NAMED_REASON,
    ),
    Route(
        method="GET",
        path="/v1/memories/{id}/provenance",
        verb="explain",
        summary="Explain where a memory comes from",
        does=explain,
        answer="explain",
    ),
    Route(
        method="GET",
        path="/v1/memories/{id}/related",
        verb="related",
        summary="List the memories linked with a memory",
        does=related,
        answer="related",
        query=shape.LIMIT,
    ),
    Route(
        method="PUT",
        path="/v1/memories/{id}/pin",
        verb="pin",
        summary="Pin a memory",
        does=pin,
        answer="pin",
        writes=True,
        body=shape.PIN,
        versioned=True,
    ),
    Route(
        method="DELETE",
        path="/v1/memories/{id}/pin",
        verb="unpin",
        summary="Unpin a memory",
        does=unpin,
        answer="unpin",
        writes=True,
        versioned=True,
    ),
    Route(
        method="GET",
        path="/v1/spans",
        verb="show",
        summary="Show several places in files, with their anchors",
        does=spans,
        answer=shape.SPANS_FOUND,
        query=shape.SPAN_IDS,
        needs=("ids",),
    ),
    Route(
        method="GET",
        path="/v1/spans/{id}",
        verb="show",
        summary="Show a place in a file",
        does=show_span,
        answer="pin",
    ),
    Route(
        method="PUT",
        path="/v1/spans/{id}/pin",
        verb="pin",
        summary="Pin a place in a file",
        does=pin_span,
        answer="pin",
        writes=True,
        body=shape.PIN,
    ),
    Route(
        method="DELETE",
        path="/v1/spans/{id}/pin",
        verb="unpin",
        summary="Unpin a place in a file",
        does=unpin_span,
        answer="unpin",
        writes=True,
    ),
    Route(
        method="POST",
        path="/v1/links",
        verb="link",
        summary="Link two memories",
        does=link,
        answer="link",
        writes=True,
        status=201,
        body=shape.LINK,
    ),
    Route(
        method="DELETE",
        path="/v1/links",
        verb="link",
        summary="Remove a link",
        does=unlink,
        answer="link",
        writes=True,
        query=_ENDS,
        needs=("src", "dst"),
    ),
)
