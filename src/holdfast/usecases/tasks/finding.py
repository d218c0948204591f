"""Find tasks: what can start, what is next, lists, one task with its neighbours, and the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import BadFieldError
from holdfast.domain.refusals import BadCursorError
from holdfast.domain.tasks.errors import NothingReadyError
from holdfast.domain.tasks.finding import Obstacle, ReadyQuestion, ReadyTasks, TaskFilter
from holdfast.domain.tasks.task import TaskStatus
from holdfast.domain.values import dataclass, field, replace
from holdfast.usecases.anchors.branch_names import tasks_with_names_now
from holdfast.usecases.naming import check_limit
from holdfast.usecases.tasks.edges import missing_edges
from holdfast.usecases.tasks.ports import hidden_note

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from holdfast.domain.ids import TaskId
    from holdfast.domain.memory.anchor import BranchPoint
    from holdfast.domain.tasks.finding import TaskTally
    from holdfast.domain.tasks.task import Task, TaskKind
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.tasks.edges import MissingEdge
    from holdfast.usecases.tasks.ports import TaskPorts

MOST_DRAWN = 2_000
"""How many tasks a tree or a graph may have."""
_PAGE = 500
_SHOWN_UNMET = 3
_CLAIMED = "claimed by {holder}"
_BLOCKED = "blocked: {why}"
_ELSEWHERE = "belongs to the branch {branch}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ListTasks:
    """A request to list tasks; fields that are not set do not restrict it."""

    statuses: frozenset[TaskStatus] = frozenset()
    kinds: frozenset[TaskKind] = frozenset()
    parent: str | None = None
    label: str | None = None
    holder: str | None = None
    everywhere: bool = False
    limit: int = 50
    beyond: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownTask:
    """A task with its neighbours: what it waits for, what waits for it, and its children.

    ``waiting`` are those of the neighbours that wait for others; ``missing`` are edges that came
    from beads and lead to nothing here.
    """

    task: Task
    waits_for: tuple[Task, ...] = ()
    unblocks: tuple[Task, ...] = ()
    children: tuple[Task, ...] = ()
    parent: Task | None = None
    waiting: frozenset[TaskId] = frozenset()
    missing: tuple[MissingEdge, ...] = ()

    @property
    def done_children(self) -> int:
        """How many of the children are done."""
        return sum(one.is_done for one in self.children)


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnTasks:
    """The tasks of a tree or a graph, and what each waits for; ``left_out`` counts the others.

    ``waiting`` are the tasks that wait for others, also for such as are not drawn.
    """

    tasks: tuple[Task, ...] = ()
    needs: Mapping[TaskId, tuple[TaskId, ...]] = field(default_factory=dict)
    left_out: int = 0
    note: str = ""
    at: datetime | None = None
    waiting: frozenset[TaskId] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedTasks:
    """A list of tasks; ``elsewhere`` are those of branches that are not part of this checkout.

    ``beyond`` is where the next part of the list begins; None if nothing follows.
    """

    tasks: tuple[Task, ...] = ()
    elsewhere: frozenset[TaskId] = frozenset()
    beyond: str | None = None


def ready_tasks(*, limit: int, ports: TaskPorts) -> ReadyTasks:
    """Return the tasks that can start here, best first, and why the others cannot."""
    check_limit(limit)
    now = ports.clock.now()
    with ports.store.reading() as tx:
        unseen = ports.unseen(tx)
        question = ReadyQuestion(repo=ports.repo, at=now, unseen=unseen, limit=limit)
        found = tx.diary.tasks.graph.ready(question)
        tally = tx.diary.tasks.graph.tally(ports.repo)
        counts = [one for one in tally if one.aside not in unseen]
        waiting = sum(one.count for one in tally if one.status is not TaskStatus.DONE)
        total = _can_start(counts, question, found, tx=tx)
        return ReadyTasks(
            tasks=tuple(tx.diary.tasks.get_many([name for name, _ in found]).values()),
            total=total,
            obstacles=_obstacles(question, ports=ports, tx=tx),
            held=waiting - total,
            done=sum(one.count for one in counts if one.status is TaskStatus.DONE),
            note=hidden_note(unseen, surroundings=ports.surroundings),
            unblocks=dict(found),
        )


def next_task(*, ports: TaskPorts) -> ReadyTasks:
    """Return the best task that can start.

    Raises:
        NothingReadyError: None can.
    """
    found = ready_tasks(limit=1, ports=ports)
    if not found.tasks:
        raise NothingReadyError(found.held)
    return found


def _can_start(
    counts: Sequence[TaskTally],
    question: ReadyQuestion,
    found: Sequence[tuple[TaskId, int]],
    *,
    tx: Transaction,
) -> int:
    """Count the tasks that can start, including those whose lease has ended."""
    if len(found) < question.limit:
        return len(found)
    free = [one for one in counts if one.status is TaskStatus.OPEN and not one.is_waiting]
    started = TaskFilter(repo=question.repo, statuses=frozenset({TaskStatus.STARTED}))
    given_up = [
        task
        for task in tx.diary.tasks.find(replace(started, is_waiting=False), limit=MOST_DRAWN)
        if task.may_be_taken_at(question.at) and task.aside not in question.unseen
    ]
    return sum(one.count for one in free) + len(given_up)


def _obstacles(
    question: ReadyQuestion, *, ports: TaskPorts, tx: Transaction
) -> tuple[Obstacle, ...]:
    """Return some of the tasks that cannot start, each with the reason."""
    tasks = tx.diary.tasks
    held = tasks.get_many(tasks.graph.held(question))
    unmet = tasks.graph.dependencies(list(held), unmet=True)
    near = {name: tuple(others)[:_SHOWN_UNMET] for name, others in unmet.items()}
    firsts = tasks.get_many(list(dict.fromkeys(one for names in near.values() for one in names)))
    return tuple(
        Obstacle(
            task=task,
            waits_for=tuple(firsts[one] for one in near[name] if one in firsts),
            more=max(0, len(unmet[name]) - _SHOWN_UNMET),
            why=_why(task, question, ports),
        )
        for name, task in held.items()
    )


def _why(task: Task, question: ReadyQuestion, ports: TaskPorts) -> str:
    """Return why a task cannot start, other than the tasks that it waits for."""
    if task.aside is not None and task.aside in question.unseen:
        return _ELSEWHERE.format(branch=ports.branch_now(task))
    if task.status is TaskStatus.BLOCKED:
        return _BLOCKED.format(why=task.blocked)
    holder = task.holder_at(question.at)
    return "" if holder is None else _CLAIMED.format(holder=holder)


def list_tasks(wish: ListTasks, *, ports: TaskPorts) -> ListedTasks:
    """Return tasks in the order in which they were added.

    Raises:
        BadCursorError: ``beyond`` is not where an earlier part of the list ended.
    """
    check_limit(wish.limit)
    if wish.beyond is not None and not wish.beyond.startswith("t_"):
        raise BadCursorError
    with ports.store.reading() as tx:
        which = TaskFilter(
            repo=None if wish.everywhere else ports.repo,
            statuses=wish.statuses,
            kinds=wish.kinds,
            parent=None if wish.parent is None else ports.named(wish.parent, tx=tx).id,
            holder=wish.holder,
            beyond=wish.beyond or "",
        )
        found: list[Task] = []
        while len(found) <= wish.limit and (page := tx.diary.tasks.find(which, limit=_PAGE)):
            found += [one for one in page if wish.label is None or wish.label in one.labels]
            which = replace(which, beyond=page[-1].id)
        shown, unseen = tuple(found[: wish.limit]), ports.unseen(tx)
        return ListedTasks(
            tasks=tasks_with_names_now(shown, surroundings=ports.surroundings),
            elsewhere=frozenset(one.id for one in shown if one.aside and one.aside in unseen),
            beyond=shown[-1].id if len(found) > wish.limit else None,
        )


def show_task(reference: str, *, ports: TaskPorts) -> ShownTask:
    """Return a task with its neighbours.

    Raises:
        NoSuchError: No task has that id.
    """
    with ports.store.reading() as tx:
        tasks = tx.diary.tasks
        task = ports.named(reference, tx=tx)
        children = tasks.find(TaskFilter(parent=task.id), limit=MOST_DRAWN)
        first = tasks.graph.dependencies([task.id])[task.id]
        behind = tasks.graph.dependents([task.id])[task.id]
        young = {one.id for one in children}
        above = {} if task.parent is None else tasks.get_many([task.parent])
        waits_for = tuple(tasks.get_many([one for one in first if one not in young]).values())
        unblocks = tuple(tasks.get_many([one for one in behind if one != task.parent]).values())
        return ShownTask(
            task=tasks_with_names_now([task], surroundings=ports.surroundings)[0],
            waits_for=waits_for,
            unblocks=unblocks,
            children=tuple(children),
            waiting=_waiting((*waits_for, *unblocks, *children), tx=tx),
            parent=next(iter(above.values()), None),
            missing=missing_edges(task, tx=tx),
        )


def drawn_tasks(
    reference: str | None, *, with_done: bool, limit: int = MOST_DRAWN, ports: TaskPorts
) -> DrawnTasks:
    """Return the tasks for a tree or a graph: of this repository, or all around one task.

    Raises:
        BadFieldError: The limit is out of range.
        NoSuchError: No task has that id.
    """
    if not 1 <= limit <= MOST_DRAWN:
        raise BadFieldError(field="limit", problem=f"must be between 1 and {MOST_DRAWN:,}.")
    with ports.store.reading() as tx:
        unseen = ports.unseen(tx)
        if reference is None:
            statuses = frozenset(TaskStatus) - (frozenset() if with_done else {TaskStatus.DONE})
            found, total = _all_here(statuses, unseen, limit=limit, ports=ports, tx=tx)
        else:
            found = _around(ports.named(reference, tx=tx), with_done=with_done, tx=tx)
            total = len(found)
        shown = tuple(found[:limit])
        names = {task.id for task in shown}
        needs = tx.diary.tasks.graph.dependencies([task.id for task in shown])
        return DrawnTasks(
            tasks=shown,
            needs={name: tuple(one for one in needs[name] if one in names) for name in names},
            left_out=total - len(shown),
            at=ports.clock.now(),
            note=hidden_note(unseen, surroundings=ports.surroundings),
            waiting=_waiting(shown, tx=tx),
        )


def _waiting(tasks: Sequence[Task], *, tx: Transaction) -> frozenset[TaskId]:
    """Return the tasks that wait for others."""
    unmet = tx.diary.tasks.graph.dependencies([one.id for one in tasks], unmet=True)
    return frozenset(name for name, others in unmet.items() if others)


def _all_here(
    statuses: frozenset[TaskStatus],
    unseen: frozenset[BranchPoint],
    *,
    limit: int,
    ports: TaskPorts,
    tx: Transaction,
) -> tuple[list[Task], int]:
    """Return the tasks of this repository up to a limit, and how many there are in all."""
    which = TaskFilter(repo=ports.repo, statuses=statuses)
    found: list[Task] = []
    while len(found) < limit and (page := tx.diary.tasks.find(which, limit=_PAGE)):
        found += [task for task in page if task.aside not in unseen]
        which = replace(which, beyond=page[-1].id)
    counts = [one for one in tx.diary.tasks.graph.tally(ports.repo) if one.aside not in unseen]
    return found, sum(one.count for one in counts if one.status in statuses)


def _around(task: Task, *, with_done: bool, tx: Transaction) -> list[Task]:
    """Return a task, everything that it waits for, and everything that waits for it."""
    graph = tx.diary.tasks.graph
    known: dict[TaskId, None] = {task.id: None}
    for step in (graph.dependencies, graph.dependents):
        frontier = [task.id]
        while frontier and len(known) <= MOST_DRAWN:
            found = step(frontier)
            near = dict.fromkeys(one for names in found.values() for one in names)
            frontier = [one for one in near if one not in known]
            known |= dict.fromkeys(frontier)
    tasks = tx.diary.tasks.get_many(list(known)).values()
    return [one for one in tasks if with_done or not one.is_done or one.id == task.id]
