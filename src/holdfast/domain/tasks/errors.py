"""Errors about tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import ConflictError, InvalidError, NotFoundError, StaleError

if TYPE_CHECKING:
    from collections.abc import Sequence

_SHOWN = 5
_SHOWN_AT_THE_END = 3


class TaskCycleError(ConflictError, code="task-cycle"):
    """The tasks would wait for each other.

    The message shows both ends of a long path, and ``path`` has all of it.
    """

    path: list[str]
    hint: str = "Remove one of these dependencies first."

    def __init__(self, path: Sequence[str]) -> None:
        shown, hidden = path, len(path) - _SHOWN - _SHOWN_AT_THE_END
        if hidden > 1:
            shown = [*path[:_SHOWN], f"… {hidden:,} more …", *path[-_SHOWN_AT_THE_END:]]
        super().__init__(
            f"Nothing was changed: each of these tasks would wait for the next:"
            f" {' → '.join(shown)}. A parent waits for its children.",
            path=list(path),
        )


class WaitsForItselfError(InvalidError, code="task-waits-for-itself"):
    """A task cannot wait for itself, and cannot be its own parent."""

    def __init__(self, task_id: str) -> None:
        super().__init__(
            f"{task_id} cannot wait for itself or be its own parent. Nothing was changed.",
            task_id=task_id,
        )


class TaskIsDoneError(ConflictError, code="task-is-done"):
    """The task is done."""

    def __init__(self, task_id: str) -> None:
        super().__init__(f"{task_id} is done. Nothing was changed.", task_id=task_id)


class TaskNotDoneError(ConflictError, code="task-not-done"):
    """Only a task that is done can be reopened."""

    def __init__(self, task_id: str, status: str) -> None:
        super().__init__(f"{task_id} is {status}, not done.", task_id=task_id, status=status)


class TaskIsBlockedError(ConflictError, code="task-is-blocked"):
    """The task is blocked."""

    def __init__(self, task_id: str, why: str) -> None:
        said = f": {why.rstrip('.')}" if why else ""
        super().__init__(f"{task_id} is blocked{said}.", task_id=task_id, why=why)


class TaskWaitsError(ConflictError, code="task-waits"):
    """The task waits for others that are not done."""

    def __init__(self, task_id: str, waits_for: Sequence[str]) -> None:
        more = f" and {len(waits_for) - _SHOWN} more" if len(waits_for) > _SHOWN else ""
        super().__init__(
            f"{task_id} waits for {', '.join(waits_for[:_SHOWN])}{more}. Nothing was changed.",
            task_id=task_id,
            waits_for=list(waits_for),
        )


class TaskClaimedError(ConflictError, code="task-claimed"):
    """Another worker has claimed the task."""

    def __init__(self, task_id: str, holder: str, until: str = "") -> None:
        end = f"until {until}" if until else "until it is released"
        super().__init__(
            f"{task_id} is claimed by '{holder}' {end}. Nothing was changed.",
            task_id=task_id,
            holder=holder,
            until=until,
        )


class TaskLeaseLostError(StaleError, code="task-lease-lost"):
    """The caller does not hold the task any more."""

    hint: str = "Look at the task, and claim it again if the work is still to be done."

    def __init__(self, task_id: str, by: str, holder: str | None) -> None:
        now = "nobody has claimed it now" if holder is None else f"'{holder}' has claimed it"
        super().__init__(
            f"'{by}' does not hold {task_id}: {now}. Nothing was changed.",
            task_id=task_id,
            by=by,
            holder=holder,
        )


class TaskElsewhereError(ConflictError, code="task-elsewhere"):
    """The task belongs to a branch that is not part of this checkout."""

    def __init__(self, task_id: str, branch: str) -> None:
        super().__init__(
            f"{task_id} belongs to the branch {branch}, which is not part of this checkout.",
            task_id=task_id,
            branch=branch,
        )


class NothingReadyError(NotFoundError, code="nothing-ready"):
    """No task can start now."""

    def __init__(self, held: int) -> None:
        others = "1 task waits" if held == 1 else f"{held:,} tasks wait"
        why = f"; {others} for others or for somebody" if held else ": no task is open"
        super().__init__(f"No task can start now{why}.", held=held)


class BadTaskLineError(InvalidError, code="bad-task-line"):
    """A line of a file of tasks cannot be read; nothing was imported."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(
            f"Line {line}: {problem} Nothing was imported.", line=line, problem=problem
        )
