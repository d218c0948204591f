"""Forget: remove a memory so that no byte of it stays, and leave a tombstone.

Forget a memory, and remove its text from the files that were generated from the store.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import EvidenceType, Origin, Status
from holdfast.domain.errors import NeedsPersonError
from holdfast.domain.ids import MemoryId, sortable
from holdfast.domain.memory.decision import Offered, forgetting_offer, offer_of
from holdfast.domain.memory.evidence import Evidence
from holdfast.domain.memory.memory import Tombstone
from holdfast.domain.review.traces import Trace
from holdfast.domain.review_errors import OnlyCandidateError
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.forgotten_places import (
    earlier_versions,
    gone_text,
    remove_traces,
    stored_text,
)
from holdfast.usecases.forgotten_records import forget_in_store, left_in_store
from holdfast.usecases.forgotten_texts import cleaned
from holdfast.usecases.memory.wordings import repetitions
from holdfast.usecases.naming import memory_id
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.review.offers import add_offer, bury, offers_about
from holdfast.usecases.screening import screened, scrubbed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.review.traces import GoneText
    from holdfast.ports.clock import Clock
    from holdfast.ports.pages.files import Traces
    from holdfast.ports.store.store import Store, Transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class Forget:
    """A request to forget a memory."""

    reference: str
    by: str = "person"
    reason: str = ""
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """The memory that was removed, or would be; it is shown one last time.

    ``not_yet`` says why bytes of it are still in a file, if they could not be removed. ``traces``
    are the places outside the store that contained the text, and those in it that keep it.
    ``earlier`` are superseded versions of it with the same text, which are removed with it.
    ``nearly`` are places of the store that say nearly the same words, and keep them.
    """

    record: MemoryRecord
    links: int
    dry_run: bool
    not_yet: str = ""
    traces: tuple[Trace, ...] = ()
    earlier: tuple[MemoryRecord, ...] = ()
    nearly: tuple[str, ...] = ()


@repeatable
def forget(wish: Forget, *, origin: Origin, store: Store, clock: Clock) -> Forgotten:
    """Remove the memory from the canonical data, every index and every file of the store.

    ``origin`` is the origin of the wish. A person's wish removes any memory. A program's wish
    removes only a candidate that the same program proposed and that no person decided about.

    Raises:
        NeedsPersonError: A program wants to remove another memory.
    """
    now, by = clock.now(), screened(wish.by, what="name")
    reason = screened(wish.reason, what="reason")
    if wish.dry_run:
        with store.reading() as tx:
            return _meant(wish, origin, tx=tx)
    with store.writing(now) as tx:
        meant = _meant(wish, origin, tx=tx)
        gone = (*meant.earlier, meant.record)
        texts = _texts(gone)
        why = cleaned(reason, texts)
        for record in gone:
            name = record.memory.id
            grave = Tombstone(memory_id=name, forgotten_at=now, forgotten_by=by, reason=why)
            bury(grave, tx=tx)
        forget_in_store(texts, tx=tx)
    return replace(meant, not_yet=scrubbed(store))


@repeatable
def propose_forgetting(wish: Forget, *, origin: Origin, store: Store, clock: Clock) -> MemoryRecord:
    """Propose that a person forgets a memory; until then, nothing changes.

    A repeated proposal returns the one that already waits.

    Raises:
        OnlyCandidateError: It is a candidate, which a person simply rejects.
        NeedsPersonError: A person refused to forget it before.
    """
    now, source = clock.now(), screened(wish.by, what="name")
    reason = screened(wish.reason, what="reason")
    with store.writing(now) as tx:
        record = tx.memories.get(memory_id(tx, wish.reference))
        if record.standing.status is Status.CANDIDATE:
            raise OnlyCandidateError(record.memory.id)
        waiting = _proposed_before(record, tx=tx)
        if waiting is not None:
            return waiting
        said = Evidence(type=EvidenceType.STATEMENT, reference=reason or "no reason was given")
        own = replace(
            record.memory,
            id=MemoryId(sortable("m", at=now, entropy=clock.entropy())),
            created_at=now,
            evidence=(said,),
            origin=origin,
            trust=origin,
            source=source,
            metadata={},
        )
        return add_offer(forgetting_offer(own, record.memory, reason), record, tx=tx)


def _proposed_before(record: MemoryRecord, *, tx: Transaction) -> MemoryRecord | None:
    """Return the waiting proposal to forget a memory, if there is one."""
    for offer in offers_about(record.memory.id, tx=tx):
        meant = offer_of(offer.memory)
        if meant is None or meant.what is not Offered.FORGETTING:
            continue
        if offer.standing.status is Status.CANDIDATE:
            return offer
        raise NeedsPersonError(
            what=f"That was proposed before as {offer.memory.id}, and a person refused it.",
            verb="forget",
            reference=record.memory.id,
        )
    return None


def _meant(wish: Forget, origin: Origin, *, tx: Transaction) -> Forgotten:
    name = memory_id(tx, wish.reference)
    record = tx.memories.get(name)
    if origin is not Origin.HUMAN and (why := _why_not(record, by=wish.by, tx=tx)):
        raise NeedsPersonError(what=why, verb="forget", reference=name)
    record = _newest_copy(record, tx=tx)
    links = len(tx.links.touching(record.memory.id))
    earlier = same_before(record, tx=tx)
    going = (*earlier, record)
    beside = {one.memory.id for one in going}
    nearly = repetitions(going, _texts(going), beside=beside, tx=tx)
    return Forgotten(
        record=record,
        links=links,
        dry_run=wish.dry_run,
        earlier=earlier,
        nearly=tuple(one.place for one in nearly if one.record is None),
    )


def _texts(records: Iterable[MemoryRecord]) -> list[GoneText]:
    return [stored_text(one) for one in records]


def _newest_copy(record: MemoryRecord, *, tx: Transaction) -> MemoryRecord:
    """Return the memory that superseded this one with the same text, or itself.

    A candidate that replaces a memory takes over its key as such a copy.
    """
    by = record.standing.superseded_by
    if record.standing.status is not Status.SUPERSEDED or by is None:
        return record
    newer = tx.memories.get_many([by]).get(by)
    if newer is None or newer.memory.claim != record.memory.claim:
        return record
    return newer


def same_before(record: MemoryRecord, *, tx: Transaction) -> tuple[MemoryRecord, ...]:
    """Return the superseded versions of a memory that have exactly its text."""
    before = earlier_versions(record.memory.id, tx=tx) - {record.memory.id}
    return tuple(
        one
        for one in tx.memories.get_many(sorted(before)).values()
        if one.memory.claim == record.memory.claim and one.standing.status is Status.SUPERSEDED
    )


def _why_not(record: MemoryRecord, *, by: str, tx: Transaction) -> str:
    """Return why a program may not remove a memory; empty if it may."""
    memory, standing = record.memory, record.standing
    if standing.status is not Status.CANDIDATE:
        status = standing.status.value
        return f"{memory.id} is {status}, as a person decided, so an agent cannot delete it."
    if memory.origin is Origin.HUMAN:
        return f"{memory.id} is a person's own claim, so an agent cannot delete it."
    if memory.source != by:
        return (
            f"{memory.id} is the candidate of another source, and only a person decides about it."
        )
    if standing.pinned or tx.diary.decisions.about(memory.id):
        return f"A person has decided about {memory.id} before, so an agent cannot delete it."
    return ""


def forget_everywhere(
    wish: Forget,
    *,
    origin: Origin,
    store: Store,
    clock: Clock,
    traces_of: Callable[[str | None], Sequence[Traces]],
) -> Forgotten:
    """Remove the memory from the store, then its text from pages and generated files.

    Raises:
        NeedsPersonError: An agent wants to remove a memory that a person accepted.
    """
    with store.reading() as tx:
        meant = tx.memories.get(memory_id(tx, wish.reference))
        gone = gone_text(_newest_copy(meant, tx=tx), tx=tx)
    forgotten = forget(wish, origin=origin, store=store, clock=clock)
    if wish.dry_run:
        return forgotten
    places = traces_of(forgotten.record.memory.repo)
    with store.reading() as tx:
        left = left_in_store([gone], tx=tx)
    exact = {trace.place for trace in left}
    return replace(
        forgotten,
        traces=(*remove_traces([gone], places), *left),
        nearly=tuple(place for place in forgotten.nearly if place not in exact),
    )
