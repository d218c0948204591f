"""Remember: store a claim with its evidence, until it expires."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from holdfast.domain.choices import Origin, Status
from holdfast.domain.encryption.placeholder import is_sensitive
from holdfast.domain.memory.decision import Action
from holdfast.domain.memory.identity import KnownClaim, ReplacingClaim
from holdfast.domain.memory.inheriting import inherited_names, with_inherited_fields
from holdfast.domain.memory.memory import Memory, MemoryRecord
from holdfast.domain.memory.several import each_claim
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.anchors.checking import rewrites_in, view
from holdfast.usecases.anchors.gather import (
    follow,
)
from holdfast.usecases.memory.adding import add_claim, first_standing, link_to_parents
from holdfast.usecases.memory.known_claims import rejection_of
from holdfast.usecases.memory.preparing import (
    PreparedClaim,
    Remember,
    identified_all,
    memory_of,
    prepare,
    worded,
)
from holdfast.usecases.memory.remembered import Remembered, RememberOutcome
from holdfast.usecases.memory.restating import Restated, Restatement, not_applied, restate
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.review.conflicts import (
    note_conflicts,
    note_conflicts_of_each,
    note_elsewhere,
)
from holdfast.usecases.review.deciding import DecisionLedger
from holdfast.usecases.review.offers import offer_evidence
from holdfast.usecases.review.recognise import accepted_under_key, recognise
from holdfast.usecases.review.waiting import refuse_flood
from holdfast.usecases.screening import (
    Screened,
)

if TYPE_CHECKING:
    from holdfast.domain.memory.identity import Identity
    from holdfast.domain.memory.selection import View
    from holdfast.ports.anchors.surroundings import Surroundings
    from holdfast.ports.anchors.verifier import Verifier
    from holdfast.ports.clock import Clock
    from holdfast.ports.encryption.ciphering import Cipher, KeyRing
    from holdfast.ports.heuristics import Heuristics
    from holdfast.ports.store.store import Store, Transaction
    from holdfast.usecases.review.conflicts import Conflict

__all__ = ["FEW", "Remember", "RememberOutcome", "Remembered", "remember_all"]

FEW = 20
"""A person's batch of at most this many claims is compared with the store and with itself."""

_PLAIN = "a claim in clear cannot replace it. Remember the new one as sensitive too."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Batch:
    """The unit of work of the requests that are remembered together."""

    seen: View
    tx: Transaction
    clock: Clock
    is_alone: bool
    heuristics: Heuristics
    cipher: Cipher | None = None
    keys: KeyRing | None = None


@repeatable
def remember_all(  # noqa: PLR0913 - the ports of the verb
    wishes: Sequence[Remember],
    *,
    store: Store,
    clock: Clock,
    surroundings: Surroundings,
    verifier: Verifier | None = None,
    heuristics: Heuristics,
    keys: KeyRing | None = None,
) -> Sequence[Remembered]:
    """Remember many claims in one unit of work: all of them are durable, or none.

    Raises:
        InvalidError: A claim is wrong; of several, the fact ``index`` tells which.
        TooManyWaitingError: A claim would become a candidate beyond its limit.
        ProposedTooFastError: The same, within the last hour.
        NoKeyError: A claim is sensitive, and there is no key to encrypt it with.
    """
    place = surroundings.place()
    cipher = _cipher(wishes, keys)
    prepared = each_claim(
        wishes,
        lambda wish: prepare(
            worded(wish, store=store, clock=clock), place, surroundings=surroundings, clock=clock
        ),
    )
    prepared = identified_all(prepared, verifier)
    with store.reading() as tx:
        seen = view(place, tx=tx, verifier=verifier)
    with store.writing(clock.now()) as tx:
        if rewrites := rewrites_in(seen, repo=place.repo, at=clock.now()):
            tx.anchors.past.put_rewrites(rewrites)
        prepared = each_claim(
            prepared,
            lambda item: replace(item, gathered=follow(item.gathered, item.wish.grounds, tx=tx)),
        )
        memories = each_claim(prepared, lambda item: memory_of(item, clock=clock))
        is_alone = len(memories) == 1
        if not is_alone and cipher is None:
            tx.finding.words.expect(memories)
        batch = _Batch(
            seen=seen,
            tx=tx,
            clock=clock,
            is_alone=is_alone,
            heuristics=heuristics,
            cipher=cipher,
            keys=keys,
        )
        kept = each_claim(
            list(zip(prepared, memories, strict=True)),
            lambda one: replace(_keep(*one, batch), cited=one[0].gathered.evidence),
        )
        return kept if is_alone or len(kept) > FEW else _compared(kept, batch)


