"""hook: answer the hooks of coding tools, and show what they did."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.domain.errors import HoldfastError
from holdfast.surfaces.cli.advising.advice import worded
from holdfast.surfaces.cli.present.terminal.colour import Dim, Name
from holdfast.surfaces.cli.present.terminal.table import show_table
from holdfast.surfaces.cli.refusals import UsageError
from holdfast.surfaces.hook.dialects import AUTO, DIALECTS
from holdfast.surfaces.wire.sessions import hook_log_json, proposed_from_session_json

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.desk import CommandContext

_LOG, _PROPOSE = "log", "propose"
_LONGEST_SECONDS = 120
_POLITENESS = 10
_SHOWN_SITTINGS, _SHOWN_LINES = 20, 10
_WHAT_IT_IS_GIVEN = 3


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
    who = (*DIALECTS, AUTO, _LOG, _PROPOSE)
    add("who", metavar="WHO", choices=who, help=f"the tool ({', '.join(DIALECTS)}), auto or log")
    add(
        "words",
        metavar="EVENT",
        nargs="*",
        default=[],
        help="the event, by the tool's own name for it",
    )


def _run(given: Namespace, desk: CommandContext) -> int | None:
    if given.who == _LOG:
        _show_log(desk)
        return None
    if given.who == _PROPOSE:
        _propose(given.words, desk)
        return None
    from holdfast.surfaces.hook.program import run

    home = "" if desk.home is None else str(desk.home)
    return run([given.who, *given.words], home=home, space=desk.space)


def _propose(words: Sequence[str], desk: CommandContext) -> None:
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
        count = desk.machine.sources.propose_session((tool, session, path), holdfast=desk.holdfast)
    except HoldfastError as error:
        desk.machine.beside_store.note_trouble(who=f"{tool} propose", what=worded(error))
        count = 0
    if desk.output.as_json:
        desk.output.json(proposed_from_session_json(tool, session, count=count))


def _show_log(desk: CommandContext) -> None:
    sittings = desk.machine.beside_store.sittings(limit=_SHOWN_SITTINGS)
    trouble = desk.machine.beside_store.trouble(limit=_SHOWN_LINES)
    if desk.output.as_json:
        desk.output.json(hook_log_json(sittings, trouble))
        return
    if not sittings and not trouble:
        desk.output.note("No hook was called yet. 'holdfast adapters install' sets them up.")
        return
    rows = [
        (
            Name(sitting.session),
            sitting.tool,
            _moment(sitting.seen),
            f"{sitting.tokens:,}",
            str(sitting.news),
            str(sitting.warnings),
            str(sitting.stops),
            str(sitting.proposals),
        )
        for sitting in sittings
    ]
    columns = ("SESSION", "TOOL", "SEEN", "TOKENS", "NEWS", "WARNINGS", "STOPS", "PROPOSALS")
    show_table(desk.output, columns, rows)
    for line in trouble:
        desk.output.note(Dim(line))


def _moment(seconds: int) -> str:
    from datetime import UTC, datetime

    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M}"
