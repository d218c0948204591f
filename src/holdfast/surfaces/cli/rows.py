"""Row numbers: `holdfast approve 2` decides about the second row of the last list.

A list numbers its rows on a terminal and records their ids. The next command in the same terminal
reads a number as the id of that row, and approves a candidate only as it was shown.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from holdfast.surfaces.cli.values import UsageError

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable

    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext

_NAMES = frozenset({"ID", "TASK", "SRC", "DST", "OTHER"})
"""How the arguments that name a memory or a task are called in help."""
_MOST_DIGITS = 4
_CHANGES_NOTHING = frozenset({"show", "explain", "related", "verify", "review"})


def keep_rows(context: CommandContext, names: Iterable[str]) -> None:
    """Record the ids of a list that a person sees on a terminal."""
    keep_shown_rows(context, ((name, "") for name in names))


def keep_shown_rows(context: CommandContext, rows: Iterable[tuple[str, str]]) -> None:
    """Record the ids of a list with the hashes of what is shown."""
    if context.output.is_terminal and not context.output.as_json:
        context.machine.beside_store.note_rows(_terminal(), [*rows])


def read_numbers(command: Command, given: Namespace, context: CommandContext) -> None:
    """Replace the row numbers among the arguments by ids.

    Raises:
        UsageError: The last list in this terminal has no such row, or there was no list.
    """
    given.rows_shown = {}
    for action in command.every_action():
        if action.metavar not in _NAMES:
            continue
        value = getattr(given, action.dest)
        words = value if isinstance(value, list) else [value]
        ids = [_id(word, given, context) if isinstance(word, str) else word for word in words]
        if ids == words and action.metavar != "TASK" and command.verb not in _CHANGES_NOTHING:
            _refuse_numbers(words)
        setattr(given, action.dest, ids if isinstance(value, list) else ids[0])


def _refuse_numbers(words: Iterable[object]) -> None:
    """Refuse a number without a list: an agent may have proposed a memory with this key."""
    for word in words:
        if isinstance(word, str) and _is_number(word):
            raise UsageError(
                problem=f"{word} is the number of a row, but no list was shown in this terminal."
                " Give the id instead."
            )


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= _MOST_DIGITS


def _id(word: str, given: Namespace, context: CommandContext) -> str:
    if not _is_number(word):
        return word
    rows = context.machine.beside_store.rows(_terminal())
    if not rows:
        return word
    if not 1 <= int(word) <= len(rows):
        many = f"{len(rows)} row{'s' if len(rows) != 1 else ''}"
        raise UsageError(
            problem=f"There is no row {word}: the last list in this terminal had {many}."
        )
    name, shown = rows[int(word) - 1]
    if shown:
        given.rows_shown[name] = shown
    return name


def _terminal() -> str:
    """Return a name of the terminal that is the same for every command in it."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if stream is not None and stream.isatty():
            return f"{os.getsid(0)} {os.ttyname(stream.fileno())}"
    return str(os.getsid(0))