def _keep(prepared: PreparedClaim, memory: Memory, batch: _Batch) -> Remembered:
    if prepared.wish.sensitive and batch.cipher is not None:
        return _keep_sensitive(prepared, memory, batch, cipher=batch.cipher)
    seen, tx = batch.seen, batch.tx
    gathered = prepared.gathered
    wish = prepared.wish
    again = Restatement(
        memory=memory,
        gathered=gathered,
        stated=wish.stated,
        pinned=wish.pinned,
        label=wish.label,
    )
    found = recognise(memory, tx=tx, view=seen)
    _refuse_plain_successor(found)
    match found:
        case KnownClaim(record=known) if _is_accepted_by_others(known, wish):
            _refuse_flood(memory, wish, tx=tx)
            return _offered(known, again, screened=prepared.screened, tx=tx)
        case KnownClaim(record=known):
            ledger = _ledger(wish, memory, batch)
            return _restated(
                known, again, screened=prepared.screened, ledger=ledger, clock=batch.clock
            )
        case ReplacingClaim(record=standing):
            fields = with_inherited_fields(memory, standing.memory, stated=wish.stated)
            if memory.origin is Origin.HUMAN:
                kept = _superseded(standing, prepared, fields, batch)
            else:
                kept = _added(prepared, fields, batch)
            return _inheriting(memory, wish, kept)
        case _:
            return replace(_added(prepared, memory, batch), twin=found.twin)


def _added(prepared: PreparedClaim, memory: Memory, batch: _Batch) -> Remembered:
    """Add a claim; one that no person said waits for a person."""
    wish, tx, seen = prepared.wish, batch.tx, batch.seen
    is_proposal = memory.origin is not Origin.HUMAN
    if is_proposal:
        _refuse_flood(memory, wish, tx=tx)
    rejected = rejection_of(memory, tx=tx, view=seen) if is_proposal else ""
    record = add_claim(prepared, memory, tx=tx)
    return Remembered(
        record=record,
        outcome=RememberOutcome.ADDED,
        screened=prepared.screened,
        conflicts=_contradicted(record, batch),
        not_applied=("pinned",) if is_proposal and wish.pinned else (),
        rejected=rejected,
    )


def _superseded(
    standing: MemoryRecord, prepared: PreparedClaim, memory: Memory, batch: _Batch
) -> Remembered:
    """Keep a claim in place of all that are accepted under its key; undo takes this back."""
    tx, ledger = batch.tx, _ledger(prepared.wish, memory, batch)
    olds = _under_its_key(standing, memory, batch)
    record = add_claim(prepared, memory, tx=tx, ledger=ledger, replaced=olds)
    note_elsewhere(record, tx=tx, view=batch.seen, heuristics=batch.heuristics)
    done = Remembered(record=record, outcome=RememberOutcome.SUPERSEDED, screened=prepared.screened)
    return _replacing(olds, done, ledger, batch)


def _under_its_key(standing: MemoryRecord, memory: Memory, batch: _Batch) -> list[MemoryRecord]:
    """Return the accepted memories that a claim replaces, the recognised one first."""
    others = accepted_under_key(memory, tx=batch.tx, view=batch.seen)
    return list({one.memory.id: one for one in (standing, *others)}.values())


def _inheriting(memory: Memory, wish: Remember, kept: Remembered) -> Remembered:
    """Name the fields that a memory took over from the one that it replaces."""
    names = inherited_names(memory, kept.record, label=wish.label, is_pinned=wish.pinned)
    return replace(kept, inherited=names)


def _ledger(wish: Remember, memory: Memory, batch: _Batch) -> DecisionLedger:
    """Return the ledger of the person who said a claim."""
    by = wish.by or memory.source or memory.origin.value
    return DecisionLedger(by=by, at=memory.created_at, tx=batch.tx, heuristics=batch.heuristics)


def _compared(kept: Sequence[Remembered], batch: _Batch) -> list[Remembered]:
    """Tell of each accepted claim of a small batch what it seems to contradict."""
    added = [
        one.record
        for one in kept
        if one.outcome is RememberOutcome.ADDED and one.record.standing.status is Status.ACCEPTED
    ]
    if not added:
        return list(kept)
    found = note_conflicts_of_each(
        added, tx=batch.tx, now=batch.clock.now(), view=batch.seen, heuristics=batch.heuristics
    )
    return [
        replace(one, conflicts=tuple(found[one.record.memory.id]))
        if one.record.memory.id in found
        else one
        for one in kept
    ]


