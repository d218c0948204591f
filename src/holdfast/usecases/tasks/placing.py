"""Placing a task in the graph: refuse cycles, and keep every task above those it waits for.

Each task has a level. It is higher than the levels of all tasks that it waits for, so a new edge
from a higher to a lower level cannot close a cycle, and most edges need no search. Otherwise two
searches go from the ends of the edge towards each other in the order of the levels: if they meet,
there is a cycle. Where they pass each other without meeting, or where one of them ends, there is a
cut: the tasks of each search that are on the wrong side of it are moved, into the room there.
"""

from __future__ import annotations

from heapq import heappop, heappush
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from holdfast.domain.tasks.errors import TaskCycleError, WaitsForItselfError
from holdfast.domain.tasks.levels import levels_between
from holdfast.domain.values import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from holdfast.domain.ids import TaskId
    from holdfast.domain.tasks.task import Task
    from holdfast.ports.store.store import Transaction
    from holdfast.ports.store.tasks import Neighbours, TaskGraph

Edge = tuple["TaskId", "TaskId"]
_LEAST_ASKED, _PART_ASKED = 4, 4
"""A search asks for at least this many tasks at once, and for this part of those before."""
_LINE = 8
"""A search that has found more tasks and has only one left follows a line; chosen by hand."""


def put_task(task: Task, *, before: Task | None, tx: Transaction) -> None:
    """Write a task, and refuse it if its new edges close a cycle.

    Raises:
        WaitsForItselfError: It waits for itself, or is its own parent.
        TaskCycleError: The tasks would wait for each other; the error names them in order.
    """
    _refuse_itself(task)
    tx.diary.tasks.put(task)
    connect(_new_edges(task, before), graph=tx.diary.tasks.graph)


def put_imported(task: Task, *, tx: Transaction) -> None:
    """Write a task of an import, for which other tasks may wait already.

    Raises:
        WaitsForItselfError: It waits for itself, or is its own parent.
        TaskCycleError: The tasks would wait for each other; the error names them in order.
    """
    _refuse_itself(task)
    tx.diary.tasks.put(task)
    graph = tx.diary.tasks.graph
    waiting = [(one, task.id) for one in graph.dependents([task.id])[task.id]]
    first = [(task.id, one) for one in graph.dependencies([task.id])[task.id]]
    connect([*waiting, *first], graph=graph)


def connect(edges: Iterable[Edge], *, graph: TaskGraph) -> None:
    """Change the levels so that each task is above those it waits for.

    Raises:
        TaskCycleError: That is impossible.
    """
    due = dict.fromkeys(edges)
    for edge in tuple(due):
        levels = graph.levels(edge)
        if len(levels) == len(edge) and levels[edge[0]] <= levels[edge[1]]:
            graph.set_levels(_moved(edge, levels, due.keys(), graph))
        del due[edge]


def _refuse_itself(task: Task) -> None:
    if task.id in task.after or task.id == task.parent:
        raise WaitsForItselfError(task.id)


def _new_edges(task: Task, before: Task | None) -> list[Edge]:
    known = set() if before is None else set(before.after)
    edges = [(task.id, one) for one in task.after if one not in known]
    if task.parent is not None and (before is None or before.parent != task.parent):
        edges.append((task.parent, task.id))
    return edges


