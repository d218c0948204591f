"""Plan a pruning: which memories are due, what is done about each, and which are protected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.care.pruning import Due, PruneCause, PruneStep, due_by, most_of
from holdfast.domain.choices import Status
from holdfast.domain.encryption.placeholder import is_sensitive
from holdfast.domain.memory.decision import Action
from holdfast.domain.memory.lifetime import in_words
from holdfast.domain.memory.selection import Selection
from holdfast.usecases.anchors.verify import every
from holdfast.usecases.care.citations import Surety, protections
from holdfast.usecases.care.prune_request import HeldMemory, Prune, PruneItem, PrunePlan, PrunePorts
from holdfast.usecases.exchange.agent_lines import EVERY
from holdfast.usecases.review.duplicates import duplicates
from holdfast.usecases.stored_texts import every_decision

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from holdfast.domain.agents.agent import MemoryIndexEntry
    from holdfast.domain.care.pruning import PrunePolicy
    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.ports.store.store import Transaction

_CONCERNED = frozenset({Status.ACCEPTED, Status.NOTED, Status.DEPRECATED})
_PAGE = 500


def plan_pruning(wish: Prune, ports: PrunePorts, *, at: datetime, tx: Transaction) -> PrunePlan:
    """Return what is due and may go, what is due and protected, and how much one run may do."""
    place = None if wish.everywhere else ports.surroundings.place()
    statuses = _CONCERNED if wish.has_notes else _CONCERNED - {Status.NOTED}
    namespaces = _namespaces(tx)
    records = [
        one
        for one in every(Selection(place=place, statuses=statuses), tx=tx)
        if _is_meant(one, wish, namespaces)
    ]
    due = _due(records, ports, namespaces, at=at, tx=tx)
    meant = [one for one in due if not wish.causes or one.due.cause in wish.causes]
    if wish.undoable:
        meant = [one for one in meant if one.step is PruneStep.DEPRECATE]
    surety = Surety(
        policy=ports.policy,
        kinds=wish.kinds,
        namespaces=namespaces,
        pages=ports.pages,
        documents=ports.documents,
    )
    held = protections([one.record for one in meant], surety, tx=tx)
    total = tx.memories.count(Selection(place=place))
    return PrunePlan(
        items=tuple(one for one in meant if one.name not in held),
        held=tuple(
            HeldMemory(record=one.record, why=held[one.name]) for one in meant if one.name in held
        ),
        total=total,
        most=most_of(total, percent=ports.policy.most),
        head=tx.diary.events.head(),
    )


def _is_meant(
    record: MemoryRecord, wish: Prune, namespaces: Mapping[MemoryId, Sequence[MemoryIndexEntry]]
) -> bool:
    memory = record.memory
    own = {entry.namespace for entry in namespaces.get(memory.id, ())}
    return (
        (not wish.only or memory.id in wish.only)
        and (not wish.kinds or memory.kind in wish.kinds)
        and (not wish.namespaces or not own.isdisjoint(wish.namespaces))
    )


def _namespaces(tx: Transaction) -> dict[MemoryId, list[MemoryIndexEntry]]:
    """Return the namespaces of all memories of agents."""
    found: dict[MemoryId, list[MemoryIndexEntry]] = {}
    beyond: str | None = None
    while agents := tx.diary.agents.names.page(beyond=beyond, limit=_PAGE):
        for agent in agents:
            for entry in tx.diary.agents.indexes.of(agent.id, namespaces=(), limit=EVERY):
                found.setdefault(entry.memory_id, []).append(entry)
        beyond = agents[-1].id
    return found


def _due(
    records: Sequence[MemoryRecord],
    ports: PrunePorts,
    namespaces: Mapping[MemoryId, Sequence[MemoryIndexEntry]],
    *,
    at: datetime,
    tx: Transaction,
) -> list[PruneItem]:
    """Return the memories that are due, in the order they were written."""
    pruned, restored = _decided_before(tx)
    found: dict[MemoryId, PruneItem] = {}
    live: list[MemoryRecord] = []
    for record in records:
        name = record.memory.id
        if record.standing.status is Status.DEPRECATED:
            due = _over(record, pruned, ports.policy, at=at)
        else:
            names = [entry.namespace for entry in namespaces.get(name, ())]
            due = due_by(
                record, ports.policy, namespaces=names, at=at, restored_at=restored.get(name)
            )
            live += [] if due else [record]
        if due is not None:
            found[name] = PruneItem(record=record, step=_step(record), due=due)
    if ports.policy.finds_duplicates:
        # The placeholders of sensitive memories are alike, and say nothing about their claims.
        readable = [one for one in live if not is_sensitive(one.memory)]
        for stays, doubles in duplicates(readable, heuristics=ports.heuristics):
            why = f"{stays.memory.id} says nearly the same, and stays."
            for one in doubles:
                if one.memory.id not in restored and _lasts(stays, one):
                    due = Due(PruneCause.DUPLICATE, why)
                    found[one.memory.id] = PruneItem(record=one, step=_step(one), due=due)
    return [found[one.memory.id] for one in records if one.memory.id in found]


def _lasts(stays: MemoryRecord, other: MemoryRecord) -> bool:
    """Tell whether a memory is valid for at least as long as its duplicate."""
    ends, other_ends = stays.memory.expires_at, other.memory.expires_at
    return ends is None or (other_ends is not None and other_ends <= ends)


def _step(record: MemoryRecord) -> PruneStep:
    is_accepted = record.standing.status is Status.ACCEPTED
    return PruneStep.DEPRECATE if is_accepted else PruneStep.REMOVE


def _over(
    record: MemoryRecord, pruned: Mapping[MemoryId, datetime], policy: PrunePolicy, *, at: datetime
) -> Due | None:
    """Return why a memory that pruning deprecated is due; None before the end of its grace."""
    ended = record.standing.decided_at
    # A person may have decided about it again since; then it is theirs.
    if ended is None or pruned.get(record.memory.id) != ended or at < ended + policy.grace:
        return None
    return Due(PruneCause.GRACE, f"It was pruned {in_words(at - ended)} ago, and nobody undid it.")


def _decided_before(
    tx: Transaction,
) -> tuple[dict[MemoryId, datetime], dict[MemoryId, datetime]]:
    """Return when pruning last deprecated each memory, and when a person last undid that."""
    pruned: dict[MemoryId, datetime] = {}
    restored: dict[MemoryId, datetime] = {}
    for decision in every_decision(tx):
        if decision.action is Action.PRUNE:
            for change in decision.changes:
                if decision.undone_at is None:
                    pruned.setdefault(change.memory_id, decision.at)
                else:
                    restored.setdefault(change.memory_id, decision.undone_at)
    return pruned, restored
