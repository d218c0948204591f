"""Pruning: deprecate memories that are due, and remove those whose grace period is over.

Accepted memories are deprecated first, in a decision that can be undone. Notes of agents have no
status that hides them from others and that an undo could restore, so they are removed at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from holdfast.domain.care.pruning import REASON, PruneStep
from holdfast.domain.choices import Status
from holdfast.domain.memory.decision import Action
from holdfast.domain.memory.memory import Tombstone
from holdfast.domain.review_errors import PruneTooMuchError
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.care.prune_plan import plan_pruning
from holdfast.usecases.forgotten_places import gone_text, remove_traces, stored_text
from holdfast.usecases.forgotten_records import forget_in_store, left_in_store
from holdfast.usecases.memory.forget import Forgotten, same_before
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.review.deciding import DecisionLedger
from holdfast.usecases.review.offers import bury
from holdfast.usecases.screening import screened, scrubbed
from holdfast.usecases.sessions.unsaying import remove_old_said
from holdfast.usecases.stored_texts import every_decision

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from datetime import datetime

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.decision import Decision
    from holdfast.domain.memory.entry import Head
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.care.prune_request import Prune, PruneItem, PrunePlan, PrunePorts

AT_ONCE = 200
"""How many memories one unit of work changes; others wait for the store meanwhile."""
_MOST_SAID = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruned:
    """The plan, and what was done of it; a memory that changed meanwhile is ``skipped``."""

    plan: PrunePlan
    dry_run: bool = False
    decisions: tuple[Decision, ...] = ()
    forgotten: tuple[Forgotten, ...] = ()
    skipped: int = 0
    not_yet: str = ""
    said: int = 0
    """How many turns of sessions were kept for longer than the policy allows."""


def prune(wish: Prune, *, ports: PrunePorts) -> Pruned:
    """Deprecate what is due, and remove what was deprecated before the grace period.

    Work is done in pieces; after a crash, the next run goes on with the rest.

    Raises:
        PruneTooMuchError: More is due than one run may change; nothing is changed.
    """
    by = screened(wish.by, what="name")
    ports = replace(ports, policy=wish.adjusted(ports.policy))
    with ports.store.reading() as tx:
        plan = plan_pruning(wish, ports, at=ports.clock.now(), tx=tx)
        due = _old_said(ports, tx=tx) if wish.is_for_all else 0
    if wish.dry_run:
        return Pruned(plan=plan, dry_run=True, said=due)
    refuse_too_much(plan, force=wish.force)
    done = Pruned(plan=plan, said=_remove_said(ports) if due else 0)
    for some in _pieces(plan.of(PruneStep.DEPRECATE)):
        done = _counted(done, some, _deprecate(some, wish, done.plan, by=by, ports=ports))
    for some in _pieces(plan.of(PruneStep.REMOVE)):
        done = _counted(done, some, _remove(some, wish, done.plan, by=by, ports=ports))
    # A run that was killed may have left bytes of what it removed.
    return done if wish.undoable else replace(done, not_yet=scrubbed(ports.store))


def _old_said(ports: PrunePorts, *, tx: Transaction) -> int:
    """Return how many turns of sessions are kept for too long."""
    kept_for = ports.policy.said_for
    if kept_for is None:
        return 0
    return len(tx.sessions.caches.said.before(ports.clock.now() - kept_for, limit=_MOST_SAID))


@repeatable
def _remove_said(ports: PrunePorts) -> int:
    now, count = ports.clock.now(), 0
    with ports.store.writing(now) as tx:
        while removed := remove_old_said(ports.policy.said_for, at=now, tx=tx):
            count += removed
    return count


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
    with ports.store.reading() as tx:
        texts = [one for some in gone.values() for one in some]
        traces |= dict.fromkeys(left_in_store(texts, tx=tx))
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
        due = _confirmed(some, wish, plan, ports=ports, at=now, tx=tx)
        _leave_decisions({item.name for item in due}, tx=tx)
        for item in due:
            earlier = same_before(item.record, tx=tx)
            links = len(tx.links.touching(item.name))
            found.append(Forgotten(record=item.record, links=links, dry_run=False, earlier=earlier))
            for record in (*earlier, item.record):
                reason = f"{REASON}{item.due.why}"
                grave = Tombstone(
                    memory_id=record.memory.id, forgotten_at=now, forgotten_by=by, reason=reason
                )
                bury(grave, tx=tx)
        gone = [record for one in found for record in (*one.earlier, one.record)]
        forget_in_store([stored_text(one) for one in gone], tx=tx)
        head = tx.diary.events.head() if is_alone else plan.head
        return _Piece(head, forgotten=tuple(found))


def _leave_decisions(names: Collection[MemoryId], *, tx: Transaction) -> None:
    """Remove memories from the decisions that pruned them, all at once.

    Forgetting does it for each memory, and would read a decision about 200 of them 200 times.
    """
    for decision in every_decision(tx):
        gone = {one.memory_id for one in decision.changes}.intersection(names)
        if gone and decision.action is Action.PRUNE:
            left = tuple(one for one in decision.changes if one.memory_id not in gone)
            tx.diary.decisions.put(replace(decision, changes=left))


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
    now = {one.name: one for one in plan_pruning(wish, ports, at=at, tx=tx).items}
    return [now[one.name] for one in some if one.name in now and now[one.name].step is one.step]
