"""Apply the answer of a planner: write its tasks."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from holdfast.domain.choices import Origin
from holdfast.domain.ids import TaskId, sortable
from holdfast.domain.roles.answer_kinds import in_order
from holdfast.domain.roles.answers import GOAL, read_plan
from holdfast.domain.tasks.task import Task, TaskKind, TaskStatus, check_title
from holdfast.domain.values import dataclass
from holdfast.usecases.roles.earlier import planned_meanwhile
from holdfast.usecases.tasks.placing import put_task

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from holdfast.domain.ids import RunId
    from holdfast.domain.memory.anchor import BranchPoint
    from holdfast.domain.roles.answer_kinds import TaskDraft
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.roles.role_ports import RolePorts
from holdfast.usecases.roles.applying import PLANNER

_PLANNED = "planned:"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOccasion:
    """The run, its intent and the moment of a plan, and the branch that it belongs to.

    ``is_apart`` leaves out the edges between new tasks and those that exist.
    """

    run_id: RunId
    intent: str
    at: datetime
    point: BranchPoint | None
    is_apart: bool = False


def add_planned(
    outputs: Mapping[str, object],
    given: Mapping[str, object],
    when: PlanOccasion,
    *,
    ports: RolePorts,
    tx: Transaction,
) -> dict[str, object]:
    """Write the tasks of a plan inside a unit of work; return which tasks it added and reused.

    A task that was finished or deleted while the planner worked is planned anew; one that an
    earlier run of the same intent planned, and that was done before, is not. Nor is one that a
    run of the same intent added at the same time.

    Raises:
        TaskCycleError: A task that exists waits for what would wait for it.
    """
    tasks, commands = given.get("tasks"), given.get("commands")
    known = [str(one["id"]) for one in tasks] if isinstance(tasks, list) else []
    names = list(map(str, commands)) if isinstance(commands, list) else []
    plan = read_plan(outputs, known=known, commands=names)
    repo = ports.surroundings.place().repo
    before = done_before(given)
    twins = planned_meanwhile(when.intent, besides=when.run_id, known=known, ports=ports, tx=tx)
    ids: dict[str, TaskId] = {}
    added, done = list[str](), list[str]()
    for one in goal_first(in_order(plan.tasks)):
        name = twins.get((one.key, one.title)) if one.reuse is None else TaskId(one.reuse)
        found = None if name is None else _usable(name, before, tx=tx)
        if found is not None:
            ids[one.key] = found.id
            done += [found.id] if found.is_done else []
            continue
        task = Task(
            id=_next_id(when, len(added), ports),
            title=check_title(one.title),
            created_at=when.at,
            updated_at=when.at,
            repo=repo,
            kind=TaskKind.MILESTONE if one.key == GOAL else TaskKind.TASK,
            parent=_parent(one, ids.get(GOAL), added, done, is_apart=when.is_apart),
            after=tuple(
                name
                for key in one.after
                if (name := _near(ids[key], added, is_apart=when.is_apart)) is not None
            ),
            labels=(f"{_PLANNED}{when.run_id}",),
            branch_point=when.point,
            added_by=PLANNER,
            origin=Origin.TOOL,
        )
        put_task(task, before=None, tx=tx)
        ids[one.key] = task.id
        added.append(task.id)
    return {
        "added": added,
        "reused": [ids[one.key] for one in plan.tasks if ids[one.key] not in {*added, *done}],
        "done": done,
        "keys": dict(ids),
        "commands": {one.command: ids[one.key] for one in plan.tasks if one.command},
    }


def _next_id(when: PlanOccasion, before: int, ports: RolePorts) -> TaskId:
    """Return an id that sorts after the tasks of the plan before it."""
    at = when.at + timedelta(milliseconds=before)
    return TaskId(sortable("t", at=at, entropy=ports.clock.entropy()))


def _near(task_id: TaskId | None, added: list[str], *, is_apart: bool) -> TaskId | None:
    """Return a task; None if edges to tasks that exist are left out, and it is one."""
    return None if is_apart and task_id not in added else task_id


def _parent(
    one: TaskDraft, goal: TaskId | None, added: list[str], done: list[str], *, is_apart: bool
) -> TaskId | None:
    """Return the goal above a task; a goal that is done gets no more parts."""
    if one.key == GOAL or goal in done:
        return None
    return _near(goal, added, is_apart=is_apart)


def done_before(given: Mapping[str, object]) -> frozenset[str]:
    """Return the tasks that were done when the planner was asked."""
    tasks = given.get("tasks")
    items = tasks if isinstance(tasks, list) else []
    return frozenset(str(one["id"]) for one in items if one["status"] == TaskStatus.DONE.value)


def _usable(task_id: TaskId, before: frozenset[str], *, tx: Transaction) -> Task | None:
    """Return a task that a plan may use: an open one, or one that was done before."""
    found = tx.diary.tasks.get_many([task_id]).get(task_id)
    return None if found is None or (found.is_done and task_id not in before) else found


def goal_first(tasks: Sequence[TaskDraft]) -> tuple[TaskDraft, ...]:
    """Return the tasks of a plan with its goal before all others, so that it is their parent."""
    return tuple(sorted(tasks, key=lambda one: one.key != GOAL))
