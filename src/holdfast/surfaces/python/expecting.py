"""Type checks for the arguments of the Python API; an error names the wrong argument."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from typing import NamedTuple

from holdfast.domain.errors import BadFieldError, InvalidError
from holdfast.domain.memory.evidence import Evidence

_LONGEST_QUOTE = 40


class WrongTypeError(InvalidError, TypeError, code="wrong-type"):
    """An argument has another type than the one that is expected."""

    def __init__(self, *, verb: str, name: str, expected: str, value: object) -> None:
        super().__init__(
            f"{verb}: {name} must be {expected}; it is {_said(value)}.",
            verb=verb,
            name=name,
            expected=expected,
        )


class Expected(NamedTuple):
    """A description of a type for messages, and the check for it."""

    words: str
    fits: Callable[[object], bool]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_several(value: object, kinds: type | tuple[type, ...] = str) -> bool:
    """Return whether it is one text, or a collection of these kinds that can be read twice."""
    if isinstance(value, str):
        return True
    if not isinstance(value, list | tuple | set | frozenset):
        return False
    return all(isinstance(item, kinds) for item in value)


TEXT = Expected("text", lambda value: isinstance(value, str))
WHOLE = Expected(
    "a whole number", lambda value: isinstance(value, int) and not isinstance(value, bool)
)
NUMBER = Expected("a number", _is_number)
TRUTH = Expected("True or False", lambda value: isinstance(value, bool))
TEXTS = Expected("a text or a list of texts", _is_several)
EVIDENCE = Expected(
    "a list of places as text ('src/app.py:3-9') or of evidence (url(…), command(…))",
    lambda value: isinstance(value, Evidence) or _is_several(value, (str, Evidence)),
)
LIFETIME = Expected(
    "a text such as '30d', or a timedelta", lambda value: isinstance(value, str | timedelta)
)
FACTS = Expected("a dictionary", lambda value: isinstance(value, Mapping))
PLACE = Expected("a path", lambda value: isinstance(value, str | os.PathLike))

OPTIONS: dict[str, Expected] = {
    **dict.fromkeys(("kind", "scope", "key", "label", "because", "from_bundle", "origin"), TEXT),
    **dict.fromkeys(("source", "as_of"), TEXT),
    **dict.fromkeys(("tags", "derived_from", "include", "kinds", "scopes"), TEXTS),
    **dict.fromkeys(("budget", "limit"), WHOLE),
    **dict.fromkeys(("importance", "weight"), NUMBER),
    **dict.fromkeys(("pinned", "all_branches"), TRUTH),
    "evidence": EVIDENCE,
    "ttl": LIFETIME,
    "metadata": FACTS,
}
"""The type of each option of ``remember`` and ``recall``; None means not given."""


def expect(verb: str, expected: Expected, **values: object) -> None:
    """Refuse values of another type; the error names the value.

    Raises:
        WrongTypeError: One has another type.
    """
    for name, value in values.items():
        if not expected.fits(value):
            raise WrongTypeError(verb=verb, name=name, expected=expected.words, value=value)


def expect_options(verb: str, options: Mapping[str, object], known: type) -> None:
    """Refuse a misspelt option as Python does, and an option of another type.

    Raises:
        TypeError: There is no such option.
        WrongTypeError: One has another type.
    """
    for name, value in options.items():
        if name not in known.__annotations__:
            message = f"there is no option '{name}'; there are: {', '.join(known.__annotations__)}"
            raise TypeError(message)
        if value is not None:
            expect(verb, OPTIONS[name], **{name: value})


def expect_claims(claims: object) -> list[str]:
    """Return several claims; refuse a single text, which would be split into its letters.

    Raises:
        WrongTypeError: They are not several texts.
    """
    if isinstance(claims, Iterable) and not isinstance(claims, str | bytes | Mapping):
        read = list(claims)
        if all(isinstance(claim, str) for claim in read):
            return read
        claims = next(claim for claim in read if not isinstance(claim, str))
    raise WrongTypeError(
        verb="remember_all", name="claims", expected="several texts, as a list", value=claims
    )


def expect_question(text: object) -> None:
    """Refuse a blank question.

    Raises:
        WrongTypeError: It is not text.
        BadFieldError: It is blank.
    """
    expect("recall", TEXT, question=text)
    if not str(text).strip():
        raise BadFieldError(field="question", problem="is blank; say what you want to know.")


def _said(value: object) -> str:
    """Return a value as a message shows it; only short values are quoted."""
    if value is None or isinstance(value, bool):
        return str(value)
    quoted = repr(value) if isinstance(value, str | int | float) else ""
    short = f" {quoted}" if 0 < len(quoted) <= _LONGEST_QUOTE else ""
    return f"{type(value).__name__}{short}"
