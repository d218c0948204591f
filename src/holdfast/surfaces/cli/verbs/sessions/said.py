"""session say, said, unsay: keep what was said in a session, show it, and remove it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import BadFieldError
from holdfast.domain.sessions.said import SaidBy
from holdfast.surfaces.cli import values
from holdfast.surfaces.cli.present.memory.kept_sessions import show_said
from holdfast.surfaces.cli.present.terminal.colour import Dim, Good
from holdfast.surfaces.wire.session_cache import said_now_json, said_turns_json
from holdfast.usecases.sessions.saying import SayTurn

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext

_SESSION = "a session (i_…)"


def say(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Keep what was said in a session, word for word. It is no memory: only 'recall --include\n"
        "sessions' quotes it, as what was said. Secrets in it are replaced. The hooks of coding\n"
        "tools do this by themselves if session.said is on.",
        examples=(
            'holdfast session say i_7h2m4x "the feed restarts at noon" --by person',
            'holdfast session say i_7h2m4x "I moved it to midnight" --by agent --key turn-7',
        ),
        does=_say,
    )
    option = command.add_argument
    option("session", metavar="SESSION", help=_SESSION)
    option("words", metavar="WORDS", help="what was said; - reads stdin")
    option(
        "--by",
        choices=[str(one) for one in SaidBy],
        metavar="WHO",
        help="person or agent (who runs this)",
    )
    option("--name", metavar="NAME", default="", help="the speaker's name, if there are several")
    option("--key", metavar="NAME", default="", help="a turn with a known key is kept once")


def _say(given: Namespace, context: CommandContext) -> None:
    from holdfast.surfaces.cli.standard_input import piped_text

    words = piped_text(what="turn") if given.words == "-" else given.words
    if not words.strip():
        raise BadFieldError(
            field="turn", problem="is blank. Write what was said, or - to read it from stdin."
        )
    turn = SayTurn(
        by=SaidBy(given.by) if given.by else None, text=words, name=given.name, key=given.key
    )
    kept = context.holdfast.session_cache.say(given.session, [turn])
    if context.output.as_json:
        context.output.json(said_now_json(kept, words, given.name))
        return
    show_said(context.output, kept)
    context.output.note_removed(words, given.name)
    if not kept:
        context.output.note("Nothing was kept: it is kept already, or nothing is left of it.")


def said(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Show what was said in a session, as far as it is kept. 'recall --include sessions'\n"
        "searches it.",
        examples=("holdfast session said i_7h2m4x", "holdfast session said i_7h2m4x --json"),
        does=_said,
    )
    command.add_argument("session", metavar="SESSION", help=_SESSION)


def _said(given: Namespace, context: CommandContext) -> None:
    found = context.holdfast.session_cache.said(given.session)
    if context.output.as_json:
        context.output.json(said_turns_json(found))
        return
    show_said(context.output, found)
    if not found:
        context.output.note(
            "Nothing of it is kept.",
            Dim(" 'holdfast config set session.said on' lets hooks keep it."),
        )


def unsay(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Remove what was said in a session, or one turn of it, for good. Memories stay.",
        examples=("holdfast session unsay i_7h2m4x", "holdfast session unsay i_7h2m4x --json"),
        does=_unsay,
    )
    command.add_argument("session", metavar="SESSION", help=_SESSION)
    command.add_argument(
        "--turn", type=values.whole("turn"), metavar="N", help="only this turn (all of them)"
    )


def _unsay(given: Namespace, context: CommandContext) -> None:
    gone = context.holdfast.session_cache.unsay(given.session, number=given.turn)
    if context.output.as_json:
        context.output.json(said_turns_json(gone.turns))
    else:
        many = "1 turn" if len(gone.turns) == 1 else f"{len(gone.turns):,} turns"
        context.output.say(Good("removed"), f"  {many}")
    if gone.not_yet:
        context.output.complain(gone.not_yet)
