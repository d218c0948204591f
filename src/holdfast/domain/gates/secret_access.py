"""Secrets of locks, keyed hashes, password files and networks."""

from __future__ import annotations

from holdfast.domain.gates.opaque import is_anything
from holdfast.domain.gates.secret_sentences import SecretPlace
from holdfast.domain.gates.secret_told import is_hex_key

_LINK = (
    r"(?:[ \t]{0,3}[:=][ \t]{0,3}|[ \t](?:is|was|are|ist|lautet|est|es)(?:[ \t](?:now|still))?:?"
    r"[ \t]{1,3})"
)
_QUOTE = r"[\"'`*]{0,3}"
_LOCKS = (
    r"(?:doors?|alarm|gate|safe|lock|padlock|locker|lockbox|garage|keypad|strongbox|cabinet|rack"
    r"|vault|entrance|warehouse)"
)
_NUMBERS = r"(\d{1,2}(?:[- ]\d{1,2}){2,3})(?![\w-]|[ ]\d|\.\d)"
_BEFORE = (
    r"(?:(?:\A|\n)[ \t*-]{0,4}|[.:;!?(\"'`*][ \t]{0,3}|\b(?:the|an?|our|my|your|new|old|current|use"
    rf"|enter|type|entry|access|security|unlock|master|secret|{_LOCKS})[ \t])"
)
"""What stands before the code of a lock; a version code or a release code is none."""

ACCESS: tuple[SecretPlace, ...] = (
    SecretPlace(
        rule="password",
        triggers=("code", "pin", "combination"),
        pattern=rf"(?i){_BEFORE}(?:code|pin|combination)[ \t](?:of|for|to|on|at)[ \t]"
        rf"(?:[\w'-]{{1,24}}[ \t]){{0,4}}?{_LOCKS}{_LINK}{_QUOTE}{_NUMBERS}",
        judge=is_anything,
    ),
    SecretPlace(
        rule="password",
        triggers=("code", "pin", "combination"),
        pattern=rf"(?i)\b{_LOCKS}[ \t](?:code|pin|combination){_LINK}{_QUOTE}{_NUMBERS}",
        judge=is_anything,
    ),
    SecretPlace(
        rule="secret",
        triggers=("salt", "pepper"),
        pattern=r"(?i)(?<![a-z])(?:[a-z0-9]{1,20}[_ -]){1,4}(?:salt|pepper)[\"'`]?"
        rf"{_LINK}{_QUOTE}([0-9a-f]{{32,128}})(?![0-9a-z])",
        judge=is_hex_key,
    ),
    SecretPlace(
        rule="password-hash",
        triggers=("$apr1$", "$1$", "$2a$", "$2b$", "$2y$", "$5$", "$6$", "$y$", "$argon2"),
        pattern=r"(?<![\w$])[\w.@-]{1,64}:"
        r"(\$(?:apr1|1|2[aby]|5|6|y|argon2\w{1,2})\$[\w./$=,+-]{20,200})",
        judge=is_anything,
    ),
    SecretPlace(
        rule="tailscale-key",
        triggers=("tskey-",),
        pattern=r"(?<![\w-])(tskey-(?:[a-z]{2,12}-)?\w{8,40}-\w{8,64})(?![\w-])",
        judge=is_anything,
    ),
)
