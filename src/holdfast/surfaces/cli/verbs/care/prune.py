"""prune: deprecate memories that are old, unused, irrelevant or duplicate, then remove them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.care.pruning import (
    PruneCause,
    PruneStep,
    read_durations,
    read_relevance,
)
from holdfast.domain.choices import choose
from holdfast.domain.text.counting import counted
from holdfast.domain.values import replace
from holdfast.surfaces.cli import values
from holdfast.surfaces.cli.follow_up import follow_up
from holdfast.surfaces.cli.forgetting import follow_forgetting
from holdfast.surfaces.cli.person import agrees, is_at_terminal
from holdfast.surfaces.cli.present.terminal.colour import Dim, Good, Name, Warn
from holdfast.surfaces.cli.present.terminal.table import one_line, show_table
from holdfast.surfaces.cli.values import UsageError
from holdfast.surfaces.wire.pruning import pruned_json
from holdfast.usecases.care.prune_request import Prune

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.usecases.care.prune import Pruned
    from holdfast.usecases.care.prune_request import PrunePlan

_NEEDS_PERSON = 1


def prune(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Deprecate accepted memories that are old, unused, irrelevant or duplicate by the\n"
        "settings prune.*; 'holdfast undo' restores them. Remove those that were deprecated so\n"
        "before the grace period, and old notes of agents; that cannot be undone. Memories that\n"
        "are pinned, named, cited or checked are never pruned; rules, decisions and\n"
        "invariants only with --kind. The command asks first; without a terminal it needs --yes.\n"
        "The exit code is 7 if removed text remains in a place that only you can clean.",
        examples=(
            "holdfast prune --dry-run",
            "holdfast prune --namespace short-term --unused-for 14d --dry-run --json",
            "holdfast prune --undoable --yes",
        ),
        does=_run,
    )
    add = command.add_argument
    add("--dry-run", action="store_true", help="list what would be pruned, and why")
    add("-y", "--yes", action="store_true", help="do not ask")
    add("--kind", metavar="KIND", action="append", type=values.kind, default=[],
        help="only this kind; also rules, decisions and invariants if named")  # fmt: skip
    add("--namespace", metavar="NAME", action="append", default=[],
        help="only memories in this namespace of an agent")  # fmt: skip
    causes = add("--cause", metavar="CAUSE", action="append", type=_cause, default=[],
        help=f"only {', '.join(PruneCause)}")  # fmt: skip
    command.offer(causes, tuple(one.value for one in PruneCause))
    add("--max-age", metavar="TIME", type=read_durations, help="instead of prune.max_age")
    add("--unused-for", metavar="TIME", type=read_durations, help="instead of prune.unused_for")
    add("--min-relevance", metavar="SCORE", type=read_relevance,
        help="instead of prune.min_relevance")  # fmt: skip
    add("--undoable", action="store_true", help="only deprecate; remove nothing")
    add("--everywhere", action="store_true", help="memories of every repository, not only here")
    add("--force", action="store_true", help="allow more than the share of prune.most")


def _cause(word: str) -> PruneCause:
    return choose(PruneCause, word, what="cause")


def _run(given: Namespace, context: CommandContext) -> int | None:
    wish = Prune(
        by=context.user,
        kinds=frozenset(given.kind),
        namespaces=frozenset(given.namespace),
        causes=frozenset(given.cause),
        max_age=given.max_age,
        unused_for=given.unused_for,
        min_relevance=given.min_relevance,
        undoable=given.undoable,
        everywhere=given.everywhere,
        force=given.force,
    )
    care = context.holdfast.care
    if given.dry_run:
        _show(care.prune(replace(wish, dry_run=True)), context)
        return None
    if not given.yes and not _is_confirmed(wish, context):
        context.output.note("Nothing was changed.")
        return _NEEDS_PERSON
    done = care.prune(wish)
    _show(done, context)
    if done.decisions:
        follow_up(context)
    return follow_forgetting(done.forgotten, context)


def _is_confirmed(wish: Prune, context: CommandContext) -> bool:
    """Show what is due, and ask; if nobody can be asked, nothing is pruned."""
    if not is_at_terminal(context):
        raise UsageError(
            problem="Nothing was pruned: there is no terminal for a question. Look with"
            " --dry-run, then add --yes."
        )
    found = context.holdfast.care.prune(replace(wish, dry_run=True))
    _show(found, context)
    plan = found.plan
    gone, undoable = len(plan.of(PruneStep.REMOVE)), len(plan.of(PruneStep.DEPRECATE))
    if not plan.items and not found.said:
        return False
    if plan.is_too_much and not wish.force:
        return True  # The run itself refuses it, and says why.
    asked = [f"deprecate {undoable:,} (can be undone)"] if undoable else []
    asked += [f"remove {gone:,} permanently"] if gone else []
    asked += [f"remove {_turns(found.said)} of sessions"] if found.said else []
    return agrees(context, f"{' and '.join(asked).capitalize()}?")


def _turns(many: int) -> str:
    return "1 turn" if many == 1 else f"{many:,} turns"


def _show(pruned: Pruned, context: CommandContext) -> None:
    output = context.output
    if output.as_json:
        output.json(pruned_json(pruned))
        return
    if pruned.dry_run:
        _show_plan(pruned.plan, context)
        if pruned.said:
            output.note(f"{_turns(pruned.said)} of sessions would be removed: session.said_for")
        return
    _show_done(pruned, context)
    if pruned.skipped:
        output.note(f"skipped, because they changed meanwhile: {pruned.skipped:,}")
    if pruned.not_yet and pruned.forgotten:
        output.complain(pruned.not_yet)


def _show_done(pruned: Pruned, context: CommandContext) -> None:
    output = context.output
    for decision in pruned.decisions:
        names = [change.memory_id for change in decision.changes]
        output.say(Good("deprecated"), f"  {len(names):,}  ", " ".join(names))
        output.note(Dim(f"to undo: holdfast undo {decision.id}"))
    if pruned.forgotten:
        names = [one.record.memory.id for one in pruned.forgotten]
        output.say(Good("removed"), f"  {len(names):,}  ", " ".join(names))
    if pruned.said:
        output.say(Good("removed"), f"  {_turns(pruned.said)} of sessions")
    if not (pruned.decisions or pruned.forgotten or pruned.said):
        output.note("Nothing is due.")


def _show_plan(plan: PrunePlan, context: CommandContext) -> None:
    rows = [
        (
            item.step.value,
            Name(item.name),
            item.record.memory.kind.value,
            Dim(one_line(item.record.memory.claim)),
            item.due.why,
        )
        for item in plan.items
    ]
    rows += [
        (
            "keep",
            Name(one.record.memory.id),
            one.record.memory.kind.value,
            Dim(one_line(one.record.memory.claim)),
            one.why,
        )
        for one in plan.held
    ]
    show_table(context.output, ("", "id", "kind", "claim", "why"), rows, is_wrapped=True)
    gone, undoable = len(plan.of(PruneStep.REMOVE)), len(plan.of(PruneStep.DEPRECATE))
    held = len(plan.held)
    context.output.note(
        f"{undoable:,} to deprecate, {gone:,} to remove, {held:,} due but protected,"
        f" of {counted(plan.total, 'memory', 'memories')}"
    )
    if plan.is_too_much:
        words = f"one run may change at most {plan.most:,}, so it would change none of them;"
        context.output.note(Warn(f"{words} --force allows all"))
