"""hook: answer the hooks of coding tools, and show what they did."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.domain.errors import HoldfastError
from holdfast.surfaces.cli.advising.advice import worded
from holdfast.surfaces.cli.present.terminal.colour import Dim, Name
from holdfast.surfaces.cli.present.terminal.table import show_table
from holdfast.surfaces.cli.values import UsageError
from holdfast.surfaces.hook.dialects import AUTO, DIALECTS
from holdfast.surfaces.wire.sessions import (
    hook_log_json,
    kept_from_session_json,
    proposed_from_session_json,
)

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext

_LOG, _PROPOSE, _KEEP = "log", "propose", "keep"
_LONGEST_SECONDS = 120
_POLITENESS = 10
_SHOWN_SESSIONS, _SHOWN_LINES = 20, 10
_WHAT_IT_IS_GIVEN = 3
_ENDED = "ended"


def hook(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Answer a coding tool's hook: the event is read from stdin, and the context for its\n"
        "agent is written to stdout, in the tool's own format. The hook has a time limit and\n"
        "never fails. 'hook log' shows what the latest sessions were told, and what went wrong.",
        examples=(
            "holdfast hook claude SessionStart < /dev/null",
            "holdfast hook log",
            "holdfast hook log --json",
        ),
        does=_run,
    )
    add = command.add_argument
    who = (*DIALECTS, AUTO, _LOG, _PROPOSE, _KEEP)
    add("who", metavar="WHO", choices=who, help=f"the tool ({', '.join(DIALECTS)}), auto or log")
    add(
        "words",
        metavar="EVENT",
        nargs="*",
        default=[],
        help="the event, by the tool's own name for it",
    )


def _run(given: Namespace, context: CommandContext) -> int | None:
    if given.who == _LOG:
        _show_log(context)
        return None
    if given.who == _PROPOSE:
        _propose(given.words, context)
        return None
    if given.who == _KEEP:
        _keep(given.words, context)
        return None
    from holdfast.surfaces.hook.program import run

    home = "" if context.home is None else str(context.home)
    empty = "{}\n" if context.output.as_json else ""
    return run([given.who, *given.words], home=home, space=context.space, empty=empty)


def _propose(words: Sequence[str], context: CommandContext) -> None:
    """Propose from a transcript in the background, while the session goes on."""
    import signal

    if len(words) != _WHAT_IT_IS_GIVEN:
        raise UsageError(problem="'hook propose' is for hooks only; use 'holdfast propose'.")
    # This process runs in the background; without a limit nobody would notice a hang.
    signal.alarm(_LONGEST_SECONDS)
    with suppress(OSError):
        os.nice(_POLITENESS)
    tool, session, path = words
    try:
        proposed = context.machine.sources.propose_session(
            (tool, session, path), holdfast=context.holdfast
        )
        count, trouble = len(proposed.added), proposed.notes
    except HoldfastError as error:
        count, trouble = 0, (worded(error),)
    for problem in trouble:
        context.machine.beside_store.note_trouble(who=f"{tool} propose", what=problem)
    if context.output.as_json:
        context.output.json(proposed_from_session_json(tool, session, count=count))


def _keep(words: Sequence[str], context: CommandContext) -> None:
    """Store the turns that hooks noted of a session, in the background."""
    import signal

    match words:
        case [tool, session]:
            last = None
        case [tool, session, end, prompts] if end == _ENDED and prompts.isdecimal():
            last = int(prompts)
        case _:
            raise UsageError(problem="'hook keep' is for hooks only; use 'holdfast session did'.")
    signal.alarm(_LONGEST_SECONDS)
    with suppress(OSError):
        os.nice(_POLITENESS)
    try:
        count = context.machine.sources.keep_session(
            session, last_prompt=last, holdfast=context.holdfast
        )
    except HoldfastError as error:
        context.machine.beside_store.note_trouble(who=f"{tool} keep", what=worded(error))
        count = 0
    if context.output.as_json:
        context.output.json(kept_from_session_json(tool, session, count=count))


def _show_log(context: CommandContext) -> None:
    sessions = context.machine.beside_store.sessions(limit=_SHOWN_SESSIONS)
    trouble = context.machine.beside_store.trouble(limit=_SHOWN_LINES)
    if context.output.as_json:
        context.output.json(hook_log_json(sessions, trouble))
        return
    if not sessions and not trouble:
        context.output.note("No hook was called yet. 'holdfast adapters install' sets them up.")
        return
    rows = [
        (
            Name(session.session),
            session.tool,
            _moment(session.seen),
            f"{session.tokens_sent:,}",
            str(session.news),
            str(session.warnings),
            str(session.stops),
            str(session.proposals),
        )
        for session in sessions
    ]
    columns = ("SESSION", "TOOL", "SEEN", "TOKENS", "NEWS", "WARNINGS", "STOPS", "PROPOSALS")
    show_table(context.output, columns, rows)
    for line in trouble:
        context.output.note(Dim(line))


def _moment(seconds: int) -> str:
    from datetime import UTC, datetime

    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M}"
