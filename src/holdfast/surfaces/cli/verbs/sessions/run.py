"""run start, note, finish, list, show, context: record pieces of work and their results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import HoldfastError
from holdfast.domain.memory.callers import plain_tool
from holdfast.domain.pages.run_page import run_page
from holdfast.surfaces.cli import values
from holdfast.surfaces.cli.failure import told
from holdfast.surfaces.cli.present.terminal.colour import Dim, Good, Name, Warn
from holdfast.surfaces.cli.present.terminal.table import one_line, show_table
from holdfast.surfaces.cli.values import UsageError
from holdfast.surfaces.wire.sessions import (
    context_json,
    finished_run_json,
    noted_run_json,
    one_run_json,
    runs_json,
    started_run_json,
)

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Sequence

    from holdfast.app.work.runs import RunsPart
    from holdfast.domain.sessions.run import Run
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.usecases.sessions.propose import Proposed


def start(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Start a run: a piece of work with a goal. If the repository has pages, the context\n"
        "pack of the run is written to .holdfast/context/active.md for the tools to read.",
        examples=(
            'holdfast run start --goal "make the importer resumable"',
            "holdfast run start --tool claude --json",
        ),
        does=_start,
        creates_store=True,
    )
    add = command.add_argument
    add("words", metavar="GOAL", nargs="*", default=[], help="what it is for, as --goal")
    add("--goal", metavar="WORDS", help="what it is for")
    add("--tool", metavar="NAME", default="shell", help="the tool (shell)")


def _start(given: Namespace, context: CommandContext) -> None:
    if given.words and given.goal is not None:
        raise UsageError(problem="Give the goal once: as words, or with --goal.")
    runs = _runs(context)
    older = _open_run(runs)
    goal = given.goal or " ".join(given.words)
    run = runs.start(tool=given.tool, user=context.user, goal=goal)
    context.output.note_removed(goal)
    path = _page(lambda: runs.write_context(runs.context(run.goal)), run, context)
    if context.output.as_json:
        context.output.json(started_run_json(run, goal=goal, context=path))
        return
    context.output.say(Good("began"), "  ", Name(run.label), f"  {one_line(run.goal)}".rstrip())
    if older is not None:
        context.output.note(
            Dim(f"still open: {older.label}; holdfast run finish --run {older.label}")
        )
    if path is not None:
        context.output.note(Dim(f"context for tools: {path}"))
    context.output.note(Dim("'holdfast run note' adds a note, 'holdfast run finish' ends it"))


def note(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Add a note to a run: to the newest open run here, or to the one that is named.",
        examples=(
            'holdfast run note "The importer loses its place when the feed restarts."',
            'holdfast run note --run run-2026-01-27-3 "Batches of 500 are enough."',
        ),
        does=_note,
    )
    command.add_argument("text", metavar="TEXT", nargs="+", help="what to note; - reads stdin")
    _add_run(command)


def _note(given: Namespace, context: CommandContext) -> None:
    from holdfast.surfaces.cli.standard_input import piped_text

    words = piped_text(what="note") if given.text == ["-"] else " ".join(given.text)
    run = _runs(context).note(words, reference=given.run)
    context.output.note_removed(words)
    if context.output.as_json:
        context.output.json(noted_run_json(run, text=words))
    else:
        context.output.say(Good("noted"), f"  {len(run.notes)} in ", Name(run.label))


def finish(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Finish a run with a summary: what changed and why. Without --summary one is drafted\n"
        "from the notes and commits of the run, and marked as drafted. If the repository has\n"
        "pages, the summary is written to .holdfast/runs/<run>/summary.md; the decisions in it\n"
        "are proposed as candidates for you to review.",
        examples=(
            'holdfast run finish --summary "We store offsets in the feed, never in memory."',
            "holdfast run finish --summary - < summary.txt",
            "holdfast run finish --no-propose --json",
        ),
        does=_finish,
    )
    add = command.add_argument
    add("--summary", metavar="TEXT", default="", help="what changed and why; - reads it from stdin")
    add("--abandon", action="store_true", help="mark the run as abandoned")
    add("--no-propose", action="store_true", help="propose no candidates from the summary")
    _add_run(command)


def _finish(given: Namespace, context: CommandContext) -> None:
    from holdfast.surfaces.cli.standard_input import piped_text

    summary = piped_text(what="summary") if given.summary == "-" else given.summary
    runs = _runs(context)
    run = runs.finish(summary, reference=given.run, abandon=given.abandon)
    context.output.note_removed(summary)
    path = _page(lambda: runs.write_page(run), run, context)
    proposed = None if given.no_propose or given.abandon else _proposed(run, context)
    for note in () if proposed is None else proposed.notes:
        context.output.note(Warn(note))
    if context.output.as_json:
        context.output.json(finished_run_json(run, summary=summary, page=path, proposed=proposed))
        return
    commits = "1 commit" if len(run.commits) == 1 else f"{len(run.commits)} commits"
    context.output.say(Good(run.status.value), "  ", Name(run.label), f"  {commits}")
    if run.is_drafted and not given.abandon:
        context.output.note(
            Dim("the summary was drafted from notes and commits; --summary gives your own text")
        )
    if path is not None:
        context.output.note(Dim(f"summary: {path}"))
    if proposed is not None:
        _tell_proposed(proposed, context)


def _tell_proposed(proposed: Proposed, context: CommandContext) -> None:
    many = len(proposed.added)
    if not many:
        context.output.note(Dim("it contains nothing new to remember"))
        return
    things = "1 candidate waits" if many == 1 else f"{many} candidates wait"
    context.output.note(f"{things} for you: ", Name("holdfast review"))
    for kept in proposed.added:
        context.output.note("  ", one_line(kept.proposal.claim))


def listing(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "List the runs of this repository, newest first.",
        examples=("holdfast run list", "holdfast run list --everywhere --limit 5 --json"),
        does=_list,
    )
    command.add_argument(
        "--limit", type=values.whole("limit"), default=20, metavar="N", help="at most N (20)"
    )
    command.add_argument("--everywhere", action="store_true", help="of all repositories")


def _list(given: Namespace, context: CommandContext) -> None:
    found = _runs(context).latest(limit=given.limit, everywhere=given.everywhere)
    if context.output.as_json:
        context.output.json(runs_json(found))
    elif found:
        _table(found, context)
    else:
        context.output.note("No runs yet. 'holdfast run start' begins one.")


def _table(found: Sequence[Run], context: CommandContext) -> None:
    rows = [
        (
            Name(run.label),
            run.status.value,
            plain_tool(run.tool),
            run.branch or "",
            str(len(run.notes)),
            str(len(run.commits)),
            one_line(run.goal or run.summary),
        )
        for run in found
    ]
    show_table(
        context.output, ("RUN", "STATUS", "TOOL", "BRANCH", "NOTES", "COMMITS", "ABOUT"), rows
    )


def show(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Show a run: its goal, its summary, notes, commits and files.",
        examples=("holdfast run show run-2026-01-27-3", "holdfast run show --json"),
        does=_show,
    )
    command.add_argument(
        "run", metavar="RUN", nargs="?", help="a run's label or id (the newest open one)"
    )


def _show(given: Namespace, context: CommandContext) -> None:
    run = _runs(context).show(given.run)
    if context.output.as_json:
        context.output.json(one_run_json(run))
    else:
        context.output.say(run_page(run).rstrip("\n"))


def context(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Show the context pack for the open run: the rules, decisions and gotchas that matter\n"
        "for its goal, in at most 2,000 tokens. --write stores it in\n"
        ".holdfast/context/active.md.",
        examples=("holdfast run context", 'holdfast run context --goal "fix the feed" --write'),
        does=_context,
    )
    command.add_argument("--goal", metavar="WORDS", help="what it is for (the open run's goal)")
    command.add_argument("--write", action="store_true", help="store it with the pages")


def _context(given: Namespace, context: CommandContext) -> None:
    runs = _runs(context)
    goal = given.goal
    if goal is None:
        run = _open_run(runs)
        goal = "" if run is None else run.goal
    pack = runs.context(goal)
    path = runs.write_context(pack) if given.write else None
    if context.output.as_json:
        context.output.json(context_json(pack, goal=goal, path=path))
        return
    if pack.text:
        context.output.say(pack.text.rstrip("\n"))
    else:
        context.output.note(
            "No memory is relevant to this goal; 'holdfast remember' adds memories."
        )
    if given.write:
        tell_written(path, context)


def _runs(context: CommandContext) -> RunsPart:

    return context.holdfast.runs


def _open_run(runs: RunsPart) -> Run | None:
    """Return the open run of this repository, if there is one."""
    from holdfast.domain.refusals import NoOpenRunError

    try:
        return runs.show()
    except NoOpenRunError:
        return None


def tell_written(path: str | None, context: CommandContext) -> None:
    """Print where a page was written, or why it was not."""
    if path is None:
        from holdfast.domain.refusals import NoPagesError

        context.output.complain("Nothing was written. ", *told(NoPagesError()))
    else:
        context.output.note(Dim(f"written: {path}"))


def _page(write: Callable[[], str | None], run: Run, context: CommandContext) -> str | None:
    """Write a page of a run; the run is kept even if the page fails."""
    try:
        return write()
    except HoldfastError as error:
        context.output.complain(
            f"{run.label} is stored, but its page was not written: ", *told(error)
        )
        return None


def _proposed(run: Run, context: CommandContext) -> Proposed | None:
    """Propose candidates from a run; the run is kept even if that fails."""
    try:
        return context.holdfast.intake.propose_run(run)
    except HoldfastError as error:
        context.output.complain(
            f"{run.label} is stored, but nothing was proposed from it: ",
            *told(error),
            f" To try again: holdfast propose --run {run.label}",
        )
        return None


def _add_run(command: Command) -> None:
    command.add_argument(
        "--run", metavar="RUN", help="a run's label or id (the newest open one here)"
    )
