"""Placing a task in the graph: refuse cycles, and keep every task above those it waits for.

Each task has a level. It is higher than the levels of all tasks that it waits for, so a new edge
from a higher to a lower level cannot close a cycle, and most edges need no search. Otherwise the
tasks that wait for the new edge's start are raised; if this reaches its end, there is a cycle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.tasks.errors import TaskCycleError, WaitsForItselfError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.domain.ids import TaskId
    from holdfast.domain.tasks.task import Task
    from holdfast.ports.store.store import Transaction
    from holdfast.ports.store.tasks import TaskGraph

Edge = tuple["TaskId", "TaskId"]


def put_task(task: Task, *, before: Task | None, tx: Transaction) -> None:
    """Write a task, and refuse it if its new edges close a cycle.

    Raises:
        WaitsForItselfError: It waits for itself, or is its own parent.
        TaskCycleError: The tasks would wait for each other; the error names them in order.
    """
    if task.id in task.after or task.id == task.parent:
        raise WaitsForItselfError(task.id)
    tx.diary.tasks.put(task)
    connect(_new_edges(task, before), graph=tx.diary.tasks.graph)


def put_imported(task: Task, *, tx: Transaction) -> None:
    """Write a task of an import, for which other tasks may wait already."""
    put_task(task, before=None, tx=tx)
    graph = tx.diary.tasks.graph
    waiting = [(one, task.id) for one in graph.dependents([task.id])[task.id]]
    connect(
        [*waiting, *((task.id, one) for one in graph.dependencies([task.id])[task.id])], graph=graph
    )


def connect(edges: Iterable[Edge], *, graph: TaskGraph) -> None:
    """Raise the levels so that each task is above those it waits for.

    Raises:
        TaskCycleError: That is impossible.
    """
    for waiting, first in edges:
        levels = graph.levels([waiting, first])
        if len(levels) == len({waiting, first}) and levels[waiting] <= levels[first]:
            graph.set_levels(_raised(waiting, first, levels[first] + 1, graph))


def _new_edges(task: Task, before: Task | None) -> list[Edge]:
    known = set() if before is None else set(before.after)
    edges = [(task.id, one) for one in task.after if one not in known]
    if task.parent is not None and (before is None or before.parent != task.parent):
        edges.append((task.parent, task.id))
    return edges


def _raised(waiting: TaskId, first: TaskId, level: int, graph: TaskGraph) -> dict[TaskId, int]:
    """Return the new levels of a task and of those that wait for it, directly or not."""
    raised, through = {waiting: level}, {waiting: first}
    frontier = [waiting]
    while frontier:
        behind = graph.dependents(frontier)
        levels = graph.levels({one for found in behind.values() for one in found})
        due: dict[TaskId, None] = {}
        for name in frontier:
            for one in behind[name]:
                _refuse_cycle(one, name, through, first)
                if raised.get(one, levels[one]) <= raised[name]:
                    raised[one], through[one] = raised[name] + 1, name
                    due[one] = None
        frontier = list(due)
    return raised


def _refuse_cycle(one: TaskId, name: TaskId, through: dict[TaskId, TaskId], first: TaskId) -> None:
    """Refuse a task that waits for another one, if that one waits for it in turn."""
    if one != first and one not in through:
        return
    path, step = [one], name
    while step not in {first, one}:
        path.append(step)
        step = through[step]
    if step == one:
        raise TaskCycleError([*path, one])
