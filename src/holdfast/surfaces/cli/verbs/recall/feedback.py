"""feedback: rate an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.surfaces.cli.present.terminal.colour import Bad, Good, Name
from holdfast.surfaces.wire.recall import rated_json

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext


def feedback(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Rate an answer; the rating is stored with the bundle, its turns and its memories. An\n"
        "agent cannot change the rating of a person.",
        examples=(
            "holdfast feedback c_20251021T1030Z --good",
            "holdfast feedback c_20251021T1030Z --bad --json",
        ),
        does=_run,
    )
    command.add_argument("bundle", metavar="BUNDLE", help="a bundle (c_…)")
    verdict = command.add_mutually_exclusive_group(required=True)
    verdict.add_argument("--good", action="store_true", help="it helped")
    verdict.add_argument("--bad", action="store_true", help="it did not help")


def _run(given: Namespace, context: CommandContext) -> None:
    name = context.holdfast.answers.feedback(given.bundle, good=given.good)
    if context.output.as_json:
        context.output.json(rated_json(name, good=given.good))
    else:
        context.output.say(Name(name), "  ", Good("good") if given.good else Bad("bad"))
