"""Parsers for the values of options; each has its own message for an invalid value.

Errors of the command line only: unknown words, unusable files.
"""

from __future__ import annotations

from argparse import Action, ArgumentError
from errno import EACCES, EISDIR, ELOOP, ENAMETOOLONG, ENOTDIR
from os import strerror
from typing import TYPE_CHECKING

from holdfast.domain.choices import Kind, Origin, Scope, Status, choose
from holdfast.domain.errors import (
    BadFieldError,
    InvalidError,
    NotFoundError,
    UnavailableError,
    UnknownChoiceError,
)

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime


_USUAL_KINDS = "fact, gotcha, decision, rule, plan"


def kind(word: str) -> Kind:
    """Read a kind of memory; there are many, so the error names the usual ones only."""
    known = [one.value for one in Kind]
    if word in known:
        return Kind(word)
    near = closest(word, known)
    meant = f"did you mean '{near}'?" if near else f"choose one of: {_USUAL_KINDS}."
    advised = f"{meant} 'holdfast help remember' lists all {len(known)}."
    raise UnknownChoiceError(what="kind", value=word, choices=known, advised=advised)


def scope(word: str) -> Scope:
    """Read a scope."""
    return choose(Scope, word, what="scope")


def status(word: str) -> Status:
    """Read a status."""
    if word == "all":
        known = [one.value for one in Status]
        advised = f"repeat --status for several of: {', '.join(known)}."
        raise UnknownChoiceError(what="status", value=word, choices=known, advised=advised)
    return choose(Status, word, what="status")


def origin(word: str) -> Origin:
    """Read an origin."""
    return choose(Origin, word, what="origin")


def whole(field: str) -> Callable[[str], int]:
    """Return a parser of whole numbers whose message names the field."""

    def read(word: str) -> int:
        try:
            return int(word)
        except ValueError:
            problem = f"must be a whole number, not '{word[:40]}'."
            raise BadFieldError(field=f"value of --{field}", problem=problem) from None

    return read


def number(field: str) -> Callable[[str], float]:
    """Return a parser of numbers whose message names the field."""

    def read(word: str) -> float:
        try:
            return float(word)
        except ValueError:
            problem = f"must be a number, not '{word[:40]}'."
            raise BadFieldError(field=f"value of --{field}", problem=problem) from None

    return read


def since(word: str | None, now: Callable[[], datetime]) -> datetime | None:
    """Read a day, a time or a duration before now, as in ``2026-01-31`` or ``14d``."""
    from datetime import UTC, datetime

    from holdfast.domain.memory.lifetime import read_lifetime

    if word is None:
        return None
    try:
        read = datetime.fromisoformat(word)
        return read if read.tzinfo else read.replace(tzinfo=UTC)
    except ValueError:
        pass
    try:
        ago = read_lifetime(word)
    except InvalidError:
        ago = None
    if ago is None:
        raise BadFieldError(field="date", problem=f"'{word[:40]}' must be like 2026-01-31 or 14d.")
    return now() - ago


def parts(text: str) -> tuple[str, ...]:
    """Read ``memory,code``."""
    return tuple(part for part in (word.strip() for word in text.split(",")) if part)


def pair(text: str) -> tuple[str, str]:
    """Read ``name=value``."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise BadFieldError(field="metadata", problem=f"'{text[:40]}' must be like name=value.")
    return name.strip(), value


def once(pairs: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Return the values by their names; a name that is given twice is refused."""
    found: dict[str, str] = {}
    for name, value in pairs:
        if name in found:
            raise BadFieldError(field="metadata", problem=f"'{name[:40]}' is given twice.")
        found[name] = value
    return found


class GivenOnce(Action):
    """An option whose words would be lost if a second value replaced the first."""

    def __call__(
        self,
        parser: ArgumentParser,
        namespace: Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        """Store the value, or refuse a second one."""
        del parser, option_string
        if getattr(namespace, self.dest) is not None:
            raise ArgumentError(self, "it is given twice; write all of it in one value")
        setattr(namespace, self.dest, values)


def yes_or_no(word: str) -> bool:
    """Read ``yes`` or ``no``."""
    match word.lower():
        case "yes" | "true" | "1":
            return True
        case "no" | "false" | "0":
            return False
        case _:
            raise BadFieldError(field="answer", problem=f"'{word[:40]}' must be yes or no.")


class UsageError(InvalidError, code="usage"):
    """The command has wrong or missing words or options."""

    def __init__(self, *, problem: str) -> None:
        super().__init__(problem)


class EndlessInputError(InvalidError, code="endless-input"):
    """Standard input is larger than the limit."""

    def __init__(self, *, what: str, most: int) -> None:
        super().__init__(
            f"The {what} on standard input has more than {most:,} bytes. Nothing was changed;"
            " pass a smaller part of it.",
            what=what,
            most=most,
        )


class MissingFileError(NotFoundError, code="missing-file"):
    """A file or folder does not exist."""

    def __init__(self, path: str, *, noun: str = "file") -> None:
        super().__init__(f"There is no {noun} {path}.", noun=noun, path=path)


_HELPS = {
    strerror(ENAMETOOLONG): " Choose a shorter name.",
    strerror(ENOTDIR): " A part of the path before the last is a file; name a folder there.",
    strerror(ELOOP): " A link on the way leads back to itself; name the file itself.",
    strerror(EISDIR): " Name a file in it.",
    strerror(EACCES): " Name a place that you may use, or change its permissions.",
}
"""What to do, by what the system says about a path."""


class UnusableFileError(UnavailableError, code="unusable-file"):
    """A file cannot be read or written."""

    def __init__(self, *, path: str, problem: str | None, done: str = "used") -> None:
        helps = _HELPS.get(problem or "", "")
        super().__init__(
            f"{path} cannot be {done}: {problem or 'the system does not say why'}.{helps}",
            path=path,
            problem=problem,
        )


_ALIKE = 0.75


def closest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that is most similar to this one, if any is.

    The dashes of options are equal in all of them, and would make them look similar.
    """
    from difflib import get_close_matches

    ends = {one.lstrip("-"): one for one in known}
    near = get_close_matches(word[:80].lstrip("-"), list(ends), n=1, cutoff=_ALIKE)
    return ends[near[0]] if near else None
