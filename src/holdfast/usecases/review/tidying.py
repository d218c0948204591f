"""Tidying: deprecate, merge and unpin what ``curate`` found, in steps that can be undone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import LIVE, Status
from holdfast.domain.errors import AlreadyDecidedError, BadFieldError
from holdfast.domain.memory.decision import Action
from holdfast.domain.memory.memory import MOST_EVIDENCE
from holdfast.domain.memory.naming import signed
from holdfast.domain.review.curation import TidyStep
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.naming import memory_id
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.review.approve import Decided
from holdfast.usecases.review.deciding import DecisionLedger
from holdfast.usecases.review.rewording import refuse_offer, refuse_sensitive, reworded
from holdfast.usecases.screening import screened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.ids import SpanId
    from holdfast.domain.memory.decision import Decision
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.memory.selection import Checkout
    from holdfast.domain.review.curation import Concern
    from holdfast.ports.clock import Clock
    from holdfast.ports.heuristics import Heuristics
    from holdfast.ports.store.store import Store, Transaction

_CURATED = "found by curate"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tidied:
    """The decisions, each of which can be undone, and the places that were unpinned.

    ``fixed`` are the findings that were fixed, ``passed`` those that a decision overtook.
    """

    decisions: tuple[Decision, ...] = ()
    unpinned: tuple[SpanId, ...] = ()
    passed: tuple[Concern, ...] = ()
    fixed: tuple[Concern, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidate:
    """A request to replace several memories by the first of them, or by a new text."""

    references: Sequence[str]
    by: str
    text: str | None = None


@repeatable
def tidy(
    concerns: Sequence[Concern], *, by: str, store: Store, clock: Clock, heuristics: Heuristics
) -> Tidied:
    """Apply the automatic fixes of the findings; nothing is ever deleted.

    A memory with a decision since the survey is skipped.
    """
    now, person = clock.now(), screened(by, what="name")
    decided: list[tuple[Decision, Concern]] = []
    passed: list[Concern] = []
    with store.writing(now) as tx:
        for concern in concerns:
            made: Decision | None = None
            ledger = DecisionLedger(by=person, at=now, tx=tx, heuristics=heuristics)
            records = list(tx.memories.get_many(concern.memories).values())
            if any(one.standing.status not in LIVE for one in records):
                passed.append(concern)
            elif concern.step is TidyStep.DEPRECATE:
                for record in records:
                    ledger.settle(record, Status.DEPRECATED, reason=f"{_CURATED}: {concern.why}")
                made = ledger.close(Action.DEPRECATE, entropy=clock.entropy())
            elif concern.step is TidyStep.CONSOLIDATE and len(records) > 1:
                _join(records, ledger=ledger)
                made = ledger.close(Action.CONSOLIDATE, entropy=clock.entropy())
            decided += [] if made is None else [(made, concern)]
        unpinned = [one for one in concerns if one.step is TidyStep.UNPIN and one.span is not None]
        spans = tuple(one.span for one in unpinned if one.span is not None)
        for name in spans:
            tx.anchors.spans.put(replace(tx.anchors.spans.get(name), pinned=False))
    return Tidied(
        decisions=tuple(made for made, _ in decided),
        unpinned=spans,
        passed=tuple(passed),
        fixed=(*(concern for _, concern in decided), *unpinned),
    )


@repeatable
def deprecate(
    references: Sequence[str],
    *,
    by: str,
    reason: str,
    store: Store,
    clock: Clock,
    heuristics: Heuristics,
) -> Decided:
    """Deprecate accepted memories; they stay readable with the reason, and are not recalled.

    Raises:
        AlreadyDecidedError: One is not accepted.
    """
    now, person = clock.now(), screened(by, what="name")
    words = screened(reason, what="reason") or _CURATED
    with store.writing(now) as tx:
        ledger = DecisionLedger(by=person, at=now, tx=tx, heuristics=heuristics)
        ended = [
            ledger.settle(one, Status.DEPRECATED, reason=words)
            for one in _standing(references, frozenset({Status.ACCEPTED}), tx=tx)
        ]
        decision = ledger.close(Action.DEPRECATE, entropy=clock.entropy())
    return Decided(records=tuple(ended), decision=decision)


@repeatable
def consolidate(
    wish: Consolidate,
    *,
    store: Store,
    clock: Clock,
    heuristics: Heuristics,
    checkout: Checkout | None = None,
) -> Decided:
    """Keep the first memory for all of them, with the evidence of all.

    With a text, the text becomes a new memory that supersedes all of them.

    Raises:
        AlreadyDecidedError: One is neither accepted nor a candidate.
        BadFieldError: There are fewer than two, or the text is empty.
        SensitiveError: The text of one is encrypted.
        WordsContradictError: The text contradicts another accepted memory.
    """
    now, person = clock.now(), screened(wish.by, what="name")
    claim = None if wish.text is None else screened(wish.text, what="claim")
    if claim is not None and not claim.strip():
        raise BadFieldError(field="text", problem="of the merged claim is missing.")
    with store.writing(now) as tx:
        records = _standing(wish.references, LIVE, tx=tx)
        for record in records:
            refuse_sensitive(record)
        if len(records) < 2:  # noqa: PLR2004 - merging needs two memories
            raise BadFieldError(field="memories", problem="must be at least two to join them.")
        ledger = DecisionLedger(by=person, at=now, tx=tx, checkout=checkout, heuristics=heuristics)
        if claim is None:
            stays, gone = _join(records, ledger=ledger), records[1:]
        else:
            stays, gone = reworded(records, claim, ledger=ledger, clock=clock), records
        decision = ledger.close(Action.CONSOLIDATE, entropy=clock.entropy())
        replaced = tx.memories.get_many([one.memory.id for one in gone])
    return Decided(records=(stays,), replaced=tuple(replaced.values()), decision=decision)


def _join(records: Sequence[MemoryRecord], *, ledger: DecisionLedger) -> MemoryRecord:
    """Add the evidence of all to the first, and supersede the others with it."""
    stays, *others = records
    reasons = {
        (item.type, item.reference, item.span): item for one in others for item in signed(one)
    }
    known = {(item.type, item.reference, item.span) for item in stays.evidence}
    fresh = [item for key, item in reasons.items() if key not in known]
    ledger.strengthen(stays, fresh[: max(0, MOST_EVIDENCE - len(stays.evidence))])
    for one in others:
        ledger.supersede(one, stays)
    ledger.inherit(stays, others)
    return ledger.tx.memories.get(stays.memory.id)


def _standing(
    references: Sequence[str], statuses: frozenset[Status], *, tx: Transaction
) -> list[MemoryRecord]:
    records = list(tx.memories.get_many(memory_id(tx, one) for one in references).values())
    for record in records:
        refuse_offer(record)
        if record.standing.status not in statuses:
            raise AlreadyDecidedError(record.memory.id, record.standing.status.value)
    return records
