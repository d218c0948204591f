"""Tasks of one transaction, in dicts; the graph is computed anew for every question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from holdfast.adapters.inmemory.state import InMemoryState
from holdfast.domain.errors import AlreadyRememberedError, NoSuchError
from holdfast.domain.tasks.finding import TaskTally
from holdfast.domain.tasks.levels import first_level
from holdfast.domain.tasks.task import TaskStatus

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.domain.ids import TaskId
    from holdfast.domain.memory.anchor import BranchPoint
    from holdfast.domain.tasks.finding import ReadyQuestion, TaskFilter
    from holdfast.domain.tasks.task import Task
    from holdfast.ports.store.tasks import Neighbours

_ORDER = (TaskStatus.STARTED, TaskStatus.BLOCKED, TaskStatus.OPEN)


@dataclass(frozen=True, slots=True)
class InMemoryTaskGraph:
    """What waits for what."""

    state: InMemoryState

    def levels(self, task_ids: Collection[TaskId]) -> Mapping[TaskId, int]:
        """Return the level of each task that exists."""
        known, levels = self.state.tasks, self.state.task_levels
        return {
            name: levels.get(name, first_level(known[name].created_at))
            for name in task_ids
            if name in known
        }

    def set_levels(self, levels: Mapping[TaskId, int]) -> None:
        """Replace the levels of some tasks."""
        self.state.moment()
        self.state.task_levels.update(levels)

    def dependents(
        self, task_ids: Collection[TaskId], *, onward: int = 0
    ) -> Mapping[TaskId, Neighbours]:
        """Return the tasks that wait directly for each task."""
        if onward:
            return _line(self.dependents, task_ids, onward)
        found: dict[TaskId, set[TaskId]] = {name: set() for name in task_ids}
        for task in self.state.tasks.values():
            for first in found.keys() & task.after:
                found[first].add(task.id)
            parent = task.parent
            if parent is not None and task.id in found and parent in self.state.tasks:
                found[task.id].add(parent)
        return {name: self.levels(sorted(others)) for name, others in found.items()}

    def dependencies(
        self, task_ids: Collection[TaskId], *, unmet: bool = False, onward: int = 0
    ) -> Mapping[TaskId, Neighbours]:
        """Return the tasks that each task waits for directly."""
        if onward:
            return _line(self.dependencies, task_ids, onward)
        known = self.state.tasks
        found = {name: set(known[name].after) if name in known else set() for name in task_ids}
        for task in known.values():
            if task.parent is not None and task.parent in found:
                found[task.parent].add(task.id)
        if unmet:
            known = {name: task for name, task in known.items() if not task.is_done}
        return {name: self.levels(sorted(others & known.keys())) for name, others in found.items()}

    def ready(self, question: ReadyQuestion) -> Sequence[tuple[TaskId, int]]:
        """Return the tasks that can start, best first."""
        waiting = [
            (task.priority, -len(self._open_dependents(task.id)), task.id)
            for task in self.state.tasks.values()
            if (task.repo or "") == question.repo
            and self._can_start(task, question.at)
            and task.aside not in question.unseen
        ]
        return tuple((name, -count) for _, count, name in sorted(waiting)[: question.limit])

    def held(self, question: ReadyQuestion) -> Sequence[TaskId]:
        """Return tasks that are not done and cannot start."""
        found = [
            (_ORDER.index(task.status) if count or not is_hidden else len(_ORDER), count, task.id)
            for task in self.state.tasks.values()
            if (task.repo or "") == question.repo and not task.is_done
            for count in [len(self.dependencies([task.id], unmet=True)[task.id])]
            for is_hidden in [task.aside in question.unseen]
            if is_hidden or not self._can_start(task, question.at)
        ]
        return tuple(name for _, _, name in sorted(found)[: question.limit])

    def tally(self, repo: str) -> Sequence[TaskTally]:
        """Count the tasks of a repository."""
        counted = Counter(
            (task.status, bool(self.dependencies([task.id], unmet=True)[task.id]), task.aside)
            for task in self.state.tasks.values()
            if (task.repo or "") == repo
        )
        return tuple(
            TaskTally(status=status, is_waiting=is_waiting, aside=aside, count=count)
            for (status, is_waiting, aside), count in counted.items()
        )

    def asides(self, repo: str) -> Sequence[BranchPoint]:
        """Return the branch points on side branches of a repository's tasks, each once."""
        mine = [one for one in self.state.tasks.values() if (one.repo or "") == repo]
        return tuple(dict.fromkeys(task.aside for task in mine if task.aside is not None))

    def _can_start(self, task: Task, at: datetime) -> bool:
        is_free = task.may_be_taken_at(at)
        return is_free and not self.dependencies([task.id], unmet=True)[task.id]

    def _open_dependents(self, task_id: TaskId) -> list[TaskId]:
        found = self.dependents([task_id])[task_id]
        return [name for name in found if not self.state.tasks[name].is_done]


