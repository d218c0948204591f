"""Tasks of one transaction, and the derived tables that answer which of them can start."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.rows import (
    Row,
    Value,
    as_json,
    checked,
    maybe_millis,
    millis,
    sealed,
)
from holdfast.domain.errors import AlreadyRememberedError, NoSuchError
from holdfast.domain.exchange.anchor_shape import branch_point_from_json, branch_point_json
from holdfast.domain.ids import TaskId
from holdfast.domain.tasks.finding import TaskTally
from holdfast.domain.tasks.levels import first_level
from holdfast.domain.tasks.task import TaskStatus
from holdfast.domain.tasks.task_shape import task_from_json, task_json

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from holdfast.adapters.sqlite.database.work import Work
    from holdfast.domain.memory.anchor import BranchPoint
    from holdfast.domain.tasks.finding import ReadyQuestion, TaskFilter
    from holdfast.domain.tasks.task import Task
    from holdfast.ports.store.tasks import Neighbours

TASK = "task"
AFTER, CHILD = "after", "child"
Edge = tuple[str, str, str]


class SqliteTaskGraph:
    """What waits for what, from the derived tables."""

    def __init__(self, work: Work) -> None:
        self.work = work

    def levels(self, task_ids: Collection[TaskId]) -> Mapping[TaskId, int]:
        """Return the level of each task that exists."""
        rows = self.work.rows("task_levels", (as_json(list(task_ids)),))
        return {TaskId(row[0]): int(row[1]) for row in rows}

    def set_levels(self, levels: Mapping[TaskId, int]) -> None:
        """Replace the levels of some tasks."""
        self.work.moment()
        self.work.run_many("set_task_level", [(level, name) for name, level in levels.items()])

    def dependents(
        self, task_ids: Collection[TaskId], *, onward: int = 0
    ) -> Mapping[TaskId, Neighbours]:
        """Return the tasks that wait directly for each task."""
        if onward:
            return self._line("task_dependents_onward", task_ids, onward)
        return self._pairs("task_dependents", task_ids)

    def dependencies(
        self, task_ids: Collection[TaskId], *, unmet: bool = False, onward: int = 0
    ) -> Mapping[TaskId, Neighbours]:
        """Return the tasks that each task waits for directly."""
        if onward:
            return self._line("task_dependencies_onward", task_ids, onward)
        return self._pairs("task_unmet" if unmet else "task_dependencies", task_ids)

    def ready(self, question: ReadyQuestion) -> Sequence[tuple[TaskId, int]]:
        """Return the tasks that can start, best first."""
        values: dict[str, Value] = {
            "repo": question.repo,
            "unseen": _points(question),
            "limit": question.limit,
        }
        rows = self.work.rows("tasks_ready", values)
        rows += self.work.rows("tasks_given_up", {**values, "now": millis(question.at)})
        rows.sort(key=lambda row: (row[1], -row[2], row[0]))
        return tuple((TaskId(row[0]), int(row[2])) for row in rows[: question.limit])

    def held(self, question: ReadyQuestion) -> Sequence[TaskId]:
        """Return tasks that are not done and cannot start."""
        values: dict[str, Value] = {"repo": question.repo, "limit": question.limit}
        rows = [
            *self.work.rows("tasks_started", {**values, "now": millis(question.at)}),
            *self.work.rows("tasks_blocked", values),
            *self.work.rows("tasks_waiting", values),
        ]
        if question.unseen:
            rows += self.work.rows("tasks_elsewhere", {**values, "unseen": _points(question)})
        return tuple(dict.fromkeys(TaskId(row[0]) for row in rows))[: question.limit]

    def tally(self, repo: str) -> Sequence[TaskTally]:
        """Count the tasks of a repository."""
        return tuple(
            TaskTally(
                status=TaskStatus(status),
                is_waiting=bool(is_waiting),
                aside=_point_of(aside),
                count=int(count),
            )
            for status, is_waiting, aside, count in self.work.rows("tally_tasks", (repo,))
            if count
        )

    def asides(self, repo: str) -> Sequence[BranchPoint]:
        """Return the branch points on side branches of a repository's tasks, each once."""
        points = (_point_of(row[0]) for row in self.work.rows("tasks_aside", (repo,)))
        return tuple(point for point in points if point is not None)

    def _pairs(self, name: str, task_ids: Collection[TaskId]) -> Mapping[TaskId, Neighbours]:
        found: dict[TaskId, dict[TaskId, int]] = {name: {} for name in task_ids}
        for one, other, level in self.work.rows(name, (as_json(list(task_ids)),)):
            found[one][other] = level
        return found

    def _line(
        self, name: str, task_ids: Collection[TaskId], onward: int
    ) -> Mapping[TaskId, Neighbours]:
        (last,) = task_ids
        near: dict[TaskId, int] = {}
        found = {last: near}
        for one, other, level in self.work.rows(name, (last, onward)):
            if one != last:
                if one not in near:
                    break  # the line goes through a task that does not exist
                last, near = one, found.setdefault(one, {})
            near[other] = level
        return found


