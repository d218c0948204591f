"""task claim, start, release, done, reopen, block, unblock: the work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.memory.callers import PrincipalKind
from holdfast.domain.values import replace
from holdfast.surfaces.cli.present.tasks.task_lines import task_line
from holdfast.surfaces.cli.present.terminal.colour import Dim
from holdfast.surfaces.cli.present.terminal.table import one_line
from holdfast.surfaces.cli.values import UsageError
from holdfast.surfaces.wire.tasks import (
    blocked_task_json,
    ended_claim_json,
    one_task_json,
    read_lease,
    reopened_json,
)

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.app.work.tasks import TasksPart
    from holdfast.domain.tasks.task import Task
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.usecases.tasks.working import EndedClaim

_AS = "a name of your own among several workers"


def claim(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Claim a task for some time, so that no other worker gets it. When the time is over and\n"
        "the task is not done, others can take it over. Claiming it again renews the claim.\n"
        "--next claims the best task that can start; the exit code is 3 if none can.",
        examples=(
            "holdfast task claim t_01m7ga --for 2h",
            "holdfast task claim --next --as worker-3 --json",
        ),
        does=_claim,
    )
    option = command.add_argument
    option("task", metavar="TASK", nargs="?", help="a task (t_…)")
    option("--next", action="store_true", help="the best task that can start")
    option("--for", dest="lease", metavar="TIME", help="how long (30m); 7d at most")
    option("--as", dest="by", metavar="NAME", help=_AS)


def _claim(given: Namespace, context: CommandContext) -> None:
    if (given.task is None) != bool(given.next):
        raise UsageError(problem="Name a task, or write --next.")
    lease, tasks = read_lease(given.lease), context.holdfast.tasks
    if given.next:
        _show(tasks.claim_next(lease=lease, by=worker_name(given, context)), context)
    else:
        _show(tasks.claim(given.task, lease=lease, by=worker_name(given, context)), context)


def start(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Start a task. It is claimed without a time-out, until it is done or released; an agent\n"
        "that may be killed uses 'task claim'.",
        examples=("holdfast task start t_01m7ga", "holdfast task start t_01m7gb --json"),
        does=lambda given, context: _show(
            context.holdfast.tasks.start(given.task, by=worker_name(given, context)), context
        ),
    )
    _one(command)


def release(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Give a claimed task back, so that others can claim it. A person may release the claim\n"
        "of anybody, and is told whose it was. With --as, only a task that this worker has\n"
        "claimed is given back; a person overrides another's claim with --anyway.",
        examples=(
            "holdfast task release t_01m7ga",
            "holdfast task release t_01m7gb --as worker-2 --anyway",
        ),
        does=_release,
    )
    _one(command)
    command.add_argument("--anyway", action="store_true", help="although another has claimed it")


def _release(given: Namespace, context: CommandContext) -> None:
    tasks = _tasks_of_user(context)
    _show_ended(tasks.release(given.task, anyway=given.anyway, by=given.by), context)


def done(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Finish a task, and record the commit that is checked out. An agent finishes only a task\n"
        "that it has claimed: if its claim ended and another worker has the task, it is refused.\n"
        "With --as, a person too is refused if another worker holds the task. A task that waits\n"
        "for others is not finished either. A person finishes it with --anyway.",
        examples=("holdfast task done t_01m7ga", "holdfast task done t_01m7gb --anyway"),
        does=_done,
    )
    _one(command)
    command.add_argument(
        "--anyway",
        action="store_true",
        help="although it waits for others, or another has claimed it",
    )


def _done(given: Namespace, context: CommandContext) -> None:
    tasks = _tasks_of_user(context)
    _show_ended(tasks.done(given.task, anyway=given.anyway, by=given.by), context)


def reopen(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Reopen a task that was done; its parents that were done are reopened with it.",
        examples=("holdfast task reopen t_01m7ga", "holdfast task reopen t_01m7gb --json"),
        does=_reopen,
    )
    _one(command)


def _reopen(given: Namespace, context: CommandContext) -> None:
    found = context.holdfast.tasks.reopen(given.task, by=worker_name(given, context))
    if context.output.as_json:
        context.output.json(reopened_json(found))
        return
    context.output.say(*task_line(found.task))
    for parent in found.parents:
        context.output.note(Dim(f"reopened with it: {parent.id}"))


def block(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Mark a task as blocked by something that is no task, with the reason. Its claim ends.",
        examples=(
            'holdfast task block t_01m7ga "the vendor has not answered"',
            'holdfast task block t_01m7gb "needs a licence" --json',
        ),
        does=_block,
    )
    _one(command)
    command.add_argument("why", metavar="WHY", help="what it waits for")


def _block(given: Namespace, context: CommandContext) -> None:
    task = context.holdfast.tasks.block(given.task, given.why, by=worker_name(given, context))
    context.output.note_removed(given.why)
    if context.output.as_json:
        context.output.json(blocked_task_json(task, why=given.why))
    else:
        context.output.say(*task_line(task))


def unblock(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Open a blocked task again; a task that is not blocked stays as it is.",
        examples=("holdfast task unblock t_01m7ga", "holdfast task unblock t_01m7gb --json"),
        does=lambda given, context: _show(
            context.holdfast.tasks.unblock(given.task, by=worker_name(given, context)), context
        ),
    )
    _one(command)


def _one(command: Command) -> None:
    command.add_argument("task", metavar="TASK", help="a task (t_…)")
    command.add_argument("--as", dest="by", metavar="NAME", help=_AS)


def worker_name(given: Namespace, context: CommandContext) -> str | None:
    """Return the name under which somebody works: a name of their own, or a person's name."""
    if given.by is None and context.principal.kind is PrincipalKind.PERSON:
        return context.user
    return str(given.by) if given.by is not None else None


def _tasks_of_user(context: CommandContext) -> TasksPart:
    """Return the tasks for a person under their own name, who then names no worker."""
    app = context.holdfast
    if app.principal.kind is not PrincipalKind.PERSON:
        return app.tasks
    return replace(app, principal=replace(app.principal, name=context.user)).tasks


def _show(task: Task, context: CommandContext) -> None:
    if context.output.as_json:
        context.output.json(one_task_json(task))
    else:
        context.output.say(*task_line(task))


def _show_ended(found: EndedClaim, context: CommandContext) -> None:
    if context.output.as_json:
        context.output.json(ended_claim_json(found))
        return
    context.output.say(*task_line(found.task))
    if found.overrode is not None:
        context.output.note(f"the claim of '{one_line(found.overrode)}' was overridden")
