"""Add a task, and edit one: its text, its place in the graph, its evidence and its branch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Origin
from holdfast.domain.errors import BadFieldError, NeedsPersonError
from holdfast.domain.ids import TaskId, sortable
from holdfast.domain.memory.anchor import BranchPoint
from holdfast.domain.sessions.cache import author_of
from holdfast.domain.tasks.errors import TaskClaimedError, TaskIsDoneError
from holdfast.domain.tasks.task import (
    MOST_EDGES,
    MOST_LABELS,
    USUAL_PRIORITY,
    Task,
    TaskKind,
    check_notes,
    check_priority,
    check_title,
)
from holdfast.domain.tasks.wording import ProposedWording
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.anchors.gather import Gathered, Grounds, follow, gather, identified
from holdfast.usecases.naming import task_id
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.screening import SecretPolicy, screened
from holdfast.usecases.tasks.placing import put_task

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from holdfast.domain.memory.evidence import Evidence
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.tasks.ports import TaskPorts

_LONGEST_LABEL = 60
EVERYWHERE = ""
"""In place of a branch: the task counts on every branch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AddTask:
    """A request to add a task.

    ``after`` and ``parent`` are references. ``branch`` is the branch that it belongs to, an empty
    text for all branches; None is the branch that is checked out.
    """

    title: str
    notes: str = ""
    kind: TaskKind = TaskKind.TASK
    priority: int = USUAL_PRIORITY
    parent: str | None = None
    after: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    grounds: Grounds = Grounds()
    branch: str | None = None

    @property
    def texts(self) -> tuple[str | None, ...]:
        """The texts that are screened and stored."""
        return (self.title, self.notes, *self.labels, self.grounds.because)


@dataclass(frozen=True, slots=True, kw_only=True)
class EditTask:
    """A request to edit a task; fields that are None stay as they are.

    An empty text as the parent removes it. ``after`` and ``labels`` are added, ``not_after`` and
    ``not_labels`` removed. ``takes_wording`` decides about the words that a program proposed.
    """

    reference: str
    title: str | None = None
    notes: str | None = None
    kind: TaskKind | None = None
    priority: int | None = None
    parent: str | None = None
    after: tuple[str, ...] = ()
    not_after: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    not_labels: tuple[str, ...] = ()
    grounds: Grounds = Grounds()
    branch: str | None = None
    takes_wording: bool | None = None

    @property
    def texts(self) -> tuple[str | None, ...]:
        """The new texts that are screened and stored."""
        return (self.title, self.notes, *self.labels, self.grounds.because)

    @property
    def changes(self) -> bool:
        """Whether anything is to be changed."""
        return self != EditTask(reference=self.reference)


@repeatable
def add_task(wish: AddTask, *, ports: TaskPorts) -> Task:
    """Add a task here.

    Raises:
        BadFieldError: The title is blank, or a field is out of range.
        NoSuchError: A task that it names does not exist.
        TaskIsDoneError: The parent is done.
        SecretRefusedError: A text contains a secret.
    """
    now, place = ports.clock.now(), ports.surroundings.place()
    title, notes = check_title(screened(wish.title, what="title")), _notes(wish.notes)
    labels = clean_labels(wish.labels)
    gathered = _gathered(wish.grounds, ports)
    point, worker = _branch_point(wish.branch, ports), ports.worker
    with ports.store.writing(now) as tx:
        task = Task(
            id=TaskId(sortable("t", at=now, entropy=ports.clock.entropy())),
            title=title,
            notes=notes,
            created_at=now,
            updated_at=now,
            repo=place.repo,
            kind=wish.kind,
            priority=check_priority(wish.priority),
            parent=None if wish.parent is None else _parent(wish.parent, ports, tx=tx),
            after=task_references(wish.after, place.repo, tx=tx),
            labels=labels,
            evidence=_kept(gathered, wish.grounds, tx=tx),
            branch_point=point,
            added_by=worker,
            origin=ports.actor.origin,
        )
        put_task(task, before=None, tx=tx)
    return task


@repeatable
def edit_task(wish: EditTask, *, ports: TaskPorts) -> Task:
    """Edit a task; an agent edits only a task that nobody else holds and that is not done.

    The words of a person stay until a person changes them: an agent's words are proposed.

    Raises:
        NeedsPersonError: A program decides about proposed words.
        BadFieldError: Nothing is to be changed, or a field is out of range.
        TaskCycleError: The tasks would wait for each other.
        TaskClaimedError: Another worker holds it.
        TaskIsDoneError: It is done, or the new parent is.
    """
    if not wish.changes:
        raise BadFieldError(field="edit", problem="changes nothing; name what is to be changed.")
    now = ports.clock.now()
    gathered = _gathered(wish.grounds, ports)
    point = None if wish.branch is None else _branch_point(wish.branch, ports)
    with ports.store.writing(now) as tx:
        task = ports.named(wish.reference, tx=tx)
        _refuse_others(task, ports, at=now)
        edited = replace(_reworded(task, wish, ports, at=now), updated_at=now)
        edited = _moved(edited, wish, ports, tx=tx)
        if wish.branch is not None:
            edited = replace(edited, branch_point=point)
        fresh = _kept(gathered, wish.grounds, tx=tx)
        evidence = (*task.evidence, *(one for one in fresh if one not in task.evidence))
        edited = replace(edited, evidence=evidence)
        put_task(edited, before=task, tx=tx)
    return edited


def _refuse_others(task: Task, ports: TaskPorts, *, at: datetime) -> None:
    """Refuse an edit by a program, if the task is done or somebody else holds it."""
    if ports.actor.decides:
        return
    if task.is_done:
        raise TaskIsDoneError(task.id)
    holder = task.holder_at(at)
    if holder not in {None, ports.worker} and task.lease is not None:
        raise TaskClaimedError(task.id, task.lease.holder, task.lease.end)


