"""curate: find what is wrong with memories, fix it, and show the health over time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.domain.choices import choose
from holdfast.domain.memory.lifetime import read_lifetime
from holdfast.domain.review.curation import MemoryTrouble
from holdfast.domain.text.counting import counted
from holdfast.surfaces.cli.advising.advice import command_of
from holdfast.surfaces.cli.follow_up import follow_up
from holdfast.surfaces.cli.named_files import to_file
from holdfast.surfaces.cli.person import agrees, is_at_terminal
from holdfast.surfaces.cli.present.terminal.colour import Dim, Good, Name
from holdfast.surfaces.cli.values import UsageError
from holdfast.surfaces.wire.care import digest_json, plan_json, survey_json, tidied_json

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Sequence

    from holdfast.app.care import Care
    from holdfast.domain.review.curation import Concern
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.usecases.review.approve import Decided
    from holdfast.usecases.review.tidying import Tidied

_WEEK = "7d"


def curate(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Find memories that are stale, contradictory, duplicate or useless, or that have waited\n"
        "for a long time, each with the command that fixes it; and compute a health score from\n"
        "0 to 100. Nothing is changed. --apply lists the changes that can be undone, asks, and\n"
        "makes them; nothing is ever deleted. --digest prints a page about the last week.",
        examples=(
            "holdfast curate",
            "holdfast curate --apply --dry-run --json",
            "holdfast curate --digest --since 7d",
        ),
        does=_run,
    )
    add = command.add_argument
    add("ids", metavar="ID", nargs="*", help="memories, with one of the three options below")
    add("--deprecate", action="store_true", help="deprecate these: they are kept, but not recalled")
    add("--consolidate", action="store_true", help="keep the first of these, supersede the others")
    add("--merge", metavar="TEXT", help="replace all of these with this claim")
    add("--reason", metavar="WORDS", default="", help="with --deprecate: why")
    add("--kind", metavar="FINDING", action="append", type=_trouble, help=", ".join(MemoryTrouble))
    add("--apply", action="store_true", help="make the changes that can be undone, after asking")
    add("-y", "--yes", action="store_true", help="with --apply: do not ask")
    add("--dry-run", action="store_true", help="with --apply: show what would be done")
    add("--digest", action="store_true", help="a page to read in five minutes, as Markdown")
    add("--since", metavar="TIME", default=_WEEK, help=f"with --digest: how far back ({_WEEK})")
    add("--output", metavar="FILE", help="with --digest: write the page there")


def _trouble(word: str) -> MemoryTrouble:
    return choose(MemoryTrouble, word, what="finding")


def _run(given: Namespace, context: CommandContext) -> int | None:

    care = context.holdfast.care
    ways = [given.deprecate, given.consolidate, given.merge is not None]
    if any(ways) != bool(given.ids) or sum(ways) > 1:
        raise UsageError(
            problem="Memories go with one of --deprecate, --consolidate and --merge TEXT."
        )
    if given.ids:
        _decide(given, care, context)
        return None
    if given.digest:
        _digest(given, care, context)
        return None
    return _look(given, care, context)


def _look(given: Namespace, care: Care, context: CommandContext) -> int | None:
    from holdfast.surfaces.cli.present.review.curation import show_survey

    found, history = care.survey()
    wanted = frozenset(given.kind or MemoryTrouble)
    shown = [one for one in found.concerns if one.trouble in wanted]
    if given.apply:
        return _apply([one for one in shown if one.step is not None], given, care, context)
    if context.output.as_json:
        context.output.json(survey_json(found, history, shown, command=_command_in(context)))
        return None
    show_survey(context.output, found, history, shown)
    if any(one.step is not None for one in shown):
        context.output.note(Dim("to make the changes that can be undone: holdfast curate --apply"))
    return None


def _apply(
    plan: Sequence[Concern], given: Namespace, care: Care, context: CommandContext
) -> int | None:
    if given.dry_run or not plan:
        if context.output.as_json:
            context.output.json(plan_json(plan, command=_command_in(context)))
        else:
            _show_plan(plan, context)
        return None
    if not given.yes:
        if not is_at_terminal(context):
            raise UsageError(problem="Say --yes, or --dry-run to see what would be done.")
        _show_plan(plan, context)
        if not agrees(context, f"Make {counted(len(plan), 'change')}? Everything can be undone."):
            context.output.note("Nothing was changed.")
            return 1
    _show_done(care.tidy(plan, by=context.user), context)
    follow_up(context)
    return None


def _show_plan(plan: Sequence[Concern], context: CommandContext) -> None:
    for one in plan:
        names = " ".join(one.memories) or str(one.span)
        context.output.say(f"would {one.step} ", Name(names), "  ", one.why)
    if not plan:
        context.output.note("There are no changes to make.")


def _show_done(done: Tidied, context: CommandContext) -> None:
    if context.output.as_json:
        context.output.json(tidied_json(done, command=_command_in(context)))
        return
    for decision in done.decisions:
        names = " ".join(decision.memories)
        context.output.say(Good(decision.action.value), "  ", names)
        context.output.note(Dim(f"to undo: holdfast undo {decision.id}"))
    for span in done.unpinned:
        context.output.say(Good("unpin"), "  ", span)
        context.output.note(Dim(f"to undo: holdfast pin --span {span}"))
    for one in done.passed:
        context.output.note(
            f"skipped, because somebody decided about it meanwhile: {command_of(one)}"
        )


def _command_in(context: CommandContext) -> Callable[[Concern], str]:
    """Return a function for the command of a finding that names the store of this command."""
    return lambda concern: context.output.pasteable(command_of(concern))


def _decide(given: Namespace, care: Care, context: CommandContext) -> None:
    decided: Decided
    if given.deprecate:
        decided = care.deprecate(given.ids, by=context.user, reason=given.reason)
    else:
        decided = care.consolidate(given.ids, by=context.user, text=given.merge)
    if context.output.as_json:
        from holdfast.surfaces.wire.review import decided_json

        context.output.json(decided_json(decided))
    else:
        from holdfast.surfaces.cli.present.review.decided import show_decided

        show_decided(context.output, decided)
    follow_up(context)


def _digest(given: Namespace, care: Care, context: CommandContext) -> None:
    from holdfast.surfaces.cli.present.review.curation import digest_page

    since = read_lifetime(given.since)
    if since is None:
        raise UsageError(problem="--since needs a time such as 7d.")
    page = care.digest(since=since)
    text = digest_page(page)
    if given.output is not None:
        path = Path(given.output).expanduser()
        to_file([text.removesuffix("\n")], path, is_private=False)
        context.machine.beside_store.note_written(path)
    if context.output.as_json:
        context.output.json(digest_json(text, page.health[-1]))
    elif given.output is None:
        context.output.text(text)
    else:
        context.output.note(Dim(f"written: {given.output}"))
