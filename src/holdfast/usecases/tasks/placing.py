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
    from collections.abc import Iterable, Mapping, Sequence

    from holdfast.domain.ids import TaskId
    from holdfast.domain.tasks.task import Task
    from holdfast.ports.store.store import Transaction
    from holdfast.ports.store.tasks import Neighbours, TaskGraph

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

    ``through`` says from which task each one was reached, ``needs`` for which of the others each
    one waits, and ``beyond`` the levels where the search stopped.
    """

    graph: TaskGraph
    start: TaskId
    is_upwards: bool
    low: int
    high: int
    levels: dict[TaskId, int] = field(default_factory=dict)
    through: dict[TaskId, TaskId] = field(default_factory=dict)
    needs: dict[TaskId, list[TaskId]] = field(default_factory=dict)
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

    def go_on(self) -> None:
        """Find the neighbours of the tasks that were found last."""
        found = self.neighbours(self.frontier)
        self.frontier = []
        for name, others in found.items():
            for one, level in others.items():
                if not (level <= self.high if self.is_upwards else level >= self.low):
                    self.beyond.append(level)
                    continue
                waiting, first = (one, name) if self.is_upwards else (name, one)
                self.needs.setdefault(waiting, []).append(first)
                if one not in self.levels:
                    self.levels[one], self.through[one] = level, name
                    self.frontier.append(one)

    def neighbours(self, task_ids: Sequence[TaskId]) -> Mapping[TaskId, Neighbours]:
        """Return what lies next to some tasks, away from the edge."""
        ask = self.graph.dependents if self.is_upwards else self.graph.dependencies
        return ask(task_ids)

    def ranks(self) -> Mapping[TaskId, int]:
        """Return the tasks that were found, each with a rank above those that it waits for."""
        ranks: dict[TaskId, int] = {}
        for name in sorted(self.levels, key=self.levels.__getitem__):
            ranks[name] = 1 + max(
                (ranks.get(one, 0) for one in self.needs.get(name, ())), default=0
            )
        return ranks


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
            up, down = _way(met, waiting, above.through), _way(met, first, below.through)
            raise TaskCycleError([*reversed(down), *up[1:], first])
    if below.frontier:
        ranks = above.ranks()
        fitting = levels_above(high, max(ranks.values()), min(above.beyond, default=None))
        return _placed(ranks, fitting) or _pushed(above, high + 1, first)
    ranks = below.ranks()
    fitting = levels_below(low, max(ranks.values()), max(below.beyond, default=None))
    return _placed(ranks, fitting) or _pushed(below, low - 1, waiting)


def _placed(ranks: Mapping[TaskId, int], levels: Sequence[int]) -> Mapping[TaskId, int]:
    """Return the level of each task by its rank; nothing if there are no levels."""
    return {name: levels[rank - 1] for name, rank in ranks.items()} if levels else {}


def _pushed(search: _Search, level: int, end: TaskId) -> Mapping[TaskId, int]:
    """Return levels for the tasks of a search if there is no room: they push others on.

    The search along one edge found no cycle, but another new edge of the task may close one.
    """
    step = 1 if search.is_upwards else -1
    pushed, through = {search.start: level}, {}
    frontier = [search.start]
    while frontier:
        due: dict[TaskId, None] = {}
        for name, others in search.neighbours(frontier).items():
            for one, known in others.items():
                if (pushed.get(one, known) - pushed[name]) * step <= 0:
                    pushed[one], through[one] = pushed[name] + step, name
                    due[one] = None
        for one in due.keys() & {search.start, end}:
            way = _way(through[one], search.start, through)
            path = [one, *way] if search.is_upwards else [*reversed(way), one]
            raise TaskCycleError(path if one == search.start else [*path, path[0]])
        frontier = list(due)
    return pushed


def _way(task_id: TaskId, start: TaskId, through: Mapping[TaskId, TaskId]) -> list[TaskId]:
    """Return the tasks from one that was reached to the start."""
    way = [task_id]
    while way[-1] != start:
        way.append(through[way[-1]])
    return way
