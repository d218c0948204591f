"""Tasks as Python programs use them: ``hf.tasks``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, TypedDict

from holdfast.domain.errors import UnknownChoiceError
from holdfast.surfaces.python.advice import with_advice_as
from holdfast.surfaces.python.expecting import (
    LEASE,
    TEXT,
    TRUTH,
    WHOLE,
    UnknownOptionError,
    WrongTypeError,
    expect,
    expect_given,
    expect_lines,
)
from holdfast.surfaces.python.memories import HasId, ListPart
from holdfast.surfaces.python.planned import PlannedTask, ReadyList

if TYPE_CHECKING:
    from typing import Unpack

    from holdfast.app import Holdfast
    from holdfast.domain.memory.evidence import Evidence
    from holdfast.domain.tasks.task import Task
    from holdfast.surfaces.python.door import Door
    from holdfast.usecases.tasks.adding import AddTask, EditTask
    from holdfast.usecases.tasks.beads import BroughtTasks

    TaskName = str | HasId


class AddTaskOptions(TypedDict, total=False):
    """The options of ``tasks.add``.

    >>> options: holdfast.AddTaskOptions = {"priority": 1, "labels": ["urgent"]}
    >>> hf.tasks.add("Rotate the keys", **options).labels
    ('urgent',)
    """

    notes: str
    kind: str
    priority: int
    parent: str | HasId
    after: Iterable[str | HasId]
    labels: Iterable[str]
    evidence: Iterable[str | Evidence]
    because: str
    branch: str
    by: str


class EditTaskOptions(AddTaskOptions, total=False):
    """The options of ``tasks.edit``.

    >>> options: holdfast.EditTaskOptions = {"title": "Rotate all keys"}
    >>> hf.tasks.edit(hf.tasks.add("Rotate the keys"), **options).title
    'Rotate all keys'
    """

    title: str
    not_after: Iterable[str | HasId]
    not_labels: Iterable[str]


class TaskListOptions(TypedDict, total=False):
    """The options of ``tasks.list``.

    >>> options: holdfast.TaskListOptions = {"statuses": ["open"]}
    >>> hf.tasks.list(**options)
    ()
    """

    statuses: Iterable[str]
    kinds: Iterable[str]
    parent: str | HasId
    label: str
    claimed_by: str
    everywhere: bool
    limit: int
    cursor: str


@with_advice_as("TaskBoard")
class TaskBoard:
    """The tasks of the folder's repository; ``hf.tasks`` returns it.

    Where a method takes a task, it takes an id, the start of one, or a ``PlannedTask``. ``by``
    names a worker among several under the same name.

    >>> keys = hf.tasks.add("Rotate the keys", priority=1)
    >>> docs = hf.tasks.add("Write the docs", after=[keys])
    >>> taken = hf.tasks.claim_next(by="worker-1")
    >>> taken == keys, taken.claimed_by
    (True, 'worker-1')
    >>> hf.tasks.done(keys).status
    'done'
    >>> hf.tasks.next().title
    'Write the docs'
    """

    def __init__(self, door: Door) -> None:
        self._door = door

    @property
    def app(self) -> Holdfast:
        """The engine's own object; its methods may change between versions."""
        return self._door.app

    @property
    def is_closed(self) -> bool:
        """Whether the memory was closed."""
        return self._door.is_closed

    def add(self, title: str, /, **options: Unpack[AddTaskOptions]) -> PlannedTask:
        """Add a task; it can start when every task in ``after`` is done.

        ``branch`` is the branch that it belongs to, an empty text for all; without it, the branch
        that is checked out.

        >>> release = hf.tasks.add("Release 1.2", kind="milestone")
        >>> hf.tasks.add("Write the docs", parent=release).parent == release.id
        True
        """
        from holdfast.surfaces.wire.tasks import read_add_task

        expect("tasks.add", TEXT, title=title)
        wish = read_add_task({"title": title, **_request("add", options)}, noun="tasks.add")
        return _planned(self.app.tasks.add(wish, by=_worker(options.get("by"))), wish)

    def edit(self, task: TaskName, /, **options: Unpack[EditTaskOptions]) -> PlannedTask:
        """Change a task; an empty text as the parent removes it.

        >>> task = hf.tasks.add("Rotate the keys")
        >>> hf.tasks.edit(task, priority=0, labels=["urgent"]).labels
        ('urgent',)
        """
        from holdfast.surfaces.wire.tasks import read_edit_task

        wish = read_edit_task(_name(task), _request("edit", options), noun="tasks.edit")
        return _planned(self.app.tasks.edit(wish, by=_worker(options.get("by"))), wish)

    def claim(
        self, task: TaskName, /, *, lease: str | timedelta | None = None, by: str | None = None
    ) -> PlannedTask:
        """Claim a task for some time, 30 minutes if not given; claiming it again renews it.

        ``lease`` is a text such as ``"2h"``, or a timedelta.

        >>> task = hf.tasks.add("Rotate the keys")
        >>> hf.tasks.claim(task, by="worker-1").status
        'started'
        """
        length = _lease("tasks.claim", lease)
        return PlannedTask(self.app.tasks.claim(_name(task), lease=length, by=_worker(by)))

    def claim_next(
        self, *, lease: str | timedelta | None = None, by: str | None = None
    ) -> PlannedTask:
        """Claim the best task that can start.

        >>> _ = hf.tasks.add("Rotate the keys")
        >>> hf.tasks.claim_next(by="worker-1").title
        'Rotate the keys'
        """
        length = _lease("tasks.claim_next", lease)
        return PlannedTask(self.app.tasks.claim_next(lease=length, by=_worker(by)))

    def start(self, task: TaskName, /, *, by: str | None = None) -> PlannedTask:
        """Start a task without a time-out.

        >>> hf.tasks.start(hf.tasks.add("Rotate the keys"), by="ada").claimed_by
        'ada'
        """
        return PlannedTask(self.app.tasks.start(_name(task), by=_worker(by)))

    def release(
        self, task: TaskName, /, *, anyway: bool = False, by: str | None = None
    ) -> PlannedTask:
        """Give a claimed task back.

        ``by`` another worker than the holder is refused while the lease lives; ``anyway`` lets a
        person override it, and ``overrode`` of the answer names the holder.

        >>> task = hf.tasks.start(hf.tasks.add("Rotate the keys"))
        >>> hf.tasks.release(task).status
        'open'
        """
        expect("tasks.release", TRUTH, anyway=anyway)
        found = self.app.tasks.release(_name(task), anyway=anyway, by=_worker(by))
        return PlannedTask(found.task, found.overrode)

    def done(
        self, task: TaskName, /, *, anyway: bool = False, by: str | None = None
    ) -> PlannedTask:
        """Finish a task.

        ``anyway`` lets a person finish one that waits for others, or that another worker than
        ``by`` has claimed; ``overrode`` of the answer then names this worker.

        >>> hf.tasks.done(hf.tasks.add("Rotate the keys")).status
        'done'
        """
        expect("tasks.done", TRUTH, anyway=anyway)
        found = self.app.tasks.done(_name(task), anyway=anyway, by=_worker(by))
        return PlannedTask(found.task, found.overrode)

    def reopen(self, task: TaskName, /, *, by: str | None = None) -> PlannedTask:
        """Reopen a task that was done, and its parents that were done; only a person may.

        >>> task = hf.tasks.done(hf.tasks.add("Rotate the keys"))
        >>> hf.tasks.reopen(task).status
        'open'
        """
        return PlannedTask(self.app.tasks.reopen(_name(task), by=_worker(by)).task)

    def block(self, task: TaskName, why: str, /, *, by: str | None = None) -> PlannedTask:
        """Mark a task as blocked by something outside.

        >>> hf.tasks.block(hf.tasks.add("Rotate the keys"), "the vendor").status
        'blocked'
        """
        expect("tasks.block", TEXT, why=why)
        return PlannedTask(self.app.tasks.block(_name(task), why, by=_worker(by)))

    def unblock(self, task: TaskName, /, *, by: str | None = None) -> PlannedTask:
        """Open a blocked task again.

        >>> task = hf.tasks.block(hf.tasks.add("Rotate the keys"), "the vendor")
        >>> hf.tasks.unblock(task).status
        'open'
        """
        return PlannedTask(self.app.tasks.unblock(_name(task), by=_worker(by)))

    def delete(self, task: TaskName, /) -> None:
        """Remove a task permanently; only a person may.

        >>> hf.tasks.delete(hf.tasks.add("Rotate the keys"))
        >>> hf.tasks.list()
        ()
        """
        self.app.tasks.delete(_name(task))

    def ready(self, *, limit: int = 20) -> ReadyList:
        """Return what can start, best first, and why the rest cannot.

        >>> len(hf.tasks.ready())
        0
        """
        expect("tasks.ready", WHOLE, limit=limit)
        return ReadyList(self.app.tasks.ready(limit=limit))

    def next(self) -> PlannedTask:
        """Return the best task that can start.

        >>> _ = hf.tasks.add("Rotate the keys")
        >>> hf.tasks.next().title
        'Rotate the keys'
        """
        return PlannedTask(self.app.tasks.next().tasks[0])

    def list(self, **options: Unpack[TaskListOptions]) -> ListPart[PlannedTask]:
        """List tasks in the order in which they were added, 50 unless ``limit`` is given.

        If there are more, ``next`` of the returned value is the ``cursor`` with which the same call
        goes on. ``limit`` is at most 1,000.

        >>> _ = hf.tasks.add("Rotate the keys")
        >>> [task.title for task in hf.tasks.list(statuses=["open"])]
        ['Rotate the keys']
        """
        from holdfast.surfaces.wire.tasks import read_list_tasks

        wish = read_list_tasks(_request("list", options), noun="tasks.list")
        found = self.app.tasks.list(wish)
        return ListPart(map(PlannedTask, found.tasks), following=found.beyond)

    def show(self, task: TaskName, /) -> PlannedTask:
        """Read a task again, by its id, the start of its id, or its id in beads.

        >>> task = hf.tasks.add("Rotate the keys")
        >>> hf.tasks.show(task.id[:20]) == task
        True
        """
        return PlannedTask(self.app.tasks.show(_name(task)).task)

    def graph(self, task: TaskName | None = None, /, *, form: str = "mermaid") -> str:
        """Draw what waits for what: ``mermaid`` or ``svg``.

        >>> first = hf.tasks.add("Rotate the keys")
        >>> _ = hf.tasks.add("Write the docs", after=[first])
        >>> hf.tasks.graph().splitlines()[3]
        '    n1 --> n2'
        """
        from holdfast.domain.tasks.drawing import mermaid, svg

        expect("tasks.graph", TEXT, form=form)
        if form not in _DRAWINGS:
            raise UnknownChoiceError(what="form of a drawing", value=form, choices=_DRAWINGS)
        found = self.app.tasks.drawn(None if task is None else _name(task))
        if form == "svg":
            return svg(found.tasks, found.needs, at=found.at)
        return mermaid(found.tasks, found.needs)

    def import_(self, lines: Iterable[str], /) -> BroughtTasks:
        """Import the lines of beads, for example an open file; only a person may.

        >>> lines = ['{"id": "bd-1", "title": "Rotate the keys", "priority": 1}']
        >>> hf.tasks.import_(lines).added, hf.tasks.import_(lines).added
        (1, 0)
        """
        return self.app.tasks.bring_in(expect_lines(lines))

    def export(self) -> Iterator[str]:
        """Return the tasks as the lines of beads.

        >>> _ = hf.tasks.import_(['{"id": "bd-1", "title": "Rotate the keys", "x": 1}'])
        >>> [line for line in hf.tasks.export()]
        ['{"id":"bd-1","title":"Rotate the keys","x":1}']
        """
        return self.app.tasks.export()


