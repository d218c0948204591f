"""Takes the pages of tasks in: adds new tasks, and changes others into what their pages say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import ConflictError, InvalidError
from holdfast.domain.pages import sync_messages as messages
from holdfast.domain.tasks.errors import TaskIsDoneError
from holdfast.domain.tasks.task import Task, TaskStatus, check_notes, check_title, opened
from holdfast.domain.tasks.task_page import entry_of
from holdfast.domain.values import replace
from holdfast.usecases.naming import task_id
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.screening import screened
from holdfast.usecases.tasks.adding import clean_labels, task_references
from holdfast.usecases.tasks.placing import put_task

if TYPE_CHECKING:
    from holdfast.domain.tasks.task_page import TaskEntry
    from holdfast.usecases.tasks.ports import TaskPorts


@repeatable
def add_new(entries: list[TaskEntry], *, ports: TaskPorts) -> None:
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
                    added_by=ports.worker,
                    origin=ports.actor.origin,
                    branch_point=ports.surroundings.branch_point(),
                )
            )


@repeatable
def take_entry(entry: TaskEntry, *, ports: TaskPorts) -> Task:
    """Change a task into what its page says, and return it.

    Raises:
        TaskIsDoneError: An agent edited the page of a task that is done.
        ConflictError: An agent edited the words of a person.
        NoSuchError: The page names a task that does not exist.
        TaskCycleError: The tasks would wait for each other.
    """
    now = ports.clock.now()
    with ports.store.writing(now) as tx:
        # The words are screened before the lookup: a refused new page has no task.
        title, notes, labels = clean_words(entry)
        task = tx.diary.tasks.get(entry.id)
        if task.is_done and not ports.actor.decides:
            raise TaskIsDoneError(task.id)
        _refuse_other_words(task, entry, ports=ports)
        repo = task.repo
        changed = replace(
            task,
            title=title,
            notes=notes,
            labels=labels,
            priority=entry.priority,
            kind=entry.kind,
            parent=None if entry.parent is None else task_id(tx, entry.parent, repo=repo),
            after=task_references(entry.after, repo, tx=tx),
            updated_at=now,
        )
        if entry.status is not entry_of(task).status:
            changed = _with_status(changed, entry.status, ports=ports)
        put_task(changed, before=task, tx=tx)
    return changed


def clean_words(entry: TaskEntry) -> tuple[str, str, tuple[str, ...]]:
    """Return the title, the notes and the labels of a page as they may be stored.

    Raises:
        InvalidError: One of them contains a secret, is too large, or is not text.
    """
    title = check_title(screened(entry.title, what="title"))
    return title, check_notes(screened(entry.notes, what="notes")), clean_labels(entry.labels)


def _refuse_other_words(task: Task, entry: TaskEntry, *, ports: TaskPorts) -> None:
    """Refuse a page on which an agent changed the words of a person."""
    told = entry_of(task)
    has_same_words = (entry.title, entry.notes) == (told.title, told.notes)
    if not (ports.actor.decides or task.is_of_program or has_same_words):
        raise ConflictError(messages.TASK_WORDS_BY_AGENT)


def _with_status(task: Task, status: TaskStatus, *, ports: TaskPorts) -> Task:
    """Return a task with the status that a person wrote on its page.

    Raises:
        ConflictError: An agent did.
    """
    if not ports.actor.decides:
        raise ConflictError(messages.TASK_STATUS_BY_AGENT)
    if status is TaskStatus.DONE:
        point = ports.surroundings.branch_point()
        return replace(
            opened(task),
            status=status,
            finished_at=task.updated_at,
            finished_by=ports.worker,
            finished_commit=None if point is None else point.head,
        )
    # A page cannot claim a task, so 'started' there means open.
    is_blocked = status is TaskStatus.BLOCKED
    return replace(
        opened(task),
        status=status if is_blocked else TaskStatus.OPEN,
        blocked=(task.blocked or "on its page") if is_blocked else "",
    )
