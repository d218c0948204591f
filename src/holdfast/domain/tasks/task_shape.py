"""The JSON of a task, as stores, exports and answers have it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from holdfast.domain.choices import Origin, choose
from holdfast.domain.errors import BadFieldError
from holdfast.domain.exchange.anchor_shape import branch_point_from_json, branch_point_json
from holdfast.domain.fields import Fields, time_text
from holdfast.domain.ids import TaskId
from holdfast.domain.memory.evidence import evidence_from_json, evidence_json
from holdfast.domain.tasks.task import (
    Lease,
    Task,
    TaskKind,
    TaskStatus,
    check_notes,
    check_priority,
    check_title,
)
from holdfast.domain.tasks.wording import wording_from_json, wording_json


def task_json(task: Task) -> dict[str, object]:
    """Return the JSON that is stored, exported and shown by ``--json``."""
    return {
        "id": task.id,
        "title": task.title,
        "status": task.status.value,
        "kind": task.kind.value,
        "priority": task.priority,
        "parent": task.parent,
        "after": list(task.after),
        "notes": task.notes,
        "labels": list(task.labels),
        "evidence": [evidence_json(one) for one in task.evidence],
        "repo": task.repo,
        "branch": task.branch,
        "branch_point": branch_point_json(task.branch_point),
        "added_by": task.added_by,
        "origin": None if task.origin is None else task.origin.value,
        "created_at": time_text(task.created_at),
        "updated_at": time_text(task.updated_at),
        "claimed_by": None if task.lease is None else task.lease.holder,
        "lease_until": None if task.lease is None else time_text(task.lease.until),
        "blocked": task.blocked,
        "finished_at": time_text(task.finished_at),
        "finished_by": task.finished_by,
        "finished_commit": task.finished_commit,
        "external": task.external,
        "foreign": dict(task.foreign),
        **({} if task.proposed is None else {"proposed": wording_json(task.proposed)}),
    }


def task_from_json(shape: object) -> Task:
    """Read a task."""
    fields = Fields(shape, noun="task")
    parent, holder = fields.maybe_text("parent"), fields.maybe_text("claimed_by")
    foreign = fields.raw("foreign") or {}
    if not isinstance(foreign, Mapping):
        raise BadFieldError(field="task's foreign", problem="must be an object.")
    until, origin = fields.maybe_moment("lease_until"), fields.maybe_text("origin")
    return Task(
        id=TaskId(fields.text("id")),
        title=check_title(fields.text("title")),
        status=choose(TaskStatus, fields.text("status"), what="status of a task"),
        kind=choose(TaskKind, fields.text("kind"), what="kind of task"),
        priority=check_priority(fields.whole("priority")),
        parent=None if parent is None else TaskId(parent),
        after=tuple(map(TaskId, fields.words("after"))),
        notes=check_notes(fields.text("notes")),
        labels=fields.words("labels"),
        evidence=tuple(map(evidence_from_json, fields.items("evidence"))),
        repo=fields.maybe_text("repo"),
        branch_point=branch_point_from_json(fields.raw("branch_point")),
        added_by=fields.text("added_by"),
        origin=None if origin is None else choose(Origin, origin, what="origin"),
        created_at=fields.moment("created_at"),
        updated_at=fields.moment("updated_at"),
        lease=None if holder is None else Lease(holder=holder, until=until),
        blocked=fields.text("blocked"),
        finished_at=fields.maybe_moment("finished_at"),
        finished_by=fields.text("finished_by"),
        finished_commit=fields.maybe_text("finished_commit"),
        external=fields.maybe_text("external"),
        foreign=cast("Mapping[str, object]", foreign),
        proposed=wording_from_json(fields.raw("proposed")),
    )
