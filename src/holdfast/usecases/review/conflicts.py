"""Conflicts: the accepted memories that a claim seems to contradict, and the open conflicts."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from holdfast.domain.choices import LinkKind, Status
from holdfast.domain.encryption.placeholder import is_sensitive
from holdfast.domain.memory.decision import offer_of
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.memory.statement import statement_form
from holdfast.domain.review.differences import FieldDifference, differing_fields
from holdfast.domain.review.suspicion import SAME_KEY, Clash, Suspicion
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.naming import MOST_LISTED, check_limit
from holdfast.usecases.review.recognise import is_seen_from, under_key_elsewhere
from holdfast.usecases.review.rivals import (
    MOST_RIVALS,
    around_of,
    rivals_of_each,
    sharing_words,
)
from holdfast.usecases.review.series import is_series

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from datetime import datetime

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.memory.selection import View
    from holdfast.ports.clock import Clock
    from holdfast.ports.heuristics import Heuristics
    from holdfast.ports.store.store import Store, Transaction
    from holdfast.usecases.anchors.checking import ViewPorts

_LINKS_AT_ONCE = 500
SETTLING = frozenset(
    {LinkKind.COMPATIBLE, LinkKind.WITHDRAWN, LinkKind.SUPERSEDES, LinkKind.DERIVED_FROM}
)
"""The links that settle a pair; it is not shown again."""
_NOTED = "somebody noted that they contradict each other"
_NOTED_BY_A_JUDGE = "a judge noted that they contradict each other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """A claim, the accepted memory that it seems to contradict, and the reason."""

    candidate: MemoryRecord
    standing: MemoryRecord
    suspicion: Suspicion

    @property
    def fields_alone(self) -> tuple[FieldDifference, ...]:
        """The fields in which the two differ, if both have the same claim; otherwise empty."""
        newer, older = self.candidate, self.standing
        is_same = statement_form(newer.memory.claim) == statement_form(older.memory.claim)
        return differing_fields(newer, older) if is_same else ()


def conflicts_of(
    record: MemoryRecord,
    *,
    tx: Transaction,
    now: datetime,
    view: View | None = None,
    heuristics: Heuristics,
) -> list[Conflict]:
    """Return the accepted memories that a claim seems to contradict, the most certain first.

    The search covers memories with its key, memories of its scope that share its content words,
    and memories that somebody linked to it as contradicting: a bounded number, however large the
    store is. Pairs that somebody settled are excluded.
    """
    found = conflicts_of_each([record], tx=tx, now=now, view=view, heuristics=heuristics)
    return found[record.memory.id]


def conflicts_of_each(
    records: Sequence[MemoryRecord],
    *,
    tx: Transaction,
    now: datetime,
    view: View | None = None,
    heuristics: Heuristics,
) -> dict[MemoryId, list[Conflict]]:
    """Return the conflicts of each claim; all claims are searched for together."""
    links = links_of_each([one.memory.id for one in records], tx=tx)
    noted = {
        name: {link.other_end(name): link for link in some if link.kind == LinkKind.CONTRADICTS}
        for name, some in links.items()
    }
    rivals = rivals_of_each(records, tx=tx, now=now, noted=noted, view=view, heuristics=heuristics)
    return {
        one.memory.id: _conflicts(
            one,
            rivals[one.memory.id],
            settled=_settled(one.memory.id, links[one.memory.id]),
            noted=noted[one.memory.id],
            heuristics=heuristics,
        )
        for one in records
    }


def links_of_each(names: Sequence[MemoryId], *, tx: Transaction) -> dict[MemoryId, list[Link]]:
    """Return the links that touch each memory, strongest first."""
    found: dict[MemoryId, list[Link]] = {name: [] for name in names}
    for link in tx.links.among(names) if names else ():
        for end in {link.src, link.dst} & found.keys():
            found[end].append(link)
    return found


def _conflicts(
    record: MemoryRecord,
    rivals: Sequence[MemoryRecord],
    *,
    settled: Collection[MemoryId],
    noted: Mapping[MemoryId, Link],
    heuristics: Heuristics,
) -> list[Conflict]:
    suspects = partial(suspected, heuristics=heuristics)
    found: list[Conflict] = []
    for rival in rivals:
        if rival.memory.id in settled:
            continue
        seen = suspects(record, rival)
        if seen is None and rival.memory.id in noted:
            seen = _as_noted(noted[rival.memory.id])
        if seen is not None:
            found.append(Conflict(candidate=record, standing=rival, suspicion=seen))
    by_words = [one for one in found if _is_by_words(one, noted)]
    if is_series([one.standing for one in by_words], lambda *pair: suspects(*pair) is not None):
        found = [one for one in found if one not in by_words]
    found.sort(key=lambda one: (-one.suspicion.confidence, -one.standing.sequence))
    return found


def _is_by_words(conflict: Conflict, noted: Mapping[MemoryId, Link]) -> bool:
    """Tell whether only the words of two claims make them suspect: no key, and nobody's note."""
    is_noted = conflict.standing.memory.id in noted
    return conflict.suspicion.clash is not SAME_KEY.clash and not is_noted


