"""Decide whether a value in a password position is a password or a description of one."""

from __future__ import annotations

import re
from functools import cache

from holdfast.domain.gates.likeness import has_shape, is_expression, is_plain_default, is_stand_in

_SHORTEST = 5
_LONGEST = 64
_SHORTEST_NUMBER = 4

# Words that follow `password:` when they describe the password instead of giving it.
_DESCRIPTIONS = (
    "absent accepted actual alphanumeric always any array asked auto automatic base64 basic"
    " bcrypt bearer before blank bool boolean boundary buffer byte bytes callback case changed"
    " char character characters checkbox cleartext column config configured confirm confirmed"
    " correct credential credentials crypt current data deprecated dict digest disabled element"
    " empty enabled encoded encrypt encrypted entered enum environ environment expired expires"
    " expiry expression external false field fields file fixed form format from generate"
    " generated given global hash hashed header ignore ignored immutable include incorrect"
    " inherit input int integer internal invalid kerberos keychain keyring label ldap list"
    " literal local login long manager mandatory manual masked maxlength min minimum minlength"
    " mismatch missing mixed mode mutable name never nil nothing number oauth object oidc omit"
    " only option optional param parameter parser permanent phrase plain plaintext policy"
    " present previous private prompt prompted protected provider public random readonly reader"
    " redacted ref reference refused regex rejected request require required reset result rotate"
    " rotated same saml same-origin schema sealed secretstr securestring see self sensitive"
    " session set setting settings short shown something sso static stdin store stored str"
    " strength string strip strong struct temporary text textarea textbox textfield this"
    " tolerant tooltip trim true tuple type typed unchanged unicode unique unknown unset unused"
    " update updated upper valid validate validated validator value values varchar variable"
    " vault verified verify void weak widget will word wrong yes"
)
_STEMS = (
    "password", "passwd", "passwort", "secret", "token", "credential", "hash", "_pass", "pass_",
    "pwd", "_pw", "phrase", "_key", "prompt", "getpass",
)  # fmt: skip
_STARTS_OF_OTHERS = ("test", "mock", "foobar", "-", "/", "http")


def is_literal(value: str) -> bool:
    """Tell whether a value in a password position is a literal, even if it is an ordinary word.

    Names of variables, types, placeholders and words about passwords are not literals.
    """
    if value.isdigit():
        return len(value) >= _SHORTEST_NUMBER and len(set(value)) > 1
    lowered = value.lower()
    return (
        _SHORTEST <= len(value) <= _LONGEST
        and not is_stand_in(value)
        and not is_expression(value)
        and not lowered.startswith(_STARTS_OF_OTHERS)
        and not has_shape(lowered, "technical")
        and not has_shape(value, "measure", "version")
        and not is_description(lowered)
        and not is_name_of_a_secret(value)
    )


def is_description(lowered: str) -> bool:
    """Tell whether a value describes a password, as `string`, `required|min:8` and `hashed` do."""
    first = re.split(r"[|:(\[<,$]", lowered, maxsplit=1)[0].rstrip("?!;.")
    return first in _descriptions() or is_plain_default(first) or has_shape(first, "technical")


def is_name_of_a_secret(value: str) -> bool:
    """Tell whether the value is itself the name of a password, as in `password=raw_password`."""
    lowered = value.lower()
    return has_shape(value, "name") and any(stem in lowered for stem in _STEMS)


@cache
def _descriptions() -> frozenset[str]:
    return frozenset(_DESCRIPTIONS.split())
