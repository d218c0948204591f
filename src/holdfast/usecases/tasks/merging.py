"""Merge a line of beads into a task that is here already: the newer state of each field wins.

The line of the last import is what both sides come from. A field that only one side changed since
is taken from that side. Where both changed it, or where no line was imported yet, the times of
their last changes decide. So a line from an older file never undoes what was done here since.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from holdfast.domain.tasks.beads import read_issue
from holdfast.domain.tasks.task import TaskStatus, opened
from holdfast.domain.values import replace
from holdfast.usecases.tasks.edges import found_edges

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from datetime import datetime

    from holdfast.domain.ids import TaskId
    from holdfast.domain.tasks.beads import BeadsIssue
    from holdfast.domain.tasks.task import Task
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.tasks.edges import FoundEdges

_FIELDS = ("title", "notes", "status", "kind", "priority", "labels")


class Arrival(NamedTuple):
    """An import: the tasks of its issues by their names, those that are new, and its moment."""

    ids: Mapping[str, TaskId]
    new: frozenset[TaskId]
    at: datetime


class MergedTask(NamedTuple):
    """A task with what its line brings; ``is_older`` if it kept a state that is newer."""

    task: Task
    is_older: bool = False


def taken_in(task: Task, issue: BeadsIssue, edges: FoundEdges, now: datetime) -> Task:
    """Return a new task with everything that its line says."""
    changes = {name: getattr(issue, name) for name in _FIELDS if name != "status"}
    task = _with_status(replace(task, **changes), issue, now)
    return replace(task, after=edges.after, parent=edges.parent, foreign=dict(issue.line))


def merged(
    task: Task, issue: BeadsIssue, edges: FoundEdges, arrival: Arrival, *, tx: Transaction
) -> MergedTask:
    """Return a task that is here already with what is new in its line."""
    if task.foreign == issue.line:
        return MergedTask(_joined(task, edges, arrival))
    if not task.foreign:
        return _first(task, issue, edges, arrival, tx=tx)
    last = read_issue(task.foreign)
    known = found_edges(last, arrival.ids, task.repo, tx=tx)
    if _is_before(issue, last.updated_at):
        return MergedTask(_joined(task, known, arrival), is_older=_differs(task, issue))
    changed = [name for name in _FIELDS if getattr(issue, name) != getattr(last, name)]
    undone = {
        name
        for name in changed
        if _is_before(issue, task.updated_at)
        and getattr(task, name) not in {getattr(last, name), getattr(issue, name)}
    }
    taken = _taken(task, issue, [name for name in changed if name not in undone], arrival.at)
    keeps_parent = (
        _is_before(issue, task.updated_at)
        and edges.parent != known.parent
        and task.parent not in {known.parent, edges.parent}
    )
    edges = replace(edges, parent=known.parent) if keeps_parent else edges
    taken = _with_edges(taken, edges, known, arrival)
    taken = replace(taken, foreign=dict(issue.line), updated_at=_latest(task, issue, arrival.at))
    return MergedTask(taken, is_older=bool(undone) or keeps_parent)


def _first(
    task: Task, issue: BeadsIssue, edges: FoundEdges, arrival: Arrival, *, tx: Transaction
) -> MergedTask:
    """Return a task of this program with the first line about it, unless the line is older.

    Its edges to tasks of other repositories stay: files had none of them in the past.
    """
    line = dict(issue.line)
    if _is_before(issue, task.updated_at):
        is_older = _differs(task, issue) or (edges.after, edges.parent) != (task.after, task.parent)
        return MergedTask(replace(task, foreign=line), is_older=is_older)
    known = tx.diary.tasks.get_many([*task.after, *filter(None, [task.parent])])
    apart = [one for one, other in known.items() if other.repo != task.repo]
    kept = [one for one in task.after if one in apart]
    parent = task.parent if edges.parent is None and task.parent in apart else edges.parent
    taken = replace(
        _taken(task, issue, _FIELDS, arrival.at),
        after=tuple(dict.fromkeys((*edges.after, *kept))),
        parent=parent,
    )
    if taken != task:
        taken = replace(taken, updated_at=_latest(task, issue, arrival.at))
    return MergedTask(replace(taken, foreign=line))


def _taken(task: Task, issue: BeadsIssue, names: Collection[str], now: datetime) -> Task:
    """Return a task with these fields of its line."""
    changes = {name: getattr(issue, name) for name in names if name != "status"}
    task = replace(task, **changes)
    return _with_status(task, issue, now) if "status" in names else task


def _with_edges(task: Task, edges: FoundEdges, last: FoundEdges, arrival: Arrival) -> Task:
    """Return a task with the edges that its line got or lost; those that were added here stay."""
    lost = set(last.after) - set(edges.after)
    fresh = [one for one in edges.after if one not in last.after or one in arrival.new]
    kept = [one for one in task.after if one not in lost]
    is_late = task.parent is None and edges.parent in arrival.new
    parent = edges.parent if is_late or edges.parent != last.parent else task.parent
    return replace(task, after=tuple(dict.fromkeys((*kept, *fresh))), parent=parent)


def _joined(task: Task, edges: FoundEdges, arrival: Arrival) -> Task:
    """Return a task whose line did not change, with its edges to tasks that only arrive now."""
    late = [one for one in edges.after if one in arrival.new and one not in task.after]
    parent = edges.parent if task.parent is None and edges.parent in arrival.new else task.parent
    if not late and parent == task.parent:
        return task
    return replace(task, after=(*task.after, *late), parent=parent, updated_at=arrival.at)


def _with_status(task: Task, issue: BeadsIssue, now: datetime) -> Task:
    """Return a task with the status of its line; a claim that lasts is stronger than a file.

    A task that has this status already keeps what the file does not say: who works on it, why it
    is blocked, and how it was finished.
    """
    status = issue.status
    if task.status is status or task.holder_at(now) is not None:
        return task
    if status is TaskStatus.DONE:
        return replace(opened(task), status=status, finished_at=issue.closed_at)
    why = str(issue.line.get("status")) if status is TaskStatus.BLOCKED else ""
    return replace(opened(task), status=status, blocked=why)


def _latest(task: Task, issue: BeadsIssue, now: datetime) -> datetime:
    """Return when a task or its line was last changed: a later export must not seem newer."""
    return max(task.updated_at, min(issue.updated_at or now, now))


def _is_before(issue: BeadsIssue, moment: datetime | None) -> bool:
    """Return whether a line was last changed before a moment, as far as it says when."""
    at = issue.updated_at
    return at is not None and moment is not None and at < moment


def _differs(task: Task, issue: BeadsIssue) -> bool:
    return any(getattr(task, name) != getattr(issue, name) for name in _FIELDS)