def note_conflicts(
    record: MemoryRecord,
    *,
    tx: Transaction,
    now: datetime,
    view: View | None = None,
    heuristics: Heuristics,
) -> list[Conflict]:
    """Find what a claim seems to contradict, and store it as links for a person to see.

    Memories with its key on other branches are linked too, but not returned.
    """
    found = conflicts_of(record, tx=tx, now=now, view=view, heuristics=heuristics)
    for one in found:
        tx.links.put(contradicting(one))
    note_elsewhere(record, tx=tx, view=view, heuristics=heuristics)
    if record.standing.status is Status.ACCEPTED:
        for one in waiting_against([record], tx=tx, now=now, view=view, heuristics=heuristics):
            tx.links.put(contradicting(one))
    return found


def note_conflicts_of_each(
    records: Sequence[MemoryRecord],
    *,
    tx: Transaction,
    now: datetime,
    view: View | None = None,
    heuristics: Heuristics,
) -> dict[MemoryId, list[Conflict]]:
    """Find and store what each of several accepted claims contradicts, in one search for all.

    Of two contradicting claims among them, the later one contradicts the earlier one.
    """
    given = {one.memory.id: one.sequence for one in records}
    found = conflicts_of_each(records, tx=tx, now=now, view=view, heuristics=heuristics)
    earlier = {
        name: [one for one in some if one.standing.sequence < given[name]]
        for name, some in found.items()
    }
    waiting = waiting_against(records, tx=tx, now=now, view=view, heuristics=heuristics)
    for one in [*(one for some in earlier.values() for one in some), *waiting]:
        tx.links.put(contradicting(one))
    return earlier


def note_elsewhere(
    record: MemoryRecord, *, tx: Transaction, view: View | None = None, heuristics: Heuristics
) -> None:
    """Store links to memories with the same key on hidden branches that a claim contradicts.

    The author of the claim is not told; the conflict appears where both branches are merged.
    """
    if record.memory.key is None or view is None or not view.unseen:
        return
    for one in under_key_elsewhere(record.memory, tx=tx, view=view):
        seen = suspected(record, one, heuristics=heuristics)
        if seen is not None:
            tx.links.put(contradicting(Conflict(candidate=record, standing=one, suspicion=seen)))


def waiting_against(
    accepted: Sequence[MemoryRecord],
    *,
    tx: Transaction,
    now: datetime,
    view: View | None = None,
    heuristics: Heuristics,
) -> Iterator[Conflict]:
    """Return the candidates that contradict claims which have just been accepted.

    A candidate is compared with the accepted memories when it is proposed. Memories that are
    accepted later are compared with the candidates here, so that counts and lists miss no pair.
    The search runs over the smaller of the two sets, because a page may bring thousands of
    entries.
    """
    waiting = Selection(space=accepted[0].memory.space, statuses=frozenset({Status.CANDIDATE}))
    few = tx.memories.find(waiting, Page(limit=min(len(accepted), MOST_LISTED)))
    if len(few) == len(accepted):
        for record in accepted:
            yield from _waiting_against(record, tx=tx, now=now, view=view, heuristics=heuristics)
        return
    names = {one.memory.id for one in accepted}
    waits = [one for one in few if _waits(one, now)]
    for found in conflicts_of_each(
        waits, tx=tx, now=now, view=view, heuristics=heuristics
    ).values():
        yield from (one for one in found if one.standing.memory.id in names)


def _waiting_against(
    standing: MemoryRecord,
    *,
    tx: Transaction,
    now: datetime,
    view: View | None,
    heuristics: Heuristics,
) -> Iterator[Conflict]:
    around = replace(
        around_of(standing.memory, now, view),
        recallable_at=None,
        statuses=frozenset({Status.CANDIDATE}),
    )
    settled = _settled(standing.memory.id, tx.links.touching(standing.memory.id))
    waits = sharing_words([standing.memory], around, tx=tx, heuristics=heuristics)[0]
    if standing.memory.key is not None:
        under_key = replace(around, key=standing.memory.key)
        waits += tx.memories.find(under_key, Page(limit=MOST_RIVALS))
    for waiting in {one.sequence: one for one in waits}.values():
        if waiting.memory.id in settled or not is_seen_from(waiting.memory, standing, view):
            continue
        seen = suspected(waiting, standing, heuristics=heuristics) if _waits(waiting, now) else None
        if seen is not None:
            yield Conflict(candidate=waiting, standing=standing, suspicion=seen)


def contradicting(conflict: Conflict) -> Link:
    """Return the link that stores a conflict; its score is the confidence."""
    return Link(
        src=conflict.candidate.memory.id,
        dst=conflict.standing.memory.id,
        kind=LinkKind.CONTRADICTS,
        score=conflict.suspicion.confidence,
    )


