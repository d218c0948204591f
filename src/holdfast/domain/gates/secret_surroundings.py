"""Secrets recognised by their surroundings: in a URL, in a header, or random among words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from holdfast.domain.gates.decoding import decoded_bytes, decoded_text
from holdfast.domain.gates.likeness import (
    entropy,
    has_shape,
    is_expression,
    is_named_thing,
    is_stand_in,
    looks_random,
)
from holdfast.domain.gates.opaque import is_name_of_a_secret

_SHORTEST_LONE = 36
_LEAST_LONE_ENTROPY = 4.2
_LOOK_BACK = 60
_LOOK_BACK_CLOSE = 14
_LOOK_BACK_IN_ADDRESS = 300
_LOOK_BACK_IN_ARMOR = 8_000

_PATTERNS = {
    "address": (r"://(?:[^\s/:@\"'<>]{0,100}:([^\s/\"'<>]{3,200})|([\w.~-]{20,255}))@[\w\[$.-]"),
    "login": r"(?<![\w-])(?:-u|--user|--login)[ =][\"']?[^\s:\"']{1,64}:([^\s\"']{4,100})",
    "user": r"[A-Za-z][\w.@+-]{2,63}:.",
    "basic": r"(?i:basic)[ \t]{1,4}[\"']?([A-Za-z0-9+/]{8,400}+={0,2})",
    "long": r"(?<![\w+/~-])[\w+/~-]{16,4000}+={0,2}",
    "mixed": r"(?=.*[a-z])(?=.*[A-Z])(?=.*\d)",
    # A noun whose long id directly follows it, as in the address of a shared document.
    "shared": r"(?i)\b(?:(?:spread)?sheet|doc|document|slides?|form|folder|video|playlist|calendar"
    r"|board)s?(?:[ _-]id)?[ \t:=/]{1,3}[\"'`]?$",
    # The prefixes of public keys, certificates and content addresses.
    "public": r"0x[0-9a-fA-F]{40}$|AAAA|MI[IG]|Qm[1-9A-HJ-NP-Za-km-z]{44}$|iVBOR|sha\d+-"
    r"|LS0tLS1CRUdJTiB(?:DRVJU|QVUJM)",
}
_NAMES_OF_SECRETS = (
    "password", "passwd", "secret", "token", "credential", "api key", "api_key", "apikey",
    "api-key", "access key", "access_key", "accesskey", "authorization", "bearer", "private key",
)  # fmt: skip
_NAMES_OF_DIGESTS = (
    "sha1", "sha2", "sha3", "sha5", "hash", "digest", "checksum", "commit", "etag", "integrity",
    "fingerprint", "revision", "public key", "pubkey", "ssh-", "h1:", "base64,",
)  # fmt: skip


@cache
def _compiled(name: str) -> re.Pattern[str]:
    return re.compile(_PATTERNS[name], re.ASCII)


def address_spans(text: str) -> Iterator[tuple[str, int, int]]:
    """Find the passwords before the host of a URL."""
    for match in _compiled("address").finditer(text):
        password, user = match.groups()
        if password is not None and not is_stand_in(password):
            yield "url-password", *match.span(1)
        elif user is not None and looks_random(user) and not is_stand_in(user):
            yield "url-password", *match.span(2)


def header_spans(text: str) -> Iterator[tuple[str, int, int]]:
    """Find the user name and password in a Basic header."""
    for match in _compiled("basic").finditer(text):
        _, _, password = (decoded_text(match[1]) or "").partition(":")
        if (password and not is_stand_in(password)) or _has_login(match[1]):
            yield "basic-header", *match.span(1)


def _has_login(encoded: str) -> bool:
    """Tell whether an encoded value is a user name and a password that is no plain text."""
    raw = decoded_bytes(encoded).decode("latin-1")
    return not raw.isascii() and _compiled("user").match(raw) is not None


def login_spans(text: str) -> Iterator[tuple[str, int, int]]:
    """Find the passwords that follow a user name on a command line."""
    for match in _compiled("login").finditer(text):
        value = match[1]
        is_branch = "/" in value and is_named_thing(value)
        if not is_branch and not is_stand_in(value) and not is_expression(value):
            yield "login", *match.span(1)


def random_spans(text: str, lowered: str) -> Iterator[tuple[str, int, int]]:
    """Find long random values that are not explained as a hash or a public key."""
    for match in _compiled("long").finditer(text):
        start, end = match.span()
        is_near = _is_near_a_name(lowered, start)
        if (
            (is_near or _is_random_enough_alone(match[0]))
            and looks_random(match[0])
            and not _is_known_harmless(match[0])
            and (is_near or not _is_explained(text, lowered, start))
        ):
            yield "high-entropy", start, end


def _is_known_harmless(value: str) -> bool:
    return (
        is_stand_in(value)
        or is_expression(value)
        or has_shape(value, "resource", "sum")
        or is_named_thing(value)
        or is_name_of_a_secret(value)
        or _compiled("public").match(value) is not None
        or decoded_text(value) is not None
    )


def _is_near_a_name(lowered: str, start: int) -> bool:
    before = lowered[max(0, start - _LOOK_BACK) : start].rpartition("\n")[2]
    return (
        any(name in before for name in _NAMES_OF_SECRETS)
        and not any(name in before for name in _NAMES_OF_DIGESTS)
        and "://" not in before
    )


def _is_random_enough_alone(value: str) -> bool:
    return (
        len(value.rstrip("=")) >= _SHORTEST_LONE
        and _compiled("mixed").match(value) is not None
        and entropy(value) >= _LEAST_LONE_ENTROPY
    )


def _is_explained(text: str, lowered: str, start: int) -> bool:
    """Tell whether the text just before makes the value a URL, a digest or a public key."""
    close = lowered[max(0, start - _LOOK_BACK_CLOSE) : start]
    if any(name in close for name in _NAMES_OF_DIGESTS):
        return True
    if _compiled("shared").search(text[max(0, start - _LOOK_BACK) : start]) is not None:
        return True
    word = text[max(0, start - _LOOK_BACK_IN_ADDRESS) : start]
    if "://" in word and not any(character.isspace() for character in word[word.rfind("://") :]):
        return True
    armor = text[max(0, start - _LOOK_BACK_IN_ARMOR) : start]
    return armor.rfind("-----BEGIN ") > armor.rfind("-----END ")
