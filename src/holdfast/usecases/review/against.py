"""What a candidate contradicts or would replace, and who may decide about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import LinkKind, Origin, Status
from holdfast.domain.errors import ChangedSinceShownError
from holdfast.domain.memory.decision import offer_of
from holdfast.domain.memory.statement import statement_form
from holdfast.domain.review.shown import is_shown, shown_hash
from holdfast.domain.review_errors import OwnProposalError, UnresolvedConflictError
from holdfast.domain.values import dataclass
from holdfast.usecases.review.conflicts import conflicts_of_each, links_of_each
from holdfast.usecases.review.recognise import accepted_under_keys

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.memory.selection import View
    from holdfast.ports.heuristics import Heuristics
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.review.conflicts import Conflict


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateConflicts:
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
    record: MemoryRecord,
    *,
    tx: Transaction,
    now: datetime,
    view: View | None = None,
    heuristics: Heuristics,
) -> CandidateConflicts:
    """Return what a candidate contradicts or replaces now; an offer has no claim of its own."""
    found = against_each([record], tx=tx, now=now, view=view, heuristics=heuristics)
    return found[record.memory.id]


def against_each(
    records: Sequence[MemoryRecord],
    *,
    tx: Transaction,
    now: datetime,
    view: View | None = None,
    heuristics: Heuristics,
) -> dict[MemoryId, CandidateConflicts]:
    """Return what ``against`` returns for each candidate; all are searched for together."""
    claims = [one for one in records if offer_of(one.memory) is None]
    conflicts = conflicts_of_each(claims, tx=tx, now=now, view=view, heuristics=heuristics)
    replaces = _replaced_by_each(claims, tx=tx, view=view)
    found = {one.memory.id: CandidateConflicts() for one in records}
    return found | {
        name: CandidateConflicts(conflicts=tuple(some), replaces=tuple(replaces[name]))
        for name, some in conflicts.items()
    }


def replaced_by(
    record: MemoryRecord, *, tx: Transaction, view: View | None = None
) -> list[MemoryRecord]:
    """Return the accepted memories that a candidate would supersede: by its key or by a link.

    Memories that a person called compatible with it stay.
    """
    return _replaced_by_each([record], tx=tx, view=view)[record.memory.id]


def _replaced_by_each(
    records: Sequence[MemoryRecord], *, tx: Transaction, view: View | None
) -> dict[MemoryId, list[MemoryRecord]]:
    links = links_of_each([one.memory.id for one in records], tx=tx)
    named = {
        name: [one.dst for one in some if one.src == name and one.kind == LinkKind.SUPERSEDES]
        for name, some in links.items()
    }
    known = tx.memories.get_many(old for olds in named.values() for old in olds)
    keyed = accepted_under_keys([one.memory for one in records], tx=tx, view=view)
    found: dict[MemoryId, list[MemoryRecord]] = {}
    for record in records:
        name, claim = record.memory.id, record.memory.claim
        beside = {one.other_end(name) for one in links[name] if one.kind == LinkKind.COMPATIBLE}
        olds = {
            old.memory.id: old
            for old in keyed[name]
            if statement_form(old.memory.claim) != statement_form(claim)
        }
        linked = (known[old] for old in named[name] if old in known)
        olds |= {old.memory.id: old for old in linked if old.standing.status is Status.ACCEPTED}
        found[name] = [old for old_name, old in olds.items() if old_name not in beside]
    return found


def unresolved(conflicts: Sequence[Conflict]) -> UnresolvedConflictError:
    """Return the error that names all conflicts of a claim; the first one with its reason."""
    first, *others = conflicts
    return UnresolvedConflictError(
        first.candidate.memory.id,
        standing=first.standing.memory.id,
        reason=first.suspicion.reason.rstrip("."),
        others=[one.standing.memory.id for one in others],
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
    heuristics: Heuristics,
) -> None:
    """Refuse a decision about anything other than what was shown.

    Raises:
        ChangedSinceShownError: The hash is neither the claim's nor that of what was shown.
    """
    memory = record.memory
    if given is None or is_shown(given, memory.content_hash):
        return
    rivals = against(record, tx=tx, now=now, view=view, heuristics=heuristics).rivals
    if not is_shown(given, shown_hash(record, rivals)):
        raise ChangedSinceShownError(memory.id)
