"""Calls about memories: keep, list, show, explain, pin, link and forget them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.memories import MemoriesPart
from holdfast.bootstrap.remote.asking import given, plain, quoted
from holdfast.bootstrap.remote.reading import (
    listed,
    read_bundle,
    read_forgotten,
    read_listing,
    read_placing,
    read_provenance,
    read_related,
    read_remembered,
    read_session_page,
)
from holdfast.domain.choices import Kind, Origin
from holdfast.domain.errors import BlankClaimError, NoEvidenceError
from holdfast.domain.exchange.shapes import (
    link_from_json,
    record_from_json,
    recorded_span_json,
    span_from_json,
)
from holdfast.domain.memory.evidence import RecordedSpan, evidence_json
from holdfast.domain.sessions.run import run_from_json
from holdfast.domain.values import replace
from holdfast.usecases.anchors.gather import gather, identified
from holdfast.usecases.memory.browse import MemoryListing
from holdfast.usecases.screening import (
    Screened,
    SecretPolicy,
    clean_metadata,
    screen,
    screened_checks,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from holdfast.bootstrap.remote.asking import Asking
    from holdfast.domain.ids import SpanId
    from holdfast.domain.memory.evidence import Span
    from holdfast.domain.memory.link import Link
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.recall.bundle import Bundle
    from holdfast.domain.sessions.run import Run
    from holdfast.usecases.anchors.gather import Gathered
    from holdfast.usecases.memory.browse import Browse, Placing, Provenance, SessionPage
    from holdfast.usecases.memory.forget import Forget, Forgotten
    from holdfast.usecases.memory.remember import Remember, Remembered

    Json = dict[str, object]

_CONFIDENTIAL = "a text with a secret is not sent there"
_COMPARES_BRANCHES = "only a store with the checkout compares branches"
_COMPARES_COMMITS = "only a store with the checkout lists what held in the past"
_PAGE = 200
_DEFAULTS = {"kind": Kind.FACT, "importance": 0.5, "weight": 1.0}
SENT_OTHERWISE = frozenset({"by", "most_hourly", "most_waiting", "origin", "secrets", "stated"})
"""Fields of a request that the server decides itself, or that show in the other ones."""


def remember(at: Asking, wish: Remember) -> Remembered:
    """Keep a claim; its evidence is read here, where the files are."""
    body, said = _claim(at, wish)
    return at.send(
        "POST",
        "/v1/memories",
        lambda answer: read_remembered(at, answer, said),
        body=body,
        # What waits is kept in a file, in clear.
        may_wait=not wish.sensitive,
    )


def remember_all(at: Asking, wishes: Sequence[Remember]) -> Sequence[Remembered]:
    """Keep many claims, all of them or none."""
    made = [_claim(at, wish) for wish in wishes]
    return at.send(
        "POST",
        "/v1/memories/batch",
        lambda answer: [
            read_remembered(at, one, said)
            for one, (_, said) in zip(
                listed(answer, "remembered", noun="memory"), made, strict=True
            )
        ],
        body={"claims": [body for body, _ in made]},
        may_wait=not any(wish.sensitive for wish in wishes),
    )


def _claim(at: Asking, wish: Remember) -> tuple[Json, Screened]:
    """Return the body of a claim, with its evidence read and every text screened."""
    if wish.secrets is SecretPolicy.ALLOW:
        raise at.refused(_CONFIDENTIAL)
    said = screen(wish.claim, what="claim", secrets=wish.secrets)
    local = at.holdfast
    grounds = wish.grounds
    found = gather(
        replace(grounds, from_bundle=None, derived_from=()),
        surroundings=local.surroundings,
        clock=local.clock,
        secrets=wish.secrets,
    )
    found = identified(found, verifier=local.verifier)
    _refuse_unfounded(wish, found)
    read = {span.id for span in found.spans}
    others = [evidence_json(item) for item in found.evidence if item.span not in read]
    body: Json = {
        **given(
            claim=said.text,
            scope=wish.scope,
            key=None if wish.key is None else plain(wish.key, "key"),
            label=None if wish.label is None else plain(wish.label, "label"),
            source=wish.source,
            from_bundle=grounds.from_bundle,
            ttl=_lifetime(wish),
            pinned=wish.pinned or None,
            sensitive=wish.sensitive or None,
        ),
        **{name: getattr(wish, name) for name in _DEFAULTS if _is_said(wish, name)},
        "tags": [plain(tag, "tag") for tag in wish.tags],
        "checks": list(screened_checks(wish.checks, secrets=wish.secrets)),
        "metadata": dict(clean_metadata(wish.metadata, secrets=wish.secrets)),
        "derived_from": list(grounds.derived_from),
        "evidence": others,
        "spans": [recorded_span_json(_recorded(span)) for span in found.spans],
    }
    if wish.origin is not Origin.HUMAN:
        body["origin"] = wish.origin
    stated = {
        name: value for name, value in body.items() if value not in ([], {}) or name in wish.stated
    }
    return stated, said


def _is_said(wish: Remember, name: str) -> bool:
    """Return whether a request gives a field itself; a default would change a known memory."""
    return name in wish.stated or getattr(wish, name) != _DEFAULTS[name]


def _refuse_unfounded(wish: Remember, found: Gathered) -> None:
    """Refuse here what every server refuses, so that it does not wait for one.

    Raises:
        BlankClaimError: There is no claim, and no bundle whose content becomes it.
        NoEvidenceError: There is no evidence.
    """
    grounds = wish.grounds
    if not wish.claim.strip() and grounds.from_bundle is None:
        raise BlankClaimError
    if not found.evidence and grounds.from_bundle is None and not grounds.derived_from:
        raise NoEvidenceError


def _recorded(span: Span) -> RecordedSpan:
    return RecordedSpan(
        path=span.path,
        first=span.first,
        last=span.last,
        text_hash=span.text_hash,
        anchor=span.anchor,
    )


def _lifetime(wish: Remember) -> str | None:
    """Return a lifetime as a request writes it, in the largest unit that divides it."""
    if wish.keep_for is None:
        return "never" if "ttl" in wish.stated else None
    seconds = int(wish.keep_for.total_seconds())
    for unit, size in (("d", 86_400), ("h", 3_600), ("m", 60)):
        if seconds % size == 0:
            return f"{seconds // size}{unit}"
    return f"{seconds}s"


def browse(at: Asking, wish: Browse) -> MemoryListing:
    """List memories; a long list is read page by page."""
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
        found = at.get(
            "/v1/memories", read_listing, **query, limit=size, cursor=beyond and str(beyond)
        )
        records += found.records
        total, beyond = total or found.total, found.beyond
        if beyond is None or len(records) >= page.limit:
            return MemoryListing(records=tuple(records), total=total, beyond=beyond)


def show(at: Asking, reference: str) -> MemoryRecord | Bundle | Span | Run | SessionPage:
    """Show the thing with that id; the start of the id says what it is."""
    name = quoted(reference)
    kinds: dict[str, Callable[[], MemoryRecord | Bundle | Span | Run | SessionPage]] = {
        "c_": lambda: at.get(f"/v1/bundles/{name}", read_bundle),
        "s_": lambda: at.get(f"/v1/spans/{name}", lambda one: span_from_json(one.raw("data"))),
        "r_": lambda: at.get(f"/v1/runs/{name}", lambda one: run_from_json(one.raw("run"))),
        "i_": lambda: at.get(f"/v1/sessions/{name}", read_session_page),
    }
    return kinds.get(reference[:2], lambda: at.record(reference))()


def spans(at: Asking, names: Sequence[SpanId]) -> Mapping[SpanId, Span]:
    """Return several places in files."""
    return at.spans(names)


def explain(at: Asking, reference: str) -> Provenance:
    """Explain where a memory comes from."""
    return at.get(f"/v1/memories/{quoted(reference)}/provenance", read_provenance)


def explain_in_bundle(at: Asking, bundle: str, memory: str) -> Placing:
    """Explain why a bundle contains a memory or left it out."""
    given_in = at.get(f"/v1/bundles/{quoted(bundle)}", read_bundle)
    return at.get(
        f"/v1/bundles/{quoted(bundle)}/explanation/{quoted(memory)}",
        lambda answer: read_placing(at, answer, given_in),
    )


def related(at: Asking, reference: str, *, limit: int = 20) -> Sequence[tuple[Link, MemoryRecord]]:
    """List the memories that are linked with a memory."""
    return at.get(f"/v1/memories/{quoted(reference)}/related", read_related, limit=limit)


def forget(at: Asking, wish: Forget) -> Forgotten:
    """Forget a memory, on the server and in the answers that are cached here."""
    record = at.record(wish.reference)
    done = at.send(
        "DELETE",
        f"/v1/memories/{quoted(wish.reference)}",
        lambda answer: read_forgotten(at, answer, record),
        query={**given(reason=plain(wish.reason, "reason")), "dry_run": wish.dry_run or None},
    )
    if not wish.dry_run:
        at.server.cache.clear()
    return done


def withdraw(at: Asking, wish: Forget) -> Forgotten:
    """Remove a candidate of the same source."""
    record = at.record(wish.reference)
    done = at.send(
        "POST",
        f"/v1/memories/{quoted(wish.reference)}/withdraw",
        lambda answer: read_forgotten(at, answer, record),
        body={"reason": plain(wish.reason, "reason"), "dry_run": wish.dry_run},
    )
    at.server.cache.clear()
    return done


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
        *_pinning(f"/v1/spans/{quoted(reference)}/pin", pinned=pinned),
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
