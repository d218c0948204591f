"""Commands that the program suggests: they name the store that the command itself was given."""

from __future__ import annotations

import re
import shlex
from functools import cache
from typing import TYPE_CHECKING

from holdfast.domain.database_errors import without_password
from holdfast.surfaces.cli.index import INDEX

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

_CHOOSING = {
    "home": "--home",
    "space": "--space",
    "server": "--store",
    "tenant": "--tenant",
    "folder": "-C",
}
"""The options that choose a store or a folder, by their names after parsing."""
_QUOTED = re.compile(r"'(holdfast [^'\n]+)'")
_QUOTES = re.compile(r"['`]")
_ABOUT_SERVERS = "remote"
"""The verb that lists and changes remotes; a remote is no store of it."""
_OF_SERVERS = ("--store", "--tenant")


def chosen_store(given: Namespace) -> tuple[str, ...]:
    """Return the options of a command that chose its store and folder, without a password."""
    named = [(option, getattr(given, name, None)) for name, option in _CHOOSING.items()]
    words = [(option, without_password(str(value))) for option, value in named if value]
    return tuple(map(shlex.join, words))


def pasteable(text: str, chosen: Sequence[str]) -> str:
    """Return a text whose commands have these options too, in the same style.

    A text that is a command may end with somebody's words, which stay.
    """
    if "holdfast " not in text or " ".join(chosen) in text:
        return text
    most = 1 if text.startswith("holdfast ") else 0
    if not most and any("'" in one for one in chosen):
        # An option in quotes would end a quotation, so its command stands in backticks.
        text = type(text)(_QUOTED.sub(r"`\1`", text))
    return type(text)(_commands().sub(lambda found: _chosen_before(found, chosen), text, most))


def _chosen_before(found: re.Match[str], chosen: Sequence[str]) -> str:
    """Return the start of a command with the options that it does not choose itself."""
    verb, rest = found[1], _QUOTES.split(found.string[found.end() :], maxsplit=1)[0]
    is_any = verb != _ABOUT_SERVERS
    options = [one for one in chosen if is_any or not one.startswith(_OF_SERVERS)]
    options = [one for one in options if f" {one.partition(' ')[0]} " not in rest]
    return " ".join(["holdfast", *options, verb])


@cache
def _commands() -> re.Pattern[str]:
    """Return the pattern of the program's name before one of its verbs."""
    verbs = "|".join(sorted({name.split()[0] for name in INDEX}))
    return re.compile(rf"(?<![\w./-])holdfast ({verbs})(?![\w-])")
