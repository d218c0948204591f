"""Decide whether a value is opaque: unlike any word, name or reference.

An opaque value is a secret if a weak sign stands beside it, such as `login` in a command or a
mention of a password in the same sentence. `Walnut77Tree` and `tr0ub4dor` are opaque; `server12`,
`OAuth2Session` and `KeePass2` are not.

Decide whether a value in a password position is a password or a description of one.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

from holdfast.domain.gates.decoding import decoded_text
from holdfast.domain.gates.likeness import (
    has_shape,
    is_digest,
    is_expression,
    is_named_thing,
    is_plain_default,
    is_stand_in,
    looks_chosen,
    looks_random,
)

_SHORTEST_LITERAL = 5
_LONGEST_LITERAL = 64
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
_STARTS_OF_OTHERS = ("test", "mock", "-", "/", "http")
_IN_MANUALS = re.compile(r"foobar(?:ed|\d{0,3})")


def is_literal(value: str) -> bool:
    """Tell whether a value in a password position is a literal, even if it is an ordinary word.

    Names of variables, types, placeholders and words about passwords are not literals.
    """
    if value.isdigit():
        return len(value) >= _SHORTEST_NUMBER and len(set(value)) > 1
    lowered = value.lower()
    return (
        _SHORTEST_LITERAL <= len(value) <= _LONGEST_LITERAL
        and not is_stand_in(value)
        and not is_expression(value)
        and not lowered.startswith(_STARTS_OF_OTHERS)
        and not _IN_MANUALS.fullmatch(lowered)
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


_SHORTEST, _LONGEST = 7, 128
_FEWEST_KINDS = 3
_SHORTEST_CODE, _LONGEST_CODE = 4, 10
SIGNS = frozenset("!@#$%^&*?~+=")
_TESTS_OF_OTHERS = (is_stand_in, is_expression, is_named_thing)
_PATTERNS = {
    # A digit in the place of a letter; `2` often means "to", as in `ogr2ogr`.
    "leet": r"[a-z][0134578][a-z]|^[A-Za-z][013457][a-z]|[a-z]\d\d[A-Z][a-z]",
    "part": r"[A-Z]?[a-z]+\d*|[A-Z]+\d*",
    # A digit between letters, two digits at the end, or digits in front.
    "digits": r"[A-Za-z](?!2|18|10)\d+[A-Za-z]|\d\d$|^\d+[A-Za-z]|[^\w\s.]\d|\d[^\w\s.]"
    r"|^[a-z].*[a-z][A-Z]",
    "host or path": r"[\w-]+(?:\.[\w-]+)+(?::\d+)?|.*[/\\(){}\[\]<>|].*|.*%2[0-9A-F].*|.*\w=[\w-].*"
    r"|.*[&?]\w+=.*|[\w.-]+:\d+|.*\.\w{2,5}#.*",
    # Product names, ticket and serial numbers: upper case only, a word and numbers.
    "label": r"[a-z]+2[a-z]+|[A-Za-z]{1,4}\d{3,}(?:[-_.:]\d+)+"
    r"|[A-Z]\w*\d[A-Z]|-.*|.*#(?:section|guid).*|[+~_*].*"
    r"|\$\w{1,8}\$.*|[a-z]{2}-[a-z]+-\d_.*"
    r"|[A-Z]{2}[0-9a-f]{32}"
    r"|[A-Za-z]+(?:[-+](?:[A-Za-z]+|\d+))+|[A-Za-z]+[45]0\d|[0-9a-z]{4}(?:-[0-9a-z]{4}){2}"
    r"|[A-Z]{2,12}[-_]?\d+[A-Z]?|[A-Z]+(?:_[A-Z0-9]+)+|[a-z]+(?:_[a-z0-9]+)+|[a-z]+[-_ ]?\d{1,2}"
    r"|[A-Z][a-z]+[-_ ]?\d(?:\.\d+)*|[a-z]+-\d+",
    "seed": r"(?:[A-Z2-7]{4}[ -]?){4,16}[A-Z2-7]{0,4}=*|(?:[a-z2-7]{4} ){3,15}[a-z2-7]{4}",
}
_STEMS_OF_NAMES = ("password", "passwd", "token", "secret")
_PARTS_OF_NAMES = frozenset({"hash", "auth", "login", "user", "key", "id", "test", "cookie"})


def is_told(value: str) -> bool:
    """Tell whether a value looks random or chosen by a person."""
    is_secret = looks_random(value) or is_digest(value) or looks_chosen(value)
    return is_secret and not any(is_other(value) for is_other in _TESTS_OF_OTHERS)


def is_drawn(value: str) -> bool:
    """Tell whether a value looks random."""
    is_secret = looks_random(value) or is_digest(value)
    return is_secret and not any(is_other(value) for is_other in _TESTS_OF_OTHERS)


def is_opaque(value: str) -> bool:
    """Tell whether the value is unlike any word, name or reference."""
    if not _SHORTEST <= len(value) <= _LONGEST or not any(map(str.isalpha, value)):
        return False
    if any(is_other(value) for is_other in _TESTS_OF_OTHERS) or _is_name(value):
        return False
    if has_shape(value, "digest", "uuid", "ulid", "measure", "version", "resource", "sum"):
        return False
    if (decoded_text(value) or "").isalpha():  # a word in base64, used as an example of base64
        return False
    return looks_random(value) or _mixes_kinds(value)


def is_unlike_a_name(value: str) -> bool:
    """Tell whether a value is unlike even a product name or a person's name (`Safari16` is one)."""
    if looks_random(value) or not SIGNS.isdisjoint(value[1:]):
        return True
    return _compiled("leet").search(value) is not None or (
        value[0].islower() and has_inner_capital(value)
    )


