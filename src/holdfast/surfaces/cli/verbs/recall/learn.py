"""learn: learn the ranking weights of this space from rated answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.memory.lifetime import read_lifetime
from holdfast.domain.recall.weighing import LEARNABLE
from holdfast.surfaces.cli.present.terminal.colour import Bad, Dim, Good, Name
from holdfast.surfaces.cli.present.terminal.table import show_table
from holdfast.surfaces.wire.recall import lesson_json
from holdfast.usecases.recall.learn import Learn, LearningOutcome

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.domain.recall.learning import Agreement
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.surfaces.cli.present.terminal.output import Output
    from holdfast.usecases.recall.learn import Lesson


def learn(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Learn from rated answers how much each part of a score counts in this space. Weights\n"
        "change slowly and stay between half and twice the default. One rated answer in five is\n"
        "used as a check; if the new weights order these answers worse, nothing changes.",
        examples=(
            "holdfast learn --dry-run",
            "holdfast learn --from-sessions 90d --json",
            "holdfast learn --reset",
        ),
        does=_run,
    )
    add = command.add_argument
    add(
        "--from-sessions",
        metavar="AGE",
        default="30d",
        help="use answers of at most this age; 'never': of any age (30d)",
    )
    add("--dry-run", action="store_true", help="show what would change, and change nothing")
    back = command.add_mutually_exclusive_group()
    back.add_argument("--undo", action="store_true", help="restore the previous weights")
    back.add_argument("--reset", action="store_true", help="restore the default weights")


def _run(given: Namespace, context: CommandContext) -> None:
    if given.undo:
        lesson = context.holdfast.answers.undo_weights(dry_run=given.dry_run)
    elif given.reset:
        lesson = context.holdfast.answers.reset_weights(dry_run=given.dry_run)
    else:
        since = read_lifetime(given.from_sessions)
        lesson = context.holdfast.answers.learn(Learn(since=since, dry_run=given.dry_run))
    if context.output.as_json:
        context.output.json(lesson_json(lesson))
    else:
        _show(lesson, context.output)


def _show(lesson: Lesson, output: Output) -> None:
    rows = [(name, f"{before:.4f}", f"{after:.4f}") for name, before, after in _changes(lesson)]
    show_table(output, ("NAME", "BEFORE", "AFTER"), rows)
    if lesson.check is not None:
        output.say(f"learned from {_answers(lesson.learned_from)}; {_checked(lesson.check)}")
    match lesson.outcome:
        case LearningOutcome.KEPT:
            output.say(
                Good("kept"), f"  version {lesson.version} of the weights of ", _space(lesson)
            )
        case LearningOutcome.SHOWN:
            output.say(Dim("not stored: this was a dry run"))
        case LearningOutcome.UNCHANGED:
            output.say(Dim("nothing changed: these are the weights in use"))
        case LearningOutcome.WORSE:
            output.say(Bad("not kept"), "  the new weights order the answers of the check worse")


def _space(lesson: Lesson) -> Name:
    return Name(lesson.space)


def _answers(count: int) -> str:
    return f"{count:,} answer{'' if count == 1 else 's'}"


def _checked(check: Agreement) -> str:
    return (
        f"checked on {_answers(check.answers)}: {check.before:.0%} of the pairs in order before,"
        f" {check.after:.0%} after; {check.better:,} better, {check.worse:,} worse"
    )


def _changes(lesson: Lesson) -> list[tuple[str, float, float]]:
    return [(name, getattr(lesson.before, name), getattr(lesson.after, name)) for name in LEARNABLE]
