"""Sync of tasks: make their pages in the repository and the store agree, task by task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import ConflictError, InvalidError, NotFoundError
from holdfast.domain.pages.syncing import EntryOutcome, Sights, SyncStep, three_way
from holdfast.domain.tasks.errors import TaskIsDoneError
from holdfast.domain.tasks.finding import TaskFilter
from holdfast.domain.tasks.task import Task, TaskStatus, check_notes, check_title, opened
from holdfast.domain.tasks.task_page import TaskEntry, entry_of
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.naming import task_id
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.screening import screened
from holdfast.usecases.tasks.placing import put_task

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.domain.ids import TaskId
    from holdfast.domain.memory.entry import Flaw
    from holdfast.ports.pages.task_pages import TaskPages
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.tasks.ports import TaskPorts

_PAGE = 500
_BOTH = "It was changed here and in the store. Make the page say what holds, and sync again."
_REMOVED = "Its page was removed; the task stays until it is deleted."
_CHANGED = "Its page was saved at the same moment."
_DELETED = "The task was deleted, and so is its page."
_DELETED_AND_EDITED = "The task was deleted, and its page was edited. Remove the page."
_PERSON = "Only a person changes the status of a task on its page."


def sync_tasks(
    *, pages: TaskPages, ports: TaskPorts, takes_in: bool, dry_run: bool
) -> tuple[tuple[EntryOutcome, ...], tuple[Flaw, ...]]:
    """Bring the pages of tasks and the store in line; return what happened, and what is unreadable.

    If only the page changed, it is taken in. If only the store changed, the page is rewritten. If
    both changed, both stay, and a person decides. A page that was removed stays removed.
    """
    entries, flaws = pages.read()
    broken = {flaw.path for flaw in flaws}
    with ports.store.reading() as tx:
        stored = {task.id: task for task in _all_here(ports, tx=tx)}
    names = [name for name in sorted({*entries, *stored}) if pages.path(name) not in broken]
    both = _BothSides(
        pages=pages, ports=ports, entries=entries, stored=stored, bases=dict(pages.bases())
    )
    steps = {name: both.step(name) for name in names}
    if not takes_in:
        steps = {
            name: SyncStep.LEFT if step is SyncStep.TAKEN else step for name, step in steps.items()
        }
    new = [name for name in names if steps[name] is SyncStep.TAKEN and name not in stored]
    if dry_run:
        return tuple(both.outcome(name, steps[name], "") for name in names), tuple(flaws)
    _add_new([entries[name] for name in new], ports=ports)
    outcomes = tuple(both.outcome(name, *both.carry_out(name, steps[name])) for name in names)
    pages.set_bases(both.bases)
    return outcomes, tuple(flaws)


@dataclass(frozen=True, slots=True, kw_only=True)
class _BothSides:
    """The pages and the store as they were read, and the digests on which both agree."""

    pages: TaskPages
    ports: TaskPorts
    entries: Mapping[TaskId, TaskEntry]
    stored: Mapping[TaskId, Task]
    bases: dict[TaskId, str]

    def step(self, name: TaskId) -> SyncStep:
        """Decide by who changed the task."""
        base, entry, task = self.bases.get(name), self.entries.get(name), self.stored.get(name)
        if entry is None:
            return SyncStep.WRITTEN if base is None else SyncStep.BEHIND
        if task is None:
            return SyncStep.TAKEN if base is None else SyncStep.FORGOTTEN
        return three_way(Sights(base=base, file=entry.digest, store=entry_of(task).digest))

    def outcome(self, name: TaskId, step: SyncStep, words: str) -> EntryOutcome:
        """Return what happened to a task, in words."""
        entry = self.entries.get(name) or entry_of(self.stored[name])
        said = words or {SyncStep.CONFLICT: _BOTH, SyncStep.BEHIND: _REMOVED}.get(step, "")
        path = self.pages.path(name)
        return EntryOutcome(step=step, words=said, label=name, claim=entry.title, path=path)

    def carry_out(self, name: TaskId, step: SyncStep) -> tuple[SyncStep, str]:
        """Carry out one step; note the digest on which both sides agree now."""
        if step is SyncStep.AGREED:
            self.bases[name] = self.entries[name].digest
        elif step is SyncStep.WRITTEN:
            return self._written(name)
        elif step is SyncStep.TAKEN:
            return self._taken(name)
        elif step is SyncStep.FORGOTTEN:
            return self._removed(name)
        return step, ""

    def _written(self, name: TaskId) -> tuple[SyncStep, str]:
        wanted, over = entry_of(self.stored[name]), self.entries.get(name)
        if not self.pages.write(wanted, over=None if over is None else over.digest):
            return SyncStep.LEFT, _CHANGED
        self.bases[name] = wanted.digest
        return SyncStep.WRITTEN, ""

    def _taken(self, name: TaskId) -> tuple[SyncStep, str]:
        entry = self.entries[name]
        try:
            agreed = take_entry(entry, ports=self.ports)
        except (InvalidError, NotFoundError, ConflictError) as error:
            return SyncStep.REFUSED, str(error)
        self.bases[name] = agreed.digest
        if agreed.digest != entry.digest:
            self.pages.write(agreed, over=entry.digest)
        return SyncStep.TAKEN, ""

    def _removed(self, name: TaskId) -> tuple[SyncStep, str]:
        """Remove the page of a task that was deleted, unless somebody edited it."""
        if not self.pages.remove(name, over=self.bases[name]):
            return SyncStep.CONFLICT, _DELETED_AND_EDITED
        del self.bases[name]
        return SyncStep.WRITTEN, _DELETED


def _all_here(ports: TaskPorts, *, tx: Transaction) -> list[Task]:
    which, found = TaskFilter(repo=ports.repo), list[Task]()
    while page := tx.diary.tasks.find(which, limit=_PAGE):
        found += page
        which = replace(which, beyond=page[-1].id)
    return found


@repeatable
def _add_new(entries: list[TaskEntry], *, ports: TaskPorts) -> None:
    """Add the tasks of new pages without their edges: they may name each other."""
    now, place = ports.clock.now(), ports.surroundings.place()
    if not entries:
        return
    with ports.store.writing(now) as tx:
        for entry in entries:
            try:
                title = check_title(screened(entry.title, what="title"))
            except InvalidError:
                continue  # it is refused when the page is taken in
            tx.diary.tasks.put(
                Task(
                    id=entry.id,
                    title=title,
                    created_at=now,
                    updated_at=now,
                    repo=place.repo,
                    added_by=ports.actor.name,
                    branch_point=ports.surroundings.branch_point(),
                )
            )


@repeatable
def take_entry(entry: TaskEntry, *, ports: TaskPorts) -> TaskEntry:
    """Change a task into what its page says, and return what it says now.

    Raises:
        TaskIsDoneError: An agent edited the page of a task that is done.
        NoSuchError: The page names a task that does not exist.
        TaskCycleError: The tasks would wait for each other.
    """
    now = ports.clock.now()
    with ports.store.writing(now) as tx:
        screened(
            entry.title, what="title"
        )  # before it is looked up: a refused new page has no task
        task = tx.diary.tasks.get(entry.id)
        if task.is_done and not ports.actor.decides:
            raise TaskIsDoneError(task.id)
        repo = task.repo
        changed = replace(
            task,
            title=check_title(screened(entry.title, what="title")),
            notes=check_notes(screened(entry.notes, what="notes")),
            labels=tuple(screened(label, what="label") for label in entry.labels),
            priority=entry.priority,
            kind=entry.kind,
            parent=None if entry.parent is None else task_id(tx, entry.parent, repo=repo),
            after=tuple(task_id(tx, one, repo=repo) for one in entry.after),
            updated_at=now,
        )
        if entry.status is not entry_of(task).status:
            changed = _with_status(changed, entry.status, ports=ports)
        put_task(changed, before=task, tx=tx)
    return entry_of(changed)


def _with_status(task: Task, status: TaskStatus, *, ports: TaskPorts) -> Task:
    """Return a task with the status that a person wrote on its page.

    Raises:
        ConflictError: An agent did.
    """
    if not ports.actor.decides:
        raise ConflictError(_PERSON)
    if status is TaskStatus.DONE:
        point = ports.surroundings.branch_point()
        return replace(
            opened(task),
            status=status,
            finished_at=task.updated_at,
            finished_by=ports.actor.name,
            finished_commit=None if point is None else point.head,
        )
    # A page cannot claim a task, so 'started' there means open.
    is_blocked = status is TaskStatus.BLOCKED
    return replace(
        opened(task),
        status=status if is_blocked else TaskStatus.OPEN,
        blocked=(task.blocked or "on its page") if is_blocked else "",
    )
