"""Take over: import notes and memories of other tools as candidates, each with its place."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING

from holdfast.domain.choices import LIVE, EvidenceType, LinkKind, Scope, Status
from holdfast.domain.errors import InvalidError, NoRepositoryError
from holdfast.domain.memory.evidence import Evidence
from holdfast.domain.memory.identity import KnownClaim, rejected_before
from holdfast.domain.memory.place import Place
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.memory.statement import statement_form
from holdfast.domain.values import dataclass, field, replace
from holdfast.usecases.anchors.checking import view
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.exchange.changed_notes import replaced_notes
from holdfast.usecases.exchange.foreign_links import link_all
from holdfast.usecases.exchange.note_screening import (
    named_note,
    reason_to_hide,
    reason_to_leave,
    shown_note,
)
from holdfast.usecases.memory.known_claims import decided_before, imagined
from holdfast.usecases.memory.remember import Remember, RememberOutcome, remember_all
from holdfast.usecases.review.recognise import recognise
from holdfast.usecases.screening import SecretPolicy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from holdfast.domain.exchange.foreign import Foreign, LeftNote
    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.memory import Memory, MemoryRecord
    from holdfast.domain.memory.place import SpaceId
    from holdfast.domain.memory.selection import View
    from holdfast.ports.anchors.surroundings import Surroundings
    from holdfast.ports.anchors.verifier import Verifier
    from holdfast.ports.clock import Clock
    from holdfast.ports.heuristics import Heuristics
    from holdfast.ports.objector import Objector
    from holdfast.ports.store.store import Store, Transaction
    from holdfast.usecases.exchange.foreign_links import Pair
    from holdfast.usecases.memory.remember import Remembered
    from holdfast.usecases.review.conflicts import Conflict

_BATCH = 100
_ALIKE = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeOver:
    """A request to import notes; a dry run only reports what would happen to each.

    ``left`` are notes that the reader skipped; they are only reported, without their secrets.
    """

    notes: tuple[Foreign, ...]
    left: tuple[LeftNote, ...] = ()
    scope: Scope | None = None
    dry_run: bool = False
    secrets: SecretPolicy = SecretPolicy.REFUSE


class NoteOutcome(StrEnum):
    """What happened to a note."""

    ADDED = "added"
    STRENGTHENED = "strengthened"
    KNOWN = "known"
    LEFT = "left"


_FATES = {
    RememberOutcome.ADDED: NoteOutcome.ADDED,
    RememberOutcome.KNOWN: NoteOutcome.KNOWN,
    RememberOutcome.EVIDENCE_OFFERED: NoteOutcome.STRENGTHENED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedNote:
    """A note, what happened to it and why, and its memory.

    If it contains a secret or hidden characters, its text is removed.
    """

    note: Foreign
    fate: NoteOutcome
    why: str = ""
    record: MemoryRecord | None = None
    conflicts: tuple[Conflict, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenOver:
    """What happened to every note, in order, and how many links were made between them.

    ``outdated`` are earlier candidates whose notes were changed: new ones say it better.
    """

    taken: tuple[ImportedNote, ...] = ()
    left: tuple[LeftNote, ...] = ()
    links: int = 0
    outdated: tuple[MemoryId, ...] = ()

    def with_fate(self, *fates: NoteOutcome) -> tuple[ImportedNote, ...]:
        """Return the notes with one of these fates."""
        return tuple(one for one in self.taken if one.fate in fates)

    def left_by_reason(self) -> dict[str, int]:
        """Return how many were left out for each reason, the most common first."""
        # Only a note that was rejected before is left out with a memory; its id is not a reason.
        whys = [
            "was rejected before" if one.record else one.why.rstrip(".")
            for one in self.with_fate(NoteOutcome.LEFT)
        ]
        whys += [one.why for one in self.left]
        return dict(Counter(whys).most_common())


def take_over(
    wish: TakeOver,
    *,
    store: Store,
    clock: Clock,
    surroundings: Surroundings,
    verifier: Verifier | None = None,
    heuristics: Heuristics,
) -> TakenOver:
    """Import notes as candidates; known claims are not duplicated, and nothing is approved.

    A claim that was rejected or superseded here does not come back through another import.

    Raises:
        NoRepositoryError: The scope is the repository, and there is no repository here.
    """
    if wish.scope is Scope.REPO and surroundings.place().repo is None:
        raise NoRepositoryError
    left = tuple(shown_note(one, wish.secrets) for one in wish.left)
    with store.reading() as tx:
        here = view(surroundings.place(), tx=tx, verifier=verifier)
        looking = _Looking(view=here, tx=tx)
        plan = _planned(
            wish, looking, surroundings=surroundings, now=clock.now(), objector=heuristics.objector
        )
        if wish.dry_run:
            found = _replaced(plan, looking.new, space=surroundings.place().space, tx=tx)
            outdated = _outdated([old for _, old in found])
            return TakenOver(taken=tuple(plan), left=left, outdated=outdated)
    keep = partial(
        remember_all,
        store=store,
        clock=clock,
        surroundings=surroundings,
        verifier=verifier,
        heuristics=heuristics,
    )
    taken: list[ImportedNote] = []
    for start in range(0, len(plan), _BATCH):
        taken += _kept(plan[start : start + _BATCH], wish, keep)
    over = {one.record.memory.id for one in taken if one.record and _is_over(one)}
    with store.reading() as tx:
        changed = _changed(taken, space=surroundings.place().space, tx=tx)
    link_all(changed, over=over, store=store, clock=clock)
    links = link_all(_pairs(taken), over=over, store=store, clock=clock)
    outdated = _outdated([old for _, old, _ in changed])
    with store.reading() as tx:
        stand = tuple(_as_they_stand(taken, tx=tx))
    return TakenOver(taken=stand, left=left, links=links, outdated=outdated)


def _planned(
    wish: TakeOver,
    looking: _Looking,
    *,
    surroundings: Surroundings,
    now: datetime,
    objector: Objector,
) -> list[ImportedNote]:
    """Return what would happen to each note, without writing anything."""
    plan: list[ImportedNote] = []
    said: dict[str, ImportedNote] = {}
    for given in wish.notes:
        note = named_note(given, wish.secrets)
        if reason := reason_to_hide(note, wish.secrets):
            wordless = replace(note, claim="", key=None, tags=(), name="", links=())
            plan.append(ImportedNote(note=wordless, fate=NoteOutcome.LEFT, why=reason))
        elif reason := reason_to_leave(note, objector):
            plan.append(ImportedNote(note=note, fate=NoteOutcome.LEFT, why=reason))
        elif (same := statement_form(note.claim)) in said:
            plan.append(_said_again(note, said[same]))
        else:
            wished, evidence = _wished(note, wish), (_evidence(note),)
            memory = imagined(wished, evidence, surroundings=surroundings, now=now)
            said[same] = _looked_up(note, memory, looking)
            plan.append(said[same])
            if note.is_here and said[same].fate is NoteOutcome.ADDED:
                looking.new.append(replace(memory, source=note.source))
    return plan


def _said_again(note: Foreign, first: ImportedNote) -> ImportedNote:
    """Return what happens to a note that repeats an earlier note of the same import.

    It shares the fate of the earlier one: it adds a second place to the same memory, whatever kind
    its own section gives it, or nothing if people decided against the claim.
    """
    if first.record is not None and first.record.standing.status not in LIVE:
        return replace(first, note=note)
    same = replace(note, kind=first.note.kind, key=first.note.key)
    fate = NoteOutcome.STRENGTHENED if first.fate is NoteOutcome.STRENGTHENED else NoteOutcome.KNOWN
    return ImportedNote(note=same, fate=fate, why=f"{first.note.place} says the same")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Looking:
    """The transaction in which notes are compared, and the view of this checkout.

    ``new`` are the memories that files of this repository would add.
    """

    view: View
    tx: Transaction
    new: list[Memory] = field(default_factory=list)


def _looked_up(note: Foreign, memory: Memory, looking: _Looking) -> ImportedNote:
    if other := _of_another_kind(memory, looking):
        kind, key = other.memory.kind, other.memory.key
        note, memory = replace(note, kind=kind, key=key), replace(memory, kind=kind, key=key)
    match recognise(memory, tx=looking.tx, view=looking.view):
        case KnownClaim(record=record):
            is_from_here = record.memory.source == note.source
            fate = NoteOutcome.KNOWN if is_from_here else NoteOutcome.STRENGTHENED
            why = f"{record.memory.id} says it already"
            return ImportedNote(note=note, fate=fate, why=why, record=record)
        case _:
            return _told_before(note, memory, looking) or ImportedNote(
                note=note, fate=NoteOutcome.ADDED
            )


def _of_another_kind(memory: Memory, looking: _Looking) -> MemoryRecord | None:
    """Return the memory with the same words and another kind; a key identifies by itself."""
    if memory.key is not None:
        return None
    same = Selection(
        space=memory.space,
        place=Place(space=memory.space, workspace=memory.workspace, repo=memory.repo),
        scopes=frozenset({memory.scope}),
        statuses=LIVE,
        near_claim=memory.claim,
        view=looking.view,
    )
    said = statement_form(memory.claim)
    found = looking.tx.memories.find(same, Page(limit=_ALIKE))
    return next((one for one in found if statement_form(one.memory.claim) == said), None)


def _told_before(note: Foreign, memory: Memory, looking: _Looking) -> ImportedNote | None:
    """Return what was decided about the same claim before."""
    for record in decided_before(memory, tx=looking.tx, view=looking.view):
        if record.standing.status is Status.REJECTED:
            return ImportedNote(
                note=note, fate=NoteOutcome.LEFT, why=rejected_before(record), record=record
            )
        why = f"{record.memory.id} said it, and is {record.standing.status.value}"
        return ImportedNote(note=note, fate=NoteOutcome.KNOWN, why=why, record=record)
    return None


def _kept(
    plan: Sequence[ImportedNote],
    wish: TakeOver,
    keep: Callable[[Sequence[Remember]], Sequence[Remembered]],
) -> list[ImportedNote]:
    """Write a batch; if one of its notes cannot be stored, try each one separately."""
    meant = [one for one in plan if _is_to_be_written(one)]
    try:
        told = keep([_wished(one.note, wish) for one in meant])
    except InvalidError as error:
        if len(plan) == 1:
            return [replace(plan[0], fate=NoteOutcome.LEFT, why=str(error))]
        return [after for one in plan for after in _kept([one], wish, keep)]
    written = dict(zip(map(id, meant), told, strict=True))
    return [_after(one, written.get(id(one))) for one in plan]


def _is_to_be_written(one: ImportedNote) -> bool:
    """Tell whether a note adds something: a new claim, or another place of a known one."""
    return one.fate in {NoteOutcome.ADDED, NoteOutcome.STRENGTHENED} or (
        one.fate is NoteOutcome.KNOWN and one.record is None
    )


def _after(one: ImportedNote, told: Remembered | None) -> ImportedNote:
    if told is None:
        return one
    record = told.known or told.record
    fate = _FATES.get(told.outcome, one.fate)
    if fate is NoteOutcome.ADDED and told.outcome is RememberOutcome.EVIDENCE_ADDED:
        # An earlier note of this import has nearly the same words.
        fate = NoteOutcome.KNOWN
    if fate is NoteOutcome.KNOWN and not one.why:
        one = replace(one, why=f"{record.memory.id} says it already")
    return replace(one, fate=fate, record=record, conflicts=told.conflicts)


def _wished(note: Foreign, wish: TakeOver) -> Remember:
    written = {} if note.created_at is None else {"written": note.created_at.isoformat()}
    grounds = Grounds(places=(note.place,)) if note.is_here else Grounds(given=(_evidence(note),))
    # The texts were screened before; the names contain no secrets.
    is_screened = wish.secrets is SecretPolicy.REFUSE
    return Remember(
        claim=note.claim,
        grounds=grounds,
        kind=note.kind,
        scope=wish.scope,
        key=note.key,
        tags=note.tags,
        metadata={"imported": note.place, **written},
        origin=note.origin,
        source=note.source,
        secrets=SecretPolicy.ALLOW if is_screened else wish.secrets,
    )


def _evidence(note: Foreign) -> Evidence:
    facts = {"import": note.source}
    if note.created_at is not None:
        facts["written"] = note.created_at.isoformat()
    return Evidence(type=EvidenceType.STATEMENT, reference=f"written in {note.place}", facts=facts)


def _changed(taken: Sequence[ImportedNote], *, space: SpaceId, tx: Transaction) -> list[Pair]:
    """Return the new memories from files of this repository, with those that they replace."""
    new = {
        one.record.memory.id: one.record
        for one in taken
        if one.note.is_here and one.record is not None and one.fate is NoteOutcome.ADDED
    }
    pairs = _replaced(taken, [one.memory for one in new.values()], space=space, tx=tx)
    return [(new[one.id], old, LinkKind.SUPERSEDES) for one, old in pairs]


def _replaced(
    taken: Sequence[ImportedNote], new: Sequence[Memory], *, space: SpaceId, tx: Transaction
) -> list[tuple[Memory, MemoryRecord]]:
    read = {one.record.memory.id for one in taken if one.note.is_here and one.record is not None}
    return replaced_notes(new, read, space=space, tx=tx)


def _outdated(old: Sequence[MemoryRecord]) -> tuple[MemoryId, ...]:
    return tuple(one.memory.id for one in old if one.standing.status is Status.CANDIDATE)


def _pairs(taken: Sequence[ImportedNote]) -> list[Pair]:
    """Return the pairs of memories whose notes were both imported and are linked."""
    here = [one for one in taken if one.fate is not NoteOutcome.LEFT]
    ends: dict[str, MemoryRecord] = {}
    for one in here:
        if one.note.name and one.record is not None:
            ends.setdefault(one.note.name.casefold(), one.record)
    pairs = [
        (one.record, ends[link.to.casefold()], link.kind)
        for one in here
        for link in one.note.links
        if one.record is not None and link.to.casefold() in ends
    ]
    return [pair for pair in pairs if pair[0].memory.id != pair[1].memory.id]


def _is_over(one: ImportedNote) -> bool:
    return one.fate is NoteOutcome.ADDED and one.note.status is Status.SUPERSEDED


def _as_they_stand(taken: Sequence[ImportedNote], *, tx: Transaction) -> list[ImportedNote]:
    now = tx.memories.get_many(one.record.memory.id for one in taken if one.record is not None)
    return [
        one if one.record is None else replace(one, record=now[one.record.memory.id])
        for one in taken
    ]
