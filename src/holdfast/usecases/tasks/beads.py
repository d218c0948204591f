"""Import tasks from beads' issues.jsonl and export them again, without loss."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

from holdfast.domain.ids import TaskId, sortable
from holdfast.domain.tasks.beads import BeadsIssue, read_issue, write_issue
from holdfast.domain.tasks.errors import TaskCycleError
from holdfast.domain.tasks.finding import TaskFilter
from holdfast.domain.tasks.task import Task
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.tasks.beads_lines import read_lines
from holdfast.usecases.tasks.edges import found_edges
from holdfast.usecases.tasks.merging import Arrival, merged, taken_in
from holdfast.usecases.tasks.placing import put_imported, put_task

if TYPE_CHECKING:
    from collections.abc import Collection, Generator, Iterable, Mapping
    from datetime import datetime

    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.tasks.edges import FoundEdges, MissingEdge
    from holdfast.usecases.tasks.ports import TaskPorts

_PAGE = 500
_SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class BroughtTasks:
    """The result of an import: how many tasks were added, changed, known before or left out.

    ``elsewhere`` counts the tasks of other repositories, which stay as they are. ``missing_edges``
    counts the edges to issues that are neither in the file nor here; ``missing`` are the first of
    them. ``older_lines`` counts the lines with an older state than the task here, which keeps its
    own; ``older`` are the ids of the first of them.
    """

    added: int = 0
    changed: int = 0
    known: int = 0
    left_out: int = 0
    elsewhere: int = 0
    missing_edges: int = 0
    missing: tuple[MissingEdge, ...] = ()
    older_lines: int = 0
    older: tuple[str, ...] = ()


def bring_in_tasks(lines: Iterable[str], *, ports: TaskPorts) -> BroughtTasks:
    """Import a file of beads, all of it or nothing; a second import changes nothing.

    What was changed in the file since the last import is taken over, and what was changed here
    stays; so does a claim, while it lasts. If both were changed, the later change wins, and the
    result names lines that are older. A task of another repository is not changed. An edge to an
    issue that is neither in the file nor here is kept for the export, and holds once a file brings
    that issue; the result names it.

    Raises:
        BadTaskLineError: A line cannot be read, contains a secret, or repeats an id.
        TaskCycleError: The tasks would wait for each other.
    """
    return _stored(read_lines(lines), ports=ports)


def task_lines(*, ports: TaskPorts) -> Generator[str, None, None]:
    """Return the tasks of this repository as lines of beads, in the order of their ids."""
    with ports.store.reading() as tx:
        tasks = list(_all_here(ports, tx=tx))
        names = {task.id: task.external or task.id for task in tasks}
        names |= _names_elsewhere(tasks, names, tx=tx)
    mapped = frozenset(names.values())
    for task in sorted(tasks, key=lambda one: names[one.id]):
        line = write_issue(task, cast("Mapping[str, str]", names), mapped)
        yield json.dumps(line, ensure_ascii=False, separators=(",", ":"))


def _names_elsewhere(
    tasks: Iterable[Task], here: Collection[TaskId], *, tx: Transaction
) -> dict[TaskId, str]:
    """Return the ids of the tasks of other repositories that tasks or their lines name."""
    found: set[TaskId] = set()
    for task in tasks:
        line = read_issue(task.foreign) if task.foreign else None
        named = () if line is None else (*line.blocked_by, line.parent)
        found.update(task.after)
        found.update(TaskId(one) for one in (task.parent, *named) if one is not None)
    known = tx.diary.tasks.get_many([one for one in sorted(found) if one not in here])
    return {one: str(one) for one in known}


def _all_here(ports: TaskPorts, *, tx: Transaction) -> Generator[Task, None, None]:
    which = TaskFilter(repo=ports.repo)
    while page := tx.diary.tasks.find(which, limit=_PAGE):
        yield from page
        which = replace(which, beyond=page[-1].id)


@repeatable
def _stored(issues: Mapping[str, BeadsIssue], *, ports: TaskPorts) -> BroughtTasks:
    now, repo = ports.clock.now(), ports.surroundings.place().repo
    with ports.store.writing(now) as tx:
        elsewhere = _elsewhere(issues.values(), repo, tx=tx)
        issues = {name: issue for name, issue in issues.items() if name not in elsewhere}
        found = {name: _known(issue, repo, tx=tx) for name, issue in issues.items()}
        ids = {name: task_id for name, task_id in found.items() if task_id is not None}
        known = frozenset(ids)
        kept = {name: issue for name, issue in issues.items() if not issue.is_gone}
        new = [issue for name, issue in kept.items() if name not in known]
        waiting = _waiting(new, kept, ports, tx=tx)
        ids |= {issue.id: task_id for task_id, issue in waiting.items()}
        ids |= {issue.id: _new_id(issue, ports, now) for issue in new}
        arrival = Arrival(ids, frozenset(ids[issue.id] for issue in new), now)
        changed: set[str] = set()
        missing: list[MissingEdge] = []
        older: list[str] = []
        for issue in (*kept.values(), *waiting.values()):
            edges = found_edges(issue, ids, repo, tx=tx)
            if issue.id in kept:
                missing += [one for one in edges.missing if one.depends_on not in issues]
            if ids[issue.id] in arrival.new:
                task = _new_task(issue, ids[issue.id], repo, ports, now)
                _put(taken_in(task, issue, edges, now), None, ids, tx=tx)
                continue
            is_changed, is_older = _merge(issue, edges, arrival, tx=tx)
            changed |= {issue.id} if is_changed else set()
            older += [issue.id] if is_older else []
    return BroughtTasks(
        added=len(new),
        changed=len(changed),
        known=len((kept.keys() & known) - changed),
        left_out=len(issues) - len(kept),
        elsewhere=len(elsewhere),
        missing_edges=len(missing),
        missing=tuple(missing[:_SHOWN]),
        older_lines=len(older),
        older=tuple(older[:_SHOWN]),
    )


def _merge(
    issue: BeadsIssue, edges: FoundEdges, arrival: Arrival, *, tx: Transaction
) -> tuple[bool, bool]:
    """Merge a line into its task; return whether that changed it, and whether the line is older."""
    before = tx.diary.tasks.get(arrival.ids[issue.id])
    after, is_older = merged(before, issue, edges, arrival, tx=tx)
    if after != before:
        _put(after, before, arrival.ids, tx=tx)
    # The first line of an own task is kept, and so is an older one; neither changes it by itself.
    is_line_only = is_older or not before.foreign
    same = replace(before, foreign=after.foreign) if is_line_only else before
    return after != same, is_older


def _waiting(
    new: Collection[BeadsIssue], kept: Collection[str], ports: TaskPorts, *, tx: Transaction
) -> dict[TaskId, BeadsIssue]:
    """Return the tasks here, as issues, that have an edge to a new one and no line in the file."""
    names = {issue.id for issue in new}
    here = _all_here(ports, tx=tx) if names else ()
    lines = {task.id: read_issue(task.foreign) for task in here if task.foreign}
    return {
        task_id: issue
        for task_id, issue in lines.items()
        if issue.id not in kept and not names.isdisjoint((*issue.blocked_by, issue.parent))
    }


def _put(after: Task, before: Task | None, ids: Mapping[str, TaskId], *, tx: Transaction) -> None:
    """Write a task; a cycle is named with the ids of the file, because nobody saw the others."""
    try:
        if before is None:
            put_imported(after, tx=tx)
        else:
            put_task(after, before=before, tx=tx)
    except TaskCycleError as error:
        names = {task_id: name for name, task_id in ids.items()}
        raise TaskCycleError([names.get(TaskId(one), one) for one in error.path]) from error


def _elsewhere(
    issues: Iterable[BeadsIssue], repo: str | None, *, tx: Transaction
) -> frozenset[str]:
    """Return the ids of the tasks that another repository, or a folder without one, has."""
    known = tx.diary.tasks.get_many([TaskId(issue.id) for issue in issues if issue.is_own])
    return frozenset(name for name, task in known.items() if task.repo != repo)


def _known(issue: BeadsIssue, repo: str | None, *, tx: Transaction) -> TaskId | None:
    tasks = tx.diary.tasks
    if issue.is_own:
        return next(iter(tasks.get_many([TaskId(issue.id)])), None)
    return tasks.named(repo, issue.id)


def _new_id(issue: BeadsIssue, ports: TaskPorts, now: datetime) -> TaskId:
    if issue.is_own:
        return TaskId(issue.id)
    at = issue.created_at
    born = now if at is None or at > now or at.timestamp() < 0 else at
    return TaskId(sortable("t", at=born, entropy=ports.clock.entropy()))


def _new_task(
    issue: BeadsIssue, task_id: TaskId, repo: str | None, ports: TaskPorts, now: datetime
) -> Task:
    """Return a task with what stays as it is at the first import; the rest is merged into it."""
    born = issue.created_at or now
    return Task(
        id=task_id,
        title=issue.title,
        created_at=born,
        updated_at=born,
        repo=repo,
        added_by=ports.worker,
        origin=ports.actor.origin,
        external=None if issue.is_own else issue.id,
    )
