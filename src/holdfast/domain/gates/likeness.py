"""Classify a value by its look: random, chosen by a person, or an ordinary word.

Words use few pairs of letters, random text uses all of them. A password that a person chose mixes
a word with digits or symbols.

Select the rules worth trying on a text: those with a trigger that occurs in it.

Every text pays for this selection. The triggers are grouped by their rarest character, so that a
search for one character rules out most groups.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import pairwise

_JUDGED_LENGTH = 64
_SHORTEST_CHOSEN = 6
_LONGEST_CHOSEN = 64
_SHORTEST_RANDOM = 8
_SHORTEST_DIGEST = 20
_WORDLIKE_SHARE = 0.5
_LEAST_ENTROPY = 2.1
_LEAST_ENTROPY_OF_LONG = 2.8
_LONG = 16
_FEWEST_DISTINCT = 4
_FEWEST_KINDS = 2
_DIGITS = frozenset("0123456789")

# For each letter, the letters that often follow it in English and in identifiers.
_FOLLOWERS = {
    "a": "bcdgilmnprst", "b": "aeilu", "c": "aehiklortu", "d": "aeiosu", "e": "acdefglmnprstvwx",
    "f": "efiloru", "g": "eis", "h": "aeio", "i": "abcdefglmnoprstvz", "k": "e", "l": "adeilostuy",
    "m": "aeiop", "n": "acdefgiostu", "o": "cdlmnoprstuw", "p": "aeiloprt", "q": "u",
    "r": "acdegimorsty", "s": "acehiopstu", "t": "acehiloprstuy", "u": "belmnprst", "v": "aei",
    "w": "ai", "x": "t", "y": "p", "z": "e",
}  # fmt: skip

_COMMON_PAIRS = frozenset(
    first + second for first, seconds in _FOLLOWERS.items() for second in seconds
)

_STAND_INS = (
    "xxxx", "****", "....", "…", "example", "changeme", "change-me", "change_me", "placeholder",
    "redacted", "your-", "your_", "yourpass", "yourtoken", "yourkey", "yoursecret", "my-secret",
    "my_secret", "mypassword", "insert-", "insert_", "replace-", "replace_", "notasecret",
    "not-a-secret", "dummy", "fake", "sample", "removed",
)  # fmt: skip

_STAND_IN_SHARE = 8

# A mixed-case alphabet is no placeholder: made-up keys with one have a vendor's format.
_ALPHABETS = ("abcdefghij", "ABCDEFGHIJ")

_PLAIN_DEFAULTS = (
    "admin bar baz changeit default foo guest hidden masked none null pass passwd password postgres"
    " pw pwd root secret test token undefined user username"
)

_TECHNICAL_TERMS = (
    r"argon2(?:id|i|d)?|bcrypt|scrypt|pbkdf2|sha-?\d{1,3}|sha3|md[45]|hmac|base(?:16|32|58|64|85)"
    r"(?:url)?|utf-?(?:8|16|32)|latin-?1|oauth-?[12]?|oidc|openid|http[s23]?|ipv[46]|ed25519|"
    r"x25519|curve25519|chacha20|poly1305|[rhep]s(?:256|384|512)|aes-?(?:128|192|256)?|gcm|cbc|"
    r"x509|pkcs\d+|p256|secp256[kr]1|2fa|mfa|totp|u2f|fido2|web[23]|s3|ec2|k8s|i18n|l10n|"
    r"u?int\d+|float\d+|f32|f64|[iu](?:8|16|32|64)|bytes\d*|varchar\d*|uuid(?:v?\d)?|ulid|"
    r"log4j|h2|db2|win32|x86|x64|amd64|arm64|blake2[bs]?|blake3|murmur3|fnv1a?|xxh(?:3|64|128)|"
    r"(?:python|node|java|php|postgres|redis|mysql|step|phase|tier|level|page|note|item|part|"
    r"vault|kv|user|rfc|gpt|claude|cl|tls|ssl|ssh|windows|debian|ubuntu|fedora|centos|rhel|django|"
    r"keycloak|iphone|android|angular|vue|react|rails|laravel|symfony|dotnet|wildfly|tomcat|spring|"
    r"oracle|mariadb|keepass|server|worker|cluster|region|stage|team|sprint|release|chapter|table|"
    r"figure|section|appendix|example|option|round|group|host|port|shard|bucket|queue|topic)v?\d+"
    r"|html\d|css\d|es\d|resolver404|http[1-5]\d\d|scram|wpa[23]?|ntlm(?:v2)?"
)
_SHAPES = {
    "digest": r"(?:0x)?[0-9a-f]{7,}|[0-9A-F]{7,}",
    "uuid": r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}",
    "ulid": r"(?:[a-z]{1,8}_)?[0-7](?:[0-9a-hjkmnp-tv-z]{25}|[0-9A-HJKMNP-TV-Z]{25})",
    "variable": r"\$\w+(?:\[.*|\(.*|->.*)?|\$?\{.*|%\w+%|%\(.*|%[sdr]\b.*|<.*|\[.*|\(.*|![A-Za-z/]+"
    r"|@\w+|\$\(.*|&\w+;?",
    "address": r"[\w.+-]+@[\w-]+\.[\w.]+",
    "locator": r"[a-z][a-z0-9+.-]+://.*|arn:.*|(?:sha\d+|h1)[:-].*|(?:[\w.-]+/[\w./-]+)?#\d+"
    r"|(?:self|this)\.\w+",
    "file": r"(?:\.{1,2}|~)/[\w./-]+|[\w./~-]+\.(?:txt|pem|key|json|ya?ml|toml|env|ini|cfg|conf|crt"
    r"|p12|jks|md|py|js|ts|sh|html?|css|xml|csv|sql|log)",
    "path": r"(?:\.{0,2}|~|[A-Za-z]:\\?)/.*|\\.*",
    "measure": r"[~<>=]*\d[\d.,:_/xTZ+-]*(?:[a-z%]{0,10}|[A-Z]{1,3}|[kKMG]i?B)[+]?",
    "version": r"v?\d+(?:[._-]\d+)*(?:[._-]?(?:alpha|beta|rc|dev|post|a|b)[._-]?\d*)?",
    "reference": r"[A-Za-z_]\w*(?:(?:\.|->|::)[A-Za-z_]\w*)+",
    "call": r"([A-Za-z_][\w.:]*)[\[({].*",
    "resource": r"(?:[a-z0-9]{1,16}[-_])+[0-9a-f]{6,40}(?:-[a-z0-9]{4,6})?"
    r"|[a-z]{1,4}_\d{8}T\d{4,6}Z?",
    "name": r"[A-Za-z_$-]+[12]?",
    "sum": r"[a-z]+(?:\+[a-z]+)+",
    "technical": _TECHNICAL_TERMS,
}


@cache
def _shape(name: str) -> re.Pattern[str]:
    return re.compile(_SHAPES[name], re.ASCII | re.DOTALL)


def has_shape(value: str, *names: str) -> bool:
    """Tell whether the whole value has one of the named shapes."""
    return any(_shape(name).fullmatch(value) for name in names)


def is_technical(value: str) -> bool:
    """Tell whether the value is a technical term, such as `argon2id` or `HS256`."""
    return has_shape(value, "technical")


def entropy(value: str) -> float:
    """Return the Shannon entropy of a value, in bits per character."""
    from math import log2

    size = len(value)
    return -sum(count / size * log2(count / size) for count in Counter(value).values())


def reads_like_words(value: str) -> bool:
    """Tell whether most pairs of neighbouring letters are common in words."""
    lowered = value[:_JUDGED_LENGTH].lower()
    pairs = [first + second for first, second in pairwise(lowered)]
    known = sum(pair in _COMMON_PAIRS for pair in pairs)
    judged = sum(pair.isalnum() and not pair.isdigit() for pair in pairs)
    return known >= _WORDLIKE_SHARE * judged


def is_stand_in(value: str) -> bool:
    """Tell whether the value is a placeholder, such as `<token>` or `xxxx`."""
    return (
        is_filled_in(value)
        or any(alphabet in value for alphabet in _ALPHABETS)
        or has_shape(value, "variable")
    )


def is_filled_in(value: str) -> bool:
    """Tell whether the value says that it is a placeholder: one letter repeated, or `example`.

    An alphabet says no such thing: it may stand in a token that a person made up for a test, or
    in one of a vendor.
    """
    lowered = value[:_JUDGED_LENGTH].lower()
    return (
        len(set(lowered)) < _FEWEST_DISTINCT
        or is_plain_default(lowered)
        or _holds_stand_in(value, lowered)
    )


def _holds_stand_in(value: str, lowered: str) -> bool:
    """Tell whether the value holds a word or a filler that placeholders have.

    A long random token may hold one by chance; there it counts only if it is a good part of it.
    """
    found = [len(word) for word in _STAND_INS if word in lowered]
    if not found:
        return False
    return max(found) * _STAND_IN_SHARE >= len(lowered) or not looks_random(value)


def is_plain_default(lowered: str) -> bool:
    """Tell whether the value is a common default, written where no secret is needed."""
    return lowered in _PLAIN_DEFAULTS.split()


def is_digest(value: str) -> bool:
    """Tell whether the value is long and hexadecimal, as hashes and some keys are."""
    return len(value) >= _SHORTEST_DIGEST and has_shape(value, "digest")


def is_expression(value: str) -> bool:
    """Tell whether the value is code or an address that refers to a secret but contains none."""
    if has_shape(value, "locator", "address", "file"):
        return True
    call = _shape("call").fullmatch(value)
    if call is not None:
        return reads_like_words(call[1])
    return has_shape(value, "path", "reference") and reads_like_words(value)


def looks_random(value: str) -> bool:
    """Tell whether the value looks randomly generated from letters, digits and symbols."""
    judged = value[:_JUDGED_LENGTH]
    if len(judged) < _SHORTEST_RANDOM or _kinds(judged) < _FEWEST_KINDS:
        return False
    return (
        entropy(judged) >= (_LEAST_ENTROPY if len(judged) < _LONG else _LEAST_ENTROPY_OF_LONG)
        and not reads_like_words(judged)
        and not has_shape(judged, "digest", "uuid", "ulid", "measure", "version", "technical")
    )


def looks_chosen(value: str) -> bool:
    """Tell whether the value looks like a chosen password: a word with digits or symbols."""
    if not _SHORTEST_CHOSEN <= len(value) <= _LONGEST_CHOSEN:
        return False
    if not any(character.isalpha() for character in value):
        return False
    if has_shape(value, "digest", "uuid", "ulid", "measure", "version"):
        return False
    return any(character.isdigit() or character in "!@#$%^&*+?~|=" for character in value[:-1]) or (
        value[-1].isdigit()
    )


def is_named_thing(value: str) -> bool:
    """Tell whether every part is a word, a number or a term, as in `auth-service-v2`."""
    parts = [part for part in re.split(r"[-_./:+]", value) if part]
    return all(
        (part.isalpha() and reads_like_words(part))
        or has_shape(part, "measure", "version")
        or has_shape(part.lower(), "technical")
        for part in parts
    )


def _kinds(value: str) -> int:
    return (
        (value != value.upper())
        + (value != value.lower())
        + (not _DIGITS.isdisjoint(value))
        + (not value.isalnum())
    )
