"""The MCP tools about tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import BadFieldError
from holdfast.domain.fields import Fields
from holdfast.domain.values import replace
from holdfast.surfaces.mcp.results import structured
from holdfast.surfaces.wire.tasks import (
    QUOTED,
    blocked_task_json,
    planned_task_json,
    read_add_task,
    read_edit_task,
    read_lease,
    read_list_tasks,
    ready_json,
    shown_task_json,
    tasks_json,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.app import Holdfast
    from holdfast.domain.tasks.task import Task
    from holdfast.surfaces.mcp.calling import ToolCall
    from holdfast.surfaces.mcp.protocol import Json
    from holdfast.usecases.tasks.adding import AddTask, EditTask

    Tool = Callable[[ToolCall], Json]

_FEW = 20
_LONGEST_NOTES = 600
_LONGEST_WAIT = 45.0  # clients usually give a call up after a minute
_OF_A_CLAIM = frozenset({"action", "id", "why", "lease", "worker"})


def list_tasks(call: ToolCall) -> Json:
    """Return what can start, tasks in some states, or one task."""
    return structured(_found_tasks(call.app, call.given))


def _found_tasks(app: Holdfast, given: Json) -> Json:
    fields = Fields(given, noun="task.list")
    name = fields.maybe_text("id")
    if name is not None:
        return {"note": QUOTED, **shown_task_json(app.tasks.show(name))}
    limit = _FEW if fields.raw("limit") is None else fields.whole("limit")
    if fields.raw("statuses"):
        wish = read_list_tasks({**given, "limit": limit}, noun="task.list")
        listed = app.tasks.list(wish)
        brief = replace(listed, tasks=tuple(map(_brief, listed.tasks)))
        return {"note": QUOTED, **tasks_json(brief)}
    ready = app.tasks.ready(limit=limit)
    found = ready_json(replace(ready, tasks=tuple(map(_brief, ready.tasks))))
    return {**found, "note": f"{QUOTED} {found['note']}".strip()}


def add_task(call: ToolCall) -> Json:
    """Add a task."""
    wish = read_add_task(call.given, noun="task.add")
    return _planned(call.app.tasks.add(wish, by=call.source), wish)


def update_task(call: ToolCall) -> Json:
    """Claim, finish, block or edit a task."""
    app, given, source = replace(call.app, longest_wait=_LONGEST_WAIT), call.given, call.source
    fields = Fields(given, noun="task.update")
    action, name = fields.text("action"), fields.maybe_text("id")
    worker = fields.maybe_text("worker")
    by = source if worker is None else f"{source}/{worker}"
    if name is None:
        if action != "claim":
            raise BadFieldError(field="argument 'id'", problem="is missing; name the task.")
        lease = read_lease(fields.maybe_text("lease"))
        return _changed(app.tasks.claim_next(lease=lease, by=by))
    if action == "edit":
        changes = {field: value for field, value in given.items() if field not in _OF_A_CLAIM}
        wish = read_edit_task(name, changes, noun="task.update")
        return _planned(app.tasks.edit(wish, by=by), wish)
    if action == "block":
        why = fields.maybe_text("why") or ""
        return _changed(app.tasks.block(name, why, by=by), why)
    return _changed(_worked(app, fields, action, name, by))


def _planned(task: Task, wish: AddTask | EditTask) -> Json:
    return structured({"note": QUOTED, **planned_task_json(task, wish)})


def _changed(task: Task, why: str = "") -> Json:
    return structured({"note": QUOTED, **blocked_task_json(task, why=why)})


def _brief(task: Task) -> Task:
    """Return a task of a list with the start of its notes; its id shows them whole."""
    if len(task.notes) <= _LONGEST_NOTES:
        return task
    return replace(task, notes=f"{task.notes[:_LONGEST_NOTES]}…")


def _worked(app: Holdfast, fields: Fields, action: str, name: str, by: str) -> Task:
    tasks = app.tasks
    match action:
        case "claim":
            return tasks.claim(name, lease=read_lease(fields.maybe_text("lease")), by=by)
        case "start":
            return tasks.start(name, by=by)
        case "release":
            return tasks.release(name, by=by).task
        case "done":
            return tasks.done(name, by=by).task
        case _:
            return tasks.unblock(name, by=by)


TASK_TOOLS: dict[str, Tool] = {
    "task.list": list_tasks,
    "task.add": add_task,
    "task.update": update_task,
}
"""The tools by name."""
