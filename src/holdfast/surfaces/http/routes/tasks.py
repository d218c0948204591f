"""Routes about tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from holdfast.domain.fields import Fields
from holdfast.domain.tasks.drawing import mermaid, svg
from holdfast.surfaces.http.table import Result, Route, RouteCall
from holdfast.surfaces.wire.schema import service as shape
from holdfast.surfaces.wire.schema import tasks as task_shape
from holdfast.surfaces.wire.schema.words import TEXT, about, object_of, one_of
from holdfast.surfaces.wire.tasks import (
    blocked_task_json,
    brought_tasks_json,
    deleted_task_json,
    drawn_json,
    ended_claim_json,
    next_json,
    one_task_json,
    planned_task_json,
    read_add_task,
    read_edit_task,
    read_lease,
    read_list_tasks,
    ready_json,
    reopened_json,
    shown_task_json,
    tasks_json,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from holdfast.surfaces.http.table import Json

    Does = Callable[[RouteCall], Result]

_FEW, _DRAWN = 20, 300
_AS: Json = {"worker": task_shape.CLAIM["worker"]}
_WORKER = object_of(_AS, required=[])
_ENDING = object_of({**_AS, "anyway": {"type": "boolean"}}, required=[])
_OPEN: dict[str, Json] = {"open": {"type": "boolean"}}


def _by(call: RouteCall) -> str | None:
    return Fields(call.body, noun="request").maybe_text("worker")


def _anyway(call: RouteCall) -> bool:
    return bool(Fields(call.body, noun="request").maybe_bool("anyway"))


def _limit(call: RouteCall, usual: int) -> int:
    return int(cast("int", call.query.get("limit", usual)))


def add(call: RouteCall) -> Result:
    """Add a task."""
    wish = read_add_task(call.body, noun="request")
    return Result(body=planned_task_json(call.app.tasks.add(wish, by=_by(call)), wish))


def edit(call: RouteCall) -> Result:
    """Edit a task."""
    wish = read_edit_task(call.path["id"], call.body, noun="request")
    return Result(body=planned_task_json(call.app.tasks.edit(wish, by=_by(call)), wish))


def listing(call: RouteCall) -> Result:
    """List tasks."""
    wish = read_list_tasks(call.query, noun="request")
    return Result(body=tasks_json(call.app.tasks.list(wish)))


def show(call: RouteCall) -> Result:
    """Show a task with its neighbours."""
    return Result(body=shown_task_json(call.app.tasks.show(call.path["id"])))


def delete(call: RouteCall) -> Result:
    """Remove a task permanently."""
    return Result(body=deleted_task_json(call.app.tasks.delete(call.path["id"])))


def ready(call: RouteCall) -> Result:
    """Return what can start, and why the rest cannot."""
    return Result(body=ready_json(call.app.tasks.ready(limit=_limit(call, _FEW))))


def next_one(call: RouteCall) -> Result:
    """Return the best task to start."""
    return Result(body=next_json(call.app.tasks.next()))


def claim(call: RouteCall) -> Result:
    """Claim a task."""
    lease = read_lease(Fields(call.body, noun="request").maybe_text("lease"))
    task = call.app.tasks.claim(call.path["id"], lease=lease, by=_by(call))
    return Result(body=one_task_json(task))


def claim_next(call: RouteCall) -> Result:
    """Claim the best task that can start."""
    lease = read_lease(Fields(call.body, noun="request").maybe_text("lease"))
    return Result(body=one_task_json(call.app.tasks.claim_next(lease=lease, by=_by(call))))


def start(call: RouteCall) -> Result:
    """Start a task."""
    return Result(body=one_task_json(call.app.tasks.start(call.path["id"], by=_by(call))))


def release(call: RouteCall) -> Result:
    """Give a claimed task back."""
    found = call.app.tasks.release(call.path["id"], anyway=_anyway(call), by=_by(call))
    return Result(body=ended_claim_json(found))


def done(call: RouteCall) -> Result:
    """Finish a task."""
    found = call.app.tasks.done(call.path["id"], anyway=_anyway(call), by=_by(call))
    return Result(body=ended_claim_json(found))


def reopen(call: RouteCall) -> Result:
    """Reopen a task."""
    return Result(body=reopened_json(call.app.tasks.reopen(call.path["id"], by=_by(call))))


def block(call: RouteCall) -> Result:
    """Mark a task as blocked."""
    why = Fields(call.body, noun="request").text("why")
    task = call.app.tasks.block(call.path["id"], why, by=_by(call))
    return Result(body=blocked_task_json(task, why=why))


def unblock(call: RouteCall) -> Result:
    """Open a blocked task again."""
    return Result(body=one_task_json(call.app.tasks.unblock(call.path["id"], by=_by(call))))


def tree(call: RouteCall) -> Result:
    """Return the tasks of a tree."""
    found = call.app.tasks.drawn(with_done=not call.query.get("open"))
    return Result(body=drawn_json(found))


def graph(call: RouteCall) -> Result:
    """Return the graph: its tasks and edges, and a drawing if one is asked for."""
    found = call.app.tasks.drawn(
        cast("str | None", call.query.get("task")),
        with_done=not call.query.get("open"),
        limit=_limit(call, _DRAWN),
    )
    form = call.query.get("format")
    drawing = {
        "mermaid": lambda: mermaid(found.tasks, found.needs),
        "svg": lambda: svg(found.tasks, found.needs, at=found.at),
    }
    drawn = drawing[str(form)]() if form in drawing else ""
    return Result(body={**drawn_json(found), "drawing": drawn})


def bring_in(call: RouteCall) -> Result:
    """Import the lines of a file of beads."""
    lines = cast("list[str]", call.body["lines"])
    return Result(body=brought_tasks_json(call.app.tasks.bring_in(lines)))


def export(call: RouteCall) -> Result:
    """Export tasks as lines of a file of beads."""
    return Result(body={}, lines=tuple(call.app.tasks.export()))


def _change(
    path: str, verb: str, summary: str, does: Does, *, body: Json | None = _WORKER
) -> Route:
    """Return a route that changes tasks."""
    return Route(
        method="POST",
        path=f"/v1/tasks/{path}",
        verb=verb,
        summary=summary,
        does=does,
        answer=verb,
        writes=True,
        body=body,
    )


def _look(
    path: str, verb: str, summary: str, does: Does, *, query: Mapping[str, Json] | None = None
) -> Route:
    """Return a route that only reads."""
    return Route(
        method="GET",
        path=f"/v1/tasks{path}",
        verb=verb,
        summary=summary,
        does=does,
        answer=verb,
        query=query or {},
    )


_CLAIM = object_of(task_shape.CLAIM, required=[])
_GRAPH = object_of(
    {
        **cast("Json", task_shape.DRAWN["properties"]),
        "drawing": about(TEXT, "In the form that was asked for."),
    }
)
ROUTES = (
    Route(
        method="POST",
        path="/v1/tasks",
        verb="task add",
        summary="Add a task",
        does=add,
        answer="task add",
        writes=True,
        body=object_of({**task_shape.ADD, **_AS}, required=["title"]),
    ),
    _look("", "task list", "List tasks", listing, query=task_shape.LISTING),
    _look(
        "/ready",
        "task ready",
        "List what can start, and why the rest cannot",
        ready,
        query=shape.LIMIT,
    ),
    _look("/next", "task next", "Show the best task to start", next_one),
    _look("/tree", "task tree", "Return parents and children", tree, query=_OPEN),
    Route(
        method="GET",
        path="/v1/tasks/graph",
        verb="task graph",
        summary="Return what waits for what, and a drawing",
        does=graph,
        answer=_GRAPH,
        query={
            **_OPEN,
            "task": shape.ID,
            "format": one_of(["mermaid", "svg"]),
            "limit": {"type": "integer", "minimum": 1, "maximum": 2_000, "default": _DRAWN},
        },
    ),
    Route(
        method="GET",
        path="/v1/tasks/export",
        verb="task export",
        summary="Export tasks as the lines of beads",
        does=export,
        answer=task_shape.LINE,
        is_lines=True,
    ),
    Route(
        method="PATCH",
        path="/v1/tasks/{id}",
        verb="task edit",
        summary="Change a task, its edges or its parent",
        does=edit,
        answer="task edit",
        writes=True,
        body=object_of({**task_shape.EDIT, **_AS}, required=[]),
    ),
    Route(
        method="DELETE",
        path="/v1/tasks/{id}",
        verb="task delete",
        summary="Remove a task permanently",
        does=delete,
        answer="task delete",
        writes=True,
    ),
    _look("/{id}", "task show", "Show a task with its neighbours", show),
    _change("claims", "task claim", "Claim the best task that can start", claim_next, body=_CLAIM),
    _change("import", "task import", "Import the lines of beads", bring_in, body=shape.IMPORT),
    _change("{id}/claim", "task claim", "Claim a task for some time", claim, body=_CLAIM),
    _change("{id}/start", "task start", "Start a task", start),
    _change("{id}/release", "task release", "Give a claimed task back", release, body=_ENDING),
    _change("{id}/done", "task done", "Finish a task", done, body=_ENDING),
    _change("{id}/reopen", "task reopen", "Reopen a task that was done", reopen),
    _change(
        "{id}/block",
        "task block",
        "Mark a task as blocked, with the reason",
        block,
        body=object_of({**_AS, "why": task_shape.UPDATE["why"]}, required=["why"]),
    ),
    _change("{id}/unblock", "task unblock", "Open a blocked task again", unblock),
)
