"""Tasks as Python programs receive them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, overload

from holdfast.surfaces.python.memories import HasId, shortened

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.domain.tasks.finding import ReadyTasks
    from holdfast.domain.tasks.task import Task


class PlannedTask(HasId):
    """A task as it was when it was read.

    >>> task = hf.tasks.add("Rotate the keys", priority=1)
    >>> task.title, task.status, task.priority
    ('Rotate the keys', 'open', 1)
    """

    __slots__ = ("overrode", "removed", "task")

    def __init__(
        self, task: Task, overrode: str | None = None, removed: tuple[str, ...] = ()
    ) -> None:
        self.task = task
        """The engine's own value; its fields may change between versions."""
        self.overrode = overrode
        """The other worker whose claim ``done`` or ``release`` has just overridden."""
        self.removed = removed
        """The names of the hidden characters that ``add`` or ``edit`` has just left out."""

    @property
    def id(self) -> str:
        """The id (``t_…``)."""
        return self.task.id

    @property
    def title(self) -> str:
        """What is to be done."""
        return self.task.title

    @property
    def notes(self) -> str:
        """More about it."""
        return self.task.notes

    @property
    def status(self) -> str:
        """``open``, ``started``, ``blocked`` or ``done``."""
        return self.task.status.value

    @property
    def kind(self) -> str:
        """``task``, ``bug``, ``feature``, ``chore`` or ``milestone``."""
        return self.task.kind.value

    @property
    def priority(self) -> int:
        """From 0, the most urgent, to 4."""
        return self.task.priority

    @property
    def parent(self) -> str | None:
        """The id of the task that it is a part of."""
        return self.task.parent

    @property
    def after(self) -> tuple[str, ...]:
        """The ids of the tasks that must be done first."""
        return self.task.after

    @property
    def branch(self) -> str | None:
        """The side branch that it belongs to; None if it counts on every branch."""
        return self.task.branch

    @property
    def labels(self) -> tuple[str, ...]:
        """Words to find it by."""
        return self.task.labels

    @property
    def claimed_by(self) -> str | None:
        """Who has claimed it; the claim may have ended."""
        return None if self.task.lease is None else self.task.lease.holder

    @property
    def lease_until(self) -> datetime | None:
        """When the claim ends; None if it does not, or if there is none."""
        return None if self.task.lease is None else self.task.lease.until

    @property
    def finished_commit(self) -> str | None:
        """The commit that was checked out when it was done."""
        return self.task.finished_commit

    def __repr__(self) -> str:
        """Return the id, the status and the title."""
        return f"PlannedTask({self.id}, {self.status}, {shortened(self.title)})"


class ReadyList(Sequence[PlannedTask]):
    """The tasks that can start, best first; ``held`` says why others cannot.

    >>> first = hf.tasks.add("Rotate the keys")
    >>> second = hf.tasks.add("Write the docs", after=[first])
    >>> ready = hf.tasks.ready()
    >>> [task.title for task in ready], ready.total
    (['Rotate the keys'], 1)
    >>> [(task.title, reason) for task, reason in ready.held]
    [('Write the docs', 'waits for Rotate the keys')]
    """

    __slots__ = ("found",)

    def __init__(self, found: ReadyTasks) -> None:
        self.found = found
        """The engine's own value; its fields may change between versions."""

    @property
    def total(self) -> int:
        """How many tasks can start, also beyond the limit."""
        return self.found.total

    @property
    def held(self) -> tuple[tuple[PlannedTask, str], ...]:
        """Some tasks that cannot start, each with the reason."""
        return tuple(
            (
                PlannedTask(one.task),
                one.why or f"waits for {', '.join(task.title for task in one.waits_for)}",
            )
            for one in self.found.obstacles
        )

    def __len__(self) -> int:
        """Return how many tasks are listed."""
        return len(self.found.tasks)

    @overload
    def __getitem__(self, place: int) -> PlannedTask: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[PlannedTask, ...]: ...

    def __getitem__(self, place: int | slice) -> PlannedTask | tuple[PlannedTask, ...]:
        """Return one of the tasks, or several."""
        return tuple(map(PlannedTask, self.found.tasks))[place]

    def __iter__(self) -> Iterator[PlannedTask]:
        """Return the tasks, best first."""
        return iter(tuple(map(PlannedTask, self.found.tasks)))
