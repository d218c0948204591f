"""Tasks: one method per verb."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.performing import Part, performs, when
from holdfast.domain.memory.callers import Operation, PrincipalKind

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable
    from datetime import timedelta

    from holdfast.domain.tasks.finding import ReadyTasks
    from holdfast.domain.tasks.task import Task
    from holdfast.usecases.tasks.adding import AddTask, EditTask
    from holdfast.usecases.tasks.beads import BroughtTasks
    from holdfast.usecases.tasks.finding import DrawnTasks, ListedTasks, ListTasks, ShownTask
    from holdfast.usecases.tasks.ports import TaskPorts
    from holdfast.usecases.tasks.working import DeletedTask, EndedClaim, ReopenedTask


def _is_forced(_reference: str, *, anyway: bool = False, by: str | None = None) -> bool:
    return anyway


_ANYWAY = when(
    _is_forced, Operation.DECIDE, "although it waits for others, or another worker has claimed it"
)


class TasksPart(Part):
    """The tasks of the repository of an open memory. ``by`` names a worker among several."""

    @performs(Operation.RECORD)
    def add(self, wish: AddTask, *, by: str | None = None) -> Task:
        """Add a task."""
        from holdfast.usecases.tasks.adding import add_task

        return add_task(wish, ports=self._ports(by))

    @performs(Operation.RECORD)
    def edit(self, wish: EditTask, *, by: str | None = None) -> Task:
        """Edit a task."""
        from holdfast.usecases.tasks.adding import edit_task

        return edit_task(wish, ports=self._ports(by))

    @performs(Operation.RECORD)
    def start(self, reference: str, *, by: str | None = None) -> Task:
        """Start a task, without a time-out."""
        from holdfast.usecases.tasks.working import start_task

        return start_task(reference, ports=self._ports(by))

    @performs(Operation.RECORD)
    def claim(
        self, reference: str, *, lease: timedelta | None = None, by: str | None = None
    ) -> Task:
        """Claim a task for some time."""
        from holdfast.usecases.tasks.working import USUAL_LEASE, claim_task

        return claim_task(
            reference, lease=USUAL_LEASE if lease is None else lease, ports=self._ports(by)
        )

    @performs(Operation.RECORD)
    def claim_next(self, *, lease: timedelta | None = None, by: str | None = None) -> Task:
        """Claim the best task that can start."""
        from holdfast.usecases.tasks.working import USUAL_LEASE, claim_next

        return claim_next(lease=USUAL_LEASE if lease is None else lease, ports=self._ports(by))

    @performs(Operation.RECORD, _ANYWAY)
    def release(self, reference: str, *, anyway: bool = False, by: str | None = None) -> EndedClaim:
        """Give a claimed task back."""
        from holdfast.usecases.tasks.working import release_task

        return release_task(reference, anyway=anyway, ports=self._ports(by))

    @performs(Operation.RECORD, _ANYWAY)
    def done(self, reference: str, *, anyway: bool = False, by: str | None = None) -> EndedClaim:
        """Finish a task."""
        from holdfast.app.session_cache import write_kept
        from holdfast.usecases.tasks.working import finish_task

        ended = finish_task(reference, anyway=anyway, ports=self._ports(by))
        if ended.task.kind == "milestone":
            write_kept(self._holdfast, None)
        return ended

    @performs(Operation.DECIDE)
    def reopen(self, reference: str, *, by: str | None = None) -> ReopenedTask:
        """Reopen a task that was done."""
        from holdfast.usecases.tasks.working import reopen_task

        return reopen_task(reference, ports=self._ports(by))

    @performs(Operation.RECORD)
    def block(self, reference: str, why: str, *, by: str | None = None) -> Task:
        """Mark a task as blocked by something outside."""
        from holdfast.usecases.tasks.working import block_task

        return block_task(reference, why, ports=self._ports(by))

    @performs(Operation.RECORD)
    def unblock(self, reference: str, *, by: str | None = None) -> Task:
        """Open a blocked task again."""
        from holdfast.usecases.tasks.working import unblock_task

        return unblock_task(reference, ports=self._ports(by))

    @performs(Operation.FORGET)
    def delete(self, reference: str) -> DeletedTask:
        """Remove a task permanently."""
        from holdfast.usecases.tasks.working import delete_task

        return delete_task(reference, ports=self._ports())

    @performs(Operation.READ)
    def ready(self, *, limit: int = 20) -> ReadyTasks:
        """Return the tasks that can start, and why the others cannot."""
        from holdfast.usecases.tasks.finding import ready_tasks

        return ready_tasks(limit=limit, ports=self._ports())

    @performs(Operation.READ)
    def next(self) -> ReadyTasks:
        """Return the best task that can start."""
        from holdfast.usecases.tasks.finding import next_task

        return next_task(ports=self._ports())

    @performs(Operation.READ)
    def list(self, wish: ListTasks) -> ListedTasks:
        """List tasks in the order in which they were added."""
        from holdfast.usecases.tasks.finding import list_tasks

        return list_tasks(wish, ports=self._ports())

    @performs(Operation.READ)
    def show(self, reference: str) -> ShownTask:
        """Show a task with its neighbours."""
        from holdfast.usecases.tasks.finding import show_task

        return show_task(reference, ports=self._ports())

    @performs(Operation.READ)
    def drawn(
        self, reference: str | None = None, *, with_done: bool = True, limit: int | None = None
    ) -> DrawnTasks:
        """Return the tasks for a tree or a graph."""
        from holdfast.usecases.tasks.finding import MOST_DRAWN, drawn_tasks

        most = MOST_DRAWN if limit is None else limit
        return drawn_tasks(reference, with_done=with_done, limit=most, ports=self._ports())

    @performs(Operation.RESTORE)
    def bring_in(self, lines: Iterable[str], *, by: str | None = None) -> BroughtTasks:
        """Import tasks from a file of beads."""
        from holdfast.usecases.tasks.beads import bring_in_tasks

        return bring_in_tasks(lines, ports=self._ports(by))

    @performs(Operation.READ)
    def export(self) -> Generator[str, None, None]:
        """Return the tasks as lines of a file of beads."""
        from holdfast.usecases.tasks.beads import task_lines

        return task_lines(ports=self._ports())

    def _ports(self, by: str | None = None) -> TaskPorts:
        from holdfast.usecases.tasks.ports import WORKER_PATIENCE, TaskActor, TaskPorts

        principal, holdfast = self.principal, self._holdfast
        name = by or principal.name
        if principal.kind is not PrincipalKind.PERSON:
            name = principal.source(by, door=principal.kind.value)
        decides = Operation.DECIDE in principal.may
        is_worker = by is not None and by != principal.name
        longest = holdfast.longest_wait
        return TaskPorts(
            store=holdfast.store,
            clock=holdfast.clock,
            surroundings=holdfast.surroundings,
            verifier=holdfast.verifier,
            actor=TaskActor(
                name=name or principal.kind.value,
                origin=principal.origin,
                decides=decides,
                is_worker=is_worker,
            ),
            patience=WORKER_PATIENCE if longest is None else min(WORKER_PATIENCE, longest),
        )
