"""Tells which key a person meant who wrote a key that no entry has.

Keys that Holdfast does not know belong to the person and are kept. A key that differs from a known
one by a slip of the hand, or that names it as other programs do, is a mistake: without a report
the entry would be taken in without its tags, its key or its expiry.
"""

from __future__ import annotations

from collections.abc import Mapping

OTHER_NAMES: Mapping[str, str] = {
    "kind": "type",
    "label": "id",
    "tag": "tags",
    "checks": "check",
    "ttl": "expires",
    "expire": "expires",
    "expiry": "expires",
    "expires_at": "expires",
    "expiration": "expires",
    "valid_until": "expires",
}
"""What the keys are called on the command line, in JSON and in other programs."""
_MISSPELT = ("type", "status", "tags", "key", "expires", "check", "evidence")
"""The keys that a person writes by hand, and whose loss changes what the entry says."""
_LONG = 5
"""In a shorter word, a wrong letter makes another word too often: "tags" and "tabs"."""


def meant_key(written: str) -> str | None:
    """Return the key of an entry that an unknown key stands for; None if it is a key of its own."""
    word = written.lower().replace("-", "_")
    if (meant := OTHER_NAMES.get(word)) is not None:
        return meant
    return next((key for key in _MISSPELT if _is_slip(word, key)), None)


def _is_slip(word: str, key: str) -> bool:
    """Tell whether a word is a key with two letters exchanged, or one missing, added or wrong."""
    if word == key or _is_exchanged(word, key):
        return True
    shorter, longer = sorted((word, key), key=len)
    if len(longer) == len(shorter) + 1:
        return len(shorter) >= _LONG - 1 and any(
            longer[:at] + longer[at + 1 :] == shorter for at in range(len(longer))
        )
    differing = sum(one != other for one, other in zip(word, key, strict=False))
    return len(word) == len(key) >= _LONG and differing == 1


def _is_exchanged(word: str, key: str) -> bool:
    swapped = (key[:at] + key[at + 1] + key[at] + key[at + 2 :] for at in range(len(key) - 1))
    return word in swapped
