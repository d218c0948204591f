"""Revert: undo everything that ever came from one source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import LIVE, EvidenceType, LinkKind, Status
from holdfast.domain.errors import BadFieldError
from holdfast.domain.memory.decision import Action
from holdfast.domain.memory.memory import Tombstone
from holdfast.domain.memory.selection import Selection
from holdfast.domain.review_errors import NothingOfThatSourceError
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.anchors.verify import every
from holdfast.usecases.forgotten_places import gone_text, remove_traces
from holdfast.usecases.forgotten_records import forget_in_store, left_in_store
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.review.deciding import DecisionLedger
from holdfast.usecases.review.offers import bury
from holdfast.usecases.screening import screened, scrubbed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.decision import Decision
    from holdfast.domain.memory.evidence import Evidence
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.review.traces import GoneText, Trace
    from holdfast.ports.anchors.surroundings import Surroundings
    from holdfast.ports.clock import Clock
    from holdfast.ports.heuristics import Heuristics
    from holdfast.ports.pages.files import Traces
    from holdfast.ports.store.store import Store, Transaction

_SAID_THERE = frozenset({EvidenceType.TURN, EvidenceType.JOB_RUN})


@dataclass(frozen=True, slots=True, kw_only=True)
class Revert:
    """A request to revert everything from a source; ``forgets`` also erases every byte of it."""

    source: str
    by: str
    reason: str = ""
    forgets: bool = False
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reverted:
    """The memories of the source, those derived from it, those it superseded, and its evidence.

    ``restored`` are memories that it had superseded and that are accepted again. ``handed_on`` are
    memories that it had superseded and that have another successor since. ``not_yet`` says why
    bytes of forgotten memories are still in a file, if they could not be removed. ``traces`` are
    the places outside the store that contained a forgotten text, and those in it that keep it.
    """

    contributed: tuple[MemoryRecord, ...] = ()
    derived: tuple[MemoryRecord, ...] = ()
    restored: tuple[MemoryRecord, ...] = ()
    handed_on: tuple[tuple[MemoryRecord, MemoryRecord], ...] = ()
    strengthened: tuple[tuple[MemoryRecord, tuple[Evidence, ...]], ...] = ()
    decision: Decision | None = None
    not_yet: str = ""
    traces: tuple[Trace, ...] = ()

    @property
    def memories(self) -> tuple[MemoryRecord, ...]:
        """All memories that are reverted."""
        return self.contributed + self.derived


def revert(
    wish: Revert,
    *,
    store: Store,
    clock: Clock,
    surroundings: Surroundings,
    heuristics: Heuristics,
    traces_of: Callable[[str | None], Sequence[Traces]],
) -> Reverted:
    """Reject or forget the memories of a source and those derived from them, in one step.

    Forgotten texts are then removed from pages and generated files.

    Raises:
        NothingOfThatSourceError: Nothing came from the source, or it is already reverted.
    """
    done, gone = _reverted(
        wish, store=store, clock=clock, surroundings=surroundings, heuristics=heuristics
    )
    if wish.dry_run or not wish.forgets:
        return done
    found = {
        trace: None
        for repo, texts in gone.items()
        for trace in remove_traces(texts, traces_of(repo))
    }
    with store.reading() as tx:
        texts = [one for some in gone.values() for one in some]
        found |= dict.fromkeys(left_in_store(texts, tx=tx))
    return replace(done, not_yet=scrubbed(store), traces=tuple(found))


_Gone = dict[str | None, list["GoneText"]]
"""The forgotten texts, by the repository of their memories."""


@repeatable
def _reverted(
    wish: Revert, *, store: Store, clock: Clock, surroundings: Surroundings, heuristics: Heuristics
) -> tuple[Reverted, _Gone]:
    now, person = clock.now(), screened(wish.by, what="name")
    if not wish.source.strip():
        raise BadFieldError(field="source", problem="is missing.")
    reason = screened(wish.reason, what="reason") or f"everything from {wish.source} was reverted"
    space = Selection(space=surroundings.place().space)
    if wish.dry_run:
        with store.reading() as tx:
            return _meant(wish, space, tx=tx), {}
    with store.writing(now) as tx:
        meant = _meant(wish, space, tx=tx)
        ledger = DecisionLedger(by=person, at=now, tx=tx, heuristics=heuristics)
        for old in meant.restored:
            ledger.settle(old, Status.ACCEPTED)
        for old, successor in meant.handed_on:
            ledger.supersede(old, successor)
        for record, evidence in meant.strengthened:
            ledger.withdraw(record, evidence)
        if wish.forgets:
            return meant, _forget(meant.memories, ledger, reason=reason)
        decision = _reject(meant.memories, ledger, clock, reason=reason)
        return replace(meant, decision=decision), {}


def _reject(
    records: Iterable[MemoryRecord], ledger: DecisionLedger, clock: Clock, *, reason: str
) -> Decision | None:
    for record in records:
        ledger.settle(record, Status.REJECTED, reason=reason)
    return ledger.close(Action.REVERT, entropy=clock.entropy())


def _forget(records: Sequence[MemoryRecord], ledger: DecisionLedger, *, reason: str) -> _Gone:
    """Forget memories of the source; forgetting cannot be undone, so no decision is stored."""
    gone: _Gone = {}
    for record in records:
        gone.setdefault(record.memory.repo, []).append(gone_text(record, tx=ledger.tx))
    for record in records:
        grave = Tombstone(
            memory_id=record.memory.id,
            forgotten_at=ledger.at,
            forgotten_by=ledger.by,
            reason=reason,
        )
        bury(grave, tx=ledger.tx)
    forget_in_store([one for some in gone.values() for one in some], tx=ledger.tx)
    return gone


def _meant(wish: Revert, space: Selection, *, tx: Transaction) -> Reverted:
    own = list(every(replace(space, source=wish.source), tx=tx))
    derived = _derived([one.memory.id for one in own], tx=tx)
    going = {one.memory.id: one for one in (*own, *derived)}
    meant = Reverted(
        contributed=tuple(own if wish.forgets else _live(own)),
        derived=tuple(derived if wish.forgets else _live(derived)),
        restored=tuple(_replaced(going, tx=tx)),
        handed_on=tuple(_handed_on(going, tx=tx)),
        strengthened=tuple(_strengthened(wish.source, going, space, tx=tx)),
    )
    if not (meant.memories or meant.strengthened):
        raise NothingOfThatSourceError(wish.source)
    return meant


def _live(records: Iterable[MemoryRecord]) -> list[MemoryRecord]:
    """Return the memories that are accepted, candidates, or superseded and could be restored."""
    return [one for one in records if one.standing.status in LIVE | {Status.SUPERSEDED}]


def _derived(names: list[MemoryId], *, tx: Transaction) -> list[MemoryRecord]:
    """Return the memories derived from these, directly or indirectly."""
    found: dict[MemoryId, None] = {}
    known, due = set(names), list(names)
    while due:
        links = tx.links.among(due)
        due = [
            link.src
            for link in links
            if link.kind == LinkKind.DERIVED_FROM and link.dst in known and link.src not in known
        ]
        known |= set(due)
        found |= dict.fromkeys(due)
    return list(tx.memories.get_many(found).values())


def _replaced(going: Mapping[MemoryId, MemoryRecord], *, tx: Transaction) -> list[MemoryRecord]:
    """Return the memories superseded by reverted ones that are accepted and not reverted."""
    olds = {
        link.dst: None
        for link in tx.links.among(sorted(going))
        if link.kind == LinkKind.SUPERSEDES and link.src in going and link.dst not in going
    }
    return [
        record for record in tx.memories.get_many(olds).values() if _gave_way(record, going=going)
    ]


def _handed_on(
    going: Mapping[MemoryId, MemoryRecord], *, tx: Transaction
) -> Iterable[tuple[MemoryRecord, MemoryRecord]]:
    """Yield the memories superseded by reverted ones, with the current successors of those."""
    for name, record in going.items():
        successor = _successor(record, going)
        if successor is None:
            continue
        olds = [
            link.dst
            for link in tx.links.touching(name)
            if link.kind == LinkKind.SUPERSEDES and link.src == name and link.dst not in going
        ]
        found = tx.memories.get_many([successor, *olds])
        stands = found.get(successor)
        for old in olds:
            gave_way = old in found and found[old].standing.superseded_by == name
            if gave_way and stands is not None and old != successor:
                yield found[old], stands


def _successor(record: MemoryRecord, going: Mapping[MemoryId, MemoryRecord]) -> MemoryId | None:
    """Return the first successor of a memory that is not reverted itself."""
    seen: set[MemoryId] = set()
    name = record.standing.superseded_by
    while name is not None and name in going:
        if name in seen:
            return None
        seen.add(name)
        name = going[name].standing.superseded_by
    return name


def _gave_way(record: MemoryRecord, *, going: Mapping[MemoryId, MemoryRecord]) -> bool:
    """Tell whether the current successor of a memory is one of the reverted ones."""
    seen: set[MemoryId] = set()
    standing = record.standing
    while standing.status is Status.SUPERSEDED:
        successor = standing.superseded_by
        if successor is None or successor not in going or successor in seen:
            return False
        seen.add(successor)
        standing = going[successor].standing
    return bool(seen) and standing.status is Status.ACCEPTED


def _strengthened(
    source: str, going: Collection[MemoryId], space: Selection, *, tx: Transaction
) -> Iterable[tuple[MemoryRecord, tuple[Evidence, ...]]]:
    """Yield the other memories that the source added evidence to, with that evidence."""
    for record in every(space, tx=tx):
        theirs = tuple(item for item in record.added_evidence if _is_from(item, source))
        if theirs and record.memory.id not in going:
            yield record, theirs


def _is_from(item: Evidence, source: str) -> bool:
    if item.facts.get("source") == source:
        return True
    said_there = item.reference == source or item.reference.startswith(f"{source}#")
    return item.type in _SAID_THERE and said_there
