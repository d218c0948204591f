"""Tasks on a terminal: one line, a page, a tree, and what can start."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from holdfast.domain.tasks.drawing import cut, layers_of, sign_of, tree_lines
from holdfast.domain.tasks.task import TaskKind, TaskStatus
from holdfast.surfaces.cli.present.terminal.colour import Bad, Dim, Good, Name, Warn
from holdfast.surfaces.cli.present.terminal.measuring import terminal_width
from holdfast.surfaces.cli.present.terminal.table import one_line, show_table
from holdfast.usecases.tasks.ports import DETACHED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.ids import TaskId
    from holdfast.domain.tasks.drawing import TreeLine
    from holdfast.domain.tasks.finding import Obstacle, ReadyTasks
    from holdfast.domain.tasks.task import Task
    from holdfast.surfaces.cli.present.terminal.output import Output
    from holdfast.usecases.tasks.beads import BroughtTasks
    from holdfast.usecases.tasks.finding import DrawnTasks, ListedTasks, ShownTask

_WIDTH = 80
_NAME_WIDTH = 12
_NARROWEST = 30
_STYLES = {
    TaskStatus.OPEN: Dim,
    TaskStatus.STARTED: Warn,
    TaskStatus.BLOCKED: Bad,
    TaskStatus.DONE: Good,
}


def state_of(task: Task) -> str:
    """Return the status in words, with the holder or the reason."""
    if task.status is TaskStatus.BLOCKED and task.blocked:
        return f"blocked: {one_line(task.blocked)}"
    if task.lease is None:
        return task.status.value
    until = "" if task.lease.until is None else f" until {task.lease.until:%Y-%m-%d %H:%M} UTC"
    return f"{task.status.value} by {one_line(task.lease.holder)}{until}"


def task_line(task: Task) -> tuple[str, ...]:
    """Return a task on one line."""
    kind = "" if task.kind is TaskKind.TASK else f"{task.kind.value}  "
    state = _STYLES[task.status](state_of(task))
    return (Name(task.id), f"  P{task.priority}  {kind}", state, f"  {one_line(task.title)}")


def show_tasks(output: Output, found: ListedTasks) -> None:
    """Write a list of tasks; the branch is shown where it is elsewhere."""
    heads = ["TASK", "P", "KIND", "STATE", "TITLE"]
    if found.elsewhere:
        heads.insert(-1, "BRANCH")
    rows = [
        (
            Name(one.id),
            str(one.priority),
            one.kind.value,
            state_of(one),
            *([_elsewhere(one, found)] if found.elsewhere else []),
            one_line(one.title),
        )
        for one in found.tasks
    ]
    show_table(output, heads, rows, is_numbered=True)
    if found.elsewhere:
        output.note(Dim("a task with a branch does not count in this checkout"))


def _elsewhere(task: Task, found: ListedTasks) -> str:
    """Return the branch of a task that does not count here; empty for one that does."""
    return one_line(task.branch or DETACHED) if task.id in found.elsewhere else ""


def show_ready(output: Output, found: ReadyTasks) -> None:
    """Write what can start, and why the rest cannot."""
    rows = [
        (
            Name(task.id),
            f"P{task.priority}",
            f"unblocks {found.unblocks[task.id]}" if found.unblocks[task.id] else "",
            one_line(task.title),
        )
        for task in found.tasks
    ]
    show_table(output, ("TASK", "P", "", "TITLE"), rows, is_numbered=True)
    if found.total > len(found.tasks):
        output.note(Dim(f"and {found.total - len(found.tasks):,} more that can start"))
    if found.obstacles:
        output.note(Dim("cannot start now:"))
    for one in found.obstacles:
        _show_obstacle(output, one)
    if found.held > len(found.obstacles):
        output.note(Dim(f"  and {found.held - len(found.obstacles):,} more"))
    if found.note:
        output.note(Dim(f"note: {found.note}"))


def _show_obstacle(output: Output, one: Obstacle) -> None:
    first, *more = _wrapped(
        one_line(one.task.title), output, before=4 + len(output.named(one.task.id))
    )
    output.note("  ", Name(output.named(one.task.id)), f"  {first}")
    for line in more:
        output.note(f"    {line}")
    for reason in obstacle_lines(one, output):
        for line in _wrapped(reason, output, before=4):
            output.note(Dim(f"    {line}"))


def _wrapped(words: str, output: Output, *, before: int) -> list[str]:
    """Return a text in lines that fit beside ``before`` columns; one line where nobody reads."""
    if not output.is_terminal:
        return [words]
    room = max(terminal_width() - before, _NARROWEST)
    return wrap(words, room, break_on_hyphens=False) or [""]


def obstacle_lines(one: Obstacle, output: Output) -> list[str]:
    """Return why a task cannot start, a line for each reason."""
    lines = [f"waits for {output.named(task.id)}  {one_line(task.title)}" for task in one.waits_for]
    lines += [f"and for {one.more:,} more"] if one.more else []
    return [*lines, *([one_line(one.why)] if one.why else [])]


def show_task(output: Output, found: ShownTask) -> None:
    """Write a task with its neighbours."""
    task, named = found.task, output.named
    output.say(*task_line(task))
    if task.notes:
        for line in task.notes.splitlines():
            for part in _wrapped(one_line(line), output, before=2):
                output.say(f"  {part}".rstrip())
    facts = [
        (
            "parent",
            "" if found.parent is None else f"{named(found.parent.id)}  {found.parent.title}",
        ),
        ("labels", ", ".join(task.labels)),
        ("branch", task.branch or ""),
        ("added", f"{task.created_at:%Y-%m-%d} by {task.added_by}"),
        *_proposed(task, output),
        ("finished", _finished(task)),
        ("external", task.external or ""),
        *(("evidence", str(item)) for item in task.evidence),
        *(("waits for", _neighbour(one, found, named(one.id))) for one in found.waits_for),
        *(
            ("missing", f"{one.relation} {one.depends_on}, which is not here")
            for one in found.missing
        ),
        *(("unblocks", _neighbour(one, found, named(one.id))) for one in found.unblocks),
    ]
    if found.children:
        facts.append(("children", f"{found.done_children} of {len(found.children)} done"))
        facts += [("", _neighbour(one, found, named(one.id))) for one in found.children]
    for name, words in facts:
        if words:
            first, *more = _wrapped(one_line(words), output, before=_NAME_WIDTH)
            output.say(Dim(f"{name:>10}  "), first)
            for line in more:
                output.say(" " * _NAME_WIDTH, line)


def show_left_open(output: Output, found: BroughtTasks) -> None:
    """Write which edges of an import lead nowhere, and which lines are older than the task here."""
    edges, lines = found.missing_edges, found.older_lines
    many = "1 edge leads" if edges == 1 else f"{edges:,} edges lead"
    _show_some(
        output, f"{many} to an issue that is neither in the file nor here:", found.missing, of=edges
    )
    many = "1 line is" if lines == 1 else f"{lines:,} lines are"
    _show_some(
        output,
        f"{many} older than the task here, which keeps its newer state:",
        found.older,
        of=lines,
    )


def _show_some(output: Output, head: str, some: Sequence[object], *, of: int) -> None:
    """Write a warning with some of the things that it is about, and how many there are more."""
    if not some:
        return
    output.note(Warn(head))
    for one in some:
        for line in _wrapped(one_line(str(one)), output, before=2):
            output.note(f"  {line}")
    if of > len(some):
        output.note(Dim(f"  and {of - len(some):,} more"))


def _proposed(task: Task, output: Output) -> list[tuple[str, str]]:
    """Return the words that a program proposes for a task, and how a person decides."""
    words = task.proposed
    if words is None:
        return []
    told = {"title": words.title, "notes": words.notes}
    lines = [f"{field}: {one}" for field, one in told.items() if one is not None]
    lines.append(output.named(f"holdfast task edit {task.id} --take, or --drop"))
    return [("proposed", f"{words.at:%Y-%m-%d} by {words.by}"), *(("", line) for line in lines)]


def _finished(task: Task) -> str:
    if task.finished_at is None:
        return ""
    commit = "" if task.finished_commit is None else f" at {task.finished_commit[:12]}"
    return f"{task.finished_at:%Y-%m-%d} by {task.finished_by or 'somebody'}{commit}"


def _neighbour(task: Task, found: ShownTask, name: str) -> str:
    return f"{sign_of(task, found.waiting)} {name}  {task.title}"


def show_tree(output: Output, found: DrawnTasks, *, root: TaskId | None) -> None:
    """Write the tasks as a tree; at a terminal no line is wider than 80 columns or the terminal."""
    width = min(_WIDTH, terminal_width()) if output.is_terminal else None
    for line in tree_lines(found.tasks, found.waiting, root=root):
        output.say(*_tree_parts(line, output.named(line.task.id), width))


def _tree_parts(line: TreeLine, name: str, width: int | None) -> tuple[str, ...]:
    """Return the parts of a line; without a width the title is whole."""
    task = line.task
    end = "" if line.progress is None else f"  {line.progress[0]}/{line.progress[1]}"
    before = f"{line.indent}{line.sign} "
    title = one_line(task.title)
    if width is not None:
        title = cut(title, max(width - len(before) - len(name) - len(end) - 2, 1))
    return before, Name(name), f"  {title}", Dim(end)


def show_graph(output: Output, found: DrawnTasks) -> None:
    """Write the graph as text: layers, and below each task what it waits for."""
    for number, layer in enumerate(layers_of(found.tasks, found.needs), start=1):
        output.say(Dim(f"layer {number}"))
        for task in layer:
            sign, title = sign_of(task, found.waiting), one_line(task.title)
            name = output.named(task.id)
            room = _WIDTH - len(sign) - len(name) - 5
            shown = cut(title, room) if output.is_terminal else title
            output.say(f"  {sign} ", Name(name), f"  {shown}")
            for one in found.needs.get(task.id, ()):
                output.say(Dim(output.named(f"        after {one}")))
