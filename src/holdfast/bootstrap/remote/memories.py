"""Calls about memories: keep, list, show, explain, pin, link and forget them."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

from holdfast.app.memories import MemoriesPart
from holdfast.bootstrap.remote.asking import BUNDLE, SPAN, THING, given, plain, quoted
from holdfast.bootstrap.remote.claims import remember, remember_all, spans
from holdfast.bootstrap.remote.reading import (
    read_bundle,
    read_forgotten,
    read_listing,
    read_placing,
    read_provenance,
    read_related,
    read_session_page,
)
from holdfast.domain.exchange.shapes import (
    link_from_json,
    record_from_json,
    span_from_json,
)
from holdfast.domain.remote_errors import ServerAwayError
from holdfast.domain.sessions.run import run_from_json
from holdfast.usecases.memory.browse import MemoryListing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from holdfast.bootstrap.remote.asking import Asking
    from holdfast.domain.memory.evidence import Span
    from holdfast.domain.memory.link import Link
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.recall.bundle import Bundle
    from holdfast.domain.sessions.run import Run
    from holdfast.usecases.memory.browse import Browse, Provenance, SessionPage
    from holdfast.usecases.memory.forget import Forget, Forgotten
    from holdfast.usecases.memory.placing import Placing

    Json = dict[str, object]

_COMPARES_BRANCHES = "only a store with the checkout compares branches"
_COMPARES_COMMITS = "only a store with the checkout lists what held in the past"
_PAGE = 200


def browse(at: Asking, wish: Browse) -> MemoryListing:
    """List memories; if the server is away, those of them that were read before."""
    try:
        return _browsed(at, wish)
    except ServerAwayError as error:
        from holdfast.bootstrap.remote.offline import listed_here

        return listed_here(at, wish, error)


def _browsed(at: Asking, wish: Browse) -> MemoryListing:
    """List memories of the server; a long list is read page by page."""
    chosen, page = wish.selection, wish.page
    if chosen.branch is not None:
        raise at.refused(_COMPARES_BRANCHES)
    if wish.as_of is not None:
        raise at.refused(_COMPARES_COMMITS)
    query: Json = {
        **given(q=wish.query, key=chosen.key, source=chosen.source),
        **{
            name: sorted(getattr(chosen, name))
            for name in ("kinds", "scopes", "statuses", "origins", "tags", "labels")
        },
        "pinned": chosen.pinned,
        "expired": True if chosen.expired_at is not None else None,
        "recallable": True if chosen.recallable_at is not None else None,
        "everywhere": True if chosen.place is None else None,
        "oldest_first": page.oldest_first or None,
    }
    records: list[MemoryRecord] = []
    beyond, total = page.beyond, 0
    while True:
        size = max(1, min(_PAGE, page.limit - len(records)))
        found = at.get_now(
            "/v1/memories", read_listing, **query, limit=size, cursor=beyond and str(beyond)
        )
        records += found.records
        total, beyond = total or found.total, found.beyond
        if beyond is None or len(records) >= page.limit:
            return MemoryListing(records=tuple(records), total=total, beyond=beyond)


def show(at: Asking, reference: str) -> MemoryRecord | Bundle | Span | Run | SessionPage:
    """Show the thing with that id; if the server is away, only if it was read before."""
    try:
        return _shown(at, reference)
    except ServerAwayError as error:
        from holdfast.bootstrap.remote.offline import shown_here

        return shown_here(at, reference, error)


def _shown(at: Asking, reference: str) -> MemoryRecord | Bundle | Span | Run | SessionPage:
    """Ask for the thing with that id; the start of the id says what it is."""
    name = quoted(reference, THING)
    kinds: dict[str, Callable[[], MemoryRecord | Bundle | Span | Run | SessionPage]] = {
        "c_": lambda: at.get(f"/v1/bundles/{name}", read_bundle),
        "s_": lambda: at.get(f"/v1/spans/{name}", lambda one: span_from_json(one.raw("data"))),
        "r_": lambda: at.get(f"/v1/runs/{name}", lambda one: run_from_json(one.raw("run"))),
        "i_": lambda: at.get(f"/v1/sessions/{name}", read_session_page),
    }
    return kinds.get(reference[:2], lambda: _memory_now(at, name))()


def _memory_now(at: Asking, name: str) -> MemoryRecord:
    """Return a memory as it is now: an old answer may show a claim that was superseded since."""
    return at.get_now(f"/v1/memories/{name}", lambda found: record_from_json(found.raw("data")))


def explain(at: Asking, reference: str) -> Provenance:
    """Explain where a memory comes from."""
    return at.get(f"/v1/memories/{quoted(reference)}/provenance", read_provenance)


def explain_in_bundle(at: Asking, bundle: str, memory: str) -> Placing:
    """Explain why a bundle contains a memory or left it out."""
    path = f"/v1/bundles/{quoted(bundle, BUNDLE)}"
    given_in = at.get(path, read_bundle)
    return at.get(
        f"{path}/explanation/{quoted(memory)}",
        lambda answer: read_placing(at, answer, given_in),
    )


def related(at: Asking, reference: str, *, limit: int = 20) -> Sequence[tuple[Link, MemoryRecord]]:
    """List the memories that are linked with a memory."""
    return at.get(f"/v1/memories/{quoted(reference)}/related", read_related, limit=limit)


def forget(at: Asking, wish: Forget) -> Forgotten:
    """Forget a memory, on the server and in the answers that are cached here."""
    record = at.record(wish.reference)
    with nullcontext() if wish.dry_run else at.forgetting():
        return at.send(
            "DELETE",
            f"/v1/memories/{quoted(wish.reference)}",
            lambda answer: read_forgotten(at, answer, record),
            query={**given(reason=plain(wish.reason, "reason")), "dry_run": wish.dry_run or None},
        )


def withdraw(at: Asking, wish: Forget) -> Forgotten:
    """Remove a candidate of the same source."""
    record = at.record(wish.reference)
    with at.forgetting():
        return at.send(
            "POST",
            f"/v1/memories/{quoted(wish.reference)}/withdraw",
            lambda answer: read_forgotten(at, answer, record),
            body={"reason": plain(wish.reason, "reason"), "dry_run": wish.dry_run},
        )


def propose_forgetting(at: Asking, wish: Forget) -> MemoryRecord:
    """Propose to a person that a memory be forgotten."""
    return at.send(
        "POST",
        f"/v1/memories/{quoted(wish.reference)}/propose-forgetting",
        lambda answer: record_from_json(answer.items("proposed")[0]),
        body={"reason": plain(wish.reason, "reason"), "dry_run": wish.dry_run},
        may_wait=True,
    )


def pin(
    at: Asking, reference: str, *, pinned: bool = True, label: str | None = None
) -> MemoryRecord:
    """Pin a memory, or unpin it."""
    return at.send(
        *_pinning(f"/v1/memories/{quoted(reference)}/pin", pinned=pinned),
        lambda answer: record_from_json(answer.raw("data")),
        body=_label(label) if pinned else None,
    )


def pin_span(at: Asking, reference: str, *, pinned: bool = True, label: str | None = None) -> Span:
    """Pin a place in a file, or unpin it."""
    return at.send(
        *_pinning(f"/v1/spans/{quoted(reference, SPAN)}/pin", pinned=pinned),
        lambda answer: span_from_json(answer.raw("data")),
        body=_label(label) if pinned else None,
    )


def _pinning(path: str, *, pinned: bool) -> tuple[str, str]:
    return ("PUT" if pinned else "DELETE", path)


def _label(label: str | None) -> Json:
    return {} if label is None else {"label": plain(label, "label")}


def link(at: Asking, link: Link) -> Link:
    """Link two memories."""
    body: Json = {"src": link.src, "dst": link.dst, "kind": link.kind, "score": link.score}
    return at.send(
        "POST", "/v1/links", lambda answer: link_from_json(answer.raw("link")), body=body
    )


def unlink(at: Asking, link: Link) -> bool:
    """Remove a link; return whether it existed."""
    return at.send(
        "DELETE",
        "/v1/links",
        lambda answer: bool(answer.maybe_bool("removed")),
        query={"src": link.src, "dst": link.dst, "kind": link.kind},
    )


PARTS = {
    MemoriesPart: (
        *(remember, remember_all, browse, show, spans, explain, explain_in_bundle, related),
        *(forget, withdraw, propose_forgetting, pin, pin_span, link, unlink),
    )
}