def open_conflicts(
    *,
    store: Store,
    clock: Clock,
    ports: ViewPorts,
    limit: int,
    everywhere: bool = False,
    heuristics: Heuristics,
) -> Sequence[Conflict]:
    """Return the unsettled conflicts between valid claims, newest first.

    These are the stored ones, and all others that block the approval of a candidate now. The later
    memory is the candidate, even if both are accepted by now. Both reach this checkout, unless
    ``everywhere`` asks for every place and branch.
    """
    check_limit(limit)
    place, now = ports.surroundings.place(), clock.now()
    found: dict[frozenset[MemoryId], Conflict] = {}
    with store.reading() as tx:
        seen = ports.view(tx)
        here = Selection(space=place.space, view=seen.everywhere())
        if not everywhere:
            here = Selection(place=place, view=seen)
        for noted in _noted(tx):
            pair = [seen.seen(end) for end in noted.ends]
            if not all(map(here.takes, pair)):
                continue
            still = _open(noted, *pair, now=now, heuristics=heuristics)
            if still is not None:
                found.setdefault(frozenset({noted.link.src, noted.link.dst}), still)
        waiting = replace(here, statuses=frozenset({Status.CANDIDATE}))
        records = tx.memories.find(waiting, Page(limit=MOST_LISTED))
        # The conflicts that block the approval of a candidate now.
        waits = [one for one in records if _waits(one, now)]
        for blocking in conflicts_of_each(
            waits, tx=tx, now=now, view=seen, heuristics=heuristics
        ).values():
            for one in blocking:
                both = frozenset({one.candidate.memory.id, one.standing.memory.id})
                found.setdefault(both, one)
    newest = sorted(found.values(), key=lambda one: -one.candidate.sequence)
    return newest[:limit]


def suspected(
    newer: MemoryRecord, older: MemoryRecord, *, heuristics: Heuristics
) -> Suspicion | None:
    """Return why the newer of two claims seems to contradict the older one, or None."""
    if is_sensitive(newer.memory) or is_sensitive(older.memory):
        return None
    key, claims = newer.memory.key, (newer.memory.claim, older.memory.claim)
    is_same_key = key is not None and key == older.memory.key
    return heuristics.judge.judged(*claims, SAME_KEY if is_same_key else None)


def _as_noted(link: Link) -> Suspicion:
    """Return the suspicion for a link where the rules suspect nothing.

    A person is certain; a judge says how sure it is.
    """
    reason = _NOTED if link.score >= 1.0 else _NOTED_BY_A_JUDGE
    return Suspicion(clash=Clash.JUDGED, reason=reason, confidence=link.score)


def _settled(memory_id: MemoryId, links: Sequence[Link]) -> set[MemoryId]:
    return {one.other_end(memory_id) for one in links if one.kind in SETTLING}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Noted:
    """A noted contradiction, the two memories that it links, and the links of the first."""

    link: Link
    ends: tuple[MemoryRecord, MemoryRecord]
    beside: Sequence[Link]


def _noted(tx: Transaction) -> Iterator[_Noted]:
    """Return the noted contradictions between memories that exist."""
    beyond: Link | None = None
    while page := tx.links.contradictions(beyond=beyond, limit=_LINKS_AT_ONCE):
        names = list(dict.fromkeys(end for link in page for end in (link.src, link.dst)))
        known = tx.memories.get_many(names)
        links = links_of_each(list(dict.fromkeys(link.src for link in page)), tx=tx)
        both = [link for link in page if link.src in known and link.dst in known]
        for link in both:
            ends = known[link.src], known[link.dst]
            yield _Noted(link=link, ends=ends, beside=links[link.src])
        beyond = page[-1]


def _open(
    noted: _Noted, one: MemoryRecord, other: MemoryRecord, *, now: datetime, heuristics: Heuristics
) -> Conflict | None:
    standing, newer = sorted((one, other), key=_by_standing)
    if not (standing.may_be_recalled_at(now) and _may_stand(newer, now)):
        return None
    # A link that settles the pair touches both memories, so those of one are enough.
    if noted.link.dst in _settled(noted.link.src, noted.beside):
        return None
    seen = suspected(newer, standing, heuristics=heuristics) or _as_noted(noted.link)
    return Conflict(candidate=newer, standing=standing, suspicion=seen)


def _by_standing(record: MemoryRecord) -> tuple[bool, int]:
    return record.standing.status is not Status.ACCEPTED, record.sequence


def _may_stand(record: MemoryRecord, now: datetime) -> bool:
    """Tell whether a claim is valid, or would be if somebody accepted it."""
    return _waits(record, now) or record.may_be_recalled_at(now)


def _waits(record: MemoryRecord, now: datetime) -> bool:
    """Tell whether a claim is a candidate; an offer about a memory has no claim of its own."""
    is_candidate = record.standing.status is Status.CANDIDATE
    return is_candidate and record.memory.is_live_at(now) and offer_of(record.memory) is None
