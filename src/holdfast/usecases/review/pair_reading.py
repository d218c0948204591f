"""Read pairs: let a model look for contradictions that the rules do not find, as advice only.

Nothing is stored: what a model suspects blocks no approval and disputes no answer. A person settles
a pair with a decision, whose links keep it from being shown again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import LIVE, LinkKind, Status
from holdfast.domain.encryption.placeholder import is_sensitive
from holdfast.domain.errors import NoMeaningError
from holdfast.domain.memory.decision import offer_of
from holdfast.domain.memory.identity import says_the_same
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.review.suspicion import NO_ADVICE, Clash, Suspicion
from holdfast.domain.review_errors import OnlySuspectedError
from holdfast.domain.text.counting import counted
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.naming import check_limit
from holdfast.usecases.review.conflicts import SETTLING, Conflict, links_of_each, suspected
from holdfast.usecases.review.rivals import rivals_of_each

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.memory.selection import View
    from holdfast.ports.clock import Clock
    from holdfast.ports.heuristics import Heuristics
    from holdfast.ports.pair_reader import PairReader
    from holdfast.ports.store.store import Store, Transaction
    from holdfast.ports.store.upkeep import Progress
    from holdfast.usecases.anchors.checking import ViewPorts
    from holdfast.usecases.review.queued import Queue

NEWEST_READ = 50
"""How many of the newest memories are read beside the memories next to them."""
NEAREST_READ = 5
"""How many memories each of them is read beside."""
MOST_LETTERS = 25_000
"""How many letters one call reads: about a second and a half of CPU, and 200 pairs of short claims.

Measured with a model of 12 layers, 384 wide; ``docs/decisions/0201`` has the figures.
"""
_LEFT = "the model has {many} left to read; the next call continues"
_TIED = frozenset({*SETTLING, LinkKind.CONTRADICTS})


@dataclass(frozen=True, slots=True, kw_only=True)
class PairReadings:
    """The pairs that a model reads as contradicting, newest first, and a note about the rest."""

    conflicts: tuple[Conflict, ...] = ()
    note: str = ""


def no_progress(_done: int, _total: int) -> None:
    """Show nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairPorts:
    """The ports with which pairs are read; without a ``reader`` none is read."""

    reader: Callable[[], PairReader] | None
    store: Store
    clock: Clock
    seen: ViewPorts
    heuristics: Heuristics
    progress: Progress = no_progress


def read_newest(*, ports: PairPorts, limit: int, everywhere: bool = False) -> PairReadings:
    """Read the newest memories here, candidates and accepted ones, beside those next to them.

    The model runs after the transaction, so it holds no lock.
    """
    check_limit(limit)
    if ports.reader is None:
        return PairReadings()
    place = ports.seen.surroundings.place()
    with ports.store.reading() as tx:
        view = ports.seen.view(tx)
        here = Selection(place=place, statuses=LIVE, view=view)
        if everywhere:
            here = Selection(space=place.space, statuses=LIVE, view=view.everywhere())
        newest = tx.memories.find(here, Page(limit=NEWEST_READ))
        pairs = _pairs(newest, view, tx=tx, ports=ports)
    found = _read(pairs, ports)
    return replace(found, conflicts=found.conflicts[:limit])


def refuse_suspected(name: MemoryId, *, ports: PairPorts) -> None:
    """Return if no model suspects that a memory contradicts another one.

    Raises:
        OnlySuspectedError: One does; a person who names both decides between them.
    """
    if ports.reader is None:
        return
    with ports.store.reading() as tx:
        view = ports.seen.view(tx)
        here = Selection(place=ports.seen.surroundings.place(), statuses=LIVE, view=view)
        newest = tx.memories.find(here, Page(limit=NEWEST_READ))
        pairs = _pairs([tx.memories.get(name), *newest], view, tx=tx, ports=ports)
    found = _read([pair for pair in pairs if name in _names(pair)], ports).conflicts
    others = [other for one in found for other in _names((one.candidate, one.standing)) - {name}]
    if others:
        raise OnlySuspectedError(name, others)


def _names(pair: tuple[MemoryRecord, MemoryRecord]) -> set[MemoryId]:
    return {one.memory.id for one in pair}


def with_readings(queue: Queue, *, ports: PairPorts) -> Queue:
    """Add what a model suspects about the candidates that are shown; nothing else changes."""
    if ports.reader is None or not queue.items:
        return queue
    records = [one.record for one in queue.items]
    with ports.store.reading() as tx:
        pairs = _pairs(records, ports.seen.view(tx), tx=tx, ports=ports)
    found = _read(pairs, ports)
    by_name: dict[MemoryId, list[Conflict]] = {}
    for one in found.conflicts:
        by_name.setdefault(one.candidate.memory.id, []).append(one)
    items = [
        replace(item, advice=tuple(by_name.get(item.record.memory.id, ()))) for item in queue.items
    ]
    notes = (*queue.notes, found.note) if found.note else queue.notes
    return replace(queue, items=tuple(items), notes=notes)


