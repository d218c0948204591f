"""Tasks as lines of beads' issues.jsonl: read without loss, and written back with changes only.

The whole line is kept beside the task. An export writes it again, and replaces only the fields that
were changed since, so fields that Holdfast does not know stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import UTC
from typing import TYPE_CHECKING, cast

from holdfast.domain.errors import BadFieldError
from holdfast.domain.fields import Fields
from holdfast.domain.tasks.task import (
    USUAL_PRIORITY,
    TaskKind,
    TaskStatus,
    check_notes,
    check_priority,
    check_title,
)
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.domain.tasks.task import Task

BLOCKS, PARENT = "blocks", "parent-child"
GONE = "tombstone"
_LONGEST_ID = 200
_STATUSES = {
    "open": TaskStatus.OPEN,
    "in_progress": TaskStatus.STARTED,
    "blocked": TaskStatus.BLOCKED,
    "closed": TaskStatus.DONE,
    "deferred": TaskStatus.BLOCKED,
    "hooked": TaskStatus.STARTED,
}
_KINDS = {
    "task": TaskKind.TASK,
    "bug": TaskKind.BUG,
    "feature": TaskKind.FEATURE,
    "chore": TaskKind.CHORE,
    "epic": TaskKind.MILESTONE,
    "milestone": TaskKind.MILESTONE,
}
_WORDS = {
    TaskStatus.OPEN: "open",
    TaskStatus.STARTED: "in_progress",
    TaskStatus.BLOCKED: "blocked",
    TaskStatus.DONE: "closed",
}
_TYPES = {**{kind: kind.value for kind in TaskKind}, TaskKind.MILESTONE: "epic"}
_OWN_ID = re.compile(r"t_[0-9a-z]{26}")


@dataclass(frozen=True, slots=True, kw_only=True)
class BeadsIssue:
    """The part of a line that becomes a task; ``line`` is the whole line."""

    id: str
    title: str
    notes: str
    status: TaskStatus
    kind: TaskKind
    priority: int
    labels: tuple[str, ...]
    blocked_by: tuple[str, ...]
    parent: str | None
    created_at: datetime | None
    updated_at: datetime | None
    closed_at: datetime | None
    is_gone: bool
    line: Mapping[str, object]

    @property
    def is_own(self) -> bool:
        """Whether the id is one of Holdfast's own, from an earlier export."""
        return _OWN_ID.fullmatch(self.id) is not None


def read_issue(shape: object) -> BeadsIssue:
    """Read a line of the file.

    Raises:
        BadFieldError: A field has the wrong type, or the title is missing.
    """
    fields = Fields(shape, noun="issue")
    name = fields.text("id")
    if not name.isprintable() or not name.strip() or len(name) > _LONGEST_ID:
        raise BadFieldError(field="issue's id", problem="is blank, too long, or no plain text.")
    edges = _dependencies(fields)
    status, kind = fields.maybe_text("status") or "open", fields.maybe_text("issue_type") or "task"
    priority = USUAL_PRIORITY if fields.raw("priority") is None else fields.whole("priority")
    return BeadsIssue(
        id=name,
        title=check_title(fields.text("title")),
        notes=check_notes(fields.maybe_text("description") or ""),
        status=_STATUSES.get(status, TaskStatus.OPEN),
        kind=_KINDS.get(kind, TaskKind.TASK),
        priority=check_priority(priority),
        labels=() if fields.raw("labels") is None else fields.words("labels"),
        blocked_by=tuple(one for one, word in edges if word == BLOCKS),
        parent=next((one for one, word in edges if word == PARENT), None),
        created_at=fields.maybe_moment("created_at"),
        updated_at=fields.maybe_moment("updated_at"),
        closed_at=fields.maybe_moment("closed_at"),
        is_gone=status == GONE,
        line=cast("Mapping[str, object]", shape),
    )


def write_issue(task: Task, names: Mapping[str, str], mapped: Collection[str]) -> dict[str, object]:
    """Return the line of a task.

    ``names`` are the ids in the file by the ids of the tasks; ``mapped`` is the set of the former.
    """
    name = names[task.id]
    known = read_issue(task.foreign) if task.foreign else None
    line: dict[str, object] = {"id": name, "title": task.title, **task.foreign}
    changed = {
        "title": (task.title, None if known is None else known.title),
        "description": (task.notes, "" if known is None else known.notes),
        "status": (task.status, None if known is None else known.status),
        "priority": (task.priority, None if known is None else known.priority),
        "issue_type": (task.kind, None if known is None else known.kind),
        "labels": (task.labels, () if known is None else known.labels),
    }
    said: dict[str, object] = {
        "title": task.title,
        "description": task.notes,
        "status": _WORDS[task.status],
        "priority": task.priority,
        "issue_type": _TYPES[task.kind],
        "labels": list(task.labels),
    }
    line |= {field: said[field] for field, (now, then) in changed.items() if now != then}
    line |= _moments(task, known)
    if task.lease is not None and line.get("assignee") != task.lease.holder:
        line["assignee"] = task.lease.holder
    edges = _written_edges(task, known, names, mapped)
    if edges or "dependencies" in line:
        line["dependencies"] = edges
    return line


def _moments(task: Task, known: BeadsIssue | None) -> dict[str, object]:
    """Return the times that are new or were changed."""
    found: dict[str, object] = {}
    if known is None:
        found["created_at"] = _zulu(task.created_at)
        found["created_by"] = task.added_by
    if known is None or task.updated_at != task.created_at:
        found["updated_at"] = _zulu(task.updated_at)
    if task.finished_at is not None and (known is None or known.closed_at is None):
        found["closed_at"] = _zulu(task.finished_at)
    if known is not None and known.closed_at is not None and not task.is_done:
        found["closed_at"] = None
    return found


def _written_edges(
    task: Task, known: BeadsIssue | None, names: Mapping[str, str], mapped: Collection[str]
) -> list[object]:
    """Return the dependencies: those of the line that still hold, then the new ones."""
    wanted = {(names[one], BLOCKS) for one in task.after if one in names}
    if task.parent is not None and task.parent in names:
        wanted.add((names[task.parent], PARENT))
    missing = set(wanted)
    kept: list[object] = []
    items = [] if known is None else cast("list[object]", known.line.get("dependencies") or [])
    for item in items:
        edge = _edge(item)
        if edge[1] not in {BLOCKS, PARENT} or edge[0] not in mapped or edge in wanted:
            # A merge of two files may have left an edge twice; the line stays as it was.
            kept.append(item)
            missing.discard(edge)
    added = [
        {
            "issue_id": names[task.id],
            "depends_on_id": one,
            "type": word,
            "created_at": _zulu(task.updated_at),
            "created_by": task.added_by,
        }
        for one, word in sorted(missing)
    ]
    return [*kept, *added]


def _dependencies(fields: Fields) -> list[tuple[str, str]]:
    return (
        [] if fields.raw("dependencies") is None else list(map(_edge, fields.items("dependencies")))
    )


def _edge(item: object) -> tuple[str, str]:
    fields = Fields(item, noun="dependency")
    word = fields.maybe_text("type") or fields.maybe_text("dep_type") or BLOCKS
    return fields.text("depends_on_id"), word


def _zulu(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ").replace(".000000Z", "Z")
