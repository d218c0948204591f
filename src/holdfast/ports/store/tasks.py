"""The ports for tasks and for the graph of what waits for what."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from holdfast.domain.ids import TaskId
from holdfast.domain.memory.anchor import BranchPoint
from holdfast.domain.tasks.finding import ReadyQuestion, TaskFilter, TaskTally
from holdfast.domain.tasks.task import Task

Neighbours = Mapping[TaskId, int]
"""Tasks with their levels."""


class TaskGraph(Protocol):
    """What waits for what. A task waits for those it comes after, a parent for its children.

    Only tasks that exist count; an import may add a task before those that it waits for.
    Who asks for the neighbours of a single task may also get those of up to ``onward`` tasks that
    follow it in a line, in their order: each is the only neighbour of the one before.
    """

    def levels(self, task_ids: Collection[TaskId]) -> Mapping[TaskId, int]:
        """Return the level of each task that exists; a new one must have its ``first_level``."""
        ...

    def set_levels(self, levels: Mapping[TaskId, int]) -> None:
        """Replace the levels of some tasks."""
        ...

    def dependents(
        self, task_ids: Collection[TaskId], *, onward: int = 0
    ) -> Mapping[TaskId, Neighbours]:
        """Return the tasks that wait directly for each task, done or not, in order of their ids."""
        ...

    def dependencies(
        self, task_ids: Collection[TaskId], *, unmet: bool = False, onward: int = 0
    ) -> Mapping[TaskId, Neighbours]:
        """Return the tasks that each task waits for directly; with ``unmet``, those not done."""
        ...

    def ready(self, question: ReadyQuestion) -> Sequence[tuple[TaskId, int]]:
        """Return the tasks that can start, and how many tasks wait for each.

        Such a task is open, or its lease has ended, and all tasks that it waits for must be done.
        The most urgent must come first, then those that most tasks wait for, then the oldest. The
        cost must not grow with the number of tasks that cannot start.
        """
        ...

    def held(self, question: ReadyQuestion) -> Sequence[TaskId]:
        """Return tasks that are not done and cannot start.

        Those in work must come first, then the blocked ones, then those that wait for the fewest
        others, then those of branches that do not count. The cost must grow with the limit only.
        """
        ...

    def tally(self, repo: str) -> Sequence[TaskTally]:
        """Count the tasks of a repository."""
        ...

    def asides(self, repo: str) -> Sequence[BranchPoint]:
        """Return the branch points on side branches of a repository's tasks, each once."""
        ...


class Tasks(Protocol):
    """The tasks that one transaction sees."""

    def put(self, task: Task) -> None:
        """Write a task; it must read back exactly, and the graph must follow it.

        Raises:
            AlreadyRememberedError: Another task of the repository has its external id.
        """
        ...

    def get(self, task_id: TaskId) -> Task:
        """Return a task.

        Raises:
            NoSuchError: No task has that id.
        """
        ...

    def get_many(self, task_ids: Collection[TaskId]) -> Mapping[TaskId, Task]:
        """Return several tasks at once, in the requested order; missing ones are left out."""
        ...

    def named(self, repo: str | None, external: str) -> TaskId | None:
        """Return the task of a repository with that external id."""
        ...

    def find(self, which: TaskFilter, *, limit: int) -> Sequence[Task]:
        """Return the tasks of a filter in the order of their ids."""
        ...

    def delete(self, task_id: TaskId) -> None:
        """Remove a task and the edges that it states; no byte of its text must stay in a row.

        Raises:
            NoSuchError: No task has that id.
        """
        ...

    @property
    def graph(self) -> TaskGraph:
        """What waits for what."""
        ...