def is_number_or_opaque(value: str) -> bool:
    """Tell whether a value is a numeric code, or opaque."""
    if value.rstrip("#*").replace("-", "").isdigit():
        return _SHORTEST_CODE <= len(value) <= _LONGEST_CODE
    return is_told(value) and not _is_name(value)


def is_word_or_told(value: str) -> bool:
    """Tell whether a value is a word in mixed case, or looks chosen or random."""
    return is_told(value) or (is_literal(value) and has_inner_capital(value))


def has_inner_capital(value: str) -> bool:
    """Tell whether a capital follows a small letter, as in `gooseFeather`."""
    return any(first.islower() and second.isupper() for first, second in pairwise(value))


def is_seed(value: str) -> bool:
    """Tell whether a value is a base32 seed for one-time passwords."""
    return _compiled("seed").fullmatch(value) is not None and not is_stand_in(value)


def is_anything(_value: str) -> bool:
    """Accept every value, because the position alone proves the secret."""
    return True


def _is_name(value: str) -> bool:
    if _compiled("host or path").fullmatch(value) or _compiled("label").fullmatch(value):
        return True
    lowered = value.lower()
    if any(stem in lowered for stem in _STEMS_OF_NAMES):
        return True
    parts = _compiled("part").findall(value)
    return any(
        part.lower().rstrip("0123456789") in _PARTS_OF_NAMES or has_shape(part.lower(), "technical")
        for part in parts
    )


def _mixes_kinds(value: str) -> bool:
    kinds = (
        any(map(str.islower, value))
        + any(map(str.isupper, value))
        + any(map(str.isdigit, value))
        + (not SIGNS.isdisjoint(value))
    )
    has_digits = _compiled("digits").search(value) is not None
    is_leet = value.isalnum() and _compiled("leet").search(value) is not None
    return (kinds >= _FEWEST_KINDS or is_leet) and (has_digits or not SIGNS.isdisjoint(value))


@cache
def _compiled(name: str) -> re.Pattern[str]:
    return re.compile(_PATTERNS[name], re.ASCII | re.DOTALL)
