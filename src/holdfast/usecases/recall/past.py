"""The past: which memories held on a day or at a commit; recall and lists use the same rule.

A memory held at a commit if it was written in its history or is supported by its files, and if
no successor of it held there. Where there is no repository, what was written and accepted by the
end of a day held on that day.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.lookup_errors import NoHistoryError
from holdfast.domain.memory.anchor import Arrivals, Revision
from holdfast.domain.memory.selection import Page
from holdfast.domain.recall.days import end_of_day
from holdfast.domain.recall.ranking import Scored, held_at, unproven
from holdfast.domain.recall.relevance import telling_terms
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.anchors.checking import check_evidence, cited, known_rewrites, view
from holdfast.usecases.memory.browse import MemoryListing
from holdfast.usecases.naming import MOST_LISTED, check_limit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.anchor import Checked
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.memory.selection import Selection, View
    from holdfast.ports.anchors.verifier import Verifier
    from holdfast.ports.clock import Clock
    from holdfast.ports.store.store import Store, Transaction
    from holdfast.usecases.anchors.checking import ViewPorts
    from holdfast.usecases.memory.browse import Browse


def day_without_history(point: str) -> Revision:
    """Return the end of a day as a point in time, for a place without a repository.

    Raises:
        NoHistoryError: It is no day, and a commit needs a repository.
    """
    moment = end_of_day(point)
    if moment is None:
        raise NoHistoryError
    return Revision(id="", at=moment)


def held_on(then: Revision, items: Sequence[Scored], seen: View) -> tuple[Scored, ...]:
    """Keep the memories that held on a day, where no repository is."""
    written = [item for item in items if item.record.memory.created_at < then.at]
    found = (item.record.memory.branch_point for item in written)
    points = {point for point in found if point is not None}
    return held_at(then, written, arrived=points, checked={}, view=seen)


@dataclass(frozen=True, slots=True, kw_only=True)
class PastView:
    """A commit of a repository, and the view of it."""

    then: Revision
    seen: View
    repo: str | None


def held_then(
    past: PastView,
    items: Sequence[Scored],
    checked: Mapping[MemoryId, Sequence[Checked]],
    *,
    store: Store,
    verifier: Verifier,
) -> tuple[Scored, ...]:
    """Keep the memories that held at a commit; ``checked`` are the verdicts on its files."""
    found = (item.record.memory.branch_point for item in unproven(items, checked))
    points = {point for point in found if point is not None}
    arrived = Arrivals()
    if points:
        with store.reading() as tx:
            known = known_rewrites(past.repo, {point.head for point in points}, tx=tx)
        arrived = verifier.arrived(points, known, at=past.then.id)
    return held_at(past.then, items, arrived=arrived.points, checked=checked, view=past.seen)


def browse_then(wish: Browse, *, store: Store, clock: Clock, ports: ViewPorts) -> MemoryListing:
    """Return the selected memories that held on a day or at a commit, as ``browse`` does for now.

    At most 1,000 memories are looked at.

    Raises:
        NoSuchRevisionError: There is no such commit, or the history begins later.
        NoHistoryError: It is no day, and there is no repository.
    """
    check_limit(wish.page.limit)
    point, verifier, place = wish.as_of or "", ports.verifier, ports.surroundings.place()
    then = day_without_history(point) if verifier is None else verifier.resolve(point)
    with store.reading() as tx:
        # At a commit no branch is checked out: a branch's memories must have been merged into it.
        there = replace(place, branch=None)
        seen = view(there, tx=tx, verifier=verifier, at=then.id or None)
        reach = seen if wish.selection.place is not None else seen.everywhere()
        # Memories that were superseded only later held then.
        within = replace(wish.selection, as_of=then.at, view=replace(reach, replaced={}))
        records = _selected(within, wish.query, tx)
        items = [Scored(record=one, score=0.0, reasons=()) for one in _with_heirs(records, tx)]
        asked = cited([one.record for one in items], repo=place.repo, tx=tx)
    if verifier is None:
        held = held_on(then, items, seen)
    else:
        verdicts = check_evidence(
            asked, repo=place.repo, at=clock.now(), verifier=verifier, as_of=then.id, is_brief=True
        )
        past = PastView(then=then, seen=seen, repo=place.repo)
        held = held_then(past, items, verdicts.by_memory, store=store, verifier=verifier)
    names = {one.record.memory.id for one in held}
    kept = [one for one in records if one.memory.id in names]
    return MemoryListing(records=tuple(kept[: wish.page.limit]), total=len(kept))


def _selected(within: Selection, query: str, tx: Transaction) -> list[MemoryRecord]:
    """Return the memories of a selection, newest first, or best first if there is a query."""
    if not query.strip():
        return list(tx.memories.find(within, Page(limit=MOST_LISTED)))
    hits = tx.finding.words.search(telling_terms(query), within, limit=MOST_LISTED)
    return list(tx.finding.around.read([hit.sequence for hit in hits]))


def _with_heirs(records: Sequence[MemoryRecord], tx: Transaction) -> list[MemoryRecord]:
    """Return memories and their successors, which hide them if they held, too."""
    known = {one.memory.id: one for one in records}
    heirs = {one.standing.superseded_by for one in records} - known.keys() - {None}
    return [*records, *tx.memories.get_many([name for name in heirs if name]).values()]
