"""Resolve: a person decides between two claims that contradict each other."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.domain.choices import LIVE, LinkKind, Status
from holdfast.domain.errors import BadFieldError
from holdfast.domain.memory.decision import Action
from holdfast.domain.memory.link import Link
from holdfast.domain.review.suspicion import Clash, Suspicion
from holdfast.domain.review_errors import NoConflictError, SeveralConflictsError
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.naming import memory_id
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.review.against import refuse_proposer, refuse_unseen, replaced_by, unresolved
from holdfast.usecases.review.approve import Decided
from holdfast.usecases.review.conflicts import Conflict, conflicts_of
from holdfast.usecases.review.deciding import DecisionLedger
from holdfast.usecases.review.inheriting import with_key
from holdfast.usecases.review.rewording import reworded
from holdfast.usecases.screening import screened

if TYPE_CHECKING:
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.memory.selection import Checkout
    from holdfast.ports.clock import Clock
    from holdfast.ports.heuristics import Heuristics
    from holdfast.ports.store.store import Store


class ResolutionWay(StrEnum):
    """How a conflict is resolved."""

    KEEP_OLD = "keep-old"
    SUPERSEDE = "supersede"
    KEEP_BOTH = "keep-both"
    MERGE = "merge"


_SAID_BY_A_PERSON = Suspicion(clash=Clash.REPLACED, reason="a person named both", confidence=1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolve:
    """A request to resolve a conflict.

    ``other`` names the contradicting memory; it may be omitted if there is only one. A person who
    names both decides between them although no rule found a conflict. For keep-both,
    ``scope_new`` and ``scope_old`` say where each of the two is valid. For a merge, ``text`` is
    the claim that replaces both.
    """

    reference: str
    by: str
    way: ResolutionWay
    other: str | None = None
    text: str = ""
    scope_new: str = ""
    scope_old: str = ""
    reason: str = ""
    shown_hash: str | None = None


@repeatable
def resolve(
    wish: Resolve,
    *,
    store: Store,
    clock: Clock,
    checkout: Checkout | None = None,
    heuristics: Heuristics,
) -> Decided:
    """Resolve a conflict as the person decided; all of it happens or nothing.

    Raises:
        NoConflictError: Only one is named and it has no conflict, or one of the two is over.
        SeveralConflictsError: It contradicts several, and none was named.
        UnresolvedConflictError: The memory that should stay contradicts something else too.
        WordsContradictError: The person's new text contradicts something.
        OwnProposalError: The person who decides proposed it.
    """
    now, person = clock.now(), screened(wish.by, what="name")
    with store.writing(now) as tx:
        ledger = DecisionLedger(by=person, at=now, tx=tx, checkout=checkout, heuristics=heuristics)
        newer, conflicts = _meant(wish, ledger)
        refuse_proposer(newer, by=person)
        refuse_unseen(
            newer, wish.shown_hash, tx=tx, now=now, view=ledger.view, heuristics=heuristics
        )
        decided = _WAYS[wish.way](wish, newer, conflicts, ledger, clock)
        decision = ledger.close(Action.RESOLVE, entropy=clock.entropy())
        records = tx.memories.get_many([one.memory.id for one in decided.records])
        replaced = tx.memories.get_many([one.memory.id for one in decided.replaced])
    return Decided(
        records=tuple(records.values()),
        replaced=tuple(replaced.values()),
        left=decided.left,
        decision=decision,
    )


def _meant(wish: Resolve, ledger: DecisionLedger) -> tuple[MemoryRecord, list[Conflict]]:
    """Return the newer claim and what it contradicts; the two may be named in any order."""
    tx = ledger.tx
    first = tx.memories.get(memory_id(tx, wish.reference))
    other = None if wish.other is None else memory_id(tx, wish.other)
    if other is None:
        found = _of_one(first, ledger)
    else:
        second = tx.memories.get(other)
        found = _of_two(first, second, ledger)
        found = found or _named(first, second)
    if not found:
        raise NoConflictError(first.memory.id, other)
    newer = found[0].candidate
    takes_all = wish.way in {ResolutionWay.KEEP_OLD, ResolutionWay.SUPERSEDE}
    if other is None and len(found) > 1 and not takes_all:
        raise SeveralConflictsError(newer.memory.id, [one.standing.memory.id for one in found])
    return newer, found


def _may_stand(record: MemoryRecord) -> bool:
    return record.standing.status in LIVE


def _of_two(one: MemoryRecord, other: MemoryRecord, ledger: DecisionLedger) -> list[Conflict]:
    """Return the conflict between two memories, if there is one."""
    names = {one.memory.id, other.memory.id}
    found = [*_around(one, ledger), *_around(other, ledger)]
    between = [it for it in found if {it.candidate.memory.id, it.standing.memory.id} == names]
    return between[:1]


def _named(one: MemoryRecord, other: MemoryRecord) -> list[Conflict]:
    """Return the pair as a conflict that no rule found: the person named both to decide.

    A candidate replaces an accepted memory; of two accepted ones the later replaces the earlier.
    """
    pair = sorted((one, other), key=lambda record: (_is_candidate(record), record.sequence))
    older, newer = pair
    if one.memory.id == other.memory.id or _is_candidate(older) or not all(map(_may_stand, pair)):
        return []
    return [Conflict(candidate=newer, standing=older, suspicion=_SAID_BY_A_PERSON)]


def _is_candidate(record: MemoryRecord) -> bool:
    return record.standing.status is Status.CANDIDATE


def _of_one(record: MemoryRecord, ledger: DecisionLedger) -> list[Conflict]:
    """Return what a memory contradicts; if it is the older one, the conflict with the newer."""
    name = record.memory.id
    found = _around(record, ledger)
    if own := [one for one in found if one.candidate.memory.id == name]:
        return own
    found += _noted_against(record, ledger)
    newer = {one.candidate.memory.id: one for one in found}
    if len(newer) > 1:
        raise SeveralConflictsError(name, newer)
    return list(newer.values())


def _around(record: MemoryRecord, ledger: DecisionLedger) -> list[Conflict]:
    """Return the conflicts of a memory; of two accepted ones the later is the newer."""
    if not _may_stand(record):
        return []
    found = conflicts_of(
        record, tx=ledger.tx, now=ledger.at, view=ledger.view, heuristics=ledger.heuristics
    )
    return [_turned(one) if _is_turned(one) else one for one in found]


def _is_turned(conflict: Conflict) -> bool:
    is_accepted = conflict.candidate.standing.status is Status.ACCEPTED
    return is_accepted and conflict.candidate.sequence < conflict.standing.sequence


def _turned(conflict: Conflict) -> Conflict:
    return replace(conflict, candidate=conflict.standing, standing=conflict.candidate)


def _noted_against(standing: MemoryRecord, ledger: DecisionLedger) -> list[Conflict]:
    """Return the stored conflicts of others with a memory."""
    name = standing.memory.id
    sources = [
        link.src
        for link in ledger.tx.links.touching(name)
        if link.dst == name and link.kind == LinkKind.CONTRADICTS
    ]
    return [
        conflict
        for record in ledger.tx.memories.get_many(sources).values()
        for conflict in _around(record, ledger)
        if conflict.standing.memory.id == name
    ]


def _keep_old(
    wish: Resolve, newer: MemoryRecord, found: list[Conflict], ledger: DecisionLedger, _clock: Clock
) -> Decided:
    kept = ", ".join(one.standing.memory.id for one in found)
    reason = screened(wish.reason, what="reason") or f"{kept} was kept"
    status = Status.REJECTED if _is_candidate(newer) else Status.DEPRECATED
    gone = ledger.settle(newer, status, reason=reason)
    return Decided(records=tuple(one.standing for one in found), replaced=(gone,))


def _supersede(
    _wish: Resolve,
    newer: MemoryRecord,
    found: list[Conflict],
    ledger: DecisionLedger,
    clock: Clock,
) -> Decided:
    olds = {one.standing.memory.id: one.standing for one in found}
    olds |= {one.memory.id: one for one in replaced_by(newer, tx=ledger.tx, view=ledger.view)}
    for old in olds.values():
        ledger.supersede(old, newer)
    _refuse_others(newer, found, ledger)
    accepted = ledger.inherit(_accepted(newer, ledger), tuple(olds.values()))
    kept = with_key(accepted, tuple(olds.values()), ledger=ledger, clock=clock)
    gone = () if kept is accepted else (accepted,)
    return Decided(records=(kept,), replaced=(*olds.values(), *gone))


def _refuse_others(newer: MemoryRecord, found: list[Conflict], ledger: DecisionLedger) -> None:
    """Refuse to accept a claim that contradicts more than what it replaces.

    Raises:
        UnresolvedConflictError: It does; what it would replace is named too.
    """
    if rest := _around(newer, ledger):
        blocked = rest[0].candidate.memory.id
        raise unresolved([one for one in (*rest, *found) if one.candidate.memory.id == blocked])


def _keep_both(
    wish: Resolve, newer: MemoryRecord, found: list[Conflict], ledger: DecisionLedger, clock: Clock
) -> Decided:
    older = found[0].standing
    ledger.link(Link(src=newer.memory.id, dst=older.memory.id, kind=LinkKind.COMPATIBLE))
    stays = _scoped(older, wish.scope_old, beside=newer, ledger=ledger, clock=clock)
    comes = _scoped(newer, wish.scope_new, beside=stays, ledger=ledger, clock=clock)
    left = tuple(
        conflicts_of(
            comes, tx=ledger.tx, now=ledger.at, view=ledger.view, heuristics=ledger.heuristics
        )
    )
    if not left:
        comes = _accepted(comes, ledger)
    return Decided(records=(comes, stays), left=left)


def _merge(
    wish: Resolve, newer: MemoryRecord, found: list[Conflict], ledger: DecisionLedger, clock: Clock
) -> Decided:
    text = screened(wish.text, what="claim")
    if not text.strip():
        raise BadFieldError(field="text", problem="of the merged claim is missing.")
    parents = [newer, found[0].standing]
    made = reworded(parents, text, ledger=ledger, clock=clock)
    return Decided(records=(made,), replaced=tuple(parents))


def _accepted(record: MemoryRecord, ledger: DecisionLedger) -> MemoryRecord:
    if record.standing.status is Status.ACCEPTED:
        return record
    return ledger.settle(record, Status.ACCEPTED)


def _scoped(
    record: MemoryRecord, scope: str, *, beside: MemoryRecord, ledger: DecisionLedger, clock: Clock
) -> MemoryRecord:
    """Return the memory with the words for its scope before its claim.

    A memory never changes, so the result is a new one; without words it is the same.
    """
    words = screened(scope, what="scope").strip().rstrip(":")
    if not words:
        return record
    claim = f"{words[0].upper()}{words[1:]}: {record.memory.claim}"
    return reworded([record], claim, beside=[beside], ledger=ledger, clock=clock)


_WAYS = {
    ResolutionWay.KEEP_OLD: _keep_old,
    ResolutionWay.SUPERSEDE: _supersede,
    ResolutionWay.KEEP_BOTH: _keep_both,
    ResolutionWay.MERGE: _merge,
}
