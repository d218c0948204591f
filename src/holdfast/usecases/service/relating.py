"""State how memories of one store are related, and follow these relationships."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import ForgottenError, NoSuchError
from holdfast.domain.memory.link import Link
from holdfast.domain.service.ids import MEMORY_NOUN, memory_id_of
from holdfast.domain.service.memories import ServiceMemory, check_limit, relationship_of
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.screening import screened
from holdfast.usecases.service.own_store import own_store

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.service.memories import Relate
    from holdfast.ports.clock import Clock
    from holdfast.ports.store.store import Store, Transaction


@repeatable
def relate(wish: Relate, *, store: Store, clock: Clock) -> None:
    """Store a relationship; the same ends and type again replace its strength.

    Raises:
        NoSuchStoreError: The store does not belong to the service.
        NoSuchError: One of the ends is not a memory of this store.
        BadFieldError: The memory would be related to itself.
    """
    own_store(store)
    kind = screened(wish.kind, what="type of the relationship")
    source, target = memory_id_of(wish.source), memory_id_of(wish.target)
    link = Link(src=source, dst=target, kind=kind, score=wish.strength)
    with store.writing(clock.now()) as tx:
        for end in (wish.source, wish.target):
            known(end, tx)
        tx.links.put(link)


def related(memory: str, *, limit: int, store: Store, clock: Clock) -> Sequence[ServiceMemory]:
    """Return the memories that a memory is related to and that are valid now, strongest first.

    Raises:
        NoSuchError: It is not a memory of this store.
        BadFieldError: The limit is out of range.
    """
    check_limit(limit)
    now = clock.now()
    with store.reading() as tx:
        record = known(memory, tx)
        links = [
            (relationship, link)
            for link in tx.links.touching(record.memory.id)
            if (relationship := relationship_of(link, record.memory)) is not None
        ]
        ends = tx.memories.get_many(dict.fromkeys(link.dst for _, link in links))
    found = [
        ServiceMemory(record=ends[link.dst], relationship_type=word, strength=link.score)
        for word, link in links
        if link.dst in ends and ends[link.dst].may_be_recalled_at(now)
    ]
    return tuple(found[:limit])


def holds(memory: str, *, store: Store) -> bool:
    """Tell whether a store has the memory of a UUID."""
    with store.reading() as tx:
        return bool(tx.memories.get_many([memory_id_of(memory)]))


def known(memory: str, tx: Transaction) -> MemoryRecord:
    """Return the memory of a UUID.

    Raises:
        NoSuchError: The store has none, or it was forgotten.
    """
    try:
        return tx.memories.get(memory_id_of(memory))
    except (NoSuchError, ForgottenError):
        raise NoSuchError(noun=MEMORY_NOUN, reference=memory) from None