class SqliteTasks:
    """Tasks by id, with their edges."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.graph = SqliteTaskGraph(work)

    def put(self, task: Task) -> None:
        """Write a task; the derived tables follow."""
        self.work.moment()
        if task.external is not None and self.named(task.repo, task.external) not in {
            None,
            task.id,
        }:
            raise AlreadyRememberedError(task.external)
        values = sealed(
            TASK,
            (
                task.id,
                task.repo or "",
                task.external,
                millis(task.created_at),
                as_json(task_json(task)),
            ),
        )
        self.work.run("put_task", *values)
        self.work.record("task.put", task.id, values[-1])
        self._follow(task)

    def get(self, task_id: TaskId) -> Task:
        """Return a task."""
        row = self.work.row("get_task", task_id)
        if row is None:
            raise NoSuchError(noun="task", reference=task_id)
        return self._task(row)

    def get_many(self, task_ids: Collection[TaskId]) -> Mapping[TaskId, Task]:
        """Return several tasks at once, in the requested order."""
        rows = self.work.rows("get_tasks", (as_json(list(task_ids)),))
        return {task.id: task for task in self.work.sound(rows, self._task)}

    def named(self, repo: str | None, external: str) -> TaskId | None:
        """Return the task of a repository with that external id."""
        row = self.work.row("task_of_external", repo or "", external)
        return None if row is None else TaskId(row[0])

    def find(self, which: TaskFilter, *, limit: int) -> Sequence[Task]:
        """Return the tasks of a filter in the order of their ids."""
        waits = {None: None, True: "yes", False: "no"}[which.is_waiting]
        values: dict[str, Value] = {
            "beyond": which.beyond,
            "repo": which.repo,
            "holder": which.holder,
            "statuses": _words(which.statuses),
            "kinds": _words(which.kinds),
            "waits": waits,
            "limit": limit,
        }
        name = "find_tasks"
        if which.parent is not None:
            name, values["parent"] = "find_children", which.parent
        return tuple(self.work.sound(self.work.rows(name, values), self._task))

    def delete(self, task_id: TaskId) -> None:
        """Remove a task and its edges."""
        self.work.moment()
        known = self.work.row("task_index_of", task_id)
        if known is None:
            raise NoSuchError(noun="task", reference=task_id)
        if known[0] != TaskStatus.DONE:
            self._turn(task_id, -1)
        for edge in self._own_edges(task_id):
            self.work.run("drop_task_edge", *edge)
        self.work.run("drop_task_index", task_id)
        self.work.run("drop_task", task_id)
        self.work.run("empty_replies_about", task_id)
        self.work.record("task.deleted", task_id)

    def _follow(self, task: Task) -> None:
        """Bring the derived tables in line with a task that was written."""
        before = self.work.row("task_index_of", task.id)
        edges, known = edges_of(task), set(self._own_edges(task.id))
        values = index_values(task)
        if before is None:
            self.work.run_many("add_task_edge", sorted(edges - known))
            self.work.rows("add_task_index", values)
            if not task.is_done:
                self._turn(task.id, 1)
            return
        was_done = before[0] == TaskStatus.DONE
        self.work.rows("set_task_index", values)
        if was_done != task.is_done:
            self._turn(task.id, -1 if task.is_done else 1)
        for edge in sorted(known - edges):
            self.work.run("drop_task_edge", *edge)
            self._count(edge, -1)
        for edge in sorted(edges - known):
            self.work.run("add_task_edge", *edge)
            self._count(edge, 1)

    def _turn(self, task_id: TaskId, step: int) -> None:
        """Count a task that is done now, or not any more, at both ends of its edges."""
        self.work.run("turn_waiting", task_id, step)
        self.work.run("turn_unblocked", task_id, step)

    def _count(self, edge: Edge, step: int) -> None:
        self.work.run("count_waiting", edge[0], edge[1], step)
        self.work.run("count_unblocked", edge[0], edge[1], step)

    def _own_edges(self, task_id: TaskId) -> Iterable[Edge]:
        rows = self.work.rows("own_task_edges", (task_id,))
        return [(str(one), str(other), str(kind)) for one, other, kind in rows]

    def _task(self, row: Row) -> Task:
        checked(TASK, row, path=self.work.path, name=str(row[0]))
        return task_from_json(json.loads(row[4]))


def edges_of(task: Task) -> set[Edge]:
    """Return the edges that a task states: what it comes after, and its parent."""
    edges: set[Edge] = {(task.id, one, AFTER) for one in task.after}
    return edges if task.parent is None else {*edges, (task.parent, task.id, CHILD)}


def index_values(task: Task) -> dict[str, Value]:
    """Return the columns of the derived row of a new task, without its counts."""
    lease = task.lease
    return {
        "id": task.id,
        "repo": task.repo or "",
        "status": task.status.value,
        "kind": task.kind.value,
        "priority": task.priority,
        "parent": task.parent,
        "holder": None if lease is None else lease.holder,
        "lease_until": None if lease is None else maybe_millis(lease.until),
        "aside": "" if task.aside is None else aside_text(task.aside),
        "level": first_level(task.created_at),
    }


def aside_text(point: BranchPoint) -> str:
    """Return a branch point as the derived table has it."""
    return json.dumps(branch_point_json(point), sort_keys=True, ensure_ascii=False)


def _point_of(aside: str) -> BranchPoint | None:
    return branch_point_from_json(json.loads(aside)) if aside else None


def _points(question: ReadyQuestion) -> str:
    return as_json(sorted(aside_text(point) for point in question.unseen))


def _words(chosen: Collection[str]) -> str | None:
    return as_json(sorted(chosen)) if chosen else None
