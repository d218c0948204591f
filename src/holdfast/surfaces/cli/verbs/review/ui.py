"""ui: look at the memory and decide, in an application for the terminal."""

from __future__ import annotations

import gc
import os
import sys
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING

from holdfast.domain.memory.callers import Operation
from holdfast.domain.ui_errors import NoUiPackagesError
from holdfast.surfaces.cli.advising.advice import worded
from holdfast.surfaces.cli.person import is_at_terminal
from holdfast.surfaces.cli.values import UsageError
from holdfast.surfaces.tui.desk import TABS, Desk

if TYPE_CHECKING:
    from argparse import Namespace
    from pathlib import Path

    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.surfaces.tui.desk import UiResult
    from holdfast.usecases.review.queued import Review

_LIGHT_BACKGROUNDS = frozenset({"7", "15"})


def ui(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Open the terminal UI: candidates with their cited lines, search with the parts of each\n"
        "score, memories, tasks, neighbours, health, and answers with their tokens. Single keys\n"
        "decide; the key u undoes a decision, and the key '?' shows all keys. It needs a terminal\n"
        "of 80 x 24 or more, and the packages of 'holdfast[ui]'. An agent may look, but not\n"
        "decide.",
        examples=(
            "holdfast ui",
            "holdfast ui --tab memory",
            "holdfast ui --tab health --theme light",
        ),
        does=_ui,
    )
    add = command.add_argument
    add("--tab", metavar="NAME", choices=TABS, default=TABS[0], help=f"one of {', '.join(TABS)}")
    add("--theme", metavar="NAME", choices=("dark", "light"), help="dark or light")


def _ui(given: Namespace, context: CommandContext) -> None:
    open_ui(context, None, tab=given.tab, theme=given.theme)


def can_open(context: CommandContext) -> bool:
    """Return whether the UI can be shown: a terminal is there, and its packages are installed."""
    is_plain = os.environ.get("TERM", "") in {"", "dumb"}
    # Textual draws on standard error.
    is_shown = is_at_terminal(context) and sys.stderr is not None and sys.stderr.isatty()
    return is_shown and not is_plain and find_spec("textual") is not None


def open_ui(
    context: CommandContext, wish: Review | None, *, tab: str = TABS[0], theme: str | None = None
) -> None:
    """Open the UI, and write the pages afterwards if something was decided.

    Raises:
        NoUiPackagesError: Its packages are not installed.
        UsageError: There is no terminal.
    """
    if find_spec("textual") is None:
        raise NoUiPackagesError
    if not can_open(context):
        raise UsageError(
            problem="The terminal UI needs a terminal, and there is none."
            " 'holdfast review' and 'holdfast list' print the same."
        )
    # What is loaded stays: a search for garbage finds none before the first screen is shown.
    gc.disable()
    from holdfast.surfaces.tui.application import run

    _follow(run(desk_of(context, wish, tab=tab, theme=theme)), context)


def desk_of(context: CommandContext, wish: Review | None, *, tab: str, theme: str | None) -> Desk:
    """Return what the UI needs from this command."""
    return Desk(
        memory=context.holdfast,
        open_memory=lambda: context.machine.open(tokens=context.tokens),
        user=context.user,
        may_decide=Operation.DECIDE in context.principal.may,
        root=partial(_root, context),
        edited=_edited,
        open_at=_open_at,
        worded=worded,
        wish=wish,
        tab=tab,
        is_dark=_is_dark() if theme is None else theme == "dark",
    )


def _root(context: CommandContext) -> Path:
    return context.machine.project.root()


def _edited(text: str) -> str:
    from holdfast.surfaces.cli.editor import edited

    return edited(text)


def _open_at(path: Path, line: int) -> None:
    from holdfast.surfaces.cli.editor import open_at

    open_at(path, line)


def _is_dark() -> bool:
    """Return whether the terminal is dark, as far as the variable COLORFGBG says."""
    background = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    return background not in _LIGHT_BACKGROUNDS


def _follow(done: UiResult, context: CommandContext) -> None:
    """Write what was decided into the pages, and say what was forgotten."""
    if done.decisions:
        words = "1 decision" if done.decisions == 1 else f"{done.decisions:,} decisions"
        context.output.note(f"{words}; 'holdfast undo --list' shows them")
        from holdfast.surfaces.cli.follow_up import follow_up

        follow_up(context)
    if done.forgotten:
        from holdfast.surfaces.cli.forgetting import follow_forgetting, show_forgotten

        show_forgotten(done.forgotten, context)
        follow_forgetting(done.forgotten, context)
