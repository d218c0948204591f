"""Remember: store a claim with its evidence, until it expires."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from enum import StrEnum
from itertools import islice
from typing import TYPE_CHECKING

from holdfast.domain.checks.check import with_checks
from holdfast.domain.choices import Kind, LinkKind, Origin, Scope, Status
from holdfast.domain.errors import BadFieldError, NoRepositoryError
from holdfast.domain.ids import MemoryId, sortable
from holdfast.domain.memory.identity import KnownClaim, ReplacingClaim
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import Memory, MemoryRecord, Standing, end_of_lifetime
from holdfast.domain.values import dataclass, field, replace
from holdfast.usecases.anchors.checking import rewrites_in, view
from holdfast.usecases.anchors.gather import (
    Gathered,
    Grounds,
    follow,
    gather,
    identified,
    lineage_trust,
)
from holdfast.usecases.memory.distilling import distilled
from holdfast.usecases.memory.restating import Restatement, not_applied, restate
from holdfast.usecases.naming import bundle_id, refuse_taken_label
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.review.approve import offer_evidence
from holdfast.usecases.review.conflicts import note_conflicts, note_elsewhere
from holdfast.usecases.review.deciding import DecisionLedger
from holdfast.usecases.review.recognise import accepted_under_key, recognise, supersede
from holdfast.usecases.review.waiting import refuse_flood
from holdfast.usecases.screening import (
    Screened,
    SecretPolicy,
    clean_metadata,
    screen,
    screened,
    screened_checks,
)

if TYPE_CHECKING:
    from holdfast.domain.memory.anchor import BranchPoint
    from holdfast.domain.memory.decision import Decision
    from holdfast.domain.memory.place import Place
    from holdfast.domain.memory.selection import View
    from holdfast.ports.anchors.surroundings import Surroundings
    from holdfast.ports.anchors.verifier import Verifier
    from holdfast.ports.clock import Clock
    from holdfast.ports.heuristics import Heuristics
    from holdfast.ports.store.store import Store, Transaction
    from holdfast.usecases.review.conflicts import Conflict

REMOVED = "removed"
"""The metadata name under which a candidate lists the hidden characters removed from it."""

_CHECK_ANYWHERE = (
    "reads the files of a repository, and this folder is in none. Say it inside a repository, or"
    " state the scope global: then it applies in every repository."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Remember:
    """A request to remember a claim.

    ``by`` is the person who decides, if the request changes a known memory. ``stated`` names the
    fields that the request gives itself; the others hold defaults, which change nothing.
    ``most_waiting`` limits the candidates of its source that wait for a person; 0 is no limit.
    """

    claim: str
    grounds: Grounds = field(default_factory=Grounds)
    kind: Kind = Kind.FACT
    scope: Scope | None = None
    key: str | None = None
    label: str | None = None
    tags: tuple[str, ...] = ()
    keep_for: timedelta | None = None
    importance: float = 0.5
    weight: float = 1.0
    pinned: bool = False
    metadata: Mapping[str, object] = field(default_factory=dict)
    checks: tuple[str, ...] = ()
    origin: Origin
    source: str = ""
    secrets: SecretPolicy = SecretPolicy.REFUSE
    by: str = ""
    stated: frozenset[str] = frozenset()
    most_waiting: int = 0


class RememberOutcome(StrEnum):
    """What happened to the request."""

    ADDED = "added"
    EVIDENCE_ADDED = "evidence-added"
    EVIDENCE_OFFERED = "evidence-offered"
    KNOWN = "known"
    RENEWED = "renewed"
    SUPERSEDED = "superseded"


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """The memory that the request became, and what happened on the way.

    ``known`` is the accepted memory with the same claim, if evidence for it was only offered.
    ``changed`` names the fields in which a new version of a known memory differs, ``not_applied``
    those that only a person may set.
    """

    record: MemoryRecord
    outcome: RememberOutcome
    screened: Screened
    replaced: MemoryRecord | None = None
    conflicts: tuple[Conflict, ...] = ()
    known: MemoryRecord | None = None
    changed: tuple[str, ...] = ()
    not_applied: tuple[str, ...] = ()
    decision: Decision | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Prepared:
    wish: Remember
    screened: Screened
    gathered: Gathered
    place: Place
    branch_point: BranchPoint | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Batch:
    """The unit of work of the requests that are remembered together."""

    seen: View
    tx: Transaction
    clock: Clock
    is_alone: bool
    heuristics: Heuristics


@repeatable
def remember_all(
    wishes: Sequence[Remember],
    *,
    store: Store,
    clock: Clock,
    surroundings: Surroundings,
    verifier: Verifier | None = None,
    heuristics: Heuristics,
) -> Sequence[Remembered]:
    """Remember many claims in one unit of work: all of them are durable, or none.

    Raises:
        TooManyWaitingError: A claim would become a candidate beyond its limit.
    """
    place = surroundings.place()
    prepared = [
        _prepare(
            _worded(wish, store=store, clock=clock), place, surroundings=surroundings, clock=clock
        )
        for wish in wishes
    ]
    prepared = _identified(prepared, verifier)
    with store.reading() as tx:
        seen = view(place, tx=tx, verifier=verifier)
    with store.writing(clock.now()) as tx:
        if rewrites := rewrites_in(seen, repo=place.repo, at=clock.now()):
            tx.anchors.past.put_rewrites(rewrites)
        prepared = [
            replace(item, gathered=follow(item.gathered, item.wish.grounds, tx=tx))
            for item in prepared
        ]
        memories = [_memory(item, clock=clock) for item in prepared]
        is_alone = len(memories) == 1
        if not is_alone:
            tx.finding.words.expect(memories)
        batch = _Batch(seen=seen, tx=tx, clock=clock, is_alone=is_alone, heuristics=heuristics)
        return [_keep(item, memory, batch) for item, memory in zip(prepared, memories, strict=True)]


def _identified(prepared: list[_Prepared], verifier: Verifier | None) -> list[_Prepared]:
    """Resolve the commits of all requests to full ids, in one query."""
    whole = Gathered(evidence=tuple(one for item in prepared for one in item.gathered.evidence))
    named = iter(identified(whole, verifier=verifier).evidence)
    return [
        replace(
            item,
            gathered=replace(
                item.gathered, evidence=tuple(islice(named, len(item.gathered.evidence)))
            ),
        )
        for item in prepared
    ]


def _worded(wish: Remember, *, store: Store, clock: Clock) -> Remember:
    """Give a request without a claim the content of its bundle as the claim."""
    bundle = wish.grounds.from_bundle
    if wish.claim.strip() or bundle is None:
        return wish
    with store.reading() as tx:
        found = tx.bundles.get(bundle_id(tx, bundle))
        return replace(wish, claim=distilled(found, at=clock.now(), tx=tx))


def _prepare(
    wish: Remember, place: Place, *, surroundings: Surroundings, clock: Clock
) -> _Prepared:
    scope = wish.scope or (Scope.REPO if place.repo else Scope.GLOBAL)
    if scope is Scope.REPO and place.repo is None:
        raise NoRepositoryError
    if wish.checks and wish.scope is None and place.repo is None:
        raise BadFieldError(field="check", problem=_CHECK_ANYWHERE)
    names = wish.secrets.for_names
    return _Prepared(
        wish=replace(
            wish,
            scope=scope,
            key=None if wish.key is None else screened(wish.key, what="key", secrets=names),
            label=None if wish.label is None else screened(wish.label, what="label", secrets=names),
            tags=tuple(
                dict.fromkeys(screened(tag, what="tag", secrets=names) for tag in wish.tags)
            ),
            source=screened(wish.source, what="source", secrets=names),
            by=screened(wish.by, what="name"),
            metadata=with_checks(
                clean_metadata(wish.metadata, secrets=wish.secrets),
                screened_checks(wish.checks, secrets=wish.secrets),
            ),
        ),
        screened=screen(wish.claim, what="claim", secrets=wish.secrets),
        gathered=gather(wish.grounds, surroundings=surroundings, clock=clock, secrets=wish.secrets),
        place=place,
        branch_point=surroundings.branch_point() if scope is Scope.REPO else None,
    )


def _keep(prepared: _Prepared, memory: Memory, batch: _Batch) -> Remembered:
    seen, tx, heuristics = batch.seen, batch.tx, batch.heuristics
    gathered = prepared.gathered
    wish, by = prepared.wish, memory.source or memory.origin.value
    again = Restatement(
        memory=memory,
        gathered=gathered,
        stated=wish.stated,
        pinned=wish.pinned,
        label=wish.label,
    )
    match recognise(memory, tx=tx, view=seen):
        case KnownClaim(record=known) if _is_accepted_by_others(known, wish):
            refuse_flood(memory, most=wish.most_waiting, tx=tx)
            return _offered(known, again, screened=prepared.screened, tx=tx)
        case KnownClaim(record=known):
            person, at = wish.by or by, memory.created_at
            ledger = DecisionLedger(by=person, at=at, tx=tx, heuristics=heuristics)
            return _restated(
                known, again, screened=prepared.screened, ledger=ledger, clock=batch.clock
            )
        case ReplacingClaim(record=standing) if memory.origin is Origin.HUMAN:
            record = _add(prepared, memory, gathered, tx=tx)
            others = accepted_under_key(memory, tx=tx, view=seen)
            for old in {one.memory.id: one for one in (standing, *others)}.values():
                supersede(old, record, by=by, at=memory.created_at, tx=tx)
            note_elsewhere(record, tx=tx, view=seen, heuristics=heuristics)
            return Remembered(
                record=record,
                outcome=RememberOutcome.SUPERSEDED,
                screened=prepared.screened,
                replaced=standing,
            )
        case _:  # new, or it contradicts an accepted memory: it waits for a person
            if memory.origin is not Origin.HUMAN:
                refuse_flood(memory, most=wish.most_waiting, tx=tx)
            record = _add(prepared, memory, gathered, tx=tx)
            return Remembered(
                record=record,
                outcome=RememberOutcome.ADDED,
                screened=prepared.screened,
                conflicts=_contradicted(
                    record, seen, tx=tx, is_alone=batch.is_alone, heuristics=heuristics
                ),
                not_applied=not_applied(None, again),
            )


def _is_accepted_by_others(known: MemoryRecord, wish: Remember) -> bool:
    """Tell whether a memory is accepted and the speaker is not a person."""
    return wish.origin is not Origin.HUMAN and known.standing.status is Status.ACCEPTED


def _offered(
    known: MemoryRecord, wish: Restatement, *, screened: Screened, tx: Transaction
) -> Remembered:
    """Store evidence for an accepted memory as a candidate; nothing else changes."""
    offer = offer_evidence(known, wish.memory, wish.gathered, tx=tx)
    return Remembered(
        record=known if offer is None else offer,
        outcome=RememberOutcome.KNOWN if offer is None else RememberOutcome.EVIDENCE_OFFERED,
        screened=screened,
        known=known,
        not_applied=not_applied(known, wish),
    )


def _restated(
    known: MemoryRecord,
    wish: Restatement,
    *,
    screened: Screened,
    ledger: DecisionLedger,
    clock: Clock,
) -> Remembered:
    """Add evidence to a known memory; other fields than before give it a new version."""
    done = restate(known, wish, ledger=ledger, clock=clock)
    is_same = done.replaced is None
    return Remembered(
        record=done.record,
        outcome=RememberOutcome.EVIDENCE_ADDED if is_same else RememberOutcome.RENEWED,
        screened=screened,
        replaced=done.replaced,
        changed=done.changed,
        not_applied=not_applied(known, wish),
        decision=done.decision,
    )


def _contradicted(
    record: MemoryRecord, seen: View, *, tx: Transaction, is_alone: bool, heuristics: Heuristics
) -> tuple[Conflict, ...]:
    """Store what a claim seems to contradict, for candidates before anybody accepts them.

    A person's claim is accepted at once; for a single claim the person is told of conflicts. Many
    claims at once are an import; ``curate`` finds the contradictions in it.
    """
    if record.standing.status is not Status.CANDIDATE and not is_alone:
        note_elsewhere(record, tx=tx, view=seen, heuristics=heuristics)
        return ()
    at = record.memory.created_at
    return tuple(note_conflicts(record, tx=tx, now=at, view=seen, heuristics=heuristics))


def _memory(prepared: _Prepared, *, clock: Clock) -> Memory:
    wish, now, place = prepared.wish, clock.now(), prepared.place
    scope = wish.scope or Scope.GLOBAL
    return Memory(
        id=MemoryId(sortable("m", at=now, entropy=clock.entropy())),
        claim=prepared.screened.text.strip("\n"),
        kind=wish.kind,
        scope=scope,
        created_at=now,
        evidence=prepared.gathered.evidence,
        origin=wish.origin,
        trust=lineage_trust(wish.origin, prepared.gathered),
        source=wish.source,
        space=place.space,
        workspace=place.workspace,
        repo=place.repo if scope is Scope.REPO else None,
        branch=place.branch if scope is Scope.REPO else None,
        key=wish.key,
        weight=wish.weight,
        importance=wish.importance,
        tags=wish.tags,
        expires_at=end_of_lifetime(wish.keep_for, since=now),
        metadata=_with_removed(prepared),
        branch_point=prepared.branch_point,
    )


def _with_removed(prepared: _Prepared) -> Mapping[str, object]:
    """Return the metadata; for a proposal it lists removed hidden characters for the reviewer."""
    wish, removed = prepared.wish, prepared.screened.removed
    if wish.origin is Origin.HUMAN or not removed:
        return wish.metadata
    told = ", ".join(f"{one.count} × U+{one.code_point:04X} {one.name}" for one in removed[:8])
    return {**wish.metadata, REMOVED: told}


def _add(
    prepared: _Prepared, memory: Memory, gathered: Gathered, *, tx: Transaction
) -> MemoryRecord:
    if memory.origin is not Origin.HUMAN:
        refuse_taken_label(prepared.wish.label, repo=memory.repo, tx=tx)
    for span in gathered.spans:
        tx.anchors.spans.put(span)
    status = Status.ACCEPTED if memory.origin is Origin.HUMAN else Status.CANDIDATE
    # Only a person pins: a pinned proposal would rank first once it is accepted.
    is_pinned = prepared.wish.pinned and status is Status.ACCEPTED
    standing = Standing(status=status, pinned=is_pinned, label=prepared.wish.label)
    record = tx.memories.add(memory, standing)
    for parent in gathered.derived_from:
        tx.links.put(Link(src=memory.id, dst=parent, kind=LinkKind.DERIVED_FROM))
    return record
