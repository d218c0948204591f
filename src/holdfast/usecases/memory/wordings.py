"""The wordings of a memory: what it replaced, and what else says nearly the same words."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from holdfast.domain.choices import LinkKind, Status
from holdfast.domain.encryption.placeholder import is_sensitive
from holdfast.domain.memory.decision import Action, offer_of
from holdfast.domain.memory.selection import Selection
from holdfast.domain.memory.shared_words import SharedWords
from holdfast.domain.values import dataclass
from holdfast.usecases.anchors.verify import every
from holdfast.usecases.forgotten_texts import cleaned, said_nearly
from holdfast.usecases.stored_texts import own_texts, record_texts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.review.traces import GoneText
    from holdfast.ports.store.store import Transaction

_MOST_WORDINGS = 1_000
_MOST_FOUND = 100
_EARLIER = frozenset({Status.SUPERSEDED, Status.DEPRECATED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Repetition:
    """A place in the store that says nearly the same words; ``record`` is None if it is no memory.

    ``place`` is the id of the memory, or the place in words.
    """

    place: str
    record: MemoryRecord | None = None


def earlier_wordings(record: MemoryRecord, *, tx: Transaction) -> tuple[MemoryRecord, ...]:
    """Return the other wordings of a memory, newest first; those that are encrypted too.

    These are the memories that it superseded, those that had its key before, and the wordings of
    edits that were undone.
    """
    found = {record.memory.id: record}
    waiting = [record]
    while waiting and len(found) < _MOST_WORDINGS:
        here = waiting.pop()
        for other in tx.memories.get_many(_next_to(here, tx=tx)).values():
            if other.memory.id not in found:
                found[other.memory.id] = other
                waiting.append(other)
    del found[record.memory.id]
    return tuple(sorted(found.values(), key=lambda one: one.sequence, reverse=True))


def _next_to(record: MemoryRecord, *, tx: Transaction) -> list[MemoryId]:
    name = record.memory.id
    return [
        *(
            link.dst
            for link in tx.links.touching(name)
            if link.kind == LinkKind.SUPERSEDES and link.src == name
        ),
        *(one.memory.id for one in every(Selection(superseded_by=name), tx=tx)),
        *(
            change.memory_id
            for decision in tx.diary.decisions.about(name)
            if decision.action is Action.EDIT
            for change in decision.changes
            if change.before is None and decision.undone_at is not None
        ),
        *(one.memory.id for one in _under_key(record, tx=tx)),
    ]


def _under_key(record: MemoryRecord, *, tx: Transaction) -> Iterator[MemoryRecord]:
    """Yield what had the key of a memory before, in the same scope and place."""
    memory, status = record.memory, record.standing.status
    if memory.key is None or status not in {Status.ACCEPTED, *_EARLIER}:
        return
    topic = (memory.scope, memory.workspace, memory.repo)
    for one in every(Selection(key=memory.key, statuses=_EARLIER), tx=tx):
        other = one.memory
        is_before = status is Status.ACCEPTED or one.sequence < record.sequence
        if is_before and (other.scope, other.workspace, other.repo) == topic:
            yield one


def repetitions(
    records: Sequence[MemoryRecord],
    texts: Sequence[GoneText],
    *,
    beside: Collection[MemoryId],
    tx: Transaction,
    with_keys: bool = False,
) -> tuple[Repetition, ...]:
    """Return what else in the store says nearly the same words as these memories, in clear.

    ``with_keys``, memories with the same key count too. ``beside`` are memories that are left out.
    ``texts`` are what is removed from sessions and records with the memories.
    """
    shared = SharedWords.of(one.memory.claim for one in records)
    answers = tx.finding.words.search_each(shared.searches, Selection(), limit=_MOST_FOUND)
    hits = dict.fromkeys(hit.sequence for some in answers for hit in some)
    near = (one for one in tx.finding.around.read(list(hits)) if shared.are_in(one.memory.claim))
    keys = {one.memory.key for one in records if with_keys} - {None}
    keyed = (one for key in keys for one in every(Selection(key=key), tx=tx))
    found = {
        one.memory.id: Repetition(place=one.memory.id, record=one)
        for one in chain(near, keyed)
        if one.memory.id not in beside and not is_sensitive(one.memory)
        # An offer about one of these memories is forgotten with it.
        if (offer := offer_of(one.memory)) is None or offer.about not in beside
    }
    owned = (where for where, text in own_texts(tx) if shared.are_in(text))
    recorded = (
        where
        for where, text in record_texts(tx)
        if shared.are_in(text) and cleaned(text, texts) == text
    )
    elsewhere = dict.fromkeys((*owned, *recorded, *said_nearly(texts, tx=tx)))
    return (*found.values(), *(Repetition(place=where) for where in elsewhere))
