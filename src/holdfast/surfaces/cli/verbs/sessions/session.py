"""session start, turn, end, list: record conversations with a tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import BadFieldError
from holdfast.domain.ids import BundleId, SessionId
from holdfast.domain.sessions.session import Interaction
from holdfast.surfaces.cli import values
from holdfast.surfaces.cli.present.memory.sessions import session_line, show_sessions
from holdfast.surfaces.cli.present.terminal.colour import Dim, Name
from holdfast.surfaces.wire.sessions import one_session_json, one_turn_json, sessions_json

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.domain.sessions.session import Session
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext


def start(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Start a session with a tool in this folder. Turns are recorded under its id (i_…).",
        examples=(
            "holdfast session start --tool claude-code --user ada",
            "holdfast session start --json",
        ),
        does=_start,
        creates_store=True,
    )
    command.add_argument("--tool", metavar="NAME", default="shell", help="the tool (shell)")
    command.add_argument("--user", metavar="NAME", help="the user of the session (you)")


def _start(given: Namespace, context: CommandContext) -> None:
    user = context.user if given.user is None else given.user
    _show(context.holdfast.sessions.start(tool=given.tool, user=user), context)


def turn(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Record a turn of a session: the question, the bundle that answered it, and whether it\n"
        "helped.",
        examples=(
            (
                'holdfast session turn i_7h2m4x --q "how do tokens rotate"'
                " --bundle c_20251021T1030Z --satisfied yes"
            ),
            'holdfast session turn i_7h2m4x --q "who owns billing" --notes "asked the team"',
        ),
        does=_turn,
    )
    add = command.add_argument
    add("session", metavar="SESSION", help="a session (i_…)")
    add("--q", metavar="QUESTION", required=True, help="what was asked")
    add("--bundle", metavar="BUNDLE", help="the bundle that answered (c_…)")
    add("--satisfied", type=values.yes_or_no, metavar="yes|no", help="whether it helped")
    add("--notes", metavar="WORDS", default="", help="a note about the turn")


def _turn(given: Namespace, context: CommandContext) -> None:
    if not given.q.strip():
        raise BadFieldError(field="question", problem="is blank.")
    wish = Interaction(
        id=0,
        session_id=SessionId(given.session),
        at=context.holdfast.now(),
        query=given.q,
        bundle_id=None if given.bundle is None else BundleId(given.bundle),
        satisfied=given.satisfied,
        notes=given.notes,
    )
    kept = context.holdfast.sessions.add_turn(given.session, wish)
    texts = (wish.query, wish.notes)
    context.output.note_removed(*texts)
    if context.output.as_json:
        context.output.json(one_turn_json(kept, texts=texts))
    else:
        context.output.say(f"turn {kept.number} of ", Name(kept.session_id))


def end(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "End a session; ending it twice changes nothing.",
        examples=("holdfast session end i_7h2m4x", "holdfast session end i_7h2m4x --json"),
        does=lambda given, context: _show(context.holdfast.sessions.end(given.session), context),
    )
    command.add_argument("session", metavar="SESSION", help="a session (i_…)")


def sessions(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "List the sessions of this repository, newest first. 'holdfast show i_…' shows one with\n"
        "its turns.",
        examples=("holdfast session list", "holdfast session list --everywhere --limit 5 --json"),
        does=_list,
    )
    command.add_argument(
        "--limit", type=values.whole("limit"), default=20, metavar="N", help="at most N (20)"
    )
    command.add_argument("--everywhere", action="store_true", help="of every repository")


def _list(given: Namespace, context: CommandContext) -> None:
    found = context.holdfast.sessions.latest(limit=given.limit, everywhere=given.everywhere)
    if context.output.as_json:
        context.output.json(sessions_json(found))
    elif found:
        show_sessions(context.output, found, everywhere=given.everywhere)
        if found.beyond is not None:
            context.output.note(Dim("there are more sessions: --limit shows more of them"))
    elif given.everywhere:
        context.output.note("No sessions yet. 'holdfast session start' begins one.")
    else:
        context.output.note(
            "No sessions here yet. 'holdfast session start' begins one;"
            " 'holdfast session list --everywhere' lists those of other repositories."
        )


def _show(session: Session, context: CommandContext) -> None:
    if context.output.as_json:
        context.output.json(one_session_json(session))
    else:
        context.output.say(*session_line(session))
