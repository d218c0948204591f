"""A setting, and the checks of values that many settings share."""

from __future__ import annotations

from collections.abc import Callable

from holdfast.domain.values import dataclass

_MOST_DIGITS = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting: its default, its meaning, and its valid values."""

    name: str
    default: str
    meaning: str
    accepts: Callable[[str], bool]
    takes: str
    has_variable: bool = True
    """Whether its variable of the environment sets it, or the settings file alone."""


def one_of(*choices: str) -> Callable[[str], bool]:
    """Return a check for one of some words."""
    return lambda value: value in choices


def whole(least: int, most: int) -> Callable[[str], bool]:
    """Return a check for a whole number of a range."""
    return lambda value: (
        value.isascii()
        and value.isdigit()
        and len(value) <= _MOST_DIGITS
        and least <= int(value) <= most
    )


def is_name(value: str) -> bool:
    """Tell whether a value is a name."""
    return value.isprintable() and 0 < len(value.strip()) <= 100  # noqa: PLR2004 - a name, not a text


def is_model_name(value: str) -> bool:
    """Tell whether a value is a model's or a plug-in's name."""
    return value.isascii() and value.replace("-", "a").replace(".", "a").replace("_", "a").isalnum()


def is_url(value: str) -> bool:
    """Tell whether a value is an address on the network."""
    return value.startswith(("https://", "http://")) and " " not in value


def is_variable(value: str) -> bool:
    """Tell whether a value is the name of a variable."""
    return value.isascii() and value.isidentifier()
