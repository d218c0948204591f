"""Screening: checks that any text must pass before a byte of it is written anywhere.

Surroundings without secrets in names: the branch, the workspace, and the symbol of a span.

Nobody types these names when something is remembered, so a secret in one is not refused but
replaced with a note. The same name always becomes the same text, so that stored records are found
again.

Scrub: leave no byte of what was forgotten in the files of the store, where it has files.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from holdfast.domain.errors import (
    BadFieldError,
    SecretRefusedError,
    TooLargeError,
    UnavailableError,
    UnstorableTextError,
)
from holdfast.domain.gates.hidden import make_visible, storable_problem
from holdfast.domain.gates.secrets import find_secrets, redact
from holdfast.domain.memory.decision import RESERVED
from holdfast.domain.memory.entry import canonical_json
from holdfast.domain.memory.memory import LONGEST_CLAIM
from holdfast.domain.review.curation import Ability
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.gates.hidden import Removed
    from holdfast.ports.store.store import Store

_DEEPEST = 16
_WHEN = "when"
_LARGEST_METADATA = 16 * 1024
_LONGEST_CACHED = 200


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


def screen(
    text: str,
    *,
    what: str,
    secrets: SecretPolicy = SecretPolicy.REFUSE,
    cap: int = LONGEST_CLAIM,
) -> Screened:
    """Return the text as it may be stored; ``cap`` is how many bytes it may have.

    Raises:
        UnstorableTextError: It contains a NUL or half a surrogate pair.
        TooLargeError: It is larger than any text that may be stored.
        SecretRefusedError: It contains a secret, and secrets are refused.
    """
    if problem := storable_problem(text):
        raise UnstorableTextError(what=what, problem=problem)
    size = len(text.encode("utf-8"))
    if size > cap:
        raise TooLargeError(what=what, size=size, cap=cap)
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
def screened(
    text: str,
    *,
    what: str,
    secrets: SecretPolicy = SecretPolicy.REFUSE,
    cap: int = LONGEST_CLAIM,
) -> str:
    """Return only the screened text, for fields that report nothing else.

    The result is cached, because a batch repeats the same source and statement a thousand times.
    """
    return screen(text, what=what, secrets=secrets, cap=cap).text


def screened_values(
    value: object,
    *,
    what: str,
    secrets: SecretPolicy,
    name: str = "",
    depth: int = 0,
    cap: int = LONGEST_CLAIM,
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
            return _beside(name, value, what=what, secrets=secrets, cap=cap)
        case Mapping():
            return {
                screened(_text(key, what), what=what, secrets=secrets.for_names): screened_values(
                    item,
                    what=what,
                    secrets=secrets,
                    name=_text(key, what),
                    depth=depth + 1,
                    cap=cap,
                )
                for key, item in value.items()
            }
        case list() | tuple():
            return [
                screened_values(
                    item, what=what, secrets=secrets, name=name, depth=depth + 1, cap=cap
                )
                for item in value
            ]
        case bool() | int() | None:
            return value
        case float() if math.isfinite(value):
            return value
        case _:
            raise BadFieldError(field=what, problem=f"holds {value!r:.40}, which is not JSON.")


def clean_metadata(
    metadata: Mapping[str, object], *, secrets: SecretPolicy
) -> Mapping[str, object]:
    """Return the metadata of a memory with every text in it screened.

    Raises:
        BadFieldError: It is no JSON, is too large, uses a name of Holdfast's, or has a path in
            ``when`` that can never match.
        SecretRefusedError: It contains a secret, and secrets are refused.
    """
    for name in metadata:
        if str(name).startswith(RESERVED):
            raise BadFieldError(field="metadata", problem=f"'{name[:40]}' is a name of Holdfast's.")
    clean = screened_values(dict(metadata), what="metadata", secrets=secrets)
    if len(canonical_json(clean).encode("utf-8")) > _LARGEST_METADATA:
        raise BadFieldError(field="metadata", problem="is over 16 KiB.")
    checked = cast("Mapping[str, object]", clean)
    if any(name.startswith(_WHEN) for name in checked):
        from holdfast.domain.sessions.alerting import check_when

        check_when(checked)
    return checked


def screened_checks(
    texts: Sequence[str], *, secrets: SecretPolicy = SecretPolicy.REFUSE
) -> tuple[str, ...]:
    """Return the checks of a memory as they may be stored: each screened and readable.

    Raises:
        BadFieldError: One of them is no check, or they are too many.
        SecretRefusedError: One contains a secret; a check cannot be redacted.
    """
    if not texts:
        return ()
    from holdfast.domain.checks.check import read_checks

    return read_checks([screened(one, what="check", secrets=secrets.for_names) for one in texts])


def _text(key: object, what: str) -> str:
    if not isinstance(key, str):
        raise BadFieldError(field=what, problem=f"has the name {key!r:.40}, which is not text.")
    return key


def _beside(name: str, value: str, *, what: str, secrets: SecretPolicy, cap: int) -> str:
    """Screen a value alone, then together with its name.

    The results of short values are cached, because the lines of an import repeat states, kinds and
    names.
    """
    screen_it = _screened_beside if len(value) > _LONGEST_CACHED else _cached_beside
    return screen_it(name, value, what=what, secrets=secrets, cap=cap)


def _screened_beside(name: str, value: str, *, what: str, secrets: SecretPolicy, cap: int) -> str:
    alone = screened(value, what=what, secrets=secrets, cap=cap)
    before = f"{name}: "
    # The notes in place of secrets and the name make it longer; neither counts.
    room = len(alone.encode("utf-8")) + len(before.encode("utf-8"))
    named = screen(before + alone, what=what, secrets=secrets, cap=room)
    return named.text.removeprefix(f"{name}: ") if named.redacted else alone


_cached_beside = lru_cache(maxsize=128)(_screened_beside)

_NOT_OURS = (
    "this store keeps its files elsewhere, and they may hold the text until they are cleaned;"
    " ask its operator"
)


def scrubbed(store: Store) -> str:
    """Scrub the store; return why bytes of what was forgotten may still be there, or nothing."""
    upkeep = store.upkeep
    if Ability.SCRUB not in upkeep.abilities:
        return _NOT_OURS
    try:
        upkeep.scrub()
    except UnavailableError as error:
        return str(error)
    return ""
