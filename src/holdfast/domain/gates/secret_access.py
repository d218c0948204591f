"""Secrets of locks, keyed hashes, password files and networks, and words that a machine accepts."""

from __future__ import annotations

from holdfast.domain.gates.likeness import is_stand_in
from holdfast.domain.gates.opaque import is_anything, is_name_of_a_secret
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
_OPENING = (
    r"(?:log(?:s|ged|ging)?[ -]?(?:in|on)|login|logon|sign(?:s|ed|ing)?[ -]?in|unlock|authenticate)"
)


def is_accepted(value: str) -> bool:
    """Tell a word that somebody made up from an ordinary one: it has a digit or a sign inside."""
    has_digit = any(map(str.isdecimal, value))
    is_made_up = has_digit and any(map(str.isalpha, value))
    return is_made_up and not is_stand_in(value) and not is_name_of_a_secret(value)


ACCESS: tuple[SecretPlace, ...] = (
    SecretPlace(
        rule="password",
        triggers=("code", "pin", "combination"),
        pattern=r"(?i)\b(?:code|pin|combination)[ \t](?:of|for|to|on|at)[ \t](?:[\w'-]{1,24}[ \t])"
        rf"{{0,4}}?{_LOCKS}{_LINK}{_QUOTE}{_NUMBERS}",
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
    SecretPlace(
        rule="password",
        triggers=("accepts ", "takes ", "wants ", "expects "),
        pattern=rf"(?i)\b(?:accepts|takes|wants|expects)[ \t]{_QUOTE}([^\s\"'`,;()]{{6,64}})"
        rf"{_QUOTE}[ \t](?:when|if|to|as|for)[ \t](?:[\w']{{1,20}}[ \t]){{0,4}}?{_OPENING}\b",
        judge=is_accepted,
    ),
)
