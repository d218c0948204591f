"""Work: the board and the graph of tasks, and agents with their cycles and workspaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.memory.callers import Operation
from holdfast.domain.tasks.drawing import svg
from holdfast.domain.tasks.task import TaskStatus
from holdfast.domain.workspace_errors import NoWorkspacesError
from holdfast.surfaces.web.call import PageAnswer, PageRoute
from holdfast.usecases.tasks.finding import ListTasks

if TYPE_CHECKING:
    from holdfast.surfaces.web.call import PageCall

_MOST_TASKS = 60
_MOST_DRAWN = 60
_MOST_AGENTS = 50
_MOST_CYCLES = 20
_MOST_SNAPSHOTS = 20


def tasks(call: PageCall) -> PageAnswer:
    """Show the tasks by status, and what each waits for."""
    everywhere = call.is_served or bool(call.word("everywhere"))
    columns = [
        (status.value, call.app.tasks.list(_wish(status, everywhere=everywhere)).tasks)
        for status in TaskStatus
    ]
    drawn = call.app.tasks.drawn(with_done=False, limit=_MOST_DRAWN)
    return PageAnswer(
        template="tasks.html",
        values={
            "section": "tasks",
            "columns": columns,
            "drawn": drawn,
            "ready": {one.id for one in call.app.tasks.ready(limit=_MOST_TASKS).tasks},
            "everywhere": everywhere,
        },
    )


def _wish(status: TaskStatus, *, everywhere: bool) -> ListTasks:
    return ListTasks(statuses=frozenset({status}), everywhere=everywhere, limit=_MOST_TASKS)


def graph(call: PageCall) -> PageAnswer:
    """Return the picture of the tasks and their order."""
    drawn = call.app.tasks.drawn(with_done=False, limit=_MOST_DRAWN)
    return PageAnswer(content=svg(drawn.tasks, drawn.needs, at=drawn.at), kind="image/svg+xml")


def task(call: PageCall) -> PageAnswer:
    """Show one task with its neighbours."""
    found = call.app.tasks.show(call.path["id"])
    return PageAnswer(template="task.html", values={"section": "tasks", "found": found})


def agents(call: PageCall) -> PageAnswer:
    """List the agents, and the snapshots of their workspaces."""
    try:
        listed = call.app.workspaces.list(limit=_MOST_SNAPSHOTS, everywhere=True)
    except NoWorkspacesError:
        listed = None
    return PageAnswer(
        template="agents.html",
        values={
            "section": "agents",
            "agents": call.app.agents.list(limit=_MOST_AGENTS),
            "listed": listed,
            "may_oversee": call.may(Operation.OVERSEE),
        },
    )


def agent(call: PageCall) -> PageAnswer:
    """Show one agent with its newest cycles."""
    name = call.path["id"]
    before = call.number("before", 0) or None
    return PageAnswer(
        template="agent.html",
        values={
            "section": "agents",
            "state": call.app.agents.show(name),
            "cycles": call.app.agents.cycles(name, limit=_MOST_CYCLES, before=before),
        },
    )


ROUTES = (
    PageRoute(method="GET", path="/tasks", does=tasks),
    PageRoute(method="GET", path="/tasks/graph.svg", does=graph),
    PageRoute(method="GET", path="/tasks/{id}", does=task),
    PageRoute(method="GET", path="/agents", does=agents),
    PageRoute(method="GET", path="/agents/{id}", does=agent),
)
