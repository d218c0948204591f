"""Judge: compare candidates with accepted memories by a plug-in, and update the suspicions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import LinkKind, Status
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.review.suspicion import Clash
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.naming import check_limit
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.review.conflicts import Conflict, conflicts_of, contradicting
from holdfast.usecases.review.rivals import rivals_of_each

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.memory.selection import View
    from holdfast.domain.review.suspicion import Suspicion
    from holdfast.ports.clock import Clock
    from holdfast.ports.heuristics import Heuristics
    from holdfast.ports.judge import Judge
    from holdfast.ports.store.store import Store, Transaction
    from holdfast.usecases.anchors.checking import ViewPorts

_ASKED_ABOUT = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedConflicts:
    """The conflicts that a judge added, and those whose suspicion it withdrew."""

    added: tuple[Conflict, ...] = ()
    withdrawn: tuple[Conflict, ...] = ()

    def worded(self, conflict: Conflict) -> Conflict:
        """Return a conflict with the judge's own reason, which its link does not keep."""
        if conflict.suspicion.clash is not Clash.JUDGED:
            return conflict
        ends = {conflict.candidate.memory.id, conflict.standing.memory.id}
        for one in self.added:
            if {one.candidate.memory.id, one.standing.memory.id} == ends:
                return replace(conflict, suspicion=one.suspicion)
        return conflict


def judge_conflicts(
    *,
    judge: Judge,
    store: Store,
    clock: Clock,
    ports: ViewPorts,
    limit: int,
    heuristics: Heuristics,
) -> JudgedConflicts:
    """Ask a judge about the newest candidates, and store its answers as links.

    The judge runs between the transactions, so it holds no lock. It settles nothing: a person
    still decides about what it adds, and can undo what it withdraws.
    """
    check_limit(limit)
    now, place = clock.now(), ports.surroundings.place()
    with store.reading() as tx:
        seen = ports.view(tx)
        waiting = Selection(place=place, statuses=frozenset({Status.CANDIDATE}), view=seen)
        records = tx.memories.find(waiting, Page(limit=limit))
        pairs = [
            pair
            for record in records
            for pair in _pairs(record, seen, tx=tx, now=now, heuristics=heuristics)
        ]
    added: list[Conflict] = []
    withdrawn: list[Conflict] = []
    for newer, older, found in pairs:
        said = judge.judged(newer.memory.claim, older.memory.claim, found)
        if said is None and found is not None:
            withdrawn.append(Conflict(candidate=newer, standing=older, suspicion=found))
        elif said is not None and said != found:
            added.append(Conflict(candidate=newer, standing=older, suspicion=said))
    return _noted(added, withdrawn, at=now, store=store)


@repeatable
def _noted(
    added: Sequence[Conflict], withdrawn: Sequence[Conflict], *, at: datetime, store: Store
) -> JudgedConflicts:
    """Keep what a judge said; it is not asked again when that has to be repeated."""
    with store.writing(at) as tx:
        return JudgedConflicts(added=_kept(added, tx=tx), withdrawn=_dropped(withdrawn, tx=tx))


def _pairs(
    record: MemoryRecord, seen: View, *, tx: Transaction, now: datetime, heuristics: Heuristics
) -> list[tuple[MemoryRecord, MemoryRecord, Suspicion | None]]:
    """Return the pairs that the rules suspect, and the nearest few that they do not."""
    found = conflicts_of(record, tx=tx, now=now, view=seen, heuristics=heuristics)
    suspected = {one.standing.memory.id: one for one in found}
    linked = {link.other_end(record.memory.id) for link in tx.links.touching(record.memory.id)}
    others = [
        rival
        for rival in rivals_of_each([record], tx=tx, now=now, view=seen, heuristics=heuristics)[
            record.memory.id
        ]
        if rival.memory.id not in suspected and rival.memory.id not in linked
    ]
    return [
        *((record, one.standing, one.suspicion) for one in suspected.values()),
        *((record, rival, None) for rival in others[:_ASKED_ABOUT]),
    ]


def _kept(conflicts: Sequence[Conflict], *, tx: Transaction) -> tuple[Conflict, ...]:
    here = _still_here(conflicts, tx=tx)
    for one in here:
        tx.links.put(contradicting(one))
    return here


def _dropped(conflicts: Sequence[Conflict], *, tx: Transaction) -> tuple[Conflict, ...]:
    here = _still_here(conflicts, tx=tx)
    for one in here:
        ends = one.candidate.memory.id, one.standing.memory.id
        tx.links.put(Link(src=ends[0], dst=ends[1], kind=LinkKind.WITHDRAWN))
        for src, dst in (ends, ends[::-1]):
            tx.links.remove(Link(src=src, dst=dst, kind=LinkKind.CONTRADICTS))
    return here


def _still_here(conflicts: Sequence[Conflict], *, tx: Transaction) -> tuple[Conflict, ...]:
    """Return those whose memories were not forgotten while the judge was running."""
    names: set[MemoryId] = {
        record.memory.id for one in conflicts for record in (one.candidate, one.standing)
    }
    known = tx.memories.get_many(names)
    return tuple(
        one
        for one in conflicts
        if one.candidate.memory.id in known and one.standing.memory.id in known
    )
