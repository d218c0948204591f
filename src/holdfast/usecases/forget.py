"""Forget: remove a memory so that no byte of it stays, and leave a tombstone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Origin, Status
from holdfast.domain.errors import NeedsPersonError, UnavailableError
from holdfast.domain.memory import Tombstone
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.naming import memory_id
from holdfast.usecases.screening import screened

if TYPE_CHECKING:
    from holdfast.domain.memory import MemoryRecord
    from holdfast.domain.traces import Trace
    from holdfast.ports.clock import Clock
    from holdfast.ports.store import Store, Transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class Forget:
    """A wish that a memory be gone."""

    reference: str
    by: str = "person"
    reason: str = ""
    origin: Origin = Origin.HUMAN
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """What was removed, or would be: shown once more, and then never again.

    ``not_yet`` says why bytes of it are still in a file, where something stood in the way.
    ``traces`` are the places outside the store that held the text.
    """

    record: MemoryRecord
    links: int
    dry_run: bool
    not_yet: str = ""
    traces: tuple[Trace, ...] = ()


def forget(wish: Forget, *, store: Store, clock: Clock) -> Forgotten:
    """Remove the memory from the truth, every index and every file of the store.

    Raises:
        NeedsPersonError: An agent wants to remove what a person accepted.
    """
    now, by = clock.now(), screened(wish.by, what="name")
    reason = screened(wish.reason, what="reason")
    if wish.dry_run:
        with store.reading() as tx:
            return _meant(wish, tx=tx)
    with store.writing(now) as tx:
        meant = _meant(wish, tx=tx)
        name = meant.record.memory.id
        grave = Tombstone(memory_id=name, forgotten_at=now, forgotten_by=by, reason=reason)
        tx.memories.forget(grave)
    try:
        store.upkeep.scrub()
    except UnavailableError as error:
        return replace(meant, not_yet=str(error))
    return meant


def _meant(wish: Forget, *, tx: Transaction) -> Forgotten:
    name = memory_id(tx, wish.reference)
    record = tx.memories.get(name)
    status = record.standing.status
    if wish.origin is not Origin.HUMAN and status is not Status.CANDIDATE:
        raise NeedsPersonError(
            what=f"{name} is {status.value}, as a person decided, so an agent cannot delete it.",
            command=f"holdfast forget --id {name}",
        )
    links = len(tx.links.touching(name))
    return Forgotten(record=record, links=links, dry_run=wish.dry_run)
