"""Rivals: the accepted memories that claims are compared with, found for many claims at once."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from holdfast.domain.choices import Scope
from holdfast.domain.memory.place import Place
from holdfast.domain.memory.selection import Selection, View
from holdfast.domain.recall.question import terms_of
from holdfast.domain.values import replace
from holdfast.usecases.review.recognise import is_seen_from

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.memory import Memory, MemoryRecord
    from holdfast.ports.heuristics import Heuristics
    from holdfast.ports.store.store import Transaction

MOST_RIVALS = 30
_MOST_TERMS = 24


def rivals_of_each(
    records: Sequence[MemoryRecord],
    *,
    tx: Transaction,
    now: datetime,
    noted: Mapping[MemoryId, Collection[MemoryId]] | None = None,
    view: View | None = None,
    heuristics: Heuristics,
) -> dict[MemoryId, list[MemoryRecord]]:
    """Return the accepted memories to compare each claim with: those valid in the same place.

    ``noted`` are memories to include for each claim. The number of searches grows with the places
    and scopes of the claims, not with the claims.
    """
    linked = noted or {}
    known = tx.memories.get_many(one for names in linked.values() for one in names)
    found: dict[MemoryId, list[MemoryRecord]] = {}
    for some in _by_place(records):
        around = around_of(some[0].memory, now, view)
        keys = {one.memory.key for one in some if one.memory.key is not None}
        keyed = tx.finding.around.keyed(keys, around, limit=MOST_RIVALS)
        memories = [one.memory for one in some]
        sharing = sharing_words(memories, around, tx=tx, heuristics=heuristics)
        for record, shared in zip(some, sharing, strict=True):
            names = linked.get(record.memory.id, ())
            rivals = [known[name] for name in names if name in known]
            rivals += keyed.get(record.memory.key or "", ())
            found[record.memory.id] = _valid(record, [*rivals, *shared], around.view, view, now)
    return found


def sharing_words(
    memories: Sequence[Memory], around: Selection, *, tx: Transaction, heuristics: Heuristics
) -> list[list[MemoryRecord]]:
    """Return the memories of one scope that share content words with each of these."""
    names_nothing = heuristics.wording.names_nothing
    questions = [
        [term for term in terms_of(memory.claim) if not names_nothing(term)][:_MOST_TERMS]
        for memory in memories
    ]
    within = replace(around, scopes=frozenset({memories[0].scope}))
    hits = tx.finding.words.search_each(questions, within, limit=MOST_RIVALS)
    wanted = list(dict.fromkeys(hit.sequence for some in hits for hit in some))
    read = {one.sequence: one for one in tx.finding.around.read(wanted)}
    return [[read[hit.sequence] for hit in some if hit.sequence in read] for some in hits]


def around_of(memory: Memory, now: datetime, view: View | None) -> Selection:
    """Return the memories that are valid where a memory is."""
    place = Place(space=memory.space, workspace=memory.workspace, repo=memory.repo)
    reached = frozenset(Scope) if memory.scope is Scope.REPO else frozenset({memory.scope})
    return Selection(
        space=memory.space,
        place=place,
        scopes=reached,
        recallable_at=now,
        view=View() if view is None else view.everywhere(),
    )


def _valid(
    record: MemoryRecord,
    found: Sequence[MemoryRecord],
    everywhere: View,
    view: View | None,
    now: datetime,
) -> list[MemoryRecord]:
    seen = map(everywhere.seen, found)
    rivals = {one.sequence: one for one in seen if one.may_be_recalled_at(now)}
    rivals.pop(record.sequence, None)
    return [one for one in rivals.values() if is_seen_from(record.memory, one, view)]


def _by_place(records: Sequence[MemoryRecord]) -> list[list[MemoryRecord]]:
    """Group the records by the place and scope that decide where to search."""
    groups: dict[tuple[object, ...], list[MemoryRecord]] = defaultdict(list)
    for one in records:
        memory = one.memory
        groups[memory.space, memory.workspace, memory.repo, memory.scope].append(one)
    return list(groups.values())
