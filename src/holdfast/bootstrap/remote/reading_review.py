"""Reads a server's answers about candidates, conflicts and decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Kind, choose
from holdfast.domain.exchange.bundle_reading import checked_from_json
from holdfast.domain.exchange.decision_shape import decision_from_json
from holdfast.domain.exchange.shapes import (
    record_from_json,
)
from holdfast.domain.fields import Fields
from holdfast.domain.memory.evidence import evidence_from_json
from holdfast.domain.review.review import Danger, Risk, Worth
from holdfast.domain.review.suspicion import Clash, Suspicion
from holdfast.domain.sessions.session import Proposal
from holdfast.usecases.review.against import CandidateConflicts
from holdfast.usecases.review.approve import Decided
from holdfast.usecases.review.conflicts import Conflict
from holdfast.usecases.review.pair_reading import PairReadings
from holdfast.usecases.review.queued import Queue, WaitingCandidate
from holdfast.usecases.review.revert import Reverted
from holdfast.usecases.sessions.propose import KeptProposal, Proposed
from holdfast.usecases.sessions.sifting import LeftOutProposal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.bootstrap.remote.asking import Asking
    from holdfast.domain.memory.memory import MemoryRecord
from holdfast.bootstrap.remote.reading import contradictions, listed, records


def read_queue(at: Asking, answer: Fields) -> Queue:
    """Return the candidates that wait for a person."""
    return Queue(
        items=tuple(_waiting(at, one) for one in listed(answer, "waiting", noun="candidate")),
        total=answer.whole("total"),
        elsewhere=answer.whole("elsewhere"),
        shown=answer.maybe_text("shown") or "",
        notes=answer.words("notes"),
    )


def _waiting(at: Asking, one: Fields) -> WaitingCandidate:
    record = record_from_json(one.raw("memory"))
    conflicts = _conflicts(at, record, listed(one, "conflicts", noun="conflict"))
    # A server of an earlier release has no model that reads pairs.
    told = listed(one, "advice", noun="conflict") if one.raw("advice") is not None else []
    rivals = [
        at.maybe_record(rival.text("id")) for rival in listed(one, "instead_of", noun="rival")
    ]
    parts = Fields(one.raw("worth_parts"), noun="worth")
    offers = one.raw("offers")
    about = None if offers is None else Fields(offers, noun="offer").maybe_text("about")
    return WaitingCandidate(
        record=record,
        worth=Worth(
            score=one.number("worth"),
            parts=tuple((name, parts.number(name)) for name in parts.shape),
        ),
        danger=Danger(risk=choose(Risk, one.text("risk"), what="risk"), why=one.words("risk_why")),
        against=CandidateConflicts(
            conflicts=conflicts, replaces=tuple(rival for rival in rivals if rival is not None)
        ),
        shown=one.text("shown"),
        checked=tuple(checked_from_json(item) for item in one.items("evidence")),
        advice=_conflicts(at, record, told),
        known=at.maybe_record(one.maybe_text("known_as")),
        about=at.maybe_record(about),
    )


def _conflicts(at: Asking, candidate: MemoryRecord, told: Sequence[Fields]) -> tuple[Conflict, ...]:
    found = [_conflict(candidate, at.maybe_record(one.text("standing")), one) for one in told]
    return tuple(one for one in found if one is not None)


def _conflict(
    candidate: MemoryRecord, standing: MemoryRecord | None, one: Fields
) -> Conflict | None:
    if standing is None:
        return None
    suspicion = Suspicion(
        clash=choose(Clash, one.text("clash"), what="clash"),
        reason=one.text("reason"),
        confidence=one.number("confidence"),
        is_advice=bool(one.maybe_bool("advice")),
    )
    return Conflict(candidate=candidate, standing=standing, suspicion=suspicion)


def read_conflicts(answer: Fields) -> PairReadings:
    """Return open conflicts with both memories, and the note about what a model has not read."""
    found = [
        _conflict(
            record_from_json(one.raw("candidate_memory")),
            record_from_json(one.raw("standing_memory")),
            one,
        )
        for one in listed(answer, "conflicts", noun="conflict")
    ]
    # A server of an earlier release has no notes here.
    notes = answer.words("notes") if answer.raw("notes") is not None else ()
    return PairReadings(
        conflicts=tuple(one for one in found if one is not None), note="; ".join(notes)
    )


def read_decided(at: Asking, answer: Fields) -> Decided:
    """Return the memories after a decision."""
    decision = answer.raw("decision")
    left = [
        _conflict(candidate, at.maybe_record(one.text("standing")), one)
        for one in listed(answer, "left", noun="conflict")
        if (candidate := at.maybe_record(one.text("candidate"))) is not None
    ]
    return Decided(
        records=records(answer, "decided"),
        replaced=records(answer, "replaced"),
        left=tuple(one for one in left if one is not None),
        decision=None if decision is None else decision_from_json(decision),
    )


def read_reverted(at: Asking, answer: Fields) -> Reverted:
    """Return what a revert of one source undid."""
    decision = answer.raw("decision")
    strengthened = [
        (record, tuple(evidence_from_json(item) for item in one.items("evidence")))
        for one in listed(answer, "strengthened", noun="memory")
        if (record := at.maybe_record(one.text("id"))) is not None
    ]
    return Reverted(
        contributed=records(answer, "contributed"),
        derived=records(answer, "derived"),
        restored=records(answer, "restored"),
        strengthened=tuple(strengthened),
        decision=None if decision is None else decision_from_json(decision),
        not_yet=answer.text("not_yet"),
    )


def read_proposed(at: Asking, answer: Fields) -> Proposed:
    """Return the candidates that were proposed, and what was left out."""
    return Proposed(
        added=tuple(_kept(at, one) for one in listed(answer, "added", noun="proposal")),
        strengthened=tuple(
            _kept(at, one) for one in listed(answer, "strengthened", noun="proposal")
        ),
        left=tuple(
            LeftOutProposal(proposal=_proposal(one), reason=one.text("why"))
            for one in listed(answer, "left", noun="proposal")
        ),
        by=answer.text("by"),
        notes=answer.words("notes"),
    )


def _kept(at: Asking, one: Fields) -> KeptProposal:
    record = at.maybe_record(one.maybe_text("id"))
    conflicts = () if record is None else contradictions(at, one, record)
    return KeptProposal(proposal=_proposal(one), record=record, conflicts=conflicts)


def _proposal(one: Fields) -> Proposal:
    return Proposal(
        claim=one.text("claim"),
        kind=choose(Kind, one.text("kind"), what="kind"),
        turn=one.whole("turn"),
        first=one.whole("first"),
        last=one.whole("last"),
        quote=one.text("quote"),
        rule=one.text("rule"),
        confidence=one.number("confidence"),
    )
