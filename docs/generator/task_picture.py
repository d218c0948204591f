"""The picture of a graph of tasks on the how-to page, drawn by the program."""

from __future__ import annotations

from datetime import UTC, datetime

from holdfast.domain.ids import TaskId
from holdfast.domain.tasks.drawing import svg
from holdfast.domain.tasks.task import Lease, Task, TaskKind, TaskStatus

FILE = "task-graph.svg"
_AT = datetime(2026, 11, 15, 12, tzinfo=UTC)


def task_picture() -> str:
    """Return the picture: a release with what it waits for."""
    keys = _task(1, "Rotate the signing keys", priority=1, status=TaskStatus.DONE)
    grace = _task(2, "Keep the old key for an hour", status=TaskStatus.STARTED, holder="worker-1")
    docs = _task(3, "Write the release notes")
    vendor = _task(4, "Renew the certificate", priority=0, status=TaskStatus.BLOCKED)
    check = _task(5, "Try it on staging", priority=1)
    release = _task(6, "Release 1.2", kind=TaskKind.MILESTONE)
    needs = {
        grace.id: (keys.id,),
        docs.id: (grace.id,),
        check.id: (grace.id, vendor.id),
        release.id: (docs.id, check.id),
    }
    return svg([keys, grace, docs, vendor, check, release], needs, at=_AT)


def _task(
    number: int,
    title: str,
    *,
    priority: int = 2,
    status: TaskStatus = TaskStatus.OPEN,
    kind: TaskKind = TaskKind.TASK,
    holder: str = "",
) -> Task:
    return Task(
        id=TaskId(f"t_{number}"),
        title=title,
        created_at=_AT,
        updated_at=_AT,
        priority=priority,
        status=status,
        kind=kind,
        lease=Lease(holder=holder) if holder else None,
    )
