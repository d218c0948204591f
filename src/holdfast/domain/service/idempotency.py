"""The key with which a client repeats a request that is to be carried out once."""

from __future__ import annotations

from hashlib import sha256

from holdfast.domain.errors import BadFieldError
from holdfast.domain.gates.secrets import find_secrets

_LONGEST = 200
_BAD = f"takes 1 to {_LONGEST} visible characters."


def read_key(text: str, *, field: str = "idempotency key") -> str:
    """Return an idempotency key as it is stored with the answer.

    A secret in it is not stored: its hash names the answer as well.

    Raises:
        BadFieldError: It is blank, too long, or not visible text.
    """
    is_visible = text.isascii() and text.isprintable() and text.strip() == text
    if not is_visible or not 0 < len(text) <= _LONGEST:
        raise BadFieldError(field=field, problem=_BAD)
    return sha256(text.encode()).hexdigest() if find_secrets(text) else text
