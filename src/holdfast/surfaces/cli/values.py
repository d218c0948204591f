"""Parsers for the values of options; each has its own message for an invalid value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Kind, Origin, Scope, Status, choose
from holdfast.domain.errors import BadFieldError

if TYPE_CHECKING:
    from collections.abc import Callable


def kind(word: str) -> Kind:
    """Read a kind of memory."""
    return choose(Kind, word, what="kind")


def scope(word: str) -> Scope:
    """Read a scope."""
    return choose(Scope, word, what="scope")


def status(word: str) -> Status:
    """Read a status."""
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


def parts(text: str) -> tuple[str, ...]:
    """Read ``memory,code``."""
    return tuple(part for part in (word.strip() for word in text.split(",")) if part)


def pair(text: str) -> tuple[str, str]:
    """Read ``name=value``."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise BadFieldError(field="metadata", problem=f"'{text[:40]}' must be like name=value.")
    return name.strip(), value


def yes_or_no(word: str) -> bool:
    """Read ``yes`` or ``no``."""
    match word.lower():
        case "yes" | "true" | "1":
            return True
        case "no" | "false" | "0":
            return False
        case _:
            raise BadFieldError(field="answer", problem=f"'{word[:40]}' must be yes or no.")
