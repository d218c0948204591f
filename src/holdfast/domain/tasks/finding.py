"""Filters for tasks, and what a search for tasks that can start returns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from holdfast.domain.ids import TaskId
    from holdfast.domain.memory.anchor import BranchPoint
    from holdfast.domain.tasks.task import Task, TaskKind, TaskStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskFilter:
    """A filter; fields that are not set do not restrict it.

    ``repo`` is the repository, '' for tasks of none. ``is_waiting`` selects the tasks that wait for
    others, or those that do not. ``beyond`` is the id after which the result starts.
    """

    repo: str | None = None
    statuses: frozenset[TaskStatus] = frozenset()
    kinds: frozenset[TaskKind] = frozenset()
    parent: TaskId | None = None
    holder: str | None = None
    is_waiting: bool | None = None
    beyond: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyQuestion:
    """Which tasks of a repository can start at a moment; ``unseen`` branch points do not count."""

    repo: str
    at: datetime
    unseen: frozenset[BranchPoint] = frozenset()
    limit: int = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskTally:
    """How many tasks have a status, wait for others or not, and belong to a side branch or not."""

    status: TaskStatus
    is_waiting: bool
    aside: BranchPoint | None
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Obstacle:
    """A task that cannot start now, and why: others first, a block, a worker, or another branch."""

    task: Task
    waits_for: tuple[Task, ...] = ()
    more: int = 0
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyTasks:
    """The tasks that can start, best first, and some of the others with the reasons.

    ``total`` and ``held`` count all of them; ``done`` counts the finished ones. ``unblocks`` is how
    many tasks wait for each one that can start.
    """

    tasks: tuple[Task, ...] = ()
    total: int = 0
    obstacles: tuple[Obstacle, ...] = ()
    held: int = 0
    done: int = 0
    note: str = ""
    unblocks: Mapping[TaskId, int] = field(default_factory=dict)
