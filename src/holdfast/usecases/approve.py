"""Approve and reject: a person decides about candidates, all of them in one step or none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Status
from holdfast.domain.decision import Action
from holdfast.domain.offer import Offered, offer_of
from holdfast.domain.refusals import ProposesForgettingError
from holdfast.domain.values import dataclass, field
from holdfast.usecases.against import against, refuse_proposer, refuse_unseen, unresolved
from holdfast.usecases.deciding import Ledger, candidates
from holdfast.usecases.offering import take_evidence
from holdfast.usecases.screening import screened

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.domain.decision import Decision
    from holdfast.domain.memory import MemoryRecord
    from holdfast.domain.view import Checkout
    from holdfast.ports.clock import Clock
    from holdfast.ports.store import Store
    from holdfast.usecases.against import Against
    from holdfast.usecases.conflicts import Conflict


@dataclass(frozen=True, slots=True, kw_only=True)
class Approve:
    """A wish to accept candidates.

    ``shown`` has for an id the hash of what the person saw: of the claim, or of all that
    ``review`` shows. ``leaves_conflicts`` leaves out what contradicts something that stands
    instead of refusing everything.
    """

    references: tuple[str, ...]
    by: str
    shown: Mapping[str, str] = field(default_factory=dict)
    leaves_conflicts: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reject:
    """A wish to refuse candidates."""

    references: tuple[str, ...]
    by: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """What stands after a decision, what gave way to it, and what was left for its conflicts."""

    records: tuple[MemoryRecord, ...] = ()
    replaced: tuple[MemoryRecord, ...] = ()
    left: tuple[Conflict, ...] = ()
    decision: Decision | None = None


def approve_all(
    wish: Approve,
    *,
    store: Store,
    clock: Clock,
    checkout: Checkout | None = None,
    is_outright: bool = False,
) -> Decided:
    """Accept candidates as knowledge; what they replace is superseded.

    Evidence that was offered for a memory is put behind that memory. Only measurements are
    ``is_outright``: they accept what contradicts something that stands.

    Raises:
        AlreadyDecidedError: One is no candidate.
        ChangedSinceShownError: One is not what the person was shown.
        OwnProposalError: One was proposed by whoever approves.
        ProposesForgettingError: One proposes to forget a memory.
        UnresolvedConflictError: One contradicts what stands.
    """
    now, person = clock.now(), screened(wish.by, what="name")
    accepted: list[MemoryRecord] = []
    replaced: list[MemoryRecord] = []
    left: list[Conflict] = []
    with store.writing(now) as tx:
        ledger = Ledger(by=person, at=now, tx=tx, checkout=checkout)
        records = candidates(wish.references, tx=tx)
        for record in records:
            refuse_proposer(record, by=person)
            refuse_unseen(record, _shown(wish, record), tx=tx, now=now, view=ledger.view)
            _refuse_forgetting(record)
        for record in records:
            if (offer := offer_of(record.memory)) is not None:
                accepted.append(take_evidence(record, offer, ledger=ledger))
                continue
            opposed = against(record, tx=tx, now=now, view=ledger.view)
            if opposed.conflicts and not is_outright:
                left.append(_left(wish, opposed))
                continue
            for old in opposed.replaces:
                ledger.supersede(old, record)
                replaced.append(tx.memories.get(old.memory.id))
            accepted.append(ledger.settle(record, Status.ACCEPTED))
        decision = ledger.close(Action.APPROVE, entropy=clock.entropy())
    return Decided(
        records=tuple(accepted), replaced=tuple(replaced), left=tuple(left), decision=decision
    )


def reject_all(wish: Reject, *, store: Store, clock: Clock) -> Decided:
    """Refuse candidates; they stay readable with the reason, and are never recalled.

    Raises:
        AlreadyDecidedError: One is no candidate.
    """
    now, person = clock.now(), screened(wish.by, what="name")
    reason = screened(wish.reason, what="reason")
    with store.writing(now) as tx:
        ledger = Ledger(by=person, at=now, tx=tx)
        rejected = [
            ledger.settle(record, Status.REJECTED, reason=reason)
            for record in candidates(wish.references, tx=tx)
        ]
        decision = ledger.close(Action.REJECT, entropy=clock.entropy())
    return Decided(records=tuple(rejected), decision=decision)


def _shown(wish: Approve, record: MemoryRecord) -> str | None:
    """Return the hash that was given for a memory, under its id or the start of it."""
    name = record.memory.id
    return next((given for start, given in wish.shown.items() if name.startswith(start)), None)


def _refuse_forgetting(record: MemoryRecord) -> None:
    """Refuse to erase a memory by accepting a candidate: that cannot be taken back.

    Raises:
        ProposesForgettingError: The candidate proposes it; the message names the way.
    """
    offer = offer_of(record.memory)
    if offer is not None and offer.what is Offered.FORGETTING:
        raise ProposesForgettingError(record.memory.id, about=offer.about)


def _left(wish: Approve, opposed: Against) -> Conflict:
    """Return what is left undecided, where that is wished.

    Raises:
        UnresolvedConflictError: It is not.
    """
    first = opposed.conflicts[0]
    if not wish.leaves_conflicts:
        raise unresolved(first)
    return first