def _reworded(task: Task, wish: EditTask, ports: TaskPorts, *, at: datetime) -> Task:
    """Return a task with the new texts, kind, priority and labels."""
    task = _worded(task, wish, ports, at=at)
    if wish.kind is not None:
        task = replace(task, kind=wish.kind)
    if wish.priority is not None:
        task = replace(task, priority=check_priority(wish.priority))
    kept = [label for label in task.labels if label not in wish.not_labels]
    return replace(task, labels=clean_labels((*kept, *wish.labels)))


def _worded(task: Task, wish: EditTask, ports: TaskPorts, *, at: datetime) -> Task:
    """Return a task with the words of a person, or with those of a program as a proposal."""
    title = None if wish.title is None else check_title(screened(wish.title, what="title"))
    notes = None if wish.notes is None else _notes(wish.notes)
    if wish.takes_wording is not None:
        task = _decided(task, ports, takes=wish.takes_wording)
    if title is None and notes is None:
        return task
    if ports.actor.decides or task.is_of_program:
        title, notes = _either(title, task.title), _either(notes, task.notes)
        return replace(task, title=title, notes=notes, proposed=None)
    author = author_of(ports.actor.origin or Origin.AGENT, ports.worker)
    return replace(task, proposed=ProposedWording(by=author, at=at, title=title, notes=notes))


def _decided(task: Task, ports: TaskPorts, *, takes: bool) -> Task:
    """Return a task after a person took or dropped the proposed words."""
    if not ports.actor.decides:
        what = f"Only a person decides about the proposed words of {task.id}."
        raise NeedsPersonError(what=what, verb="task edit", reference=task.id)
    if task.proposed is None:
        problem = f"is not proposed for {task.id}."
        raise BadFieldError(field="other wording", problem=problem)
    if takes:
        title = _either(task.proposed.title, task.title)
        notes = _either(task.proposed.notes, task.notes)
        task = replace(task, title=title, notes=notes)
    return replace(task, proposed=None)


def _either(new: str | None, old: str) -> str:
    return old if new is None else new


def _moved(task: Task, wish: EditTask, ports: TaskPorts, *, tx: Transaction) -> Task:
    """Return a task with another parent, and with edges added and removed."""
    if wish.parent is not None:
        parent = _parent(wish.parent, ports, tx=tx) if wish.parent else None
        task = replace(task, parent=parent)
    gone = set(task_references(wish.not_after, task.repo, tx=tx))
    if missing := gone - set(task.after):
        problem = f"does not contain {min(missing)}, so it cannot be removed."
        raise BadFieldError(field="list of tasks before it", problem=problem)
    kept = tuple(one for one in task.after if one not in gone)
    return replace(task, after=_few((*kept, *task_references(wish.after, task.repo, tx=tx))))


def task_references(
    references: Iterable[str], repo: str | None, *, tx: Transaction
) -> tuple[TaskId, ...]:
    """Return the tasks that are named, each once.

    Raises:
        NoSuchError: There is no such task.
        BadFieldError: They are too many.
    """
    return _few(tuple(task_id(tx, reference, repo=repo) for reference in references))


def _few(after: tuple[TaskId, ...]) -> tuple[TaskId, ...]:
    found = tuple(dict.fromkeys(after))
    if len(found) > MOST_EDGES:
        problem = f"has {len(found):,} tasks; the limit is {MOST_EDGES:,}. Use a milestone."
        raise BadFieldError(field="list of tasks before it", problem=problem)
    return found


def _parent(reference: str, ports: TaskPorts, *, tx: Transaction) -> TaskId:
    parent = ports.named(reference, tx=tx)
    if parent.is_done:
        raise TaskIsDoneError(parent.id)
    return parent.id


def _notes(notes: str) -> str:
    return check_notes(screened(notes, what="notes"))


def clean_labels(labels: Iterable[str]) -> tuple[str, ...]:
    """Return labels in one line each, screened.

    Raises:
        BadFieldError: They are too many or too long.
    """
    clean = [" ".join(screened(label, what="label").split()) for label in labels]
    found = tuple(dict.fromkeys(label for label in clean if label))
    if len(found) > MOST_LABELS or any(len(label) > _LONGEST_LABEL for label in found):
        problem = f"are too many or too long: {MOST_LABELS} of {_LONGEST_LABEL} characters at most."
        raise BadFieldError(field="labels", problem=problem)
    return found


def _gathered(grounds: Grounds, ports: TaskPorts) -> Gathered:
    """Read the evidence, before any lock is taken."""
    found = gather(
        grounds,
        surroundings=ports.surroundings,
        clock=ports.clock,
        secrets=SecretPolicy.REFUSE,
    )
    return identified(found, verifier=ports.verifier)


def _kept(gathered: Gathered, grounds: Grounds, *, tx: Transaction) -> tuple[Evidence, ...]:
    """Store the spans that evidence cites, and return the evidence."""
    followed = follow(gathered, grounds, tx=tx)
    for span in followed.spans:
        tx.anchors.spans.put(span)
    return followed.evidence


def _branch_point(branch: str | None, ports: TaskPorts) -> BranchPoint | None:
    """Return the branch point of a branch; by default of the one that is checked out."""
    here = ports.surroundings.branch_point()
    if branch is None or (here is not None and here.branch == branch):
        return here
    if branch == EVERYWHERE or ports.verifier is None:
        return None
    head = ports.verifier.resolve(f"refs/heads/{branch}").id
    name = screened(branch, what="branch")
    return BranchPoint(branch=name, head=head, is_aside=True)
