"""--watch and --every: repeat a command at an interval."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from holdfast.domain.errors import BadFieldError
from holdfast.surfaces.cli import values
from holdfast.surfaces.cli.refusals import UsageError

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.surfaces.cli.command import Command

_EVERY_SECONDS = 1.0
_SHORTEST_SECONDS, _LONGEST_SECONDS = 0.1, 86_400.0


def add_watching(command: Command, *, goes_on: str) -> None:
    """Add the options to a verb; ``goes_on`` describes what it does while it watches."""
    add = command.add_argument
    add("--watch", action="store_true", help=goes_on)
    add("--every", type=values.number("every"), metavar="SECONDS",
        help="with --watch: seconds between checks (1)")  # fmt: skip


def pause_between(given: Namespace) -> float:
    """Return the seconds between two rounds.

    Raises:
        UsageError: --every was given without --watch.
        BadFieldError: The interval is too short or too long.
    """
    if given.every is None:
        return _EVERY_SECONDS
    if not given.watch:
        raise UsageError(problem="--every goes with --watch.")
    every: float = given.every
    if not isfinite(every) or not _SHORTEST_SECONDS <= every <= _LONGEST_SECONDS:
        raise BadFieldError(
            field="every",
            problem=f"must be between {_SHORTEST_SECONDS} and {_LONGEST_SECONDS:,.0f} seconds.",
        )
    return every
