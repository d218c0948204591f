"""Screening: checks that any text must pass before a byte of it is written anywhere."""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from holdfast.domain.errors import (
    BadFieldError,
    SecretRefusedError,
    TooLargeError,
    UnstorableTextError,
)
from holdfast.domain.gates.hidden import make_visible, storable_problem
from holdfast.domain.gates.secrets import find_secrets, redact
from holdfast.domain.memory.memory import LONGEST_CLAIM
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from holdfast.domain.gates.hidden import Removed

_DEEPEST = 16


class SecretPolicy(StrEnum):
    """What to do with a text that contains a secret."""

    REFUSE = "refuse"
    REDACT = "redact"
    ALLOW = "allow"

    @property
    def for_names(self) -> SecretPolicy:
        """The policy for names: redacting would destroy a name, so a secret in it is refused."""
        return self if self is SecretPolicy.ALLOW else SecretPolicy.REFUSE


@dataclass(frozen=True, slots=True, kw_only=True)
class Screened:
    """Text that may be stored, and what was removed from it."""

    text: str
    removed: tuple[Removed, ...] = ()
    redacted: tuple[str, ...] = ()


def screen(text: str, *, what: str, secrets: SecretPolicy = SecretPolicy.REFUSE) -> Screened:
    """Return the text as it may be stored.

    Raises:
        UnstorableTextError: It contains a NUL or half a surrogate pair.
        TooLargeError: It is larger than any text that may be stored.
        SecretRefusedError: It contains a secret, and secrets are refused.
    """
    if problem := storable_problem(text):
        raise UnstorableTextError(what=what, problem=problem)
    size = len(text.encode("utf-8"))
    if size > LONGEST_CLAIM:
        raise TooLargeError(what=what, size=size, cap=LONGEST_CLAIM)
    visible = make_visible(text)
    if secrets is SecretPolicy.ALLOW:
        return Screened(text=visible.text, removed=visible.removed)
    found = find_secrets(visible.text)
    if not found:
        return Screened(text=visible.text, removed=visible.removed)
    if secrets is SecretPolicy.REFUSE:
        raise SecretRefusedError(
            f"{secret.rule} ({secret.masked}) in the {what}" for secret in found
        )
    return Screened(
        text=redact(visible.text, found),
        removed=visible.removed,
        redacted=tuple(secret.rule for secret in found),
    )


@lru_cache(maxsize=32)
def screened(text: str, *, what: str, secrets: SecretPolicy = SecretPolicy.REFUSE) -> str:
    """Return only the screened text, for fields that report nothing else.

    The result is cached, because a batch repeats the same source and statement a thousand times.
    """
    return screen(text, what=what, secrets=secrets).text


def screened_values(
    value: object, *, what: str, secrets: SecretPolicy, name: str = "", depth: int = 0
) -> object:
    """Return free-form values with every text in them screened, each together with its name.

    A password alone is not recognisable; under the name ``password`` it is.

    Raises:
        BadFieldError: They contain something that is not JSON, or are nested too deeply.
    """
    if depth > _DEEPEST:
        raise BadFieldError(field=what, problem=f"is nested more than {_DEEPEST} deep.")
    match value:
        case str():
            return _beside(name, value, what=what, secrets=secrets)
        case Mapping():
            return {
                screened(_text(key, what), what=what, secrets=secrets.for_names): screened_values(
                    item, what=what, secrets=secrets, name=_text(key, what), depth=depth + 1
                )
                for key, item in value.items()
            }
        case list() | tuple():
            return [
                screened_values(item, what=what, secrets=secrets, name=name, depth=depth + 1)
                for item in value
            ]
        case bool() | int() | None:
            return value
        case float() if math.isfinite(value):
            return value
        case _:
            raise BadFieldError(field=what, problem=f"holds {value!r:.40}, which is not JSON.")


def _text(key: object, what: str) -> str:
    if not isinstance(key, str):
        raise BadFieldError(field=what, problem=f"has the name {key!r:.40}, which is not text.")
    return key


def _beside(name: str, value: str, *, what: str, secrets: SecretPolicy) -> str:
    """Screen a value alone, then together with its name."""
    alone = screened(value, what=what, secrets=secrets)
    named = screen(f"{name}: {alone}", what=what, secrets=secrets)
    return named.text.removeprefix(f"{name}: ") if named.redacted else alone