def _cipher(wishes: Sequence[Remember], keys: KeyRing | None) -> Cipher | None:
    """Return the cipher of sensitive claims; nothing is loaded if none is sensitive."""
    if not any(wish.sensitive for wish in wishes):
        return None
    from holdfast.usecases.encryption.keeping import writing_cipher

    return writing_cipher(keys)


def _refuse_flood(memory: Memory, wish: Remember, *, tx: Transaction) -> None:
    refuse_flood(memory, most=wish.most_waiting, most_hourly=wish.most_hourly, tx=tx)


def _refuse_plain_successor(found: Identity) -> None:
    """Refuse a claim in clear that would replace a sensitive memory under its key.

    Raises:
        SensitiveError: It would.
    """
    if isinstance(found, ReplacingClaim) and is_sensitive(found.record.memory):
        from holdfast.domain.encryption.errors import SensitiveError

        raise SensitiveError(memory_id=found.record.memory.id, problem=_PLAIN)


def _keep_sensitive(
    prepared: PreparedClaim, memory: Memory, batch: _Batch, *, cipher: Cipher
) -> Remembered:
    """Keep a claim whose text nobody but the holder of the key may read."""
    from holdfast.domain.encryption.placeholder import placeholder
    from holdfast.usecases.encryption.keeping import (
        add_sensitive,
        recognise_sensitive,
        refuse_removed,
        refuse_unencryptable,
    )

    seen, tx, wish = batch.seen, batch.tx, prepared.wish
    refuse_unencryptable(memory)
    refuse_removed(cipher, batch.keys)
    found = recognise_sensitive(memory, tx=tx, view=seen, cipher=cipher)
    kept = replace(prepared.screened, text=placeholder(memory.kind, memory.id))
    if isinstance(found, KnownClaim):
        return Remembered(record=found.record, outcome=RememberOutcome.KNOWN, screened=kept)
    is_person = memory.origin is Origin.HUMAN
    if not is_person:
        _refuse_flood(memory, wish, tx=tx)
    fields, olds = memory, list[MemoryRecord]()
    if isinstance(found, ReplacingClaim):
        fields = with_inherited_fields(memory, found.record.memory, stated=wish.stated)
        olds = _under_its_key(found.record, memory, batch) if is_person else []
    standing = first_standing(prepared, memory, tx=tx, replaced=olds)
    spans = prepared.gathered.spans
    ledger = _ledger(wish, memory, batch) if olds else None
    record = add_sensitive(fields, standing, tx=tx, cipher=cipher, spans=spans, ledger=ledger)
    link_to_parents(prepared, memory, tx=tx)
    done = Remembered(record=record, outcome=RememberOutcome.ADDED, screened=kept)
    if isinstance(found, ReplacingClaim):
        done = _inheriting(memory, wish, done)
    return done if ledger is None else _replacing(olds, done, ledger, batch)


def _replacing(
    olds: Sequence[MemoryRecord], done: Remembered, ledger: DecisionLedger, batch: _Batch
) -> Remembered:
    """Supersede the memories under the key of a claim, as one decision."""
    for old in olds:
        ledger.supersede(old, done.record)
    return replace(
        done,
        outcome=RememberOutcome.SUPERSEDED,
        replaced=olds[0],
        decision=ledger.close(Action.RENEW, entropy=batch.clock.entropy()),
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
    return Remembered(
        record=done.record,
        outcome=_outcome_of(done),
        screened=screened,
        replaced=done.replaced,
        changed=done.changed,
        not_applied=not_applied(known, wish),
        decision=done.decision,
    )


def _outcome_of(done: Restated) -> RememberOutcome:
    if done.replaced is not None:
        return RememberOutcome.RENEWED
    return RememberOutcome.EVIDENCE_ADDED if done.is_stronger else RememberOutcome.KNOWN


def _contradicted(record: MemoryRecord, batch: _Batch) -> tuple[Conflict, ...]:
    """Store what a claim seems to contradict, for candidates before anybody accepts them.

    A person's claim is accepted at once; for a single claim and for a few of them the person is
    told of conflicts. Many claims at once are an import; ``curate`` finds the contradictions in
    it.
    """
    tx, seen, heuristics = batch.tx, batch.seen, batch.heuristics
    if record.standing.status is not Status.CANDIDATE and not batch.is_alone:
        note_elsewhere(record, tx=tx, view=seen, heuristics=heuristics)
        return ()
    at = record.memory.created_at
    return tuple(note_conflicts(record, tx=tx, now=at, view=seen, heuristics=heuristics))
