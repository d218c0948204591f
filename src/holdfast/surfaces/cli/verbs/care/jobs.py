"""jobs: bulk work on a server, in parts that many workers share."""

from __future__ import annotations

import os
import platform
import time
from typing import TYPE_CHECKING

from holdfast.domain.care.job import JobKind, JobState
from holdfast.domain.text.counting import counted
from holdfast.surfaces.cli.present.terminal.colour import Bad, Dim, Good, Name
from holdfast.surfaces.cli.present.terminal.table import show_table
from holdfast.surfaces.cli.values import UsageError
from holdfast.surfaces.wire.service import added_job_json, cancelled_json, jobs_json, part_json
from holdfast.usecases.care.working import WorkOrder
from holdfast.usecases.screening import SecretPolicy

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from holdfast.domain.care.job import BulkJob
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.usecases.care.adding import AddedJob

_LEASE_SECONDS = 300.0
_PAUSE_SECONDS = 0.5
_REFUSED, _NEEDS_PERSON = 2, 1


def add(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Add bulk work to a store on Postgres: 'import FILE' reads an export, 'embed' makes the\n"
        "missing vectors, 'prune' does what 'holdfast prune --everywhere' does, 'curate' makes\n"
        "the fixes that can be undone. Nothing is done until 'holdfast jobs run' is started, on\n"
        "one or many machines.",
        examples=(
            "holdfast jobs add import backup.jsonl --store postgresql://app@db.example/memory",
            "holdfast jobs add curate --store postgresql://app@db.example/memory --json",
        ),
        does=_add,
        creates_store=True,
    )
    kinds = command.add_argument(
        "kind", metavar="KIND", choices=tuple(JobKind), type=str, help="what the job does"
    )
    command.offer(kinds, tuple(one.value for one in JobKind))
    command.add_argument("file", metavar="FILE", nargs="?", help="with import: an export, or '-'")
    command.add_argument("--force", action="store_true",
        help="with prune: change more than prune.most percent of all memories")  # fmt: skip
    secrets = command.add_mutually_exclusive_group()
    secrets.add_argument("--redact", action="store_true", help="keep texts without their secrets")
    secrets.add_argument(
        "--allow-secret", action="store_true", help="keep texts that look like secrets"
    )


def _add(given: Namespace, context: CommandContext) -> int:
    if (given.kind == JobKind.IMPORT) is not (given.file is not None):
        raise UsageError(problem="Only 'import' takes a file: holdfast jobs add import FILE.")
    added = _added(given, context)
    if context.output.as_json:
        context.output.json(added_job_json(added))
    else:
        parts = len(added.job.parts)
        noun = "part" if parts == 1 else "parts"
        context.output.say(Good("added"), "  ", Name(added.job.id), f"  {parts:,} {noun}")
        if parts:
            context.output.note(Dim("to do it, here or on any machine: holdfast jobs run"))
    for refusal in added.refused:
        context.output.complain(refusal)
    return _REFUSED if added.refused else 0


def _added(given: Namespace, context: CommandContext) -> AddedJob:
    jobs = context.holdfast.jobs
    if given.kind == JobKind.EMBED:
        return jobs.add_embedding(by=context.user)
    if given.kind == JobKind.PRUNE:
        return jobs.add_pruning(by=context.user, force=given.force)
    if given.kind == JobKind.CURATE:
        return jobs.add_curation(by=context.user)
    from holdfast.surfaces.cli.verbs.exchange.importing import export_file

    policy = SecretPolicy.REFUSE
    if given.redact or given.allow_secret:
        policy = SecretPolicy.REDACT if given.redact else SecretPolicy.ALLOW
    with export_file(given.file, context) as lines:
        return jobs.add_import(lines, secrets=policy, by=context.user)


def jobs(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "List the jobs of the space: how many parts are done, in work, waiting and failed.",
        examples=(
            "holdfast jobs list --store postgresql://app@db.example/memory",
            "holdfast jobs list --store postgresql://app@db.example/memory --json",
        ),
        does=_list,
    )


def _list(_given: Namespace, context: CommandContext) -> None:
    found = context.holdfast.jobs.list()
    if context.output.as_json:
        context.output.json(jobs_json(found))
        return
    rows = [
        (
            Name(one.id),
            one.kind.value,
            one.state.value,
            f"{one.done:,}/{one.parts:,}",
            f"{one.leased:,}",
            f"{one.failed:,}",
            one.problem,
        )
        for one in found
    ]
    show_table(
        context.output, ("id", "kind", "state", "done", "in work", "failed", "problem"), rows
    )
    if not found:
        context.output.note("There are no jobs.")


def run(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Do the parts of jobs until none is left. Start as many as you like, on any machine: each\n"
        "part is leased to one worker. If a worker is killed, its lease ends and another worker\n"
        "does the part; nothing is done twice. --wait stays until every job is done, and so takes\n"
        "over what others leave. The exit code is 1 if a part failed.",
        examples=(
            "holdfast jobs run --store postgresql://app@db.example/memory",
            "holdfast jobs run --wait --lease 60 --store postgresql://app@db.example/memory",
        ),
        does=_run,
    )
    add = command.add_argument
    add("--job", metavar="JOB", help="only this job")
    add("--lease", metavar="SECONDS", type=_seconds, default=_LEASE_SECONDS, help="lease of a part")
    add("--wait", action="store_true", help="stay until every job is done")


def _run(given: Namespace, context: CommandContext) -> int:
    order = WorkOrder(
        worker=f"{platform.node()}:{os.getpid()}",
        lease_seconds=given.lease,
        job=given.job,
        waits=given.wait,
    )
    done = problems = 0
    with context.progress("working") as progress:
        for one in context.holdfast.jobs.run(order, pause=lambda: time.sleep(_PAUSE_SECONDS)):
            done += 1
            progress(done, 0)
            if context.output.as_json:
                context.output.json(part_json(one))
            if one.problem:
                problems += 1
                where = f"{one.part.job} part {one.part.number:,}"
                context.output.complain(f"{where}: {one.problem}")
    if not context.output.as_json:
        context.output.say(
            Good("done") if not problems else Bad("done"), f"  {counted(done, 'part')}"
        )
        _tell_open(context.holdfast.jobs.list(), context)
    return _NEEDS_PERSON if problems else 0


def _tell_open(found: Sequence[BulkJob], context: CommandContext) -> None:
    for one in (job for job in found if job.state is JobState.OPEN):
        left = one.waiting + one.leased
        context.output.note(
            f"{one.id}: {counted(left, 'part')} left, waiting or with other workers"
        )


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 1 <= seconds <= 86_400:  # noqa: PLR2004 - a day
        raise ValueError
    return seconds


def cancel(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Cancel a job. Finished parts stay; a part in work is not stored.",
        examples=(
            "holdfast jobs cancel j_01k3 --store postgresql://app@db.example/memory",
            "holdfast jobs cancel j_02m7 --store postgresql://app@db.example/memory --json",
        ),
        does=_cancel,
    )
    command.add_argument("job", metavar="JOB", help="the id that 'jobs add' printed")


def _cancel(given: Namespace, context: CommandContext) -> None:
    context.holdfast.jobs.cancel(given.job)
    if context.output.as_json:
        context.output.json(cancelled_json(given.job))
        return
    context.output.say(Good("cancelled"), "  ", Name(given.job))