_DRAWINGS = ("mermaid", "svg")
_KNOWN = {"add": AddTaskOptions, "edit": EditTaskOptions, "list": TaskListOptions}
_SEVERAL = frozenset({"after", "not_after", "labels", "not_labels", "statuses", "kinds"})


def _request(verb: str, options: Mapping[str, object]) -> dict[str, object]:
    """Return the options as a request; refuse one that does not exist.

    Raises:
        UnknownOptionError: There is no such option.
        WrongTypeError: A text is given where several are expected.
    """
    known = _KNOWN[verb].__annotations__
    request: dict[str, object] = {}
    for name, value in options.items():
        if name not in known:
            raise UnknownOptionError(verb=f"tasks.{verb}", name=name, options=known)
        if name in _SEVERAL or name == "evidence":
            if isinstance(value, str) or not isinstance(value, Iterable):
                raise WrongTypeError(
                    verb=f"tasks.{verb}", name=name, expected="several texts", value=value
                )
            request[name] = [one.id if isinstance(one, HasId) else one for one in value]
        else:
            request[name] = value.id if isinstance(value, HasId) else value
    request.pop("by", None)
    return request


def _lease(verb: str, lease: str | timedelta | None) -> timedelta | None:
    """Return how long a claim is to last, if that is given."""
    from holdfast.surfaces.wire.tasks import read_lease

    expect_given(verb, LEASE, lease=lease)
    return read_lease(lease) if isinstance(lease, str) else lease


def _worker(by: str | None) -> str | None:
    """Return the name of a worker, if one is given."""
    if by is not None:
        expect("tasks", TEXT, by=by)
    return by


def _planned(task: Task, wish: AddTask | EditTask) -> PlannedTask:
    from holdfast.domain.gates.hidden import hidden_in

    return PlannedTask(task, removed=tuple(one.name for one in hidden_in(*wish.texts)))


def _name(task: TaskName) -> str:
    if isinstance(task, HasId):
        return task.id
    expect("tasks", TEXT, task=task)
    return task
