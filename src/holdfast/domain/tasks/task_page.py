"""A task as a page of the repository: what people read and edit there."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from holdfast.domain.ids import TaskId
from holdfast.domain.memory.entry import canonical_json, field_marks, removal_marks
from holdfast.domain.tasks.task import USUAL_PRIORITY, TaskKind, TaskStatus
from holdfast.domain.values import dataclass, replace

if TYPE_CHECKING:
    from holdfast.domain.tasks.task import Task


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskEntry:
    """The fields of a task that its page has; claims and evidence stay in the store."""

    id: TaskId
    title: str
    status: TaskStatus = TaskStatus.OPEN
    priority: int = USUAL_PRIORITY
    kind: TaskKind = TaskKind.TASK
    parent: TaskId | None = None
    after: tuple[TaskId, ...] = ()
    labels: tuple[str, ...] = ()
    notes: str = ""

    @property
    def digest(self) -> str:
        """The hash of the fields; the order of edges and labels does not count."""
        said = [
            *(self.id, self.title, self.status, self.priority, self.kind, self.parent),
            *(sorted(self.after), sorted(self.labels), self.notes.strip()),
        ]
        return hashlib.sha256(canonical_json(said).encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def field_marks(self) -> frozenset[str]:
        """What the digest covers, in parts, so that single fields and words can be compared."""
        fields = {
            "title": self.title,
            "status": self.status,
            "priority": self.priority,
            "kind": self.kind,
            "parent": self.parent,
            "after": sorted(self.after),
            "labels": sorted(self.labels),
            "notes": self.notes.strip(),
        }
        return field_marks(fields)

    def removal_marks(self, before: TaskEntry) -> frozenset[str]:
        """Return the marks of the labels and edges that an earlier version had and this lacks."""
        names = ("after", "labels")
        return removal_marks({name: (getattr(before, name), getattr(self, name)) for name in names})

    @property
    def other_fields(self) -> tuple[tuple[str, str], ...]:
        """The fields beside the title that are not as usual, with their names, for people."""
        usual = TaskEntry(id=self.id, title="")
        names = ("status", "priority", "kind", "parent", "after", "labels", "notes")
        changed = [
            (name, value)
            for name in names
            if (value := getattr(self, name)) != getattr(usual, name)
        ]
        return tuple(
            (name, ", ".join(value) if isinstance(value, tuple) else str(value))
            for name, value in changed
        )


def entry_of(task: Task) -> TaskEntry:
    """Return what the page of a task says."""
    # A claim is of this machine only, so a page never says that a task is in work.
    is_busy = task.status is TaskStatus.STARTED
    return TaskEntry(
        id=task.id,
        title=task.title,
        status=TaskStatus.OPEN if is_busy else task.status,
        priority=task.priority,
        kind=task.kind,
        parent=task.parent,
        after=task.after,
        labels=task.labels,
        notes=task.notes,
    )


def join(base: TaskEntry, ours: TaskEntry, theirs: TaskEntry) -> TaskEntry | None:
    """Return both sides' changes; None if both changed one field in different ways.

    Edges and labels that either side added are kept, and those that either side removed are gone.
    """
    made: dict[str, object] = {}
    for name in ("title", "status", "priority", "kind", "parent", "notes"):
        old, mine, other = (getattr(one, name) for one in (base, ours, theirs))
        if mine not in (old, other) and other != old:
            return None
        made[name] = other if mine == old else mine
    for name in ("after", "labels"):
        old, mine, other = (getattr(one, name) for one in (base, ours, theirs))
        gone = (set(old) - set(mine)) | (set(old) - set(other))
        made[name] = tuple(one for one in dict.fromkeys((*mine, *other)) if one not in gone)
    return replace(ours, **made)  # type: ignore[arg-type]  # each value is of its own field
