"""The tab Tasks: the tree of tasks, what can start, and claims."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual.binding import Binding

from holdfast.domain.tasks.drawing import tree_lines
from holdfast.domain.tasks.task import TaskStatus
from holdfast.surfaces.tui.parts.pane import Pane
from holdfast.surfaces.tui.parts.texts import (
    BAD,
    BOLD,
    DIM,
    GOOD,
    WARN,
    fact,
    line,
    one_line,
    quoted,
    styled,
)
from holdfast.usecases.tasks.adding import AddTask

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import ClassVar

    from textual.binding import BindingType
    from textual.content import Content

    from holdfast.app import Holdfast
    from holdfast.domain.ids import TaskId
    from holdfast.domain.tasks.drawing import TreeLine
    from holdfast.domain.tasks.task import Task
    from holdfast.usecases.tasks.finding import ShownTask

_STYLES = {
    TaskStatus.OPEN: "",
    TaskStatus.STARTED: WARN,
    TaskStatus.BLOCKED: BAD,
    TaskStatus.DONE: GOOD,
}
_MOST_READY = 200


class TasksPane(Pane):
    """The tasks of this repository: as a tree, or only those that can start."""

    title = "Tasks"
    nothing = "There are no tasks here; n adds one."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "create", "new"),
        Binding("c", "claim", "claim"),
        Binding("d", "done", "done"),
        Binding("R", "release", "release"),
        Binding("O", "reopen", "reopen", show=False),
        Binding("f", "ready", "ready only"),
        Binding("u", "undo", "undo"),
        Binding("r", "reload", "read again", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.branches: list[TreeLine] = []
        self.ready: list[Task] = []
        self._is_ready_only = False
        self._shown: ShownTask | None = None
        self._undoing: list[tuple[str, Callable[[Holdfast], object]]] = []

    async def load(self) -> None:
        """Read the tree, and what can start."""
        found = await self.ui.ask(
            lambda memory: (memory.tasks.drawn(), memory.tasks.ready(limit=_MOST_READY))
        )
        self.rows.say_when_empty(self.nothing)
        if found is None:
            return
        drawn, ready = found
        before = [one.id for one in self._current()]
        self.branches = list(tree_lines(drawn.tasks, drawn.waiting, root=None))
        self.ready = list(ready.tasks)
        words = f"{ready.total:,} can start, {ready.held:,} wait, {ready.done:,} done"
        self.show_heading(line((words, DIM), ("  ready only" if self._is_ready_only else "", BOLD)))
        self._shown = None
        names = [one.id for one in self._tasks()]
        again = [names.index(one) for one in before if one in names]
        self.rows.show(len(names), at=again[0] if again else None)
        if not self._tasks():
            self.show_page([styled("")])

    def _tasks(self) -> list[Task]:
        return self.ready if self._is_ready_only else [one.task for one in self.branches]

    def _current(self) -> Sequence[Task]:
        return self._tasks()[self.rows.at : self.rows.at + 1]

    def draw(self, index: int) -> Content:
        """Return the row of a task."""
        if self._is_ready_only:
            task = self.ready[index]
            return line((f"P{task.priority} ", BOLD), one_line(task.title))
        row = self.branches[index]
        end = "" if row.progress is None else f"  {row.progress[0]}/{row.progress[1]}"
        style = _STYLES[row.task.status]
        return line(
            (row.indent, DIM), (f"{row.sign} ", BOLD), (one_line(row.task.title), style), (end, DIM)
        )

    def write_page(self) -> None:
        """Write what is known about the current task, and read its neighbours."""
        for task in self._current():
            if self._shown is not None and self._shown.task.id == task.id:
                self.show_page(_page(self._shown))
            else:
                self.load_in_background(partial(self._look, task.id), group="look")

    async def _look(self, name: TaskId) -> None:
        self._shown = await self.ui.ask(lambda memory: memory.tasks.show(name))
        if self._shown is not None and any(one.id == name for one in self._current()):
            self.show_page(_page(self._shown))

    def action_reload(self) -> None:
        """Read the tasks again."""
        self.reload()

    def action_ready(self) -> None:
        """Show only what can start, or everything."""
        self._is_ready_only = not self._is_ready_only
        self.reload()

    def action_create(self) -> None:
        """Add a task."""
        if self.ui.may_decide():
            self.ui.ask_line("What is to be done?", lambda title: self._do(_add(title), "added"))

    def action_claim(self) -> None:
        """Claim the current task."""
        for task in self._mine():
            self._do(_claim(task.id), "claimed", back=_release(task.id))

    def action_release(self) -> None:
        """Give the current task back."""
        for task in self._mine():
            self._do(_release(task.id), "released", back=_claim(task.id))

    def action_done(self) -> None:
        """Finish the current task."""
        for task in self._mine():
            self._do(_done(task.id), "done", back=_reopen(task.id))

    def action_reopen(self) -> None:
        """Reopen the current task, after a question: other tasks may wait for it again."""
        for task in self._mine():
            reopen = partial(self._do, _reopen(task.id), "reopened")
            self.ui.confirm("Reopen this task?", reopen, *quoted(task.title))

    def action_undo(self) -> None:
        """Take the last change of this tab back."""
        if not self.ui.may_decide():
            return
        if not self._undoing:
            self.ui.tell("Nothing was changed here yet.", DIM)
            return
        done, back = self._undoing.pop()
        self._do(back, f"taken back: {done}")

    def _mine(self) -> Sequence[Task]:
        return self._current() if self.ui.may_decide() else ()

    def _do(
        self,
        work: Callable[[Holdfast], object],
        done: str,
        *,
        back: Callable[[Holdfast], object] | None = None,
    ) -> None:
        self.decide(partial(self._did, work, done, back))

    async def _did(
        self,
        work: Callable[[Holdfast], object],
        done: str,
        back: Callable[[Holdfast], object] | None,
    ) -> None:
        if await self.ui.ask(work) is None:
            return
        if back is not None:
            self._undoing.append((done, back))
        self.ui.tell(f"{done}  (u: undo)" if back is not None else done)
        self.reload()


def _add(title: str) -> Callable[[Holdfast], object]:
    return lambda memory: memory.tasks.add(AddTask(title=title))


def _claim(name: TaskId) -> Callable[[Holdfast], object]:
    return lambda memory: memory.tasks.claim(name)


def _release(name: TaskId) -> Callable[[Holdfast], object]:
    return lambda memory: memory.tasks.release(name)


def _done(name: TaskId) -> Callable[[Holdfast], object]:
    return lambda memory: memory.tasks.done(name)


def _reopen(name: TaskId) -> Callable[[Holdfast], object]:
    return lambda memory: memory.tasks.reopen(name)


def _page(found: ShownTask) -> list[Content]:
    task = found.task
    holder = None if task.lease is None else task.lease.holder
    facts = [
        ("state", task.status.value),
        ("holder", holder),
        ("blocked", task.blocked),
        ("parent", None if found.parent is None else found.parent.title),
        ("labels", ", ".join(task.labels)),
        ("added by", task.added_by),
        ("done by", task.finished_by),
    ]
    shown = [
        line((f"P{task.priority}  {task.kind.value}", BOLD)),
        styled(""),
        *quoted(task.title),
        *(quoted(task.notes) if task.notes else ()),
        styled(""),
    ]
    shown += [fact(name, one_line(value)) for name, value in facts if value]
    groups = (
        ("waits for", found.waits_for),
        ("unblocks", found.unblocks),
        ("children", found.children),
    )
    for name, some in groups:
        shown += [
            fact("" if place else name, f"{one.status.value:<8} {one_line(one.title)}")
            for place, one in enumerate(some)
        ]
    return [*shown, styled(""), line((task.id, DIM))]
