"""Placing a task in the graph: refuse cycles, and keep every task above those it waits for.

Each task has a level. It is higher than the levels of all tasks that it waits for, so a new edge
from a higher to a lower level cannot close a cycle, and most edges need no search. Otherwise two
searches go from the ends of the edge away from it, no further than the levels between the ends,
and the smaller one ends both: if they meet, there is a cycle. If not, the tasks of the search that
ended are moved to the other side of the edge, into the room between their neighbours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.tasks.errors import TaskCycleError, WaitsForItselfError
from holdfast.domain.tasks.levels import levels_above, levels_below
from holdfast.domain.values import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

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
    """Change the levels so that each task is above those it waits for.

    Raises:
        TaskCycleError: That is impossible.
    """
    for waiting, first in edges:
        levels = graph.levels([waiting, first])
        if len(levels) == len({waiting, first}) and levels[waiting] <= levels[first]:
            graph.set_levels(_moved(waiting, first, levels, graph))


def _new_edges(task: Task, before: Task | None) -> list[Edge]:
    known = set() if before is None else set(before.after)
    edges = [(task.id, one) for one in task.after if one not in known]
    if task.parent is not None and (before is None or before.parent != task.parent):
        edges.append((task.parent, task.id))
    return edges


@dataclass(slots=True, kw_only=True)
class _Search:
    """The tasks from one end of a new edge away from it, as far as ``low`` and ``high``.

    ``through`` says from which task each one was reached, ``beyond`` the levels where it stopped.
    """

    graph: TaskGraph
    start: TaskId
    is_upwards: bool
    low: int
    high: int
    levels: dict[TaskId, int] = field(default_factory=dict)
    through: dict[TaskId, TaskId] = field(default_factory=dict)
    beyond: list[int] = field(default_factory=list)
    frontier: list[TaskId] = field(default_factory=list)

    def begin(self) -> _Search:
        """Find the start itself."""
        self.levels[self.start] = self.low if self.is_upwards else self.high
        self.frontier = [self.start]
        return self

    @property
    def cost(self) -> int:
        """How much was searched, with the next step."""
        return len(self.levels) + len(self.frontier)

    @property
    def in_order(self) -> Sequence[TaskId]:
        """The tasks that were found, those that others wait for first."""
        return sorted(self.levels, key=self.levels.__getitem__)

    def go_on(self) -> None:
        """Find the neighbours of the tasks that were found last."""
        found = self._neighbours()
        fresh = {one: name for name, others in found.items() for one in others}
        fresh = {one: name for one, name in fresh.items() if one not in self.levels}
        self.frontier = []
        for one, level in self.graph.levels(fresh).items():
            if level <= self.high if self.is_upwards else level >= self.low:
                self.levels[one], self.through[one] = level, fresh[one]
                self.frontier.append(one)
            else:
                self.beyond.append(level)

    def way_from(self, task_id: TaskId) -> list[TaskId]:
        """Return the tasks from one that was found to the start."""
        way = [task_id]
        while way[-1] != self.start:
            way.append(self.through[way[-1]])
        return way

    def _neighbours(self) -> Mapping[TaskId, Collection[TaskId]]:
        if self.is_upwards:
            return self.graph.dependents(self.frontier)
        return self.graph.dependencies(self.frontier)


def _moved(
    waiting: TaskId, first: TaskId, levels: Mapping[TaskId, int], graph: TaskGraph
) -> Mapping[TaskId, int]:
    """Return new levels that put one task above another that it waits for."""
    low, high = levels[waiting], levels[first]
    above = _Search(graph=graph, start=waiting, is_upwards=True, low=low, high=high).begin()
    below = _Search(graph=graph, start=first, is_upwards=False, low=low, high=high).begin()
    while above.frontier and below.frontier:
        cheaper, other = (above, below) if above.cost <= below.cost else (below, above)
        cheaper.go_on()
        if met := next((one for one in cheaper.frontier if one in other.levels), None):
            raise TaskCycleError([*reversed(below.way_from(met)), *above.way_from(met)[1:], first])
    if below.frontier:
        names = above.in_order
        fitting = levels_above(high, len(names), min(above.beyond, default=None))
    else:
        names = below.in_order
        fitting = levels_below(low, len(names), max(below.beyond, default=None))
    if fitting is None:
        return _raised(waiting, high + 1, graph)
    return dict(zip(names, fitting, strict=True))


def _raised(waiting: TaskId, level: int, graph: TaskGraph) -> Mapping[TaskId, int]:
    """Return levels for a task and for those that wait for it, if there is no room to move it.

    The search along one edge found no cycle, but another new edge of the task may close one.
    """
    raised, through = {waiting: level}, {}
    frontier = [waiting]
    while frontier:
        behind = graph.dependents(frontier)
        levels = graph.levels({one for found in behind.values() for one in found})
        due: dict[TaskId, None] = {}
        for name in frontier:
            for one in behind[name]:
                if raised.get(one, levels[one]) <= raised[name]:
                    raised[one], through[one] = raised[name] + 1, name
                    due[one] = None
        if waiting in due:
            raise TaskCycleError(_round(waiting, through))
        frontier = list(due)
    return raised


def _round(task_id: TaskId, through: Mapping[TaskId, TaskId]) -> list[TaskId]:
    """Return the tasks from one to itself."""
    way = [task_id, through[task_id]]
    while way[-1] != task_id:
        way.append(through[way[-1]])
    return way