@dataclass(slots=True, kw_only=True)
class _Search:
    """The tasks from one end of a new edge away from it, those nearest to it by level first.

    ``through`` says from which task each one was reached, ``near`` has the neighbours of those that
    were asked for, and ``queue`` the others.
    ``due`` are the new edges whose ends are not in order yet, by the task that the search would
    follow them from; it does not follow them.
    """

    graph: TaskGraph
    is_upwards: bool
    due: Mapping[TaskId, Collection[TaskId]]
    levels: dict[TaskId, int] = field(default_factory=dict)
    through: dict[TaskId, TaskId] = field(default_factory=dict)
    near: dict[TaskId, Neighbours] = field(default_factory=dict)
    queue: list[tuple[int, TaskId]] = field(default_factory=list)

    def start(self, task_id: TaskId, level: int) -> None:
        """Begin at a task."""
        self.levels[task_id] = level
        self.queue.append((level if self.is_upwards else -level, task_id))

    @property
    def front(self) -> float:
        """The level of the next task; infinitely far away if none is left."""
        far = self.queue[0][0] if self.queue else inf
        return far if self.is_upwards else -far

    def go_on(self, front: float) -> list[TaskId]:
        """Find the neighbours of the next tasks, no further than the front of the other search.

        Their number grows with those asked for so far, so that a long search asks seldom. It grows
        slowly, because each task that is read beyond the end of the search costs as well. A
        search in a line has only one task to ask for, so it asks for those after it, too.
        """
        levels, through, queue = self.levels, self.through, self.queue
        far = front if self.is_upwards else -front
        asked = [heappop(queue)[1]]
        most = max(_LEAST_ASKED, (len(levels) - len(queue)) // _PART_ASKED)
        while queue and queue[0][0] <= far and len(asked) < most:
            asked.append(heappop(queue)[1])
        is_line = len(asked) == 1 and not queue and len(levels) > _LINE
        near = self._read(asked, onward=most - 1 if is_line else 0)
        self.near.update(near)
        new = []
        for name, others in near.items():
            if name not in levels:
                break  # the line follows a new edge that is still due
            due = self.due.get(name, ())
            for one, level in others.items():
                if one not in levels and one not in due:
                    levels[one] = level
                    through[one] = name
                    new.append(one)
                    if one not in near:
                        heappush(queue, (level if self.is_upwards else -level, one))
        return new

    def _read(self, asked: Collection[TaskId], *, onward: int) -> Mapping[TaskId, Neighbours]:
        if self.is_upwards:
            return self.graph.dependents(asked, onward=onward)
        return self.graph.dependencies(asked, onward=onward)

    def ranks(self, moved: Collection[TaskId], above: int) -> dict[TaskId, int]:
        """Return a rank for each task that is moved, above the ranks of those it waits for."""
        ranks = dict.fromkeys(sorted(moved, key=self.levels.__getitem__), above + 1)
        for name in ranks:
            due = self.due.get(name, ())
            moved_too = [one for one in self.near[name] if one in ranks and one not in due]
            if self.is_upwards:
                for one in moved_too:
                    ranks[one] = max(ranks[one], ranks[name] + 1)
            elif moved_too:
                ranks[name] = max(map(ranks.__getitem__, moved_too)) + 1
        return ranks


def _moved(
    edge: Edge, levels: Mapping[TaskId, int], due: Collection[Edge], graph: TaskGraph
) -> Mapping[TaskId, int]:
    """Return new levels that put one task above another that it waits for."""
    waiting, first = edge
    above = _Search(graph=graph, is_upwards=True, due=_by_first((b, a) for a, b in due))
    below = _Search(graph=graph, is_upwards=False, due=_by_first(due))
    above.start(waiting, levels[waiting])
    below.start(first, levels[first])
    while True:
        cheaper, other = (below, above) if len(below.levels) < len(above.levels) else (above, below)
        new = cheaper.go_on(other.front)
        if not other.levels.keys().isdisjoint(new):
            met = next(one for one in new if one in other.levels)
            up, down = _way(met, waiting, above.through), _way(met, first, below.through)
            raise TaskCycleError([*reversed(down), *up[1:], first])
        if below.front < above.front:
            cuts = [_cut(above, below, at) for at in (below.front, above.front - 1)]
            for cut in sorted(cuts, key=lambda one: len(one.upper) + len(one.lower)):
                if fitting := _placed(cut, above, below):
                    return fitting


def _by_first(edges: Iterable[Edge]) -> Mapping[TaskId, Collection[TaskId]]:
    """Return the second tasks of pairs by the first one."""
    found: dict[TaskId, set[TaskId]] = {}
    for one, other in edges:
        found.setdefault(one, set()).add(other)
    return found


class _Cut(NamedTuple):
    """A level between two searches, and the tasks of each that are on its wrong side.

    The upper tasks may only rise and the lower ones only sink: nobody asked what is on their other
    side.
    """

    at: float
    upper: Collection[TaskId]
    lower: Collection[TaskId]


def _cut(above: _Search, below: _Search, at: float) -> _Cut:
    upper = [one for one, level in above.levels.items() if level <= at]
    lower = [one for one, level in below.levels.items() if level > at]
    return _Cut(at, upper, lower)


def _placed(cut: _Cut, above: _Search, below: _Search) -> Mapping[TaskId, int]:
    """Return new levels for the tasks on the wrong side of a cut; nothing if there is no room."""
    floors = [level for level in below.levels.values() if level <= cut.at]
    floors += [above.levels[one] - 1 for one in cut.upper]
    ceilings = [level for level in above.levels.values() if level > cut.at]
    ceilings += [below.levels[one] + 1 for one in cut.lower]
    ranks = below.ranks(cut.lower, 0)
    ranks |= above.ranks(cut.upper, max(ranks.values(), default=0))
    floor, ceiling = max(floors, default=None), min(ceilings, default=None)
    levels = levels_between(floor, max(ranks.values()), ceiling)
    return {name: levels[rank - 1] for name, rank in ranks.items()} if levels else {}


def _way(task_id: TaskId, start: TaskId, through: Mapping[TaskId, TaskId]) -> list[TaskId]:
    """Return the tasks from one that was reached to the start."""
    way = [task_id]
    while way[-1] != start:
        way.append(through[way[-1]])
    return way
