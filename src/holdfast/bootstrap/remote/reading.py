"""Reads the answers of a server into the values that the application returns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Status, choose
from holdfast.domain.exchange.bundle_reading import bundle_from_json
from holdfast.domain.exchange.decision_shape import decision_from_json
from holdfast.domain.exchange.session_shapes import session_from_json, turn_from_json
from holdfast.domain.exchange.shapes import link_from_json, record_from_json, span_from_json
from holdfast.domain.fields import Fields
from holdfast.domain.gates.hidden import Removed
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.entry import Event
from holdfast.domain.memory.selection import Cursor
from holdfast.domain.recall.bundle import BundleItem, LeftOut
from holdfast.domain.recall.rendering import Recalled
from holdfast.domain.review.suspicion import Clash, Suspicion
from holdfast.domain.review.traces import Reach, Trace
from holdfast.domain.text.fencing import nonce_of
from holdfast.domain.values import replace
from holdfast.usecases.memory.browse import MemoryListing, Provenance, SessionPage
from holdfast.usecases.memory.forget import Forgotten
from holdfast.usecases.memory.placing import Placing
from holdfast.usecases.memory.remember import Remembered, RememberOutcome
from holdfast.usecases.review.conflicts import Conflict
from holdfast.usecases.screening import Screened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.bootstrap.remote.asking import Asking
    from holdfast.domain.memory.decision import Decision
    from holdfast.domain.memory.link import Link
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.recall.bundle import Bundle

_ONE = 1.0


def listed(answer: Fields, name: str, *, noun: str) -> list[Fields]:
    """Return the objects of a list in an answer."""
    return [Fields(one, noun=noun) for one in answer.items(name)]


def records(answer: Fields, name: str) -> tuple[MemoryRecord, ...]:
    """Return the memories of a list in an answer."""
    return tuple(record_from_json(one) for one in answer.items(name))


def read_remembered(at: Asking, answer: Fields, said: Screened) -> Remembered:
    """Return what became of a claim; ``said`` is what was screened here before it was sent."""
    record = record_from_json(answer.raw("memory"))
    removed = tuple(
        Removed(
            code_point=int(one.text("code_point").removeprefix("U+"), 16),
            name=one.text("name"),
            count=one.whole("count"),
        )
        for one in listed(answer, "removed_characters", noun="character")
    )
    redacted = (*said.redacted, *answer.words("redacted"))
    return Remembered(
        record=record,
        outcome=choose(RememberOutcome, answer.text("outcome"), what="outcome"),
        screened=replace(said, removed=said.removed or removed, redacted=redacted),
        replaced=at.maybe_record(answer.maybe_text("superseded")),
        conflicts=contradictions(at, answer, record),
        known=at.maybe_record(answer.maybe_text("known_as")),
        twin=at.maybe_record(answer.maybe_text("same_claim")),
        changed=answer.words("changed"),
        not_applied=answer.words("not_applied"),
        inherited=_inherited(answer),
        decision=_decision(at, answer.maybe_text("decision")),
        rejected=answer.maybe_text("rejected_before") or "",
    )


def _inherited(answer: Fields) -> tuple[str, ...]:
    """Return what the memory took over; an older server does not say it."""
    return () if answer.raw("inherited") is None else answer.words("inherited")


def contradictions(at: Asking, answer: Fields, record: MemoryRecord) -> tuple[Conflict, ...]:
    """Return the accepted memories that a claim contradicts, as the server names them."""
    found = []
    for one in listed(answer, "contradicts", noun="contradiction"):
        standing = at.maybe_record(one.text("id"))
        if standing is not None:
            reason = Suspicion(clash=Clash.JUDGED, reason=one.text("reason"), confidence=_ONE)
            found.append(Conflict(candidate=record, standing=standing, suspicion=reason))
    return tuple(found)


def _decision(at: Asking, name: str | None) -> Decision | None:
    if name is None:
        return None
    found = at.get("/v1/decisions", read_decisions, limit=200, everywhere=True)
    return next((one for one in found if one.id == name), None)


def read_decisions(answer: Fields) -> list[Decision]:
    """Return the newest decisions."""
    return [decision_from_json(one) for one in answer.items("decisions")]


def read_listing(answer: Fields) -> MemoryListing:
    """Return one page of memories."""
    following = answer.maybe_text("next")
    return MemoryListing(
        records=records(answer, "memories"),
        total=answer.whole("total"),
        beyond=None if following is None else Cursor(following),
    )


def read_recalled(at: Asking, answer: Fields) -> Recalled:
    """Return an answer with its memories."""
    found = {one.memory.id: one for one in records(answer, "records")}
    nonce = nonce_of(at.holdfast.clock.entropy())
    told = answer.shape.get("nearest_claims")
    near = {name: str(claim) for name, claim in told.items()} if isinstance(told, dict) else {}
    return Recalled(bundle=read_bundle(answer), records=found, nonce=nonce, near=near)


def read_bundle(answer: Fields) -> Bundle:
    """Return a bundle; an answer contains the fields of its bundle."""
    return bundle_from_json(answer.shape)


def read_session_page(answer: Fields) -> SessionPage:
    """Return a session with its turns."""
    shape = answer.raw("data")
    shapes = Fields(shape, noun="session").items("turns")
    turns = tuple(turn_from_json(one) for one in shapes)
    by = (Fields(one, noun="turn").maybe_text("recorded_by") for one in shapes)
    named = {turn.id: name for turn, name in zip(turns, by, strict=True) if name}
    return SessionPage(session=session_from_json(shape), turns=turns, recorders=named)


def read_provenance(answer: Fields) -> Provenance:
    """Return where a memory comes from."""
    return Provenance(
        record=record_from_json(answer.raw("memory")),
        spans=tuple(span_from_json(one) for one in answer.items("spans")),
        bundles=tuple(bundle_from_json(one) for one in answer.items("bundles")),
        derived_from=tuple(
            read_provenance(one) for one in listed(answer, "derived_from", noun="parent")
        ),
        replaced=records(answer, "replaced"),
        events=tuple(_event(one) for one in listed(answer, "events", noun="event")),
        gone=tuple(MemoryId(name) for name in answer.words("forgotten_parents")),
    )


def _event(one: Fields) -> Event:
    return Event(
        sequence=one.whole("sequence"),
        at_millis=one.whole("at_millis"),
        action=one.text("action"),
        subject=one.text("subject"),
        digest=one.text("digest"),
        previous=one.text("previous"),
    )


def read_placing(at: Asking, answer: Fields, bundle: Bundle) -> Placing:
    """Return what a bundle did with a memory."""
    name = MemoryId(answer.text("memory_id"))
    items: dict[str, BundleItem | LeftOut] = {one.memory_id: one for one in bundle.left_out}
    items |= {one.memory_id: one for one in bundle.items}
    given = {one.memory_id: one for one in bundle.items}
    displaced = [one.text("memory_id") for one in listed(answer, "displaced_by", noun="memory")]
    return Placing(
        bundle=bundle,
        record=at.maybe_record(name),
        item=items[name],
        rank=None if answer.raw("rank") is None else answer.whole("rank"),
        matched=answer.words("matched"),
        displaced_by=tuple(given[MemoryId(one)] for one in displaced if one in given),
    )


def read_related(answer: Fields) -> Sequence[tuple[Link, MemoryRecord]]:
    """Return memories with the links that lead to them."""
    return [
        (link_from_json(one.raw("link")), record_from_json(one.raw("memory")))
        for one in listed(answer, "related", noun="neighbour")
    ]


def read_forgotten(at: Asking, answer: Fields, record: MemoryRecord) -> Forgotten:
    """Return what was forgotten; the record was read before."""
    (one,) = listed(answer, "forgotten", noun="forgotten memory")
    earlier = [at.maybe_record(name) for name in one.words("earlier")]
    return Forgotten(
        record=record,
        links=one.whole("links"),
        dry_run=bool(one.maybe_bool("dry_run")),
        not_yet=one.text("not_yet"),
        traces=tuple(
            Trace(
                place=trace.text("place"),
                reach=choose(Reach, trace.text("state"), what="state"),
                advice=trace.text("advice"),
            )
            for trace in listed(one, "places", noun="place")
        ),
        earlier=tuple(found for found in earlier if found is not None),
        nearly=tuple(one.words("nearly")),
    )


def counts(answer: Fields, name: str) -> dict[str, int]:
    """Return an object of an answer whose fields are counts."""
    fields = Fields(answer.raw(name), noun=name)
    return {one: fields.whole(one) for one in fields.shape}


def by_status(answer: Fields) -> dict[Status, int]:
    """Return how many memories have each status."""
    found = counts(answer, "by_status")
    return {choose(Status, name, what="status"): many for name, many in found.items()}
