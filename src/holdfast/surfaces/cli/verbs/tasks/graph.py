"""task ready, next, tree, graph: what can start, and what waits for what."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.domain.choices import choose
from holdfast.domain.tasks.drawing import mermaid, svg
from holdfast.surfaces.cli import values
from holdfast.surfaces.cli.present.tasks.task_lines import (
    show_graph,
    show_ready,
    show_tree,
    task_line,
)
from holdfast.surfaces.cli.present.terminal.colour import Dim
from holdfast.surfaces.cli.rows import keep_rows
from holdfast.surfaces.wire.tasks import drawn_json, next_json, ready_json

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.usecases.tasks.finding import DrawnTasks


class GraphForm(StrEnum):
    """The forms in which a graph is drawn."""

    TEXT = "text"
    MERMAID = "mermaid"
    SVG = "svg"


def ready(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "List the tasks that can start now: the most urgent first, then those that most tasks\n"
        "wait for, then the oldest. Below, why the others cannot: what they wait for, who has\n"
        "claimed them, why they are blocked, or which branch they belong to.",
        examples=("holdfast task ready", "holdfast task ready --limit 5 --json"),
        does=_ready,
    )
    command.add_argument(
        "--limit", type=values.whole("limit"), default=20, metavar="N", help="at most N (20)"
    )


def _ready(given: Namespace, context: CommandContext) -> None:
    found = context.holdfast.tasks.ready(limit=given.limit)
    if context.output.as_json:
        context.output.json(ready_json(found))
        return
    show_ready(context.output, found)
    keep_rows(context, (task.id for task in found.tasks))
    if not found.tasks:
        end = "'holdfast task add' adds one." if not found.held else "The reasons are above."
        context.output.note(f"No task can start now. {end}")


def next_one(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Show the best task to start: by priority, then by how many tasks wait for it, then by\n"
        "age. It is not claimed; 'task claim --next' does both. The exit code is 3 if none can\n"
        "start.",
        examples=("holdfast task next", "holdfast task next --json"),
        does=_next,
    )


def _next(_given: Namespace, context: CommandContext) -> None:
    found = context.holdfast.tasks.next()
    if context.output.as_json:
        context.output.json(next_json(found))
        return
    (task,) = found.tasks
    context.output.say(*task_line(task))
    if found.unblocks[task.id]:
        context.output.note(Dim(f"unblocks {found.unblocks[task.id]}"))


def tree(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Show parents and children as a tree, with how many children are done. [ ] can start,\n"
        "[~] waits for others, [>] is in work, [!] is blocked, [x] is done.",
        examples=("holdfast task tree", "holdfast task tree t_01m7ga --open"),
        does=_tree,
    )
    command.add_argument("task", metavar="TASK", nargs="?", help="only this task and below (t_…)")
    command.add_argument("--open", action="store_true", help="without tasks that are done")


def _tree(given: Namespace, context: CommandContext) -> None:
    tasks = context.holdfast.tasks
    root = None if given.task is None else tasks.show(given.task).task.id
    found = tasks.drawn(root, with_done=not given.open)
    if context.output.as_json:
        context.output.json(drawn_json(found))
        return
    show_tree(context.output, found, root=root)
    _tell_rest(found, context)


def graph(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Draw what waits for what: as text in layers, for Mermaid, or as an SVG picture. An arrow\n"
        "leads from a task to one that waits for it. With a task, only what it waits for and what\n"
        "waits for it.",
        examples=(
            "holdfast task graph",
            "holdfast task graph --format mermaid",
            "holdfast task graph t_01m7ga --format svg > graph.svg",
        ),
        does=_graph,
    )
    option = command.add_argument
    option("task", metavar="TASK", nargs="?", help="only what surrounds this task (t_…)")
    option(
        "--format",
        type=lambda word: choose(GraphForm, word, what="form of a graph"),
        choices=tuple(GraphForm),
        default=GraphForm.TEXT,
        metavar="FORM",
        help=f"one of {', '.join(GraphForm)} (text)",
    )
    option("--open", action="store_true", help="without tasks that are done")
    option("--limit", type=values.whole("limit"), default=300, metavar="N", help="at most N (300)")


def _graph(given: Namespace, context: CommandContext) -> None:
    found = context.holdfast.tasks.drawn(given.task, with_done=not given.open, limit=given.limit)
    if context.output.as_json:
        context.output.json(drawn_json(found))
        return
    if given.format is GraphForm.MERMAID:
        context.output.text(mermaid(found.tasks, found.needs))
    elif given.format is GraphForm.SVG:
        context.output.text(svg(found.tasks, found.needs, at=found.at))
    else:
        show_graph(context.output, found)
    _tell_rest(found, context)


def _tell_rest(found: DrawnTasks, context: CommandContext) -> None:
    if not found.tasks:
        context.output.note("No tasks yet. 'holdfast task add' adds one.")
    if found.left_out:
        context.output.note(Dim(f"{found.left_out:,} more are not shown; name a task, or --limit"))
    if found.note:
        context.output.note(Dim(f"note: {found.note}"))
