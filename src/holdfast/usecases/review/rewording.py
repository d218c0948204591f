"""Rewording: a person states a claim in their own words, which supersedes the originals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import (
    LIVE,
    EvidenceType,
    LinkKind,
    Origin,
    Status,
    least_trusted,
)
from holdfast.domain.encryption.errors import SensitiveError
from holdfast.domain.encryption.placeholder import is_sensitive
from holdfast.domain.errors import AlreadyDecidedError, BadFieldError
from holdfast.domain.ids import MemoryId, sortable
from holdfast.domain.memory.decision import AUTHOR, Action, offer_of
from holdfast.domain.memory.evidence import Evidence
from holdfast.domain.memory.identity import KnownClaim
from holdfast.domain.memory.inheriting import inherited_standing
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import MOST_EVIDENCE, MemoryRecord, Standing
from holdfast.domain.memory.naming import signed
from holdfast.domain.review_errors import (
    NoOwnClaimError,
    SaidAlreadyError,
    WordsContradictError,
)
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.naming import memory_id
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.review.against import refuse_unseen
from holdfast.usecases.review.approve import Decided
from holdfast.usecases.review.conflicts import conflicts_of
from holdfast.usecases.review.deciding import DecisionLedger
from holdfast.usecases.review.recognise import recognise
from holdfast.usecases.screening import screened

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from holdfast.domain.memory.memory import Memory
    from holdfast.domain.memory.selection import Checkout
    from holdfast.ports.clock import Clock
    from holdfast.ports.heuristics import Heuristics
    from holdfast.ports.store.store import Store

SOURCE = "review"
_NO_WORDS = "new words cannot be made of it. Remember the new claim as sensitive, with its key."


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A request to reword a memory and accept the result."""

    reference: str
    claim: str
    by: str
    shown_hash: str | None = None
    dry_run: bool = False


@repeatable
def edit(
    wish: Edit,
    *,
    store: Store,
    clock: Clock,
    checkout: Checkout | None = None,
    heuristics: Heuristics,
) -> Decided:
    """Store the person's words as a new memory that supersedes the edited one.

    A dry run stores nothing, and refuses whatever the edit itself would refuse.

    Raises:
        AlreadyDecidedError: It is neither a candidate nor accepted.
        BadFieldError: The new claim is the old one, character for character.
        ChangedSinceShownError: It differs from what the person was shown.
        SaidAlreadyError: Another accepted memory has the new text.
        WordsContradictError: The new text contradicts an accepted memory.
    """
    now, person = clock.now(), screened(wish.by, what="name")
    claim = screened(wish.claim, what="claim")
    with store.reading() if wish.dry_run else store.writing(now) as tx:
        ledger = DecisionLedger(by=person, at=now, tx=tx, checkout=checkout, heuristics=heuristics)
        record = _editable(wish, claim, ledger=ledger)
        if wish.dry_run:
            refuse_rewording([record], claim, ledger=ledger, clock=clock)
            return Decided(replaced=(record,))
        made = reworded([record], claim, ledger=ledger, clock=clock)
        decision = ledger.close(Action.EDIT, entropy=clock.entropy())
        replaced = tx.memories.get(record.memory.id)
    return Decided(records=(made,), replaced=(replaced,), decision=decision)


def _editable(wish: Edit, claim: str, *, ledger: DecisionLedger) -> MemoryRecord:
    """Return the memory that a request names, if it may be reworded so."""
    record = ledger.tx.memories.get(memory_id(ledger.tx, wish.reference))
    if record.standing.status not in LIVE:
        rule = "only a candidate or what is accepted can be edited"
        raise AlreadyDecidedError(record.memory.id, record.standing.status.value, rule=rule)
    refuse_sensitive(record)
    refuse_offer(record)
    refuse_unseen(
        record,
        wish.shown_hash,
        tx=ledger.tx,
        now=ledger.at,
        view=ledger.view,
        heuristics=ledger.heuristics,
    )
    if claim.strip("\n") == record.memory.claim:
        raise BadFieldError(field="claim", problem="is unchanged.")
    return record


def refuse_rewording(
    parents: Sequence[MemoryRecord], claim: str, *, ledger: DecisionLedger, clock: Clock
) -> None:
    """Raise what ``reworded`` would raise, and store nothing."""
    memory = _memory(parents, claim, ledger=ledger, clock=clock)
    _refuse_copy(memory, parents, ledger=ledger)
    own = {one.memory.id for one in parents}
    made = MemoryRecord(sequence=0, memory=memory)
    _refuse_contradiction(made, ledger=ledger, but=own)