def _line(
    read: Callable[[Collection[TaskId]], Mapping[TaskId, Neighbours]],
    task_ids: Collection[TaskId],
    onward: int,
) -> Mapping[TaskId, Neighbours]:
    """Return the neighbours of a task, and of those after it as long as each has only one."""
    (last,) = task_ids
    found = dict(read([last]))
    while len(found) <= onward and len(found[last]) == 1:
        (last,) = found[last]
        if last in found:
            break
        found |= read([last])
    return found


@dataclass(frozen=True, slots=True)
class InMemoryTasks:
    """Tasks by id."""

    state: InMemoryState

    @property
    def graph(self) -> InMemoryTaskGraph:
        """What waits for what."""
        return InMemoryTaskGraph(self.state)

    def put(self, task: Task) -> None:
        """Write a task."""
        self.state.moment()
        external = task.external
        if external is not None and self.named(task.repo, external) not in {None, task.id}:
            raise AlreadyRememberedError(external)
        self.state.tasks[task.id] = task
        self.state.record("task.put", task.id, task)

    def get(self, task_id: TaskId) -> Task:
        """Return a task."""
        try:
            return self.state.tasks[task_id]
        except KeyError:
            raise NoSuchError(noun="task", reference=task_id) from None

    def get_many(self, task_ids: Collection[TaskId]) -> Mapping[TaskId, Task]:
        """Return several tasks at once, in the requested order."""
        return {name: self.state.tasks[name] for name in task_ids if name in self.state.tasks}

    def named(self, repo: str | None, external: str) -> TaskId | None:
        """Return the task of a repository with that external id."""
        mine = (one for one in self.state.tasks.values() if one.repo == repo)
        return next((one.id for one in mine if one.external == external), None)

    def find(self, which: TaskFilter, *, limit: int) -> Sequence[Task]:
        """Return the tasks of a filter in the order of their ids."""
        found = [
            self.state.tasks[name]
            for name in sorted(self.state.tasks)
            if name > which.beyond and self._fits(self.state.tasks[name], which)
        ]
        return tuple(found[:limit])

    def delete(self, task_id: TaskId) -> None:
        """Remove a task."""
        self.state.moment()
        self.get(task_id)
        del self.state.tasks[task_id]
        self.state.task_levels.pop(task_id, None)
        for key, reply in self.state.replies.items():
            if task_id in (reply.body or ""):
                self.state.replies[key] = replace(reply, body=None)
        self.state.record("task.deleted", task_id)

    def _fits(self, task: Task, which: TaskFilter) -> bool:
        waiting = bool(self.graph.dependencies([task.id], unmet=True)[task.id])
        holder = None if task.lease is None else task.lease.holder
        return (
            which.repo in {None, task.repo or ""}
            and (not which.statuses or task.status in which.statuses)
            and (not which.kinds or task.kind in which.kinds)
            and which.parent in {None, task.parent}
            and which.holder in {None, holder}
            and which.is_waiting in {None, waiting}
        )
