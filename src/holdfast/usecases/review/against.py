"""Against: what a candidate contradicts or would replace, and who may decide about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import LinkKind, Origin, Status
from holdfast.domain.errors import ChangedSinceShownError
from holdfast.domain.memory.offer import offer_of
from holdfast.domain.memory.selection import near_form
from holdfast.domain.review.review import is_shown, shown_hash
from holdfast.domain.review_errors import OwnProposalError, UnresolvedConflictError
from holdfast.domain.values import dataclass
from holdfast.usecases.review.conflicts import conflicts_of
from holdfast.usecases.review.recognise import accepted_under_key

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.memory.view import View
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.review.conflicts import Conflict


@dataclass(frozen=True, slots=True, kw_only=True)
class Against:
    """The memories that a candidate contradicts, and those that it would supersede."""

    conflicts: tuple[Conflict, ...] = ()
    replaces: tuple[MemoryRecord, ...] = ()

    @property
    def rivals(self) -> tuple[MemoryRecord, ...]:
        """Every one of these memories, each once."""
        found = {one.standing.memory.id: one.standing for one in self.conflicts}
        found |= {one.memory.id: one for one in self.replaces}
        return tuple(found.values())


def against(
    record: MemoryRecord, *, tx: Transaction, now: datetime, view: View | None = None
) -> Against:
    """Return what a candidate contradicts or replaces now; an offer has no claim of its own."""
    if offer_of(record.memory) is not None:
        return Against()
    return Against(
        conflicts=tuple(conflicts_of(record, tx=tx, now=now, view=view)),
        replaces=tuple(replaced_by(record, tx=tx, view=view)),
    )


def replaced_by(
    record: MemoryRecord, *, tx: Transaction, view: View | None = None
) -> list[MemoryRecord]:
    """Return the accepted memories that a candidate would supersede: by its key or by a link.

    Memories that a person called compatible with it stay.
    """
    memory = record.memory
    links = tx.links.touching(memory.id)
    beside = {link.other_end(memory.id) for link in links if link.kind == LinkKind.COMPATIBLE}
    named = [
        link.dst for link in links if link.src == memory.id and link.kind == LinkKind.SUPERSEDES
    ]
    found = {
        old.memory.id: old
        for old in accepted_under_key(memory, tx=tx, view=view)
        if near_form(old.memory.claim) != near_form(memory.claim)
    }
    found |= {
        name: old
        for name, old in tx.memories.get_many(named).items()
        if old.standing.status is Status.ACCEPTED
    }
    return [old for name, old in found.items() if name not in beside]


def unresolved(conflict: Conflict) -> UnresolvedConflictError:
    """Return the error that names a conflict and how to resolve it."""
    return UnresolvedConflictError(
        conflict.candidate.memory.id,
        standing=conflict.standing.memory.id,
        reason=conflict.suspicion.reason.rstrip("."),
    )


def refuse_proposer(record: MemoryRecord, *, by: str) -> None:
    """Refuse a decision by the proposer of the candidate.

    A source is a tool, a bot or a run, with or without the session: ``claude:01f3``.

    Raises:
        OwnProposalError: The candidate is their own proposal.
    """
    memory = record.memory
    source = memory.source.strip().casefold()
    proposers = {source, source.partition(":")[0]} - {""}
    if memory.origin is not Origin.HUMAN and by.strip().casefold() in proposers:
        raise OwnProposalError(memory.id, by=by)


def refuse_unseen(
    record: MemoryRecord,
    given: str | None,
    *,
    tx: Transaction,
    now: datetime,
    view: View | None = None,
) -> None:
    """Refuse a decision about anything other than what was shown.

    Raises:
        ChangedSinceShownError: The hash is neither the claim's nor that of what was shown.
    """
    memory = record.memory
    if given is None or is_shown(given, memory.content_hash):
        return
    rivals = against(record, tx=tx, now=now, view=view).rivals
    if not is_shown(given, shown_hash(record, rivals)):
        raise ChangedSinceShownError(memory.id)
