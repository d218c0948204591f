"""Approve and reject: a person decides about candidates, all of them in one step or none.

Offering: additions of agents and tools to a memory wait until a person decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Status
from holdfast.domain.memory.decision import Action, Offered, offer_of
from holdfast.domain.review_errors import ProposesForgettingError
from holdfast.domain.values import dataclass, field
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.review.against import against, refuse_proposer, refuse_unseen, unresolved
from holdfast.usecases.review.deciding import DecisionLedger, candidates
from holdfast.usecases.review.inheriting import with_key
from holdfast.usecases.review.offers import folded, take_evidence
from holdfast.usecases.review.recognise import accepted_twin
from holdfast.usecases.screening import screened

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.domain.memory.decision import Decision
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.memory.selection import Checkout
    from holdfast.ports.clock import Clock
    from holdfast.ports.heuristics import Heuristics
    from holdfast.ports.store.store import Store
    from holdfast.usecases.review.against import CandidateConflicts
    from holdfast.usecases.review.conflicts import Conflict


@dataclass(frozen=True, slots=True, kw_only=True)
class Approve:
    """A request to accept candidates.

    ``shown`` maps an id to the hash of what the person saw: of the claim, or of everything that
    ``review`` shows. ``leaves_conflicts`` skips candidates that contradict an accepted memory,
    instead of refusing the whole request.
    """

    references: tuple[str, ...]
    by: str
    shown: Mapping[str, str] = field(default_factory=dict)
    leaves_conflicts: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reject:
    """A request to reject candidates."""

    references: tuple[str, ...]
    by: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """The decided memories, those they superseded, and the conflicts that were skipped.

    ``replaced`` also has the candidates that only repeated a memory; they are deprecated.
    """

    records: tuple[MemoryRecord, ...] = ()
    replaced: tuple[MemoryRecord, ...] = ()
    left: tuple[Conflict, ...] = ()
    decision: Decision | None = None


@repeatable
def approve_all(
    wish: Approve,
    *,
    store: Store,
    clock: Clock,
    checkout: Checkout | None = None,
    is_outright: bool = False,
    heuristics: Heuristics,
) -> Decided:
    """Accept candidates as knowledge; the memories that they replace are superseded.

    Evidence that was offered for a memory is added to that memory, and so is the evidence of a
    candidate that only repeats an accepted memory. Only measurements pass ``is_outright``, which
    skips the search for contradictions and repetitions.

    Raises:
        AlreadyDecidedError: One is not a candidate.
        ChangedSinceShownError: One differs from what the person was shown.
        OwnProposalError: One was proposed by the approver.
        ProposesForgettingError: One proposes to forget a memory.
        UnresolvedConflictError: One contradicts an accepted memory.
    """
    now, person = clock.now(), screened(wish.by, what="name")
    accepted: list[MemoryRecord] = []
    replaced: list[MemoryRecord] = []
    left: list[Conflict] = []
    with store.writing(now) as tx:
        ledger = DecisionLedger(by=person, at=now, tx=tx, checkout=checkout, heuristics=heuristics)
        records = candidates(wish.references, tx=tx)
        for record in records:
            refuse_proposer(record, by=person)
            refuse_unseen(
                record,
                _shown(wish, record),
                tx=tx,
                now=now,
                view=ledger.view,
                heuristics=heuristics,
            )
            _refuse_forgetting(record)
        for record in records:
            if (offer := offer_of(record.memory)) is not None:
                accepted.append(take_evidence(record, offer, ledger=ledger))
                continue
            opposed = against(record, tx=tx, now=now, view=ledger.view, heuristics=heuristics)
            if opposed.conflicts and not is_outright:
                left += _left(wish, opposed)
                continue
            twin = None if is_outright else _twin(record, opposed, ledger)
            if twin is not None:
                accepted.append(folded(record, twin, ledger=ledger))
                replaced.append(tx.memories.get(record.memory.id))
                continue
            for old in opposed.replaces:
                ledger.supersede(old, record)
            stands = ledger.inherit(ledger.settle(record, Status.ACCEPTED), opposed.replaces)
            kept = with_key(stands, opposed.replaces, ledger=ledger, clock=clock)
            gone = opposed.replaces if kept is stands else (*opposed.replaces, stands)
            replaced += tx.memories.get_many([one.memory.id for one in gone]).values()
            accepted.append(kept)
        decision = ledger.close(Action.APPROVE, entropy=clock.entropy())
    return Decided(
        records=_newest(accepted), replaced=tuple(replaced), left=tuple(left), decision=decision
    )


@repeatable
def reject_all(wish: Reject, *, store: Store, clock: Clock, heuristics: Heuristics) -> Decided:
    """Reject candidates; they stay readable with the reason, and are never recalled.

    Raises:
        AlreadyDecidedError: One is not a candidate.
    """
    now, person = clock.now(), screened(wish.by, what="name")
    reason = screened(wish.reason, what="reason")
    with store.writing(now) as tx:
        ledger = DecisionLedger(by=person, at=now, tx=tx, heuristics=heuristics)
        rejected = [
            ledger.settle(record, Status.REJECTED, reason=reason)
            for record in candidates(wish.references, tx=tx)
        ]
        decision = ledger.close(Action.REJECT, entropy=clock.entropy())
    return Decided(records=tuple(rejected), decision=decision)


def _twin(
    record: MemoryRecord, opposed: CandidateConflicts, ledger: DecisionLedger
) -> MemoryRecord | None:
    """Return the accepted memory that a candidate only repeats; what replaces one is not that."""
    if opposed.replaces:
        return None
    return accepted_twin(record.memory, at=ledger.at, tx=ledger.tx, view=ledger.view)


def _newest(records: list[MemoryRecord]) -> tuple[MemoryRecord, ...]:
    """Return each memory once, as it is now."""
    return tuple({one.memory.id: one for one in records}.values())


def _shown(wish: Approve, record: MemoryRecord) -> str | None:
    """Return the hash that was given for a memory, under its id or a prefix of it."""
    name = record.memory.id
    return next((given for start, given in wish.shown.items() if name.startswith(start)), None)


def _refuse_forgetting(record: MemoryRecord) -> None:
    """Refuse to forget a memory by accepting a candidate, because forgetting cannot be undone.

    Raises:
        ProposesForgettingError: The candidate proposes it; the message names the command.
    """
    offer = offer_of(record.memory)
    if offer is not None and offer.what is Offered.FORGETTING:
        raise ProposesForgettingError(record.memory.id, about=offer.about)


def _left(wish: Approve, opposed: CandidateConflicts) -> tuple[Conflict, ...]:
    """Return the conflicts of a candidate to skip, if skipping was requested.

    Raises:
        UnresolvedConflictError: Skipping was not requested.
    """
    if not wish.leaves_conflicts:
        raise unresolved(opposed.conflicts)
    return opposed.conflicts
