"""The pages of tasks in a repository, one file for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from holdfast.domain.ids import TaskId
from holdfast.domain.memory.entry import Flaw
from holdfast.domain.tasks.task_page import TaskEntry


class TaskPages(Protocol):
    """The pages of tasks of one clone."""

    def read(self) -> tuple[Mapping[TaskId, TaskEntry], Sequence[Flaw]]:
        """Read every page; one that cannot be read must be returned as a flaw."""
        ...

    def path(self, task_id: TaskId) -> str:
        """Return the path of a task's page from the root of the repository."""
        ...

    def write(self, entry: TaskEntry, *, over: str | None) -> bool:
        """Write a page over the digest that it must still have; none if it must not exist.

        Only the fields that differ must change; every other byte must stay. Return whether the
        page was as expected.
        """
        ...

    def remove(self, task_id: TaskId, *, over: str) -> bool:
        """Remove the page of a task that was deleted, if it still has that digest."""
        ...

    def bases(self) -> Mapping[TaskId, str]:
        """Return the digests on which the pages of this branch and the store last agreed."""
        ...

    def set_bases(self, bases: Mapping[TaskId, str]) -> None:
        """Store these digests; after a crash they must be either complete or unchanged."""
        ...
