"""task add, edit, list, show, delete: the plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import choose
from holdfast.domain.tasks.task import TaskKind, TaskStatus
from holdfast.surfaces.cli import values
from holdfast.surfaces.cli.person import agrees, is_at_terminal
from holdfast.surfaces.cli.present.tasks.task_lines import show_task, show_tasks, task_line
from holdfast.surfaces.cli.present.terminal.colour import Dim, Good, Name, Warn
from holdfast.surfaces.cli.rows import keep_rows
from holdfast.surfaces.cli.values import UsageError
from holdfast.surfaces.cli.verbs.tasks.work import worker_name
from holdfast.surfaces.wire.memory import read_grounds
from holdfast.surfaces.wire.tasks import (
    deleted_task_json,
    planned_task_json,
    shown_task_json,
    tasks_json,
)
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.tasks.adding import AddTask, EditTask
from holdfast.usecases.tasks.finding import ListTasks

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.domain.tasks.task import Task
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext


def add(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Add a task of this repository. It can start as soon as every task that it comes after\n"
        "is done. A parent is done after its children. A task that is added on a side branch\n"
        "counts only there until the branch is merged; --everywhere makes it count on all.",
        examples=(
            'holdfast task add "Rotate the signing keys" --priority 1',
            'holdfast task add "Update the docs" --after t_01m7ga --parent t_01m7gb',
            'holdfast task add "Fix the cart" --evidence src/cart.py:10-30 --notes "see #12"',
        ),
        does=_add,
        creates_store=True,
    )
    command.add_argument("title", metavar="TITLE", help="what is to be done, in one line")
    _fields(command)


def _fields(command: Command) -> None:
    """Add the options that add and edit have in common."""
    option = command.add_argument
    option("--notes", metavar="WORDS", help="more about it; edit replaces the old notes")
    option(
        "--kind",
        type=lambda word: choose(TaskKind, word, what="kind of task"),
        choices=tuple(TaskKind),
        metavar="KIND",
        help=f"one of {', '.join(TaskKind)} (task)",
    )
    option(
        "--priority",
        type=values.whole("priority"),
        metavar="N",
        help="0 is the most urgent, 4 the least (2)",
    )
    option("--parent", metavar="TASK", help="the task that it is a part of; edit: '' for none")
    option("--after", action="append", default=[], metavar="TASK", help="a task to be done first")
    option("--label", action="append", default=[], metavar="WORD", help="a word to find it by")
    option(
        "--evidence",
        action="append",
        default=[],
        metavar="WHAT",
        help="where it comes from: path:10-30, a URL, commit:<hash>, c_… (a bundle)",
    )
    option(
        "--because",
        action=values.GivenOnce,
        metavar="WORDS",
        help="the same in your own words",
    )
    where = command.add_mutually_exclusive_group()
    where.add_argument("--branch", metavar="NAME", help="the branch it belongs to (this one)")
    where.add_argument("--everywhere", action="store_true", help="it counts on every branch")
    option("--as", dest="by", metavar="NAME", help="a name of your own among several workers")


def _add(given: Namespace, context: CommandContext) -> None:
    usual = AddTask(title=given.title)
    wish = AddTask(
        title=given.title,
        notes=given.notes or "",
        kind=given.kind or usual.kind,
        priority=usual.priority if given.priority is None else given.priority,
        parent=given.parent,
        after=tuple(given.after),
        labels=tuple(given.label),
        grounds=_grounds(given),
        branch="" if given.everywhere else given.branch,
    )
    _show(context.holdfast.tasks.add(wish, by=worker_name(given, context)), wish, context)


def edit(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Change a task. --after adds an edge and --not-after removes one; an edge that would make\n"
        "tasks wait for each other is refused, and the error names them in order. An agent edits\n"
        "only a task that is not done and that nobody else has claimed; its words for a task that\n"
        "a person wrote are proposed, and --take or --drop decides about them.",
        examples=(
            "holdfast task edit t_01m7ga --priority 0 --label urgent",
            "holdfast task edit t_01m7ga --after t_01m7gb --not-after t_01m7gc",
            "holdfast task edit t_01m7ga --parent ''",
        ),
        does=_edit,
    )
    command.add_argument("task", metavar="TASK", help="a task (t_…)")
    command.add_argument("--title", metavar="TITLE", help="what is to be done, in one line")
    _fields(command)
    option = command.add_argument
    option(
        "--not-after", action="append", default=[], metavar="TASK", help="a task not to wait for"
    )
    decision = command.add_mutually_exclusive_group()
    decision.add_argument("--take", action="store_true", help="take the words that are proposed")
    decision.add_argument("--drop", action="store_true", help="drop the words that are proposed")
    option("--not-label", action="append", default=[], metavar="WORD", help="a label to remove")


def _edit(given: Namespace, context: CommandContext) -> None:
    wish = EditTask(
        reference=given.task,
        title=given.title,
        notes=given.notes,
        kind=given.kind,
        priority=given.priority,
        parent=given.parent,
        after=tuple(given.after),
        not_after=tuple(given.not_after),
        labels=tuple(given.label),
        not_labels=tuple(given.not_label),
        grounds=_grounds(given),
        branch="" if given.everywhere else given.branch,
        takes_wording=given.take if given.take or given.drop else None,
    )
    _show(context.holdfast.tasks.edit(wish, by=worker_name(given, context)), wish, context)


def _grounds(given: Namespace) -> Grounds:
    return read_grounds(given.evidence, Grounds(because=given.because))


def listing(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "List the tasks of this repository, oldest first; without --status those that are not\n"
        "done. A task of a branch that is not part of this checkout is marked with the branch.",
        examples=(
            "holdfast task list",
            "holdfast task list --status done --kind milestone",
            "holdfast task list --claimed-by claude-code --json",
        ),
        does=_list,
    )
    option = command.add_argument
    option(
        "--status",
        action="append",
        type=lambda word: choose(TaskStatus, word, what="status of a task"),
        choices=tuple(TaskStatus),
        metavar="STATUS",
        help=f"one of {', '.join(TaskStatus)}",
    )
    option(
        "--kind",
        action="append",
        default=[],
        type=lambda word: choose(TaskKind, word, what="kind of task"),
        choices=tuple(TaskKind),
        metavar="KIND",
        help=f"one of {', '.join(TaskKind)}",
    )
    option("--parent", metavar="TASK", help="only the children of this task")
    option("--label", metavar="WORD", help="only tasks with this label")
    option("--claimed-by", metavar="NAME", help="only tasks that this worker has claimed")
    option("--all", action="store_true", help="tasks that are done, too")
    option("--everywhere", action="store_true", help="the tasks of every repository")
    option("--limit", type=values.whole("limit"), default=50, metavar="N", help="at most N (50)")


def _list(given: Namespace, context: CommandContext) -> None:
    unfinished = frozenset(TaskStatus) - {TaskStatus.DONE}
    statuses = frozenset(given.status or (() if given.all else unfinished))
    wish = ListTasks(
        statuses=statuses,
        kinds=frozenset(given.kind),
        parent=given.parent,
        label=given.label,
        holder=given.claimed_by,
        everywhere=given.everywhere,
        limit=given.limit,
    )
    found = context.holdfast.tasks.list(wish)
    if context.output.as_json:
        context.output.json(tasks_json(found))
    elif found.tasks:
        show_tasks(context.output, found)
        if found.beyond is not None:
            context.output.note(Dim("there are more tasks: --limit shows more of them"))
        keep_rows(context, (task.id for task in found.tasks))
    else:
        context.output.note("No such tasks. 'holdfast task add' adds one.")


def show(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Show a task: its notes and evidence, its parent and children, what it waits for, and\n"
        "what waits for it.",
        examples=("holdfast task show t_01m7ga", "holdfast task show bd-a3f2 --json"),
        does=_show_one,
    )
    command.add_argument("task", metavar="TASK", help="a task: t_…, or its id in beads")


def _show_one(given: Namespace, context: CommandContext) -> None:
    found = context.holdfast.tasks.show(given.task)
    if context.output.as_json:
        context.output.json(shown_task_json(found))
    else:
        show_task(context.output, found)


def delete(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Remove a task permanently; no byte of it stays in the store. Tasks that waited for it\n"
        "do not wait any more, and its children have no parent. It cannot be undone: 'task done'\n"
        "is the end of work that was done. The command asks first; without a terminal it needs\n"
        "--yes.",
        examples=(
            "holdfast task delete t_01m7ga --yes",
            "holdfast task delete t_01m7gb --yes --json",
        ),
        does=_delete,
    )
    command.add_argument("task", metavar="TASK", help="a task (t_…)")
    command.add_argument("-y", "--yes", action="store_true", help="do not ask")


def _delete(given: Namespace, context: CommandContext) -> int | None:
    found = context.holdfast.tasks.show(given.task)
    if not given.yes:
        if not is_at_terminal(context):
            raise UsageError(
                problem="Nothing was deleted: this cannot be undone, and there is no terminal for"
                " a question. Add --yes."
            )
        show_task(context.output, found)
        if not agrees(context, "Delete this task permanently?"):
            context.output.note("Nothing was changed.")
            return 1
    gone = context.holdfast.tasks.delete(found.task.id)
    if context.output.as_json:
        context.output.json(deleted_task_json(gone))
        return None
    count = len(gone.changed)
    named = "1 task" if count == 1 else f"{count:,} tasks"
    changed = f"  {named} named it" if count else ""
    context.output.say(Good("deleted"), "  ", Name(gone.task.id), Dim(changed))
    if gone.not_yet:
        context.output.note(Warn("its text may remain: "), gone.not_yet)
    return None


def _show(task: Task, wish: AddTask | EditTask, context: CommandContext) -> None:
    if context.output.as_json:
        context.output.json(planned_task_json(task, wish))
    else:
        context.output.say(*task_line(task))
        if task.proposed is not None:
            context.output.note(Dim("other words are proposed; a person decides: task show"))
    context.output.note_removed(*wish.texts)
