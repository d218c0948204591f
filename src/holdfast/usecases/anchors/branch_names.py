"""Branch names: show records of a renamed branch with its name now.

A record stores the name that its branch had; only what is shown follows a rename.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.domain.sessions.run import Run
    from holdfast.domain.sessions.session import Session
    from holdfast.domain.tasks.task import Task
    from holdfast.ports.anchors.surroundings import Surroundings

    OfBranch = TypeVar("OfBranch", Run, Session)


def with_names_now(
    found: Sequence[OfBranch], *, surroundings: Surroundings
) -> tuple[OfBranch, ...]:
    """Return runs or sessions, each with the name that its branch has now."""
    repo = surroundings.place().repo
    names = surroundings.names_now({one.branch for one in found if one.branch and one.repo == repo})
    return tuple(
        replace(one, branch=names.get(one.branch, one.branch))
        if one.branch and one.repo == repo
        else one
        for one in found
    )


def tasks_with_names_now(tasks: Sequence[Task], *, surroundings: Surroundings) -> tuple[Task, ...]:
    """Return tasks, each with the name that its branch has now."""
    repo = surroundings.place().repo
    names = surroundings.names_now({one.branch for one in tasks if one.branch and one.repo == repo})
    return tuple(_with_name_now(one, names) if one.repo == repo else one for one in tasks)


def _with_name_now(task: Task, names: Mapping[str, str]) -> Task:
    point = task.branch_point
    if point is None or (name := names.get(point.branch or "")) is None:
        return task
    return replace(task, branch_point=replace(point, branch=name))
