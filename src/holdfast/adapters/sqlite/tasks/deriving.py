"""Rebuilds the graph of tasks from the tasks themselves, and compares the two."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.rows import Row, Value, holds
from holdfast.adapters.sqlite.tasks.tasks import TASK, Edge, edges_of, index_values
from holdfast.domain.tasks.levels import STEP, first_level
from holdfast.domain.tasks.task_shape import task_from_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from holdfast.adapters.sqlite.database.work import Work
    from holdfast.domain.tasks.task import Task

_BODY = 4
_COLUMNS = (
    "id",
    "repo",
    "status",
    "kind",
    "priority",
    "parent",
    "holder",
    "lease_until",
    "aside",
)
_ALL_COLUMNS = (*_COLUMNS, "level", "waits_for", "unblocks")


def derive_tasks(rows: Iterable[Row], work: Work) -> None:
    """Rebuild the derived tables from the rows of all tasks; damaged rows are left out."""
    tasks = _intact(rows)
    work.run("drop_all_task_edges")
    work.run("drop_all_task_index")
    edges = {edge for task in tasks.values() for edge in edges_of(task)}
    for task in tasks.values():
        work.rows("add_task_index", index_values(task))
    work.run_many("add_task_edge", sorted(edges))
    work.run_many("set_task_counts", [(*row[-2:], row[0]) for row in _expected(tasks, edges)])
    levels = levels_of(tasks, edges)
    work.run_many("set_task_level", [(level, name) for name, level in levels.items()])


def tasks_wrong(rows: Iterable[Row], work: Work) -> int:
    """Return the number of derived rows that do not fit the tasks."""
    tasks = _intact(rows)
    edges = {edge for task in tasks.values() for edge in edges_of(task)}
    found = {(str(one), str(other), str(kind)) for one, other, kind in work.rows("all_task_edges")}
    index = [dict(zip(_ALL_COLUMNS, row, strict=True)) for row in work.rows("all_task_index")]
    kept = {tuple(row[name] for name in (*_COLUMNS, "waits_for", "unblocks")) for row in index}
    levels = {row["id"]: row["level"] for row in index}
    whole = [edge for edge in edges & found if edge[0] in levels and edge[1] in levels]
    falling = [edge for edge in whole if levels[edge[0]] <= levels[edge[1]]]
    return len(edges ^ found) + len(kept ^ set(_expected(tasks, edges))) + len(falling)


def levels_of(tasks: Mapping[str, Task], edges: Iterable[Edge]) -> Mapping[str, int]:
    """Return levels that fit the edges: each task above those it waits for."""
    waiting: dict[str, list[str]] = defaultdict(list)
    left: Counter[str] = Counter()
    for task, first, _ in edges:
        if task in tasks and first in tasks:
            waiting[first].append(task)
            left[task] += 1
    levels = {name: first_level(task.created_at) for name, task in tasks.items()}
    due = [name for name in tasks if not left[name]]
    while due:
        name = due.pop()
        for task in waiting[name]:
            levels[task] = max(levels[task], levels[name] + STEP)
            left[task] -= 1
            if not left[task]:
                due.append(task)
    return levels


def _intact(rows: Iterable[Row]) -> dict[str, Task]:
    found = [task_from_json(json.loads(row[_BODY])) for row in rows if holds(TASK, row)]
    return {task.id: task for task in found}


def _expected(tasks: Mapping[str, Task], edges: Iterable[Edge]) -> list[tuple[Value, ...]]:
    """Return the rows of the index as they should be, without levels."""
    waits_for: Counter[str] = Counter()
    unblocks: Counter[str] = Counter()
    for task, first, _ in edges:
        if task in tasks and first in tasks:
            waits_for[task] += not tasks[first].is_done
            unblocks[first] += not tasks[task].is_done
    return [
        (*(index_values(task)[name] for name in _COLUMNS), waits_for[name], unblocks[name])
        for name, task in tasks.items()
    ]
