"""Review: the candidates for a person, the most valuable first, with all facts for a decision."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from holdfast.domain.checks.check import checks_in
from holdfast.domain.choices import LinkKind, Status
from holdfast.domain.memory.decision import offer_of
from holdfast.domain.memory.identity import says_the_same
from holdfast.domain.memory.selection import Page, Selection, View
from holdfast.domain.review.review import CandidateFacts, Risk, danger, worth
from holdfast.domain.review.shown import list_hash, shown_hash
from holdfast.domain.values import replace
from holdfast.usecases.anchors.checking import check_evidence, cited, view
from holdfast.usecases.anchors.quoting import quotes_of
from holdfast.usecases.naming import MOST_LISTED, check_limit
from holdfast.usecases.review.against import against_each
from holdfast.usecases.review.deciding import candidates
from holdfast.usecases.review.queued import Queue, Review, WaitingCandidate
from holdfast.usecases.review.waiting import full_note, full_sources

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from holdfast.domain.choices import Scope
    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.memory import Memory, MemoryRecord
    from holdfast.domain.memory.place import Place, SpaceId
    from holdfast.ports.anchors.surroundings import Surroundings
    from holdfast.ports.anchors.verifier import Verifier
    from holdfast.ports.clock import Clock
    from holdfast.ports.heuristics import Heuristics
    from holdfast.ports.store.store import Store, Transaction
    from holdfast.usecases.anchors.checking import EvidenceVerdicts
    from holdfast.usecases.checks.check_ports import Checker

_RIVALS = 8
_REJECTED = frozenset({Status.REJECTED})


def review(
    wish: Review,
    *,
    store: Store,
    clock: Clock,
    surroundings: Surroundings,
    verifier: Verifier | None,
    heuristics: Heuristics,
) -> Queue:
    """Return the candidates for a person; nothing is changed.

    Cheap facts about all candidates decide the order; expensive facts are computed only for those
    that are shown. A note names the sources from which no more are taken.
    """
    check_limit(wish.limit)
    now, place = clock.now(), surroundings.place()
    page = slice(wish.skip, wish.skip + wish.limit)
    with store.reading() as tx:
        here = view(place, tx=tx, verifier=verifier)
        records, total = _meant(wish, place, here, tx=tx)
        everywhere = _count(Selection(space=place.space), tx)
        elsewhere = everywhere - _count(Selection(place=place, view=here), tx)
        noted = _contradicting(records, tx=tx)
        asked = cited(records, repo=place.repo, tx=tx)
        full = full_sources(most=wish.most_waiting, tx=tx)
    testimony = check_evidence(asked, repo=place.repo, at=now, verifier=verifier)
    if wish.is_conflicting:
        records = [one for one in records if one.memory.id in noted]
    seen = [_quickly(one, testimony, noted, now=now) for one in records]
    if wish.most_risk is not Risk.HIGH:
        seen = [one for one in seen if _is_within(one, wish.most_risk, heuristics)]
    total = total if len(seen) == len(records) and not wish.is_conflicting else len(seen)
    seen.sort(key=lambda one: (-worth(one).score, one.record.sequence))
    with store.reading() as tx:
        items = _in_full(seen[page], testimony, here, tx=tx, now=now, heuristics=heuristics)
    items.sort(key=lambda one: (-one.worth.score, one.record.sequence))
    return Queue(
        items=tuple(_quoted(one, surroundings=surroundings) for one in items),
        total=total,
        elsewhere=0 if wish.is_everywhere or wish.references else elsewhere,
        shown=list_hash([one.shown for one in items]) if len(items) == total else "",
        notes=tuple(note for note in (testimony.note, full_note(full, wish.most_waiting)) if note),
        after=tuple(one.record for one in seen[page.stop : page.stop + wish.also]),
    )


def _meant(
    wish: Review, place: Place, here: View, *, tx: Transaction
) -> tuple[Sequence[MemoryRecord], int]:
    if wish.references:
        named = candidates(wish.references, tx=tx)
        return named, len(named)
    selection = Selection(
        space=place.space,
        place=None if wish.is_everywhere else place,
        statuses=frozenset({Status.CANDIDATE}),
        kinds=wish.kinds,
        origins=wish.origins,
        source=wish.source,
        view=View() if wish.is_everywhere else here,
    )
    found = tx.memories.find(selection, Page(limit=MOST_LISTED, oldest_first=True))
    return found, tx.memories.count(selection)


def _count(selection: Selection, tx: Transaction) -> int:
    return tx.memories.count(replace(selection, statuses=frozenset({Status.CANDIDATE})))


def _contradicting(records: Sequence[MemoryRecord], *, tx: Transaction) -> set[MemoryId]:
    """Return those with a stored contradiction."""
    names = [one.memory.id for one in records]
    links = tx.links.among(names) if names else ()
    return {link.src for link in links if link.kind == LinkKind.CONTRADICTS}


def _quickly(
    record: MemoryRecord, testimony: EvidenceVerdicts, noted: set[MemoryId], *, now: datetime
) -> CandidateFacts:
    name = record.memory.id
    return CandidateFacts(
        record=record,
        age=now - record.memory.created_at,
        verdicts=tuple(one.sighting.verdict for one in testimony.by_memory.get(name, ())),
        conflicts=int(name in noted),
    )


def _is_within(seen: CandidateFacts, most: Risk, heuristics: Heuristics) -> bool:
    order = list(Risk)
    found = danger(seen, heuristics.objector.doubts)
    return order.index(found.risk) <= order.index(most)


def _in_full(
    seen: Sequence[CandidateFacts],
    testimony: EvidenceVerdicts,
    here: View,
    *,
    tx: Transaction,
    now: datetime,
    heuristics: Heuristics,
) -> list[WaitingCandidate]:
    """Add the expensive facts; each kind is read for all candidates at once."""
    records = [one.record for one in seen]
    offers = {one.memory.id: offer_of(one.memory) for one in records}
    opposed = against_each(records, tx=tx, now=now, view=here, heuristics=heuristics)
    claims = [one for one in records if offers[one.memory.id] is None]
    known = _saying_the_same(claims, Selection(recallable_at=now, view=here), tx)
    over = _saying_the_same(claims, Selection(statuses=_REJECTED, view=here), tx)
    about = tx.memories.get_many(one.about for one in offers.values() if one is not None)
    items: list[WaitingCandidate] = []
    for facts in seen:
        name, offer = facts.record.memory.id, offers[facts.record.memory.id]
        whole = replace(facts, conflicts=len(opposed[name].conflicts), is_known=name in known)
        items.append(
            WaitingCandidate(
                record=facts.record,
                worth=worth(whole),
                danger=danger(whole, heuristics.objector.doubts),
                against=opposed[name],
                shown=shown_hash(facts.record, opposed[name].rivals),
                checked=testimony.by_memory.get(name, ()),
                known=known.get(name),
                rejected=over.get(name),
                about=None if offer is None else about.get(offer.about),
            )
        )
    return items


def _quoted(item: WaitingCandidate, *, surroundings: Surroundings) -> WaitingCandidate:
    quotes = quotes_of(item.record, item.checked, surroundings=surroundings)
    return replace(item, quotes=quotes)


def with_outcomes(queue: Queue, checker: Checker | None) -> Queue:
    """Add what the checks of the candidates would say now; no command is run."""
    asked = [checks_in(one.record.memory.metadata) for one in queue.items]
    if checker is None or not any(asked):
        return queue
    found = checker([text for texts in asked for text in texts])
    items = [
        replace(one, outcomes=tuple(found[text] for text in texts))
        for one, texts in zip(queue.items, asked, strict=True)
    ]
    return replace(queue, items=tuple(items))


def _saying_the_same(
    records: Sequence[MemoryRecord], among: Selection, tx: Transaction
) -> dict[MemoryId, MemoryRecord]:
    """Return a memory of a selection that says the same as each candidate, if there is one."""
    groups: dict[tuple[SpaceId, Scope], list[Memory]] = defaultdict(list)
    for one in records:
        groups[one.memory.space, one.memory.scope].append(one.memory)
    found: dict[MemoryId, MemoryRecord] = {}
    for (space, scope), some in groups.items():
        within = replace(among, space=space, scopes=frozenset({scope}))
        claims = [memory.claim for memory in some]
        near = tx.finding.words.alike_each(claims, within, limit=_RIVALS)
        for memory, records_near in zip(some, near, strict=True):
            same = [one for one in records_near if _is_same(one.memory, memory)]
            if same:
                found[memory.id] = same[0]
    return found


def _is_same(one: Memory, other: Memory) -> bool:
    return one.repo == other.repo and says_the_same(one.claim, other.claim)
