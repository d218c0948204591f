"""The pages of tasks in a repository, one file for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from holdfast.domain.choices import Origin
from holdfast.domain.ids import TaskId
from holdfast.domain.memory.entry import Flaw
from holdfast.domain.pages.syncing import NO_EDITS, Edits
from holdfast.domain.tasks.task_page import TaskEntry
from holdfast.domain.values import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskFolder:
    """The pages of tasks as they were read.

    ``lines`` are the lines of each page that contain its title, labels and notes, as they are in
    the file. ``proposed`` are the origins of edits that were found earlier, by digest.
    """

    entries: Mapping[TaskId, TaskEntry] = field(default_factory=dict)
    flaws: Sequence[Flaw] = ()
    lines: Mapping[TaskId, frozenset[str]] = field(default_factory=dict)
    proposed: Mapping[str, Origin] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskBase:
    """The last synchronised state of a page on this branch.

    ``digest`` is that on which page and store agreed, none if they never did. ``at`` is the commit
    that was checked out then, and ``held`` the digest that this commit has, if it was agreed in
    this clone. ``waits`` is the digest of a text that came with git and waits. ``updated`` is when
    the task was last changed, in milliseconds: an older store that was put back has an earlier one.
    """

    digest: str | None = None
    at: str | None = None
    held: str | None = None
    waits: str | None = None
    updated: int | None = None


class TaskPages(Protocol):
    """The pages of tasks of one clone."""

    def read(self) -> TaskFolder:
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

    def committed(self) -> Mapping[TaskId, str]:
        """Return the digests of the pages in the last commit."""
        ...

    def bases(self) -> Mapping[TaskId, TaskBase]:
        """Return the last synchronised state of each page on the current branch."""
        ...

    def set_bases(self, bases: Mapping[TaskId, TaskBase], *, edits: Edits = NO_EDITS) -> None:
        """Store this state; after a crash it must be either complete or unchanged.

        The origins of proposed edits must be kept for every store and branch of the clone until
        the same content is settled.
        """
        ...
