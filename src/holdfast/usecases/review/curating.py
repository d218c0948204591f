"""Curating: check all memories of a place, and report problems with the command for each."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from holdfast.domain.checks.check import checks_in
from holdfast.domain.choices import LIVE, EvidenceType, Kind, Status
from holdfast.domain.encryption.placeholder import is_sensitive
from holdfast.domain.memory.anchor import Verdict
from holdfast.domain.memory.lifetime import in_words
from holdfast.domain.memory.selection import Selection
from holdfast.domain.review.curation import (
    Concern,
    HealthPoint,
    MemoryTrouble,
    Remedy,
    Severity,
    TidyStep,
    counted,
    health_score,
    in_order,
    is_over_general,
)
from holdfast.domain.values import dataclass, field
from holdfast.usecases.anchors.checking import (
    EvidenceVerdicts,
    ViewPorts,
    check_evidence,
    cited,
    view,
)
from holdfast.usecases.anchors.verify import every
from holdfast.usecases.review.conflicts import conflicts_of_each, open_conflicts
from holdfast.usecases.review.duplicates import duplicates
from holdfast.usecases.review.pair_reading import PairReadings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime

    from holdfast.domain.ids import MemoryId, SpanId
    from holdfast.domain.memory.anchor import Checked, Sighting
    from holdfast.domain.memory.evidence import Span
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.memory.place import Place
    from holdfast.domain.memory.selection import View
    from holdfast.ports.anchors.surroundings import Surroundings
    from holdfast.ports.anchors.verifier import Verifier
    from holdfast.ports.clock import Clock
    from holdfast.ports.heuristics import Heuristics
    from holdfast.ports.store.store import Store, Transaction
    from holdfast.usecases.review.conflicts import Conflict

UNREVIEWED = timedelta(days=14)
UNUSED = timedelta(days=90)
_MOST_CONFLICTS = 200
_HELD_AGAINST_OTHERS = 50
_CHECKABLE = frozenset({EvidenceType.SPAN, EvidenceType.COMMIT})
_GOVERNING = frozenset({Kind.RULE, Kind.INVARIANT})


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """The findings of a survey, the most urgent first, and the health score.

    A memory that contradicts several others is one finding; ``conflicts`` counts all pairs.
    """

    concerns: tuple[Concern, ...]
    health: HealthPoint
    conflicts: int = 0
    records: Mapping[MemoryId, MemoryRecord] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sight:
    """Everything a survey reads: live memories, their verdicts, conflicts and pinned places."""

    records: Mapping[MemoryId, MemoryRecord]
    checks: Mapping[MemoryId, tuple[Checked, ...]]
    conflicts: tuple[Conflict, ...]
    pins: tuple[tuple[Span, Sighting], ...]
    now: datetime
    notes: tuple[str, ...] = ()

    @property
    def readable(self) -> Mapping[MemoryId, MemoryRecord]:
        """The memories whose text can be judged; that of sensitive ones is encrypted."""
        return {name: one for name, one in self.records.items() if not is_sensitive(one.memory)}


def survey(
    *,
    store: Store,
    clock: Clock,
    surroundings: Surroundings,
    verifier: Verifier | None,
    heuristics: Heuristics,
    read: PairReadings | None = None,
) -> Survey:
    """Check every memory that reaches this place; nothing is changed.

    A memory is reported once, with its worst problem. The cost grows with the number of memories,
    not with its square. What a model suspects about pairs is reported after everything else.
    """
    place = surroundings.place()
    sight = _look(
        place,
        store=store,
        clock=clock,
        surroundings=surroundings,
        verifier=verifier,
        heuristics=heuristics,
    )
    told: set[MemoryId] = set()
    concerns: list[Concern] = []
    pairs = tuple(_about_pairs(sight))
    for found in (*pairs, *_about_each(sight, heuristics=heuristics)):
        if told.isdisjoint(found.losing):
            told.update(found.losing)
            concerns.append(found)
    concerns += _about_pins(sight)
    read = read or PairReadings()
    concerns += _about_advice(read, sight)
    unproven = sum(
        not _is_checkable(record) for name, record in sight.records.items() if name not in told
    )
    live = len(sight.records)
    point = HealthPoint(
        at=sight.now,
        place=place.repo or "",
        score=health_score(concerns, live=live, unproven=unproven),
        live=live,
        counts=counted(concerns),
    )
    return Survey(
        concerns=in_order(concerns),
        health=point,
        conflicts=len(pairs),
        records=sight.records,
        notes=(*sight.notes, read.note) if read.note else sight.notes,
    )


def _look(
    place: Place,
    *,
    store: Store,
    clock: Clock,
    surroundings: Surroundings,
    verifier: Verifier | None,
    heuristics: Heuristics,
) -> _Sight:
    now, repo = clock.now(), place.repo
    noted = open_conflicts(
        store=store,
        clock=clock,
        ports=ViewPorts(surroundings=surroundings, verifier=verifier),
        limit=_MOST_CONFLICTS,
        heuristics=heuristics,
    )
    with store.reading() as tx:
        here = view(place, tx=tx, verifier=verifier)
        selection = Selection(place=place, statuses=LIVE, view=here)
        records = {one.memory.id: one for one in every(selection, tx=tx)}
        asked = cited(records.values(), repo=repo, tx=tx)
        unnoted = tuple(_clashing(records, here, tx=tx, now=now, heuristics=heuristics))
        pinned = () if repo is None else tuple(tx.anchors.spans.pinned(repo))
    testimony = EvidenceVerdicts()
    seen: Mapping[SpanId, Sighting] = {}
    if verifier is not None:
        testimony = check_evidence(asked, repo=repo, at=now, verifier=verifier)
        seen = verifier.examine(pinned) if pinned and not testimony.note else {}
    return _Sight(
        records=records,
        checks=testimony.by_memory,
        conflicts=(*noted, *unnoted),
        pins=tuple((span, seen[span.id]) for span in pinned if span.id in seen),
        now=now,
        notes=(testimony.note,) if testimony.note else (),
    )


def _clashing(
    records: Mapping[MemoryId, MemoryRecord],
    here: View,
    *,
    tx: Transaction,
    now: datetime,
    heuristics: Heuristics,
) -> Iterator[Conflict]:
    """Compare the newest accepted memories with all others; their links may not exist yet."""
    accepted = [one for one in records.values() if one.may_be_recalled_at(now)]
    accepted.sort(key=lambda one: -one.sequence)
    newest = accepted[:_HELD_AGAINST_OTHERS]
    for found in conflicts_of_each(
        newest, tx=tx, now=now, view=here, heuristics=heuristics
    ).values():
        yield from found


def _about_pairs(sight: _Sight) -> Iterator[Concern]:
    seen: set[frozenset[MemoryId]] = set()
    for conflict in sight.conflicts:
        newer, older = conflict.candidate.memory, conflict.standing.memory
        pair = frozenset({newer.id, older.id})
        if pair in seen or newer.id not in sight.records:
            continue
        seen.add(pair)
        yield Concern(
            trouble=MemoryTrouble.CONFLICT,
            memories=(newer.id, older.id),
            why=f"It seems to contradict {older.id}: {conflict.suspicion.reason.rstrip('.')}.",
            remedy=_to_look_at(conflict),
            severity=Severity.WARNING,
        )


def _about_advice(read: PairReadings, sight: _Sight) -> Iterator[Concern]:
    """Report what only a model suspects; it costs no memory any worth."""
    for one in read.conflicts:
        newer, older = one.candidate.memory, one.standing.memory
        if newer.id in sight.records:
            yield Concern(
                trouble=MemoryTrouble.ADVICE,
                memories=(newer.id, older.id),
                why=f"It may contradict {older.id}: {one.suspicion.reason}"
                f" ({one.suspicion.certainty}), and can be wrong.",
                remedy=Remedy.RESOLVE,
            )


def _about_each(sight: _Sight, *, heuristics: Heuristics) -> Iterator[Concern]:
    yield from _stale(sight)
    yield from _junk(sight, heuristics=heuristics)
    yield from _duplicates(sight, heuristics=heuristics)
    readable = sight.readable
    for name, record in sight.records.items():
        waited = sight.now - record.memory.created_at
        is_candidate = record.standing.status is Status.CANDIDATE
        is_sure = record.standing.pinned or _is_checkable(record)
        if name in readable and is_over_general(record.memory.claim) and not is_sure:
            yield Concern(
                trouble=MemoryTrouble.OVER_GENERAL,
                memories=(name,),
                why="It names nothing in particular, and nothing behind it can be checked.",
                remedy=_ending(record),
            )
        elif is_candidate and waited > UNREVIEWED:
            yield Concern(
                trouble=MemoryTrouble.UNREVIEWED,
                memories=(name,),
                why=f"It has waited for {in_words(waited)} for somebody to decide.",
                remedy=Remedy.REVIEW,
                severity=Severity.WARNING,
            )
        elif not is_candidate:
            yield from _lesser(record, sight.now)


def _lesser(record: MemoryRecord, now: datetime) -> Iterator[Concern]:
    """Report minor findings about an accepted memory that is not wrong."""
    memory, name, age = record.memory, record.memory.id, now - record.memory.created_at
    if not (memory.is_live_at(now) or record.standing.pinned):
        yield Concern(
            trouble=MemoryTrouble.EXPIRED,
            memories=(name,),
            why=f"It expired on {memory.expires_at:%Y-%m-%d} and is no longer recalled.",
            remedy=_ending(record),
            step=TidyStep.DEPRECATE,
        )
    elif memory.kind in _GOVERNING and not _is_checkable(record):
        yield Concern(
            trouble=MemoryTrouble.UNCHECKED_RULE,
            memories=(name,),
            why=f"It is a {memory.kind.value}, and it cites no code, commit or check.",
            remedy=Remedy.EXPLAIN,
        )
    elif age > UNUSED and not record.usage.access_count and not record.standing.pinned:
        yield Concern(
            trouble=MemoryTrouble.UNUSED,
            memories=(name,),
            why=f"Nobody was ever given it in {in_words(age)}.",
            remedy=Remedy.SHOW,
        )


def _stale(sight: _Sight) -> Iterator[Concern]:
    for name, checked in sight.checks.items():
        said = [one.sighting.verdict for one in checked]
        doubted = next((one for one in checked if one.sighting.verdict.is_doubtful), None)
        if doubted is None:
            continue
        is_gone = all(verdict is Verdict.ORPHANED for verdict in said)
        record = sight.records[name]
        is_accepted = record.standing.status is Status.ACCEPTED
        yield Concern(
            trouble=MemoryTrouble.STALE,
            memories=(name,),
            why=f"Its evidence {doubted.reference} is {doubted.sighting.words.rstrip('.')}.",
            remedy=_ending(record) if is_gone else Remedy.VERIFY,
            severity=Severity.WARNING,
            step=TidyStep.DEPRECATE if is_gone and is_accepted else None,
            places=_renewable(checked) if is_accepted and name in sight.readable else (),
        )


def _renewable(checked: Iterable[Checked]) -> tuple[str, ...]:
    """Return the current places of all changed evidence; none if one has no place, or several."""
    doubted = [one.sighting for one in checked if one.sighting.verdict.is_doubtful]
    if any(len(one.places) != 1 for one in doubted):
        return ()
    return tuple(dict.fromkeys(one.places[0].reference for one in doubted))


def _junk(sight: _Sight, *, heuristics: Heuristics) -> Iterator[Concern]:
    for name, record in sight.readable.items():
        why = "" if record.standing.pinned else heuristics.objector.objection(record.memory.claim)
        if why:
            is_accepted = record.standing.status is Status.ACCEPTED
            yield Concern(
                trouble=MemoryTrouble.JUNK,
                memories=(name,),
                why=f"It looks like junk: {why}.",
                remedy=_ending(record),
                severity=Severity.WARNING,
                step=TidyStep.DEPRECATE if is_accepted else None,
            )


def _duplicates(sight: _Sight, *, heuristics: Heuristics) -> Iterator[Concern]:
    for stays, doubles in duplicates(sight.readable.values(), heuristics=heuristics):
        yield Concern(
            trouble=MemoryTrouble.DUPLICATE,
            memories=(stays.memory.id, *(one.memory.id for one in doubles)),
            why=f"{len(doubles) + 1} memories say nearly the same; {stays.memory.id} would stay.",
            remedy=Remedy.CONSOLIDATE,
            step=TidyStep.CONSOLIDATE,
        )


def _about_pins(sight: _Sight) -> Iterator[Concern]:
    for span, sighting in sight.pins:
        if sighting.verdict is Verdict.MOVED or sighting.verdict.is_doubtful:
            is_gone = sighting.verdict.is_doubtful
            yield Concern(
                trouble=MemoryTrouble.MOVED_PIN,
                span=span.id,
                why=f"The pinned place {span.reference} is {sighting.words.rstrip('.')}.",
                remedy=Remedy.UNPIN if is_gone else Remedy.SHOW,
                severity=Severity.WARNING if is_gone else Severity.NOTE,
                step=TidyStep.UNPIN if is_gone else None,
            )


def _to_look_at(conflict: Conflict) -> Remedy:
    """Return the remedy of a conflict; it names no winner, because a person decides."""
    is_candidate = conflict.candidate.standing.status is Status.CANDIDATE
    return Remedy.REVIEW if is_candidate else Remedy.RESOLVE


def _is_checkable(record: MemoryRecord) -> bool:
    """Tell whether a place, a commit or a check of its own bears a memory out."""
    has_place = any(item.type in _CHECKABLE for item in record.evidence)
    return has_place or bool(checks_in(record.memory.metadata))


def _ending(record: MemoryRecord) -> Remedy:
    """Return the remedy that rejects a candidate or deprecates an accepted memory."""
    is_candidate = record.standing.status is Status.CANDIDATE
    return Remedy.REJECT if is_candidate else Remedy.DEPRECATE
