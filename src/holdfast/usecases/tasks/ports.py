"""The ports that the verbs about tasks share, who acts, and which branches count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import BadFieldError
from holdfast.domain.sessions.cache import author_of
from holdfast.domain.sessions.plan_line import PlanLine
from holdfast.domain.tasks.errors import TaskElsewhereError
from holdfast.domain.tasks.task import LONGEST_HOLDER
from holdfast.domain.text.outside import name_outside
from holdfast.domain.values import dataclass
from holdfast.usecases.anchors.branch_names import tasks_with_names_now
from holdfast.usecases.anchors.checking import view
from holdfast.usecases.naming import task_id
from holdfast.usecases.screening import screened

if TYPE_CHECKING:
    from holdfast.domain.choices import Origin
    from holdfast.domain.memory.anchor import BranchPoint
    from holdfast.domain.memory.place import Place
    from holdfast.domain.tasks.task import Task
    from holdfast.ports.anchors.surroundings import Surroundings
    from holdfast.ports.anchors.verifier import Verifier
    from holdfast.ports.clock import Clock
    from holdfast.ports.store.store import Store, Transaction

_SHOWN_BRANCHES = 3
DETACHED = "no branch"
"""How a checkout without a branch is named."""
WORKER_PATIENCE = 120.0
"""Many workers queue for one store, and each of them has work to lose."""
HIDDEN = "tasks of {branches} do not count in this checkout"


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskActor:
    """Who works on tasks: the name of a claim, and whether they may decide for others.

    ``is_worker`` is set if they named a worker, and so act for this one only. ``origin`` is that
    of the tasks they add; None if it is not known.
    """

    name: str
    origin: Origin | None = None
    decides: bool = False
    is_worker: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskPorts:
    """The ports of the verbs about tasks, and who acts."""

    store: Store
    clock: Clock
    surroundings: Surroundings
    verifier: Verifier | None
    actor: TaskActor
    patience: float = WORKER_PATIENCE
    """How many seconds a claim, its release or its end waits for other writers."""

    @property
    def worker(self) -> str:
        """The name of the actor, as it may be stored.

        Raises:
            BadFieldError: It is blank or too long.
            SecretRefusedError: It contains a secret.
        """
        name = " ".join(screened(self.actor.name, what="name").split())
        if not name or len(name) > LONGEST_HOLDER:
            problem = f"must have between 1 and {LONGEST_HOLDER} characters."
            raise BadFieldError(field="name of the worker", problem=problem)
        return name

    @property
    def repo(self) -> str:
        """The repository of this folder, '' if there is none."""
        return self.surroundings.place().repo or ""

    def named(self, reference: str, *, tx: Transaction) -> Task:
        """Return the task of a reference: the start of its id, or its id in another program."""
        found = task_id(tx, reference, repo=self.surroundings.place().repo)
        return tx.diary.tasks.get(found)

    def unseen(self, tx: Transaction) -> frozenset[BranchPoint]:
        """Return the branch points of tasks whose work is not part of this checkout."""
        return unseen_from(self.surroundings.place(), tx=tx, verifier=self.verifier)

    def unseen_here(self) -> frozenset[BranchPoint]:
        """Return the same, before a unit of work begins: git may be slow."""
        with self.store.reading() as tx:
            return self.unseen(tx)

    def refuse_elsewhere(self, task: Task, unseen: frozenset[BranchPoint]) -> None:
        """Refuse a task of a branch that is not part of this checkout.

        Raises:
            TaskElsewhereError: It is one.
        """
        if task.aside is not None and task.aside in unseen:
            raise TaskElsewhereError(task.id, self.branch_now(task))

    def branch_now(self, task: Task) -> str:
        """Return the name that the branch of a task has now."""
        (shown,) = tasks_with_names_now([task], surroundings=self.surroundings)
        return shown.branch or DETACHED


def unseen_from(
    place: Place, *, tx: Transaction, verifier: Verifier | None
) -> frozenset[BranchPoint]:
    """Return the branch points of tasks whose work is not part of the checkout of a place."""
    points = tx.diary.tasks.graph.asides(place.repo or "")
    if not points:
        return frozenset()
    return view(place, tx=tx, verifier=verifier, also=points).unseen & frozenset(points)


def hidden_note(unseen: frozenset[BranchPoint], *, surroundings: Surroundings) -> str:
    """Return a note about the branches whose tasks do not count; empty without any."""
    if not unseen:
        return ""
    renamed = surroundings.names_now({one.branch for one in unseen if one.branch})
    names = sorted(
        {
            DETACHED if one.branch is None else name_outside(renamed.get(one.branch, one.branch))
            for one in unseen
        }
    )
    shown = ", ".join(names[:_SHOWN_BRANCHES])
    rest = len(names) - _SHOWN_BRANCHES
    return HIDDEN.format(branches=shown + (f" and {rest} more" if rest > 0 else ""))


def plan_line(task: Task, *, waits: int = 0) -> PlanLine:
    """Return a task as sessions speak of it."""
    return PlanLine(
        id=task.id,
        title=task.title,
        status=task.status.value,
        author="" if task.origin is None else author_of(task.origin, task.added_by),
        waits=waits,
        holder="" if task.lease is None else task.lease.holder,
        commit=task.finished_commit,
        finished_at=task.finished_at,
        is_done=task.is_done,
    )