def _pairs(
    records: Sequence[MemoryRecord], view: View, *, tx: Transaction, ports: PairPorts
) -> list[tuple[MemoryRecord, MemoryRecord]]:
    """Return the pairs to read, newer claim first; the nearest pair of each record comes first.

    Pairs that somebody settled or noted, or that the rules suspect, are left out.
    """
    now, heuristics = ports.clock.now(), ports.heuristics
    claims = [one for one in records if _is_readable(one, now)]
    if not claims:
        return []
    links = links_of_each([one.memory.id for one in claims], tx=tx)
    rivals = rivals_of_each(claims, tx=tx, now=now, view=view, heuristics=heuristics)
    ranked: list[tuple[int, MemoryRecord, MemoryRecord]] = []
    for record in claims:
        name = record.memory.id
        tied = {one.other_end(name) for one in links[name] if one.kind in _TIED}
        free = [one for one in rivals[name] if one.memory.id not in tied and _is_readable(one, now)]
        near = list(_nearest(record, free, heuristics=heuristics))
        ranked += [(rank, *pair) for rank, pair in enumerate(near)]
    ranked.sort(key=lambda one: one[0])
    pairs = {frozenset({one.memory.id, two.memory.id}): (one, two) for _, one, two in ranked}
    return list(pairs.values())


def _nearest(
    record: MemoryRecord, rivals: Sequence[MemoryRecord], *, heuristics: Heuristics
) -> Iterator[tuple[MemoryRecord, MemoryRecord]]:
    taken = 0
    for rival in rivals:
        newer, older = _in_order(record, rival)
        is_same = says_the_same(newer.memory.claim, older.memory.claim)
        if is_same or suspected(newer, older, heuristics=heuristics) is not None:
            continue
        yield newer, older
        taken += 1
        if taken == NEAREST_READ:
            return


def _in_order(one: MemoryRecord, other: MemoryRecord) -> tuple[MemoryRecord, MemoryRecord]:
    """Return the newer and the older of two; a candidate is always the newer one."""
    older, newer = sorted(
        (one, other), key=lambda it: (it.standing.status is Status.CANDIDATE, it.sequence)
    )
    return newer, older


def _is_readable(record: MemoryRecord, now: datetime) -> bool:
    """Tell whether a record has a claim to read: its own, in plain text, and valid now."""
    memory = record.memory
    if is_sensitive(memory) or offer_of(memory) is not None:
        return False
    is_candidate = record.standing.status is Status.CANDIDATE
    return memory.is_live_at(now) if is_candidate else record.may_be_recalled_at(now)


def _read(pairs: Sequence[tuple[MemoryRecord, MemoryRecord]], ports: PairPorts) -> PairReadings:
    if not pairs or ports.reader is None:
        return PairReadings()
    model = ports.reader()
    claims = [(newer.memory.claim, older.memory.claim) for newer, older in pairs]
    try:
        read = model.scores(claims, most_letters=MOST_LETTERS, progress=ports.progress)
    except NoMeaningError as error:
        return PairReadings(note=NO_ADVICE.format(problem=error.message.rstrip(".")))
    finally:
        gone = _gone_meanwhile(pairs, ports)
        if gone:
            model.forget(gone.values())
    found = [
        Conflict(candidate=newer, standing=older, suspicion=_suspicion(model, score))
        for (newer, older), score in zip(pairs, read.scores, strict=True)
        if score is not None
        and score >= model.threshold
        and gone.keys().isdisjoint(_names((newer, older)))
    ]
    found.sort(key=lambda one: (-one.candidate.sequence, -one.suspicion.confidence))
    note = _LEFT.format(many=counted(read.left, "pair")) if read.left else ""
    return PairReadings(conflicts=tuple(found), note=note)


def _gone_meanwhile(
    pairs: Sequence[tuple[MemoryRecord, MemoryRecord]], ports: PairPorts
) -> dict[MemoryId, str]:
    """Return the claims that were forgotten, or made sensitive, while the model read them.

    Whoever removed them may have cleaned the cache before their scores were put there. A memory
    that was made sensitive has another id.
    """
    claims = {one.memory.id: one.memory.claim for pair in pairs for one in pair}
    with ports.store.reading() as tx:
        there = tx.memories.get_many(claims)
    return {name: claim for name, claim in claims.items() if name not in there}


def _suspicion(model: PairReader, score: float) -> Suspicion:
    reason = f"the model {model.name} reads these as contradicting"
    return Suspicion(clash=Clash.JUDGED, reason=reason, confidence=round(score, 3), is_advice=True)