def reworded(
    parents: Sequence[MemoryRecord],
    claim: str,
    *,
    ledger: DecisionLedger,
    clock: Clock,
    beside: Sequence[MemoryRecord] = (),
) -> MemoryRecord:
    """Store the words as a new memory that supersedes its parents, and return it.

    It keeps the topic of the first parent and the evidence of all. Its origin is the person, who
    is its author too if a parent names one. Its trust is the least trusted of the parents.
    ``beside`` are memories that the person calls compatible with it.

    Raises:
        SaidAlreadyError: Another accepted memory has this text.
        WordsContradictError: The new text contradicts another accepted memory.
    """
    memory = _memory(parents, claim, ledger=ledger, clock=clock)
    _refuse_copy(memory, parents, ledger=ledger)
    own = Standing(status=Status.ACCEPTED, decided_by=ledger.by, decided_at=ledger.at)
    made = ledger.add(memory, inherited_standing(own, parents))
    for parent in parents:
        ledger.link(Link(src=memory.id, dst=parent.memory.id, kind=LinkKind.DERIVED_FROM))
        ledger.supersede(parent, made)
    for one in beside:
        ledger.link(Link(src=memory.id, dst=one.memory.id, kind=LinkKind.COMPATIBLE))
    _refuse_contradiction(made, ledger=ledger)
    return made


def _refuse_contradiction(
    made: MemoryRecord, *, ledger: DecisionLedger, but: Collection[MemoryId] = ()
) -> None:
    for conflict in conflicts_of(
        made, tx=ledger.tx, now=ledger.at, view=ledger.view, heuristics=ledger.heuristics
    ):
        if conflict.standing.memory.id not in but:
            raise WordsContradictError(
                standing=conflict.standing.memory.id, reason=conflict.suspicion.reason.rstrip(".")
            )


def _refuse_copy(
    memory: Memory, parents: Sequence[MemoryRecord], *, ledger: DecisionLedger
) -> None:
    """Refuse words that another accepted memory has already.

    Raises:
        SaidAlreadyError: Another memory has the claim.
    """
    known = recognise(replace(memory, key=None), tx=ledger.tx, view=ledger.view)
    own = {one.memory.id for one in parents}
    if isinstance(known, KnownClaim) and known.record.memory.id not in own:
        raise SaidAlreadyError(known.record.memory.id, memory_id=parents[0].memory.id)


def refuse_sensitive(record: MemoryRecord) -> None:
    """Refuse to reword or merge a memory whose text is encrypted.

    Raises:
        SensitiveError: Its text is encrypted.
    """
    if is_sensitive(record.memory):
        raise SensitiveError(memory_id=record.memory.id, problem=_NO_WORDS)


def refuse_offer(record: MemoryRecord) -> None:
    """Refuse to decide about an offer as if it had a claim of its own.

    Raises:
        NoOwnClaimError: It is an offer about another memory.
    """
    offer = offer_of(record.memory)
    if offer is not None:
        raise NoOwnClaimError(record.memory.id, about=offer.about)


def _memory(
    parents: Sequence[MemoryRecord], claim: str, *, ledger: DecisionLedger, clock: Clock
) -> Memory:
    first = parents[0].memory
    names = ", ".join(one.memory.id for one in parents)
    said = Evidence(type=EvidenceType.STATEMENT, reference=f"reworded by {ledger.by} from {names}")
    reasons = {_key(item): item for one in parents for item in signed(one)}
    evidence = list(reasons.values())[: MOST_EVIDENCE - 1]
    here = ledger.checkout
    point = first.branch_point if here is None else here.branch_point_for(first)
    return replace(
        first,
        id=MemoryId(sortable("m", at=ledger.at, entropy=clock.entropy())),
        claim=claim.strip("\n"),
        created_at=ledger.at,
        evidence=(*evidence, said),
        origin=Origin.HUMAN,
        trust=least_trusted([Origin.HUMAN, *(one.memory.trust for one in parents)]),
        source=SOURCE,
        branch=first.branch if point is None else point.branch,
        branch_point=point,
        key=next((one.memory.key for one in parents if one.memory.key), None),
        tags=tuple(dict.fromkeys(tag for one in parents for tag in one.memory.tags)),
        metadata=_metadata(parents, by=ledger.by),
    )


def _metadata(parents: Sequence[MemoryRecord], *, by: str) -> dict[str, object]:
    """Return the metadata of the first parent; the author is who wrote the new words."""
    facts = {name: fact for name, fact in parents[0].memory.metadata.items() if name != AUTHOR}
    is_signed = any(AUTHOR in one.memory.metadata for one in parents)
    return {**facts, AUTHOR: by} if is_signed else facts


def _key(item: Evidence) -> tuple[str, str, str | None]:
    return (item.type, item.reference, item.span)
