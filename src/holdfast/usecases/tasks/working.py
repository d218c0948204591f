"""Work on tasks: claim, release, finish, block, reopen and delete them.

A claim is a lease: it names its holder and ends at a time. Claims are compared and set inside one
unit of work, so a task is never given to two workers while its lease lives.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from holdfast.domain.errors import BadFieldError
from holdfast.domain.tasks.errors import (
    NothingReadyError,
    TaskClaimedError,
    TaskIsBlockedError,
    TaskIsDoneError,
    TaskLeaseLostError,
    TaskNotDoneError,
    TaskWaitsError,
)
from holdfast.domain.tasks.finding import ReadyQuestion, TaskFilter
from holdfast.domain.tasks.task import Lease, TaskStatus, opened
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.screening import screened, scrubbed

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.domain.ids import TaskId
    from holdfast.domain.memory.anchor import BranchPoint
    from holdfast.domain.memory.evidence import Evidence
    from holdfast.domain.tasks.task import Task
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.tasks.ports import TaskPorts

USUAL_LEASE = timedelta(minutes=30)
LONGEST_LEASE = timedelta(days=7)
_LONGEST_REASON = 500
_PAGE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedClaim:
    """A task that was finished or released; ``overrode`` is the worker whose claim was ended."""

    task: Task
    overrode: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReopenedTask:
    """A task that was reopened, and the parents that were reopened with it."""

    task: Task
    parents: tuple[Task, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletedTask:
    """A task that was deleted, and the tasks that named it; ``not_yet`` is why bytes may remain."""

    task: Task
    changed: tuple[TaskId, ...] = ()
    not_yet: str = ""


def check_lease(lease: timedelta) -> timedelta:
    """Return the length of a lease.

    Raises:
        BadFieldError: It is not positive, or over seven days.
    """
    if not timedelta() < lease <= LONGEST_LEASE:
        raise BadFieldError(field="lease", problem="must last more than nothing and 7d at most.")
    return lease


def start_task(reference: str, *, ports: TaskPorts) -> Task:
    """Start a task without a time-out: nobody else gets it until it is done or released."""
    return _claimed(reference, None, ports)


def claim_task(reference: str, *, lease: timedelta, ports: TaskPorts) -> Task:
    """Claim a task for some time; the holder's own claim is renewed.

    Raises:
        TaskClaimedError: Another worker holds it.
        TaskWaitsError: It waits for others.
        TaskIsDoneError: It is done.
        TaskIsBlockedError: It is blocked.
        TaskElsewhereError: It belongs to a branch that is not part of this checkout.
    """
    return _claimed(reference, check_lease(lease), ports)


@repeatable
def claim_next(*, lease: timedelta, ports: TaskPorts) -> Task:
    """Claim the best task that can start.

    Raises:
        NothingReadyError: None can.
    """
    check_lease(lease)
    holder, unseen = ports.worker, ports.unseen_here()
    asked_at = ports.clock.now()
    question = ReadyQuestion(repo=ports.repo, at=asked_at, unseen=unseen, limit=1)
    with ports.store.reading() as tx:  # workers that only ask again do not queue with the others
        _best(question, tx=tx)
    with ports.store.writing(asked_at, patience=ports.patience) as tx:
        now = ports.clock.now()  # a lease begins when the worker gets its turn
        best = _best(replace(question, at=now), tx=tx)
        task = _taken(tx.diary.tasks.get(best), holder, now + lease, at=now)
        tx.diary.tasks.put(task)
    return task


def _best(question: ReadyQuestion, *, tx: Transaction) -> TaskId:
    """Return the best task that can start.

    Raises:
        NothingReadyError: None can.
    """
    graph = tx.diary.tasks.graph
    if found := graph.ready(question):
        return found[0][0]
    waiting = [one for one in graph.tally(question.repo) if one.status is not TaskStatus.DONE]
    raise NothingReadyError(sum(one.count for one in waiting))


@repeatable
def release_task(reference: str, *, anyway: bool = False, ports: TaskPorts) -> EndedClaim:
    """Give a task back, so that others can claim it.

    A person may release anybody's; one who names a worker needs ``anyway`` for another's.

    Raises:
        TaskLeaseLostError: The caller does not hold it.
    """
    with ports.store.writing(ports.clock.now(), patience=ports.patience) as tx:
        now, task = ports.clock.now(), ports.named(reference, tx=tx)
        _refuse_done(task)
        overrode = _overridden(task, at=now, anyway=anyway, ports=ports)
        status = TaskStatus.OPEN if task.status is TaskStatus.STARTED else task.status
        released = replace(task, status=status, lease=None, updated_at=now)
        tx.diary.tasks.put(released)
    return EndedClaim(task=released, overrode=overrode)


@repeatable
def finish_task(
    reference: str,
    *,
    anyway: bool = False,
    evidence: tuple[Evidence, ...] = (),
    ports: TaskPorts,
) -> EndedClaim:
    """Finish a task, and record the commit that is checked out, and evidence that it is done.

    A program finishes only a task that it holds. A person finishes any; one who names a worker
    needs ``anyway`` where another worker holds it.

    Raises:
        TaskIsDoneError: It is done already.
        TaskLeaseLostError: The caller does not hold it.
        TaskWaitsError: It waits for others, or has children that are not done.
    """
    point = ports.surroundings.branch_point()
    with ports.store.writing(ports.clock.now(), patience=ports.patience) as tx:
        now, task = ports.clock.now(), ports.named(reference, tx=tx)
        _refuse_done(task)
        overrode = _overridden(task, at=now, anyway=anyway, ports=ports)
        if not anyway or not ports.actor.decides:
            _refuse_waiting(task, tx=tx)
        done = replace(
            task,
            status=TaskStatus.DONE,
            lease=None,
            blocked="",
            finished_at=now,
            finished_by=ports.worker,
            finished_commit=None if point is None else point.head,
            evidence=(*task.evidence, *evidence),
            updated_at=now,
        )
        tx.diary.tasks.put(done)
    return EndedClaim(task=done, overrode=overrode)


@repeatable
def reopen_task(reference: str, *, ports: TaskPorts) -> ReopenedTask:
    """Reopen a task that was done, and its parents that were done.

    Raises:
        TaskNotDoneError: It is not done.
    """
    now = ports.clock.now()
    with ports.store.writing(now) as tx:
        task = ports.named(reference, tx=tx)
        if not task.is_done:
            raise TaskNotDoneError(task.id, task.status.value)
        task = replace(opened(task), updated_at=now)
        tx.diary.tasks.put(task)
        parents: list[Task] = []
        parent = task.parent
        while parent is not None and parent in tx.diary.tasks.graph.levels([parent]):
            above = tx.diary.tasks.get(parent)
            if not above.is_done:
                break
            parents.append(replace(opened(above), updated_at=now))
            tx.diary.tasks.put(parents[-1])
            parent = above.parent
    return ReopenedTask(task=task, parents=tuple(parents))


def block_task(reference: str, why: str, *, ports: TaskPorts) -> Task:
    """Mark a task as blocked by something outside; its claim ends.

    Raises:
        BadFieldError: No reason is given, or it is too long.
        TaskClaimedError: Another worker holds it.
    """
    reason = " ".join(screened(why, what="reason").split())
    if not reason or len(reason) > _LONGEST_REASON:
        problem = f"must have between 1 and {_LONGEST_REASON} characters."
        raise BadFieldError(field="reason", problem=problem)
    return _set(reference, TaskStatus.BLOCKED, reason, ports)


def unblock_task(reference: str, *, ports: TaskPorts) -> Task:
    """Open a blocked task again; a task that is not blocked stays as it is."""
    return _set(reference, TaskStatus.OPEN, "", ports)


@repeatable
def delete_task(reference: str, *, ports: TaskPorts) -> DeletedTask:
    """Remove a task permanently; tasks that wait for it and its children lose the reference."""
    now = ports.clock.now()
    with ports.store.writing(now) as tx:
        task = ports.named(reference, tx=tx)
        changed = _without(task.id, at=now, tx=tx)
        tx.diary.tasks.delete(task.id)
    return DeletedTask(task=task, changed=changed, not_yet=scrubbed(ports.store))


def _without(gone: TaskId, *, at: datetime, tx: Transaction) -> tuple[TaskId, ...]:
    """Remove a task from the tasks that name it; return these."""
    tasks = tx.diary.tasks
    naming = dict(tasks.get_many(tasks.graph.dependents([gone])[gone]))
    while page := tasks.find(TaskFilter(parent=gone), limit=_PAGE):
        for child in page:
            tasks.put(replace(child, parent=None, updated_at=at))
            naming.setdefault(child.id, child)
    waiting = [one for one in naming.values() if gone in one.after]
    for one in waiting:
        current = tasks.get(one.id)
        kept = tuple(other for other in current.after if other != gone)
        tasks.put(replace(current, after=kept, updated_at=at))
    return tuple(
        sorted(one.id for one in naming.values() if gone in one.after or one.parent == gone)
    )


@repeatable
def _claimed(reference: str, lease: timedelta | None, ports: TaskPorts) -> Task:
    holder, unseen = ports.worker, _unseen_for(reference, ports)
    with ports.store.writing(ports.clock.now(), patience=ports.patience) as tx:
        now, task = ports.clock.now(), ports.named(reference, tx=tx)
        _refuse_done(task)
        ports.refuse_elsewhere(task, unseen)
        if task.status is TaskStatus.BLOCKED:
            raise TaskIsBlockedError(task.id, task.blocked)
        if task.holder_at(now) not in {None, holder} and task.lease is not None:
            raise TaskClaimedError(task.id, task.lease.holder, task.lease.end)
        _refuse_waiting(task, tx=tx)
        taken = _taken(task, holder, None if lease is None else now + lease, at=now)
        tx.diary.tasks.put(taken)
    return taken


def _unseen_for(reference: str, ports: TaskPorts) -> frozenset[BranchPoint]:
    """Return the branch points that do not count, if the task belongs to a side branch at all."""
    with ports.store.reading() as tx:
        aside = ports.named(reference, tx=tx).aside
        return frozenset() if aside is None else ports.unseen(tx)


def _taken(task: Task, holder: str, until: datetime | None, *, at: datetime) -> Task:
    lease = Lease(holder=holder, until=until)
    return replace(task, status=TaskStatus.STARTED, lease=lease, updated_at=at)


@repeatable
def _set(reference: str, status: TaskStatus, why: str, ports: TaskPorts) -> Task:
    with ports.store.writing(ports.clock.now()) as tx:
        now, task = ports.clock.now(), ports.named(reference, tx=tx)
        _refuse_done(task)
        if status is TaskStatus.OPEN and task.status is not TaskStatus.BLOCKED:
            return task
        holder = task.holder_at(now)
        if holder not in {None, ports.worker} and task.lease and not ports.actor.decides:
            raise TaskClaimedError(task.id, task.lease.holder, task.lease.end)
        changed = replace(task, status=status, blocked=why, lease=None, updated_at=now)
        tx.diary.tasks.put(changed)
    return changed


def _refuse_done(task: Task) -> None:
    if task.is_done:
        raise TaskIsDoneError(task.id)


def _overridden(task: Task, *, at: datetime, anyway: bool, ports: TaskPorts) -> str | None:
    """Return the other worker whose lease is ended; refuse who may not end it.

    Raises:
        TaskLeaseLostError: A program does not hold the task, or a person acts for another worker.
    """
    actor, holder = ports.actor, None if task.lease is None else task.lease.holder
    if holder == ports.worker:
        return None
    living = task.holder_at(at)
    if not actor.decides or (living is not None and actor.is_worker and not anyway):
        raise TaskLeaseLostError(task.id, ports.worker, holder)
    return living


def _refuse_waiting(task: Task, *, tx: Transaction) -> None:
    unmet = tx.diary.tasks.graph.dependencies([task.id], unmet=True)[task.id]
    if unmet:
        raise TaskWaitsError(task.id, tuple(unmet))
