"""The named commands that a person allowed the executor to run."""

from __future__ import annotations

import re

from holdfast.domain.errors import BadFieldError
from holdfast.domain.values import dataclass

_LONGEST_NAME, _LONGEST_COMMAND = 40, 2_000
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class AllowedCommand:
    """A named command that a person allowed; ``refusal`` says why it does not run now.

    ``files`` are the scripts that its text names: another content needs another permission.
    """

    command: str
    files: tuple[str, ...] = ()
    refusal: str = ""


def check_command_name(name: str) -> None:
    """Return if a command can have this name.

    Raises:
        BadFieldError: It cannot.
    """
    if not _NAME.fullmatch(name) or len(name) > _LONGEST_NAME:
        problem = (
            f"must be a word of letters, digits, - and _, {_LONGEST_NAME} at most, and begin with"
            " a letter or a digit."
        )
        raise BadFieldError(field="name of a command", problem=problem)


def check_command(command: str) -> None:
    """Return if a text can be a command.

    Raises:
        BadFieldError: It is blank, too long, has several lines, or has hidden characters.
    """
    if not command.strip() or len(command) > _LONGEST_COMMAND or not command.isprintable():
        problem = (
            f"must be one line of {_LONGEST_COMMAND:,} characters at most, all of them visible."
        )
        raise BadFieldError(field="command", problem=problem)
