"""Pruning: deprecate memories that are due, and remove those whose grace period is over.

Accepted memories are deprecated first, in a decision that can be undone. Notes of agents have no
status that hides them from others and that an undo could restore, so they are removed at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from holdfast.domain.care.pruning import (
    REASON,
    Due,
    PruneCause,
    PruneStep,
    due_by,
    most_of,
)
from holdfast.domain.choices import Status
from holdfast.domain.memory.decision import Action
from holdfast.domain.memory.memory import Tombstone, in_words
from holdfast.domain.memory.selection import Selection
from holdfast.domain.review_errors import PruneTooMuchError
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.anchors.verify import every
from holdfast.usecases.care.citations import Surety, protections
from holdfast.usecases.exchange.agent_lines import EVERY
from holdfast.usecases.memory.forget import Forgotten, gone_text, remove_traces, same_before
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.review.approve import bury
from holdfast.usecases.review.curating import duplicates
from holdfast.usecases.review.deciding import DecisionLedger
from holdfast.usecases.review.undo import every_decision
from holdfast.usecases.screening import screened, scrubbed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import datetime, timedelta

    from holdfast.domain.agents.agent import MemoryIndexEntry
    from holdfast.domain.care.pruning import Limits, PrunePolicy
    from holdfast.domain.choices import Kind
    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.decision import Decision
    from holdfast.domain.memory.entry import Head, Pages
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.text.paragraphs import DocumentParagraph
    from holdfast.ports.anchors.surroundings import Surroundings
    from holdfast.ports.clock import Clock
    from holdfast.ports.heuristics import Heuristics
    from holdfast.ports.pages.files import Traces
    from holdfast.ports.store.store import Store, Transaction

AT_ONCE = 200
"""How many memories one unit of work changes; others wait for the store meanwhile."""
_CONCERNED = frozenset({Status.ACCEPTED, Status.NOTED, Status.DEPRECATED})
_PAGE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Prune:
    """A request to prune.

    ``kinds``, ``namespaces`` and ``causes`` restrict it; a kind that is named may also be a rule, a
    decision or an invariant. ``only`` restricts it to memories that were planned before. The three
    limits replace those of the policy. ``undoable`` leaves out removals. ``force`` allows more than
    the policy's share. ``has_notes`` includes the notes of agents.
    """

    by: str
    kinds: frozenset[Kind] = frozenset()
    namespaces: frozenset[str] = frozenset()
    causes: frozenset[PruneCause] = frozenset()
    only: frozenset[MemoryId] = frozenset()
    max_age: Limits[timedelta | None] | None = None
    unused_for: Limits[timedelta | None] | None = None
    min_relevance: Limits[float] | None = None
    undoable: bool = False
    everywhere: bool = False
    force: bool = False
    dry_run: bool = False
    has_notes: bool = True

    def adjusted(self, policy: PrunePolicy) -> PrunePolicy:
        """Return the policy with the limits of this request."""
        return replace(
            policy,
            max_age=self.max_age or policy.max_age,
            unused_for=self.unused_for or policy.unused_for,
            min_relevance=self.min_relevance or policy.min_relevance,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PruneItem:
    """A memory that is due: what is done about it, and why."""

    record: MemoryRecord
    step: PruneStep
    due: Due

    @property
    def name(self) -> MemoryId:
        """The id of the memory."""
        return self.record.memory.id


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtectedMemory:
    """A memory that is due and stays, with the reason."""

    record: MemoryRecord
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PrunePlan:
    """What a run would do; ``most`` is how many of ``total`` memories it may change."""

    items: tuple[PruneItem, ...]
    held: tuple[ProtectedMemory, ...]
    total: int
    most: int
    head: Head

    @property
    def is_too_much(self) -> bool:
        """Whether the run needs force."""
        return len(self.items) > self.most

    def of(self, step: PruneStep) -> tuple[PruneItem, ...]:
        """Return the items of one step."""
        return tuple(one for one in self.items if one.step is step)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruned:
    """The plan, and what was done of it; a memory that changed meanwhile is ``skipped``."""

    plan: PrunePlan
    dry_run: bool = False
    decisions: tuple[Decision, ...] = ()
    forgotten: tuple[Forgotten, ...] = ()
    skipped: int = 0
    not_yet: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrunePorts:
    """The ports of pruning, the policy, and the texts of the repository around it."""

    store: Store
    clock: Clock
    surroundings: Surroundings
    heuristics: Heuristics
    policy: PrunePolicy
    traces_of: Callable[[str | None], Sequence[Traces]]
    pages: Pages | None = None
    documents: Sequence[DocumentParagraph] = ()


def prune(wish: Prune, *, ports: PrunePorts) -> Pruned:
    """Deprecate what is due, and remove what was deprecated before the grace period.

    Work is done in pieces; after a crash, the next run goes on with the rest.

    Raises:
        PruneTooMuchError: More is due than one run may change; nothing is changed.
    """
    by = screened(wish.by, what="name")
    ports = replace(ports, policy=wish.adjusted(ports.policy))
    with ports.store.reading() as tx:
        plan = _plan(wish, ports, at=ports.clock.now(), tx=tx)
    if wish.dry_run:
        return Pruned(plan=plan, dry_run=True)
    refuse_too_much(plan, force=wish.force)
    done = Pruned(plan=plan)
    for some in _pieces(plan.of(PruneStep.DEPRECATE)):
        done = _counted(done, some, _deprecate(some, wish, done.plan, by=by, ports=ports))
    for some in _pieces(plan.of(PruneStep.REMOVE)):
        done = _counted(done, some, _remove(some, wish, done.plan, by=by, ports=ports))
    # A run that was killed may have left bytes of what it removed.
    return done if wish.undoable else replace(done, not_yet=scrubbed(ports.store))


def refuse_too_much(plan: PrunePlan, *, force: bool) -> None:
    """Return if a run may do what is planned.

    Raises:
        PruneTooMuchError: It is more than the share of the policy, and nobody forces it.
    """
    if plan.is_too_much and not force:
        raise PruneTooMuchError(due=len(plan.items), total=plan.total, most=plan.most)


def _pieces(items: Sequence[PruneItem]) -> Iterator[Sequence[PruneItem]]:
    return (items[start : start + AT_ONCE] for start in range(0, len(items), AT_ONCE))


class _Piece(NamedTuple):
    """What one unit of work did, and the head up to which all writes are known.

    If somebody else wrote, it stays behind, so that every later piece is looked at again.
    """

    head: Head
    decision: Decision | None = None
    forgotten: tuple[Forgotten, ...] = ()


def _counted(done: Pruned, some: Sequence[PruneItem], piece: _Piece) -> Pruned:
    decisions = () if piece.decision is None else (piece.decision,)
    changed = sum(len(one.changes) for one in decisions) + len(piece.forgotten)
    return replace(
        done,
        plan=replace(done.plan, head=piece.head),
        decisions=done.decisions + decisions,
        forgotten=done.forgotten + piece.forgotten,
        skipped=done.skipped + len(some) - changed,
    )


@repeatable
def _deprecate(
    some: Sequence[PruneItem], wish: Prune, plan: PrunePlan, *, by: str, ports: PrunePorts
) -> _Piece:
    now = ports.clock.now()
    with ports.store.writing(now) as tx:
        is_alone = tx.diary.events.head() == plan.head
        ledger = DecisionLedger(by=by, at=now, tx=tx, heuristics=ports.heuristics)
        for item in _confirmed(some, wish, plan, ports=ports, at=now, tx=tx):
            ledger.settle(item.record, Status.DEPRECATED, reason=f"{REASON}{item.due.why}")
        decision = ledger.close(Action.PRUNE, entropy=ports.clock.entropy())
        return _Piece(tx.diary.events.head() if is_alone else plan.head, decision=decision)


def _remove(
    some: Sequence[PruneItem], wish: Prune, plan: PrunePlan, *, by: str, ports: PrunePorts
) -> _Piece:
    """Remove the texts outside the store first: while the store has them, they can be found."""
    with ports.store.reading() as tx:
        due = _confirmed(some, wish, plan, ports=ports, at=ports.clock.now(), tx=tx)
        whole = [one for item in due for one in (item.record, *same_before(item.record, tx=tx))]
        by_repo: dict[str | None, list[MemoryRecord]] = {}
        for record in whole:
            by_repo.setdefault(record.memory.repo, []).append(record)
        gone = {
            repo: [gone_text(one, tx=tx) for one in records] for repo, records in by_repo.items()
        }
    traces = {
        trace: None
        for repo, texts in gone.items()
        for trace in remove_traces(texts, ports.traces_of(repo))
    }
    piece = _buried(due, wish, plan, by=by, ports=ports)
    removed = tuple(replace(one, traces=tuple(traces)) for one in piece.forgotten)
    return piece._replace(forgotten=removed)


@repeatable
def _buried(
    some: Sequence[PruneItem], wish: Prune, plan: PrunePlan, *, by: str, ports: PrunePorts
) -> _Piece:
    now = ports.clock.now()
    found: list[Forgotten] = []
    with ports.store.writing(now) as tx:
        is_alone = tx.diary.events.head() == plan.head
        for item in _confirmed(some, wish, plan, ports=ports, at=now, tx=tx):
            earlier = same_before(item.record, tx=tx)
            links = len(tx.links.touching(item.name))
            found.append(Forgotten(record=item.record, links=links, dry_run=False, earlier=earlier))
            for record in (*earlier, item.record):
                reason = f"{REASON}{item.due.why}"
                grave = Tombstone(
                    memory_id=record.memory.id, forgotten_at=now, forgotten_by=by, reason=reason
                )
                bury(grave, tx=tx)
        head = tx.diary.events.head() if is_alone else plan.head
        return _Piece(head, forgotten=tuple(found))


def _confirmed(
    some: Sequence[PruneItem],
    wish: Prune,
    plan: PrunePlan,
    *,
    ports: PrunePorts,
    at: datetime,
    tx: Transaction,
) -> Sequence[PruneItem]:
    """Return those that are still due; everything is read again if anybody wrote since."""
    if tx.diary.events.head() == plan.head:
        return some
    now = {one.name: one for one in _plan(wish, ports, at=at, tx=tx).items}
    return [now[one.name] for one in some if one.name in now and now[one.name].step is one.step]


def _plan(wish: Prune, ports: PrunePorts, *, at: datetime, tx: Transaction) -> PrunePlan:
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
            ProtectedMemory(record=one.record, why=held[one.name])
            for one in meant
            if one.name in held
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
        for stays, doubles in duplicates(live, heuristics=ports.heuristics):
            why = f"{stays.memory.id} says nearly the same, and stays."
            for one in doubles:
                if _lasts(stays, one):
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
