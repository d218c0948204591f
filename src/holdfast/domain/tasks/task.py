"""A task: a piece of work with the tasks that it waits for, and the worker who has claimed it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.domain.choices import Origin
from holdfast.domain.errors import BadFieldError
from holdfast.domain.ids import TaskId
from holdfast.domain.tasks.wording import ProposedWording
from holdfast.domain.values import dataclass, field, replace

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.domain.memory.anchor import BranchPoint
    from holdfast.domain.memory.evidence import Evidence

LONGEST_TITLE = 500
"""How many characters a title may have; beads has the same limit."""
LARGEST_NOTES = 16 * 1024
"""How many bytes the notes of a task may have."""
MOST_EDGES = 1_000
"""How many tasks one task may wait for."""
MOST_LABELS = 50
LONGEST_HOLDER = 120
PRIORITIES = range(5)
"""0 is the most urgent, 4 the least."""
USUAL_PRIORITY = 2


class TaskStatus(StrEnum):
    """The status of a task."""

    OPEN = "open"
    STARTED = "started"
    BLOCKED = "blocked"
    DONE = "done"


class TaskKind(StrEnum):
    """The sort of work."""

    TASK = "task"
    BUG = "bug"
    FEATURE = "feature"
    CHORE = "chore"
    MILESTONE = "milestone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """Who has claimed a task, and until when; a person's claim may have no end."""

    holder: str
    until: datetime | None = None

    @property
    def end(self) -> str:
        """The end in words for people; empty if there is none."""
        return "" if self.until is None else f"{self.until:%Y-%m-%d %H:%M:%S} UTC"

    def lives_at(self, moment: datetime) -> bool:
        """Tell whether nobody else may claim the task at a moment."""
        return self.until is None or moment < self.until


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A task of a repository, or of no repository.

    ``after`` are the tasks that must be done first. A parent is done after its children.
    ``blocked`` is why a blocked task cannot go on. ``branch_point`` is where it was added; a task
    of a side branch counts only there until the branch is merged. ``finished_commit`` is the commit
    that was checked out when it was done. ``foreign`` are fields of another program's file, which
    an export writes back. ``origin`` is the kind of author who added it; None if it is not known.
    ``proposed`` are other words for it, which wait for a person.
    """

    id: TaskId
    title: str
    created_at: datetime
    updated_at: datetime
    repo: str | None = None
    notes: str = ""
    status: TaskStatus = TaskStatus.OPEN
    priority: int = USUAL_PRIORITY
    kind: TaskKind = TaskKind.TASK
    parent: TaskId | None = None
    after: tuple[TaskId, ...] = ()
    labels: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    branch_point: BranchPoint | None = None
    added_by: str = ""
    origin: Origin | None = None
    lease: Lease | None = None
    blocked: str = ""
    finished_at: datetime | None = None
    finished_by: str = ""
    finished_commit: str | None = None
    external: str | None = None
    foreign: Mapping[str, object] = field(default_factory=dict)
    proposed: ProposedWording | None = None

    @property
    def is_of_program(self) -> bool:
        """Whether a program added it; one of an unknown author counts as a person's."""
        return self.origin not in {None, Origin.HUMAN}

    @property
    def is_done(self) -> bool:
        """Whether nothing waits for it any more."""
        return self.status is TaskStatus.DONE

    @property
    def branch(self) -> str | None:
        """The side branch that it belongs to; None if it counts on every branch."""
        point = self.branch_point
        return point.branch if point is not None and point.is_aside else None

    @property
    def aside(self) -> BranchPoint | None:
        """The branch point, if it is on a side branch."""
        point = self.branch_point
        return point if point is not None and point.is_aside else None

    def holder_at(self, moment: datetime) -> str | None:
        """Return who holds the task at a moment; None if its lease has ended or it has none."""
        lives = self.lease is not None and self.lease.lives_at(moment)
        return self.lease.holder if self.lease is not None and lives else None

    def may_be_taken_at(self, moment: datetime) -> bool:
        """Tell whether the status and the lease allow a claim; the tasks before it do not count."""
        if self.status is TaskStatus.OPEN:
            return True
        return self.status is TaskStatus.STARTED and self.holder_at(moment) is None


def opened(task: Task) -> Task:
    """Return a task as it was before anybody worked on it."""
    return replace(
        task,
        status=TaskStatus.OPEN,
        lease=None,
        blocked="",
        finished_at=None,
        finished_by="",
        finished_commit=None,
    )


def check_title(title: str) -> str:
    """Return a title in one line.

    Raises:
        BadFieldError: It is blank or too long.
    """
    words = " ".join(title.split())
    if not words:
        raise BadFieldError(
            field="title", problem="is blank; say in a few words what is to be done."
        )
    if len(words) > LONGEST_TITLE:
        problem = f"has {len(words):,} characters; the limit is {LONGEST_TITLE}. Use the notes."
        raise BadFieldError(field="title", problem=problem)
    return words


def check_notes(notes: str) -> str:
    """Return notes without white space around them.

    Raises:
        BadFieldError: They are too large.
    """
    if len(notes.encode("utf-8", "replace")) > LARGEST_NOTES:
        raise BadFieldError(field="notes", problem=f"have over {LARGEST_NOTES:,} bytes.")
    return notes.strip()


def check_priority(priority: int) -> int:
    """Return a priority.

    Raises:
        BadFieldError: It is not between 0 and 4.
    """
    if priority not in PRIORITIES:
        problem = f"is {priority}; it must be between 0 (the most urgent) and 4."
        raise BadFieldError(field="priority", problem=problem)
    return priority
